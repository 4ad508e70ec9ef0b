package wrap

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// sessionTable has the sessions of the older era.
type sessionTable struct {
	mu     sync.Mutex
	open   map[string]*httpSession
	closed bool
}

// Limits on sessions: each has a server process behind it.
const (
	maxSessions = 32
	sessionIdle = 30 * time.Minute
)

func (t *sessionTable) add(o Options) (*httpSession, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errors.New("shutting down")
	}
	if len(t.open) >= maxSessions {
		return nil, fmt.Errorf("%d sessions are open, which is the most; end one with DELETE", maxSessions)
	}
	s := newHTTPSession(rand.Text(), o)
	t.open[s.id] = s
	return s, nil
}

// sweep ends the sessions that nobody uses any more, until the context ends: a
// client that crashed has not said goodbye.
func (t *sessionTable) sweep(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var idle []*httpSession
		t.mu.Lock()
		for id, s := range t.open {
			if s.idle() > sessionIdle {
				delete(t.open, id)
				idle = append(idle, s)
			}
		}
		t.mu.Unlock()
		closeSessions(idle)
	}
}

func (t *sessionTable) get(id string) *httpSession {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[id]
}

func (t *sessionTable) remove(id string) {
	t.mu.Lock()
	s := t.open[id]
	delete(t.open, id)
	t.mu.Unlock()
	if s != nil {
		s.close()
	}
}

func (t *sessionTable) closeAll() {
	t.mu.Lock()
	all := slices.Collect(maps.Values(t.open))
	clear(t.open)
	t.closed = true
	t.mu.Unlock()
	closeSessions(all)
}

// closeSessions returns when nothing of their servers is left.
func closeSessions(all []*httpSession) {
	var closing sync.WaitGroup
	for _, s := range all {
		closing.Go(s.close)
	}
	closing.Wait()
}

// httpSession is a client of the older era: a session with streams instead of
// one pipe.
type httpSession struct {
	id      string
	session *Session
	feeding sync.Mutex // Session.FromClient takes one message at a time

	mu      sync.Mutex
	posts   []*post // open, oldest first
	get     *stream // what is said unasked
	backlog [][]byte
	used    time.Time
}

// post is a request of HTTP with the requests of JSON-RPC in it.
type post struct {
	stream *stream
	ids    map[string]bool
	tokens map[string]bool
}

// maxBacklog bounds what waits for a client that does not listen.
const maxBacklog = 1000

func newHTTPSession(id string, o Options) *httpSession {
	h := &httpSession{id: id, used: time.Now()}
	h.session = newSession(o, h.toClient)
	if o.Started != nil {
		o.Started(h.session)
	}
	return h
}

func (h *httpSession) close() {
	h.session.Close()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.posts {
		p.stream.end()
	}
	if h.get != nil {
		h.get.end()
	}
}

// idle is how long nothing was said and nothing was open.
func (h *httpSession) idle() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.posts) > 0 || h.get != nil {
		return 0
	}
	return time.Since(h.used)
}

// servePost feeds a POST to the session and writes what comes of it.
func (h *httpSession) servePost(w http.ResponseWriter, r *http.Request, m message) {
	p := &post{ids: map[string]bool{}, tokens: map[string]bool{}}
	parts := [][]byte{m.raw}
	if m.kind == batch {
		var err error
		if parts, err = elements(m.raw); err != nil {
			writeError(w, http.StatusBadRequest, nil, codeParseError, err.Error())
			return
		}
	}
	for _, part := range parts {
		e, err := scan(part)
		if err != nil {
			writeError(w, http.StatusBadRequest, e.id, codeInvalidRequest, err.Error())
			return
		}
		if e.kind == request {
			p.ids[idKey(e.id)] = true
			if token := member(e.params, "_meta", "progressToken"); token != nil {
				p.tokens[idKey(token)] = true
			}
		}
	}
	requests := len(p.ids) // the answers take them out again, at any moment
	h.mu.Lock()
	h.used = time.Now()
	if requests > 0 {
		p.stream = newStream(requests)
		h.posts = append(h.posts, p)
	}
	h.mu.Unlock()
	h.feeding.Lock()
	h.session.FromClient(m.raw)
	h.feeding.Unlock()
	if m.method == "notifications/cancelled" {
		h.forget(idKey(member(m.params, "requestId")))
	}
	if requests == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	// A client of this era that asked for a tool may be asked back on the
	// same stream, so a document is only right once the answer is there.
	p.stream.serve(w, r, false, always)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.used = time.Now()
	h.posts = slices.DeleteFunc(h.posts, func(other *post) bool { return other == p })
}

// forget lets nobody wait for the answer to a request that was called off.
func (h *httpSession) forget(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.posts {
		if p.ids[key] {
			delete(p.ids, key)
			p.stream.forgo()
		}
	}
}

// serveStream is the answer to a GET: what the server says unasked.
func (h *httpSession) serveStream(w http.ResponseWriter, r *http.Request) {
	mine := newStream(1)
	h.mu.Lock()
	if h.get != nil {
		h.mu.Unlock()
		http.Error(w, "the session has a stream already", http.StatusConflict)
		return
	}
	h.get = mine
	for _, raw := range h.backlog {
		mine.put(raw)
	}
	h.backlog = nil
	h.mu.Unlock()
	mine.serve(w, r, true, always)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.get = nil
	h.used = time.Now()
}

// toClient finds the stream for a message: that of the request which it
// answers or speaks of, else any that is open, else the one for what is said
// unasked, once there is one.
func (h *httpSession) toClient(raw []byte) {
	parts := [][]byte{raw}
	m, err := scan(raw)
	if err == nil && m.kind == batch {
		parts, _ = elements(raw)
	}
	for _, part := range parts {
		m, err := scan(part)
		if err != nil {
			continue
		}
		h.mu.Lock()
		h.route(m, part)
		h.mu.Unlock()
	}
}

func (h *httpSession) route(m message, raw []byte) {
	if m.kind == response {
		key := idKey(m.id)
		for _, p := range h.posts {
			if p.ids[key] || isNull(m.id) {
				delete(p.ids, key)
				p.stream.answer(raw)
				return
			}
		}
		return // the client has left
	}
	if m.method == "notifications/progress" {
		token := idKey(member(m.params, "progressToken"))
		for _, p := range h.posts {
			if p.tokens[token] {
				p.stream.put(raw)
				return
			}
		}
	}
	switch {
	case len(h.posts) == 1 || len(h.posts) > 1 && h.get == nil:
		h.posts[len(h.posts)-1].stream.put(raw)
	case h.get != nil:
		h.get.put(raw)
	case len(h.backlog) < maxBacklog:
		h.backlog = append(h.backlog, slices.Clone(raw))
	}
}
