package wrap

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"mcpmend/core/heal"
)

// sse is one server-sent event.
type sse struct {
	name string
	id   string
	data []byte
}

// readSSE calls yield for each event until the stream ends.
func readSSE(body io.Reader, yield func(sse) bool) error {
	lines := newLineReader(bufio.NewReader(body), maxMessage)
	var e sse
	has := false
	for {
		line, err := lines.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if len(line) == 0 {
			if has && !yield(e) {
				return nil
			}
			e, has = sse{}, false
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			e.name = string(value)
		case "id":
			e.id = string(value)
		case "data":
			if has {
				e.data = append(e.data, '\n')
			}
			if len(e.data)+len(value) > maxMessage {
				return errTooLong
			}
			e.data = append(e.data, value...)
			has = true
		}
	}
}

// readEvents reads the stream that answers a POST. One that ends before the
// answer is a lost connection, unless it can be taken up again.
func (c *remoteConn) readEvents(ctx context.Context, p *outgoing, body io.Reader) {
	m := p.message
	answered := m.kind != request
	last := ""
	take := func(e sse) bool {
		if e.id != "" {
			last = e.id
		}
		if e.name != "" && e.name != "message" || len(bytes.TrimSpace(e.data)) == 0 {
			return true
		}
		if reply, err := scan(e.data); err == nil && reply.kind == response && idKey(reply.id) == idKey(m.id) {
			answered = true
			c.learnVersion(m, reply)
		}
		c.deliver(e.data)
		return true
	}
	err := readSSE(body, take)
	if !answered && last != "" && ctx.Err() == nil && !p.modern {
		err = c.resume(ctx, last, take, &answered)
	}
	if answered || ctx.Err() != nil {
		return
	}
	why := "the stream ended before the answer"
	if err != nil {
		why += ": " + err.Error()
	}
	c.lose(heal.Closure{By: "network", Why: why})
}

// resume takes up a stream again where it ended, a few times.
func (c *remoteConn) resume(ctx context.Context, last string, take func(sse) bool, answered *bool) error {
	var err error
	for try := range 5 {
		select {
		case <-time.After(time.Duration(try+1) * 200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		var body io.ReadCloser
		if body, err = c.openStream(ctx, last); err != nil {
			continue
		}
		err = readSSE(body, func(e sse) bool {
			if e.id != "" {
				last = e.id
			}
			return take(e) && !*answered
		})
		body.Close()
		if *answered {
			return nil
		}
	}
	return err
}

// openStream asks for what the server says unasked.
func (c *remoteConn) openStream(ctx context.Context, last string) (io.ReadCloser, error) {
	r, err := c.request(ctx, http.MethodGet, c.remote.address.String(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := c.remote.client.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK || !isEventStream(answer) {
		answer.Body.Close()
		if answer.StatusCode == http.StatusNotFound {
			return nil, errLostSession
		}
		return nil, fmt.Errorf("the server answered a GET with %s", answer.Status)
	}
	return answer.Body, nil
}

// listen keeps a stream open for what the server says unasked. A server need
// not have one.
func (c *remoteConn) listen() {
	last := ""
	for failures := 0; failures < 5; {
		body, err := c.openStream(c.context, last)
		switch {
		case errors.Is(err, errLostSession):
			c.mu.Lock()
			had := c.session != ""
			c.mu.Unlock()
			if had && failures > 0 { // it had one, so it is the session that is gone
				c.lose(heal.Closure{By: "server", Why: "the session was lost: 404 on its stream"})
			}
			return
		case err != nil && last == "" && failures == 0:
			return // it has none
		case err == nil:
			failures = 0
			_ = readSSE(body, func(e sse) bool {
				if e.id != "" {
					last = e.id
				}
				if e.name == "" || e.name == "message" {
					c.deliver(e.data)
				}
				return true
			})
			body.Close()
		}
		failures++
		select {
		case <-c.context.Done():
			return
		case <-time.After(time.Duration(failures) * time.Second):
		}
	}
}
