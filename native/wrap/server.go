package wrap

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"time"

	"mcpmend/core/heal"
)

var errTwice = errors.New("the id is in use by a request that is under way")

// fromServer takes a message of the server and passes it on.
func (s *Session) fromServer(up *upstream, raw []byte) {
	m, err := scan(raw)
	if err != nil {
		s.badAnswer(raw, err)
		return
	}
	switch m.kind {
	case batch:
		s.batchFromServer(up, raw)
	case response:
		if out := s.responseFromServer(up, m); out != nil {
			s.toClient(out)
		}
	case request:
		s.mu.Lock()
		s.asked[idKey(m.id)] = up.number
		s.mu.Unlock()
		s.toClient(raw)
	case notification:
		if s.noticeOfServer(up, m) {
			s.toClient(raw)
		}
	}
}

// batchFromServer passes a batch on as one, unless something in it changed.
func (s *Session) batchFromServer(up *upstream, raw []byte) {
	parts, err := elements(raw)
	if err != nil {
		s.badAnswer(raw, err)
		return
	}
	same := true
	var out [][]byte
	for _, part := range parts {
		m, err := scan(part)
		kept := part
		switch {
		case err != nil || m.kind == batch:
			s.badAnswer(part, errors.Join(err, errors.New("part of a batch")))
			kept = nil
		case m.kind == response:
			kept = s.responseFromServer(up, m)
		case m.kind == request:
			s.mu.Lock()
			s.asked[idKey(m.id)] = up.number
			s.mu.Unlock()
		case m.kind == notification && !s.noticeOfServer(up, m):
			kept = nil
		}
		same = same && len(kept) == len(part) && (len(part) == 0 || &kept[0] == &part[0])
		if kept != nil {
			out = append(out, kept)
		}
	}
	switch {
	case same:
		s.toClient(raw)
	case len(out) > 0:
		joined := append([]byte("["), bytes.Join(out, []byte(","))...)
		s.toClient(append(joined, ']'))
	}
}

// responseFromServer settles a call and returns what the client gets: the same
// bytes, unless there is something to add, or nothing.
func (s *Session) responseFromServer(up *upstream, m message) []byte {
	key := idKey(m.id)
	now := time.Now()
	s.mu.Lock()
	if q, ok := s.own[key]; ok {
		delete(s.own, key)
		s.mu.Unlock()
		q.settle(slices.Clone(m.raw), nil)
		return nil
	}
	c, ok := s.calls[key]
	if !ok || c.number != up.number {
		s.mu.Unlock()
		if isNull(m.id) {
			return m.raw // an error about something that the server could not read
		}
		s.log.Warn("dropped an answer that nobody waits for", "id", string(m.id))
		s.options.Metrics.count("stray_answers")
		return nil
	}
	s.learn(up, c, m, now)
	failed := c.method == "tools/call" && (m.fault != nil || hasError(m.result))
	if failed && s.options.attentive() {
		// The call stays registered: it may be made once more.
		s.mu.Unlock()
		s.toolFailed(up, c, m)
		return nil
	}
	next, _ := s.settle(c)
	if c.method == "tools/call" && !failed {
		delete(s.faults, c.tool)
	}
	s.mu.Unlock()
	s.launchAll(next)
	outcome := "answered"
	if failed {
		outcome = "tool_error"
	}
	s.options.Metrics.call(c.tool, outcome, now.Sub(c.began), s.tools.has(c.tool))
	s.options.Journal.end(c, m.raw, outcome)
	return m.raw
}

// learn takes what an answer tells about the server; the lock is held.
func (s *Session) learn(up *upstream, c *call, m message, now time.Time) {
	switch {
	case c.method == "initialize":
		if m.result != nil {
			s.hand.result = slices.Clone(m.result)
		}
		if up.number == 1 || !s.health.Up() {
			s.health.Observe(heal.Event{Kind: heal.Connected, At: now})
		}
		return
	case !s.health.Up():
		s.health.Observe(heal.Event{Kind: heal.Connected, At: now})
	}
	s.health.Observe(heal.Event{Kind: heal.Answered, At: now, Took: now.Sub(c.began)})
	if c.method == "tools/list" && m.result != nil {
		s.tools.page(text(member(c.raw, "params", "cursor")), m.result)
	}
}

// hasError looks for isError in a tool's result, which is rare enough to be
// looked for as text first.
func hasError(result []byte) bool {
	return bytes.Contains(result, []byte(`isError`)) && string(member(result, "isError")) == "true"
}

// noticeOfServer looks at a notification; false means that it ends here.
func (s *Session) noticeOfServer(up *upstream, m message) bool {
	switch m.method {
	case "notifications/progress":
		token := idKey(member(m.params, "progressToken"))
		s.mu.Lock()
		for _, c := range s.calls {
			if c.token != "" && c.token == token && !c.deadline.IsZero() {
				c.deadline = time.Now().Add(s.options.callTimeout(c.tool))
			}
		}
		s.mu.Unlock()
	case "notifications/tools/list_changed":
		s.tools.stale()
		s.mu.Lock()
		up.unlisted = false
		s.mu.Unlock()
	case "notifications/cancelled":
		s.mu.Lock()
		delete(s.asked, idKey(member(m.params, "requestId")))
		s.mu.Unlock()
	case "notifications/subscriptions/acknowledged":
		// A listen request that was sent again is acknowledged again, which
		// the client has seen already.
		id := idKey(member(m.params, "_meta", metaSubscription))
		s.mu.Lock()
		defer s.mu.Unlock()
		if c, ok := s.calls[id]; ok {
			if c.acknowledged {
				return false
			}
			c.acknowledged = true
		}
	}
	return true
}

// badAnswer handles a message of the server that cannot be passed on. Where it
// answers a call, that call is answered by us, or it would wait in vain.
func (s *Session) badAnswer(raw []byte, err error) {
	s.options.Metrics.count("bad_messages")
	s.mu.Lock()
	c, ok := s.calls[idKey(answeredID(raw))]
	var answer []byte
	if ok {
		answer = s.executionError(c, outcomeOf(c), codeBadAnswer, "the server's answer cannot be used: "+err.Error())
	}
	level := slog.LevelDebug // a server that logs to stdout does so all the time
	if ok || !s.dropped {
		level = slog.LevelWarn
	}
	s.dropped = true
	s.mu.Unlock()
	s.log.Log(s.context, level, "dropped a message of the server", "reason", err.Error())
	if ok {
		s.answer(c, answer, string(outcomeOf(c)))
	}
}

// answeredID finds the id of the request that a broken message answers; nil
// for none.
func answeredID(raw []byte) []byte {
	answers, asks := false, false // a log line in JSON does neither
	id := brokenID(raw, func(key string) {
		switch key {
		case "jsonrpc", "result", "error":
			answers = true
		case "method":
			asks = true
		}
	})
	if asks || !answers {
		return nil
	}
	return id
}

// brokenID finds the id of a message that cannot be read as a whole, and tells
// which other keys were seen on the way. The id stands at the beginning or at
// the end, according to the library, and what is between may be incomplete.
func brokenID(raw []byte, seen func(key string)) (id []byte) {
	take := func(key string, value []byte) error {
		if key == "id" {
			id = value
		}
		seen(key)
		return nil
	}
	_ = members(raw, nil, take)
	if at := bytes.LastIndex(raw, []byte(`"id"`)); id == nil && at >= 0 {
		end := append([]byte("{"), raw[at:]...)
		if before := bytes.LastIndex(raw[:at], []byte(`"jsonrpc"`)); before >= 0 && at-before < 32 {
			end = append([]byte("{"), raw[before:]...)
		}
		if members(end, nil, take) != nil {
			id = nil
		}
	}
	return id
}

func rawID(id []byte) json.RawMessage { return json.RawMessage(id) }
