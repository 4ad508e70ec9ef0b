package wrap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"mcpmend/core/heal"
)

// olderTransport is HTTP with server-sent events as of 2024-11-05: one stream
// for everything that the server says, and an address for what it is told.
type olderTransport struct{ endpoint string }

// saysOlder tells whether an answer to initialize can come from a server that
// only speaks the older transport.
func saysOlder(status int) bool {
	return status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status == http.StatusBadRequest
}

// useOlder goes over to the older transport, if the server has it, and makes
// the handshake there.
func (c *remoteConn) useOlder(initialize message) bool {
	older, err := c.tryOlder()
	if err != nil {
		return false
	}
	c.mu.Lock()
	c.older = older
	c.mu.Unlock()
	older.send(c, initialize)
	return true
}

// tryOlder opens the stream and waits for the address.
func (c *remoteConn) tryOlder() (*olderTransport, error) {
	body, err := c.openStream(c.context, "")
	if err != nil {
		return nil, err
	}
	found := make(chan string, 1)
	if !c.start(func() {
		defer body.Close()
		err := readSSE(body, func(e sse) bool {
			if e.name == "endpoint" {
				select {
				case found <- string(e.data):
				default:
				}
				return true
			}
			c.deliver(e.data)
			return true
		})
		close(found)
		if c.context.Err() == nil {
			c.lose(heal.Closure{By: "server", Why: fmt.Sprintf("the event stream ended: %v", err)})
		}
	}) {
		body.Close()
		return nil, errGone
	}
	select {
	case place, ok := <-found:
		if !ok {
			return nil, errors.New("the event stream names no endpoint")
		}
		at, err := c.remote.address.Parse(place)
		if err != nil || !sameHost(at, c.remote.address) {
			// A server must not be able to send our messages elsewhere.
			return nil, fmt.Errorf("the endpoint %q is at another place than the server", plain(place, 200))
		}
		return &olderTransport{at.String()}, nil
	case <-time.After(10 * time.Second):
		return nil, errors.New("no endpoint was named within 10 s")
	case <-c.context.Done():
		return nil, c.context.Err()
	}
}

func sameHost(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }

// send posts a message; its answer comes on the stream.
func (o *olderTransport) send(c *remoteConn, m message) (left bool, err error) {
	r, err := c.request(c.context, http.MethodPost, o.endpoint, bytes.NewReader(m.raw))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, left, err := c.do(r, func() {})
	if err != nil {
		c.postFailed(&outgoing{message: m}, left, err)
		return left, nil
	}
	defer answer.Body.Close()
	if answer.StatusCode < 300 {
		return true, nil
	}
	body, _ := io.ReadAll(io.LimitReader(answer.Body, 16<<10))
	c.note(answer.Status, body)
	switch status := answer.StatusCode; status {
	case http.StatusNotFound, http.StatusBadRequest, http.StatusGone:
		c.refused(m)
		c.lose(heal.Closure{By: "server", Why: "the session was lost: " + answer.Status})
	default:
		if status >= 500 { // it may have run
			c.lose(heal.Closure{By: "server", Why: "the server answered " + answer.Status})
		} else if m.kind == request {
			// The caller may be the one who takes what is delivered.
			c.start(func() { c.deliver(httpError(m.id, answer, body)) })
		}
	}
	return true, nil
}
