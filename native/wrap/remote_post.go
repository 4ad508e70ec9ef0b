package wrap

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"

	"mcpmend/core/config"
	"mcpmend/core/heal"
)

// Send posts a message. It returns once the message is on its way, or cannot
// be; what comes back is received like everything else. The handshake and
// notifications are waited for, because what follows them depends on them.
func (c *remoteConn) Send(raw []byte) (left bool, err error) {
	raw = bytes.Clone(raw)
	m, err := scan(raw)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	older, ended := c.older, c.closure != nil
	c.mu.Unlock()
	if ended {
		return false, errGone
	}
	if older != nil {
		return older.send(c, raw)
	}
	modern := m.kind != batch && member(m.params, "_meta", metaVersion) != nil
	if m.method == "notifications/cancelled" && c.cancelPost(idKey(member(m.params, "requestId"))) {
		return true, nil
	}
	p := &outgoing{message: m, modern: modern, wrote: make(chan struct{}), done: make(chan struct{})}
	ctx, cancel := context.WithCancel(c.context)
	if modern && m.kind == request {
		c.mu.Lock()
		c.posts[idKey(m.id)] = cancel
		c.mu.Unlock()
	}
	c.running.Go(func() {
		defer cancel()
		defer close(p.done)
		c.post(ctx, p)
		if m.kind == request {
			c.mu.Lock()
			delete(c.posts, idKey(m.id))
			c.mu.Unlock()
		}
	})
	wait := p.wrote
	if m.kind != request || m.method == "initialize" {
		wait = p.done
	}
	select {
	case <-wait:
	case <-p.done:
	case <-c.gone:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.unsent, p.err
}

// outgoing is a message on its way.
type outgoing struct {
	message message
	modern  bool
	wrote   chan struct{}
	done    chan struct{}
	once    sync.Once

	mu     sync.Mutex
	unsent bool
	err    error
}

// cancelPost ends a request of the newer era, where closing is cancelling.
func (c *remoteConn) cancelPost(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	cancel, ok := c.posts[key]
	if ok {
		cancel()
		delete(c.posts, key)
	}
	return ok
}

func (c *remoteConn) post(ctx context.Context, p *outgoing) {
	m := p.message
	sent := false
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() {
		p.mu.Lock()
		sent = true
		p.mu.Unlock()
		p.once.Do(func() { close(p.wrote) })
	}})
	r, err := c.request(ctx, http.MethodPost, c.remote.address.String(), bytes.NewReader(m.raw))
	if err != nil {
		c.postFailed(p, false, err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if p.modern {
		c.modernHeaders(r, m)
	}
	c.mu.Lock()
	had := c.session != ""
	c.mu.Unlock()
	answer, err := c.remote.client.Do(r)
	if err != nil {
		if ctx.Err() != nil && c.context.Err() == nil {
			return // cancelled
		}
		p.mu.Lock()
		left := sent
		p.mu.Unlock()
		c.postFailed(p, left, err)
		return
	}
	defer answer.Body.Close()
	p.once.Do(func() { close(p.wrote) })
	c.answered(ctx, p, answer, had)
}

// answered reads what a server says to a POST.
func (c *remoteConn) answered(ctx context.Context, p *outgoing, answer *http.Response, had bool) {
	m := p.message
	kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	kind = strings.TrimSpace(strings.ToLower(kind))
	if m.method == "initialize" && answer.StatusCode == http.StatusOK {
		c.keepSession(answer.Header.Get(headerSession))
	}
	if answer.StatusCode == http.StatusOK && kind == "text/event-stream" {
		c.readEvents(ctx, p, answer.Body)
		return
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxMessage+1))
	switch {
	case err != nil || len(body) > maxMessage:
		if ctx.Err() != nil && c.context.Err() == nil {
			return
		}
		if err == nil {
			err = errTooLong
		}
		c.postFailed(p, true, fmt.Errorf("reading the answer: %w", err))
		return
	case lostSession(answer.StatusCode, body, had):
		c.note(answer.Status, body)
		c.refused(p)
		c.lose(heal.Closure{By: "server", Why: "the session was lost: " + answer.Status})
		return
	case answer.StatusCode == http.StatusAccepted || answer.StatusCode == http.StatusNoContent:
		if m.method == "notifications/initialized" {
			c.running.Go(c.listen)
		}
		return
	}
	reply, err := scan(body)
	if err == nil && (reply.kind == response && (idKey(reply.id) == idKey(m.id) || isNull(reply.id)) || reply.kind == batch) {
		c.learnVersion(m, reply)
		if isNull(reply.id) && m.kind == request {
			body = splice(body, reply.id, m.id)
		}
		if m.kind == request || m.kind == batch {
			c.deliver(body)
		}
		return
	}
	if m.method == "initialize" && (answer.StatusCode == http.StatusNotFound || answer.StatusCode == http.StatusMethodNotAllowed || answer.StatusCode == http.StatusBadRequest) {
		if older, err := c.tryOlder(); err == nil {
			c.mu.Lock()
			c.older = older
			c.mu.Unlock()
			older.send(c, m.raw)
			return
		}
	}
	c.note(answer.Status, body)
	if answer.StatusCode == http.StatusBadGateway || answer.StatusCode == http.StatusServiceUnavailable || answer.StatusCode == http.StatusGatewayTimeout {
		if answer.StatusCode != http.StatusGatewayTimeout {
			c.refused(p)
		}
		c.lose(heal.Closure{By: "server", Why: "the server answered " + answer.Status})
		return
	}
	if m.kind == request {
		c.deliver(httpError(m.id, answer, body))
	}
}

// httpError is an HTTP failure as an answer to a request.
func httpError(id []byte, answer *http.Response, body []byte) []byte {
	said := plain(config.Mask(string(body[:min(len(body), 2000)])), 500)
	text := "The server answered HTTP " + answer.Status + "."
	switch {
	case answer.StatusCode == http.StatusUnauthorized, answer.StatusCode == http.StatusForbidden:
		text += " The credentials are missing or were refused; the call was not retried."
	case answer.StatusCode == http.StatusOK:
		text = "The server answered with something other than a message; is this the address of an MCP server?"
	}
	return errorMessage(id, rpcError{Code: codeBadAnswer, Message: text, Data: map[string]any{"status": answer.StatusCode, "untrusted": said}})
}

// postFailed is a message that could not be delivered, or whose answer could
// not be read: the connection is lost.
func (c *remoteConn) postFailed(p *outgoing, left bool, err error) {
	p.mu.Lock()
	p.unsent, p.err = !left, err
	p.mu.Unlock()
	if !left {
		c.refused(p)
	}
	var address string
	if c.remote != nil {
		address = c.remote.Name()
	}
	c.note(fmt.Sprintf("%s: %v", address, errors.Unwrap(err)), nil)
	c.lose(heal.Closure{By: "network", Why: "the server cannot be reached: " + plain(config.Mask(err.Error()), 300)})
}

// refused notes that a request did not run.
func (c *remoteConn) refused(p *outgoing) {
	if p.message.kind != request {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsent[idKey(p.message.id)] = true
}

func (c *remoteConn) note(head string, body []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = strings.TrimSpace(head + "\n" + string(body[:min(len(body), 16<<10)]))
}

// learnVersion keeps the version that the handshake agreed on, which later
// requests have to name.
func (c *remoteConn) learnVersion(m, reply message) {
	if m.method != "initialize" || reply.result == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = text(member(reply.result, "protocolVersion"))
}

// modernHeaders repeats in headers what the message says, for those on the way
// who do not read messages.
func (c *remoteConn) modernHeaders(r *http.Request, m message) {
	r.Header.Set(headerVersion, text(member(m.params, "_meta", metaVersion)))
	r.Header.Set(headerMethod, m.method)
	switch m.method {
	case "tools/call", "prompts/get":
		r.Header.Set(headerName, encodeHeader(text(member(m.params, "name"))))
	case "resources/read":
		r.Header.Set(headerName, encodeHeader(text(member(m.params, "uri"))))
	}
	if m.method == "tools/call" && c.tools != nil {
		setParamHeaders(r, c.tools(text(member(m.params, "name"))), member(m.params, "arguments"), 0)
	}
}

func setParamHeaders(r *http.Request, schema, arguments []byte, depth int) {
	_ = members(member(schema, "properties"), nil, func(name string, property []byte) error {
		value := member(arguments, name)
		if header := text(member(property, "x-mcp-header")); header != "" && value != nil && !isNull(value) {
			word := string(value)
			if value[0] == '"' {
				word = text(value)
			}
			r.Header.Set(headerParam+header, encodeHeader(word))
		}
		if depth < 16 && member(property, "properties") != nil {
			setParamHeaders(r, property, value, depth+1)
		}
		return nil
	})
}

// encodeHeader writes a value that a header cannot hold as it is in base64.
func encodeHeader(value string) string {
	safe := value == strings.TrimSpace(value) && !strings.HasPrefix(value, "=?base64?")
	for _, b := range []byte(value) {
		safe = safe && b >= 0x20 && b <= 0x7e
	}
	if safe {
		return value
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
}
