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
	"sync/atomic"

	"mcpmend/core/config"
	"mcpmend/core/heal"
)

// Send posts a message. It returns once the message is on its way, or cannot
// be, which ends the connection; what comes back is received like everything
// else. The handshake and notifications are waited for, because what follows
// them depends on them.
func (c *remoteConn) Send(raw []byte) (left bool, err error) {
	raw = bytes.Clone(raw)
	m, err := scan(raw)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	older := c.older
	c.mu.Unlock()
	if older != nil {
		return older.send(c, m)
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
	if !c.start(func() {
		defer cancel()
		defer close(p.done)
		c.post(ctx, p)
		if m.kind == request {
			c.mu.Lock()
			delete(c.posts, idKey(m.id))
			c.mu.Unlock()
		}
	}) {
		cancel()
		return false, errGone
	}
	wait := p.wrote
	if m.kind != request || m.method == "initialize" {
		wait = p.done
	}
	select {
	case <-wait:
	case <-p.done:
	case <-c.gone:
	}
	return !p.unsent.Load(), nil
}

// outgoing is a message on its way.
type outgoing struct {
	message message
	modern  bool
	wrote   chan struct{}
	done    chan struct{}
	once    sync.Once
	unsent  atomic.Bool
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
	wrote := func() { p.once.Do(func() { close(p.wrote) }) }
	answer, left, err := c.do(r, wrote)
	if err != nil {
		if !c.cancelled(ctx) {
			c.postFailed(p, left, err)
		}
		return
	}
	defer answer.Body.Close()
	wrote()
	c.answered(ctx, p, answer, had)
}

// do makes a request, calls wrote once its header is on its way, and tells
// whether that happened: what has not left cannot have run.
func (c *remoteConn) do(r *http.Request, wrote func()) (answer *http.Response, left bool, err error) {
	var sent atomic.Bool
	ctx := httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{WroteHeaders: func() {
		sent.Store(true)
		wrote()
	}})
	answer, err = c.remote.client.Do(r.WithContext(ctx))
	return answer, sent.Load(), err
}

// cancelled tells whether it was the one request that ended, and not the whole
// connection.
func (c *remoteConn) cancelled(ctx context.Context) bool {
	return ctx.Err() != nil && c.context.Err() == nil
}

// answered reads what a server says to a POST. Had tells whether the request
// was part of a session.
func (c *remoteConn) answered(ctx context.Context, p *outgoing, answer *http.Response, had bool) {
	m, status := p.message, answer.StatusCode
	if m.method == "initialize" && status == http.StatusOK {
		c.keepSession(answer.Header.Get(headerSession))
	}
	if status == http.StatusOK && isEventStream(answer) {
		c.readEvents(ctx, p, answer.Body)
		return
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxMessage+1))
	if err == nil && len(body) > maxMessage {
		err = errTooLong
	}
	switch {
	case err != nil:
		if !c.cancelled(ctx) {
			c.postFailed(p, true, fmt.Errorf("cannot read the answer: %w", err))
		}
	case lostSession(status, body, had):
		c.note(answer.Status, body)
		c.refused(m)
		c.lose(heal.Closure{By: "server", Why: "the session was lost: " + answer.Status})
	case status == http.StatusAccepted || status == http.StatusNoContent:
		if m.method == "notifications/initialized" {
			c.start(c.listen)
		}
	case c.deliverReply(m, body):
	case m.method == "initialize" && saysOlder(status) && c.useOlder(m):
	case status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout:
		// A gateway says so too when the server broke off in the middle of a
		// call, so the call may have run.
		c.note(answer.Status, body)
		c.lose(heal.Closure{By: "server", Why: "the server answered " + answer.Status})
	default:
		c.note(answer.Status, body)
		if m.kind == request {
			c.deliver(httpError(m.id, answer, body))
		}
	}
}

func isEventStream(answer *http.Response) bool {
	kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "text/event-stream")
}

// deliverReply hands over a body that is the message which a POST asked for.
func (c *remoteConn) deliverReply(m message, body []byte) bool {
	reply, err := scan(body)
	nameless := isNull(reply.id)
	if err != nil || reply.kind != batch && (reply.kind != response || idKey(reply.id) != idKey(m.id) && !nameless) {
		return false
	}
	c.learnVersion(m, reply)
	if nameless && m.kind == request {
		body = splice(body, reply.id, m.id)
	}
	if m.kind == request || m.kind == batch {
		c.deliver(body)
	}
	return true
}

// httpError is an HTTP failure as an answer to a request.
func httpError(id []byte, answer *http.Response, body []byte) []byte {
	said := plain(config.Mask(string(body[:min(len(body), 2000)])), 500)
	text := "The server answered HTTP " + answer.Status + "."
	switch {
	case answer.StatusCode == http.StatusUnauthorized, answer.StatusCode == http.StatusForbidden:
		text += " The credentials are missing or were refused; the call was not retried."
	case answer.StatusCode == http.StatusNotFound, answer.StatusCode == http.StatusMethodNotAllowed:
		text += " Is this the address of an MCP server? Look at its path."
	case answer.StatusCode == http.StatusOK:
		text = "The server answered with something other than a message; is this the address of an MCP server?"
	}
	return errorMessage(id, rpcError{Code: codeBadAnswer, Message: text, Data: map[string]any{"status": answer.StatusCode, "untrusted": said}})
}

// postFailed is a message that could not be delivered, or whose answer could
// not be read: the connection is lost.
func (c *remoteConn) postFailed(p *outgoing, left bool, err error) {
	if !left {
		p.unsent.Store(true)
		c.refused(p.message)
	}
	c.note(fmt.Sprintf("%s: %v", c.remote.Name(), errors.Unwrap(err)), nil)
	c.lose(heal.Closure{By: "network", Why: "the server cannot be reached: " + plain(config.Mask(err.Error()), 300)})
}

// refused notes that a request did not run.
func (c *remoteConn) refused(m message) {
	if m.kind != request {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsent[idKey(m.id)] = true
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
