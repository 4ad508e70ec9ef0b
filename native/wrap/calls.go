package wrap

import (
	"slices"
	"time"

	"mcpmend/core/heal"
)

// call is a request of the client from the moment it came until it is
// answered, which happens exactly once.
type call struct {
	key     string // of the id
	id      []byte
	raw     []byte // as it is sent, and sent again
	method  string
	tool    string
	args    []byte // within raw
	modern  bool   // of a client of 2026-07-28 and after
	token   string // for its progress
	changed bool   // arguments were repaired
	state   bool   // it comes back with a requestState

	acknowledged bool // a listen request, by the server
	throttled    bool // it is to be sent again once the budget has room

	fix *correction

	registered bool // it was under way, so that it may be answered already
	sequence   uint64
	began      time.Time
	deadline   time.Time // zero for none
	waits      time.Time // when waiting for a connection: until then
	reach      heal.Reach
	retries    int
	number     int // of the connection it was last sent on
}

// Limits on what waits while the server is away.
const maxHeld = 10_000

// harmless are the methods that can be sent any number of times. Anything not
// in the list is treated like a tool call with an effect.
var harmless = map[string]bool{
	"initialize": true, "ping": true, "server/discover": true,
	"tools/list": true, "resources/list": true, "resources/templates/list": true, "resources/read": true,
	"prompts/list": true, "prompts/get": true, "completion/complete": true, "logging/setLevel": true,
	"resources/subscribe": true, "resources/unsubscribe": true, "subscriptions/listen": true,
	"tasks/get": true, "tasks/list": true, "tasks/result": true,
}

// endless are requests that are meant to stay open.
var endless = map[string]bool{"subscriptions/listen": true}

// prepare makes a call of a request, or answers it at once and returns nil.
func (s *Session) prepare(m message) *call {
	c := &call{key: idKey(m.id), method: m.method, began: time.Now()}
	c.raw = slices.Clone(m.raw)
	m.id, m.params = moved(c.raw, m.raw, m.id), moved(c.raw, m.raw, m.params)
	m.raw, c.id = c.raw, m.id
	if err := s.look(c, m); err != nil {
		s.refuseMessage(m, err)
		return nil
	}
	s.mu.Lock()
	if s.inUse(c.key) {
		s.mu.Unlock()
		s.refuseMessage(m, errTwice)
		return nil
	}
	s.sequence++
	c.sequence = s.sequence
	s.retries.Call()
	s.hand.see(c, m)
	answer := s.refusal(c)
	s.mu.Unlock()
	if answer != nil {
		s.answer(c, answer, "refused")
		return nil
	}
	if c.method == "tools/call" && !s.checkArguments(c) {
		return nil
	}
	return c
}

// inUse tells whether an id is that of a request without an answer; the lock
// is held.
func (s *Session) inUse(key string) bool {
	_, underWay := s.calls[key]
	return underWay || slices.ContainsFunc(s.queued, func(c *call) bool { return c.key == key })
}

// look reads what matters of the parameters.
func (s *Session) look(c *call, m message) error {
	if len(m.params) == 0 || m.params[0] != '{' {
		return nil
	}
	names := callNames
	if c.method != "tools/call" {
		names = nil
	}
	var meta []byte
	err := members(m.params, names, func(key string, value []byte) error {
		switch key {
		case "_meta":
			meta = value
		case "name":
			if c.method == "tools/call" {
				c.tool = text(value)
			}
		case "arguments":
			c.args = value
		case "requestState":
			c.state = true
		}
		return nil
	})
	if err != nil || len(meta) == 0 || meta[0] != '{' {
		return err
	}
	return members(meta, []string{"progressToken", metaVersion}, func(key string, value []byte) error {
		switch key {
		case "progressToken":
			c.token = idKey(value)
		case metaVersion:
			c.modern = true
		}
		return nil
	})
}

// refusal is the answer to a call that has no chance; nil when it has one. The
// lock is held.
func (s *Session) refusal(c *call) []byte {
	switch {
	case s.ended != nil:
		return s.connectionError(c, heal.Refused, codeStopped, "the task was stopped: "+s.ended.why)
	case s.health.State() == heal.Dead:
		return s.connectionError(c, heal.Refused, codeDead, "the server is dead")
	}
	return nil
}

// dispatch sends a call, or lets it wait for a connection or for its turn.
func (s *Session) dispatch(c *call) {
	s.mu.Lock()
	s.limit(c, c.began)
	if !s.hasTurn(c) {
		s.queued = append(s.queued, c)
		s.mu.Unlock()
		return
	}
	s.register(c)
	s.launch(c)
}

// limit sets the time by which a call that is sent now must be answered.
func (s *Session) limit(c *call, from time.Time) {
	limit := s.options.callTimeout(c.tool)
	if limit <= 0 || endless[c.method] {
		return
	}
	if c.method == "initialize" {
		limit = max(limit, s.options.RecoveryTimeout) // starting takes longer than answering
	}
	c.deadline = from.Add(limit)
}

// hasTurn tells whether the limits leave room for one more; the lock is held.
func (s *Session) hasTurn(c *call) bool {
	if c.method != "tools/call" {
		return true
	}
	room := func(limit int, of string) bool { return limit == 0 || s.inFlight[of] < limit }
	return room(s.options.MaxInFlight, "") && room(s.options.ToolMaxInFlight[c.tool], c.tool)
}

// register counts a call among those under way; the lock is held.
func (s *Session) register(c *call) {
	s.calls[c.key] = c
	c.registered = true
	if c.method == "tools/call" {
		s.inFlight[""]++
		s.inFlight[c.tool]++
	}
}

// launch begins a call that is registered. It is called with the lock held and
// returns without it.
func (s *Session) launch(c *call) {
	s.options.Journal.begin(c)
	s.deliver(c)
}

// deliver sends a call, or lets it wait for a connection. It is called with the
// lock held and returns without it.
func (s *Session) deliver(c *call) {
	up := s.up
	if up == nil || !up.ready {
		s.hold(c)
		s.mu.Unlock()
		return
	}
	c.reach, c.number = heal.Sent, up.number
	s.mu.Unlock()
	s.transmit(up, c)
}

// hold lets a call wait for a connection; the lock is held.
func (s *Session) hold(c *call) {
	if c.waits.IsZero() {
		c.waits = time.Now().Add(s.options.RecoveryTimeout)
	}
	s.held = append(s.held, parcel{call: c})
}

func (s *Session) transmit(up *upstream, c *call) {
	if left := s.send(up, c.raw); !left {
		s.mu.Lock()
		if c.number == up.number {
			c.reach = heal.Unsent
		}
		s.mu.Unlock()
	}
}

// dispatchTogether sends calls as the one batch that they came in. False means
// that this is not the moment, and nothing was done.
func (s *Session) dispatchTogether(calls []*call, raw []byte) bool {
	s.mu.Lock()
	up := s.up
	if up == nil || !up.ready || s.options.limited() {
		s.mu.Unlock()
		return false
	}
	for _, c := range calls {
		s.limit(c, c.began)
		c.reach, c.number = heal.Sent, up.number
		s.register(c)
		s.options.Journal.begin(c)
	}
	s.mu.Unlock()
	s.send(up, raw)
	return true
}

// settle takes a call out of all lists and returns those whose turn has come;
// the lock is held. False means that it was settled before.
func (s *Session) settle(c *call) (next []*call, ok bool) {
	if s.calls[c.key] != c {
		return nil, false
	}
	delete(s.calls, c.key)
	if c.method == "tools/call" {
		s.inFlight[""]--
		if s.inFlight[c.tool]--; s.inFlight[c.tool] == 0 {
			delete(s.inFlight, c.tool)
		}
	}
	return s.takeTurns(), true
}

// takeTurns registers the calls in the queue for which the limits have room
// now; the lock is held.
func (s *Session) takeTurns() (next []*call) {
	s.queued = slices.DeleteFunc(s.queued, func(c *call) bool {
		turn := s.hasTurn(c)
		if turn {
			s.register(c)
			next = append(next, c)
		}
		return turn
	})
	return next
}

// launchAll sends the calls whose turn has come.
func (s *Session) launchAll(next []*call) {
	for _, c := range next {
		s.mu.Lock()
		if s.calls[c.key] != c {
			s.mu.Unlock()
			continue // called off meanwhile
		}
		s.launch(c)
	}
}

// answer gives a call its one answer. One that was under way and is no more
// has been answered, or its client does not want to know.
func (s *Session) answer(c *call, raw []byte, outcome string) {
	s.mu.Lock()
	next, ok := s.settle(c)
	ok = ok || !c.registered
	s.mu.Unlock()
	if !ok {
		return
	}
	s.options.Metrics.call(c.tool, outcome, time.Since(c.began), s.tools.has(c.tool))
	s.options.Journal.end(c, raw, outcome)
	s.toClient(raw)
	s.launchAll(next)
}

// cancelCall drops a call that the client does not want any more; false means
// that the server need not hear of it. The lock is held.
func (s *Session) cancelCall(id []byte) bool {
	key := idKey(id)
	if i := slices.IndexFunc(s.queued, func(c *call) bool { return c.key == key }); i >= 0 {
		s.queued = slices.Delete(s.queued, i, i+1)
		return false
	}
	c, ok := s.calls[key]
	if !ok {
		return true // of something that has been answered; the server knows
	}
	waiting := slices.ContainsFunc(s.held, func(p parcel) bool { return p.call == c })
	s.held = slices.DeleteFunc(s.held, func(p parcel) bool { return p.call == c })
	next, _ := s.settle(c)
	s.options.Journal.end(c, nil, "cancelled")
	s.options.Metrics.call(c.tool, "cancelled", time.Since(c.began), s.tools.has(c.tool))
	if len(next) > 0 {
		go s.launchAll(next)
	}
	return !waiting
}

// expire answers what has waited too long.
func (s *Session) expire(now time.Time) {
	type late struct {
		call    *call
		answer  []byte
		outcome heal.Outcome
		tell    *upstream
	}
	var answers []late
	s.mu.Lock()
	s.queued = slices.DeleteFunc(s.queued, func(c *call) bool {
		old := !c.deadline.IsZero() && now.After(c.deadline)
		if old {
			s.register(c) // so that it can be settled like the others
			answers = append(answers, late{c, s.executionError(c, heal.NotRun, codeBusy, "too many calls are under way, and its turn did not come in time"), heal.NotRun, nil})
		}
		return old
	})
	s.held = slices.DeleteFunc(s.held, func(p parcel) bool {
		c := p.call
		old := c != nil && now.After(c.waits)
		if old {
			answers = append(answers, late{c, s.connectionError(c, outcomeOf(c), codeStillDown, "the server did not come back within "+s.options.RecoveryTimeout.String()), outcomeOf(c), nil})
		}
		return old
	})
	for _, c := range s.calls {
		if c.deadline.IsZero() || !now.After(c.deadline) || !c.waits.IsZero() {
			continue // what waits for a connection has another limit
		}
		s.health.Observe(heal.Event{Kind: heal.Unanswered, At: now})
		why := "the server did not answer within " + s.options.callTimeout(c.tool).String()
		answers = append(answers, late{c, s.executionError(c, heal.MayHaveRun, codeTimedOut, why), heal.MayHaveRun, s.up})
	}
	s.mu.Unlock()
	slices.SortFunc(answers, func(a, b late) int { return int(a.call.sequence) - int(b.call.sequence) })
	for _, l := range answers {
		// Ours first: a server answers what is cancelled at times, with an error
		// that says nothing.
		s.answer(l.call, l.answer, string(l.outcome))
		if l.tell != nil {
			// A server that has stopped reading must not stop the clock.
			go s.send(l.tell, notificationMessage("notifications/cancelled", map[string]any{"requestId": rawID(l.call.id), "reason": "timed out"}))
		}
	}
}

// outcomeOf is what may be said of a call that is not sent again.
func outcomeOf(c *call) heal.Outcome {
	if c.reach == heal.Sent && !harmless[c.method] {
		return heal.MayHaveRun
	}
	return heal.NotRun
}
