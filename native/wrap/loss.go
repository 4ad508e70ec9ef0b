package wrap

import (
	"encoding/json"
	"slices"
	"time"

	"mcpmend/core/heal"
)

// detach sees to what a lost connection leaves behind: each call under way is
// either sent again or answered.
func (s *Session) detach(up *upstream) {
	closure, evidence := up.conn.Closure(), up.conn.Evidence()
	s.mu.Lock()
	if up.why != nil {
		closure = *up.why
	}
	lost := s.lose(up, failure{closure: closure, evidence: evidence})
	// Where nobody ever was, the address is wrong: those who wait are told.
	s.failure.hopeless = closure.By == "network" && !s.hand.made() && s.health.Status().Failures >= heal.DefaultPolicy().Failures
	s.mu.Unlock()

	level := s.log.Warn
	if closure.Expected {
		level = s.log.Info
	}
	level("connection closed", "by", closure.By, "why", closure.Why, "expected", closure.Expected, "retried", lost.again, "answered", len(lost.answers))
	s.options.Metrics.closure(closure)
	s.options.Metrics.add("resends", lost.again)
	s.options.Journal.health(s.Status())
	if !closure.Expected {
		for _, key := range lost.orphans {
			s.toClient(notificationMessage("notifications/cancelled", map[string]any{"requestId": json.RawMessage(key), "reason": "the server that asked is no more"}))
		}
	}
	for _, a := range lost.answers {
		s.answer(a.call, a.answer, string(outcomeOf(a.call)))
	}
	if !closure.Expected {
		s.giveUpWaiting()
	}
}

// loss is what a lost connection leaves to be told.
type loss struct {
	again   int // calls that will be sent again
	answers []lostCall
	orphans []string // the server's own questions, which the client need not answer
}

// lostCall is a call that is not sent again, with what its caller is told.
type lostCall struct {
	call   *call
	answer []byte
}

// lose takes a connection out of the session and decides about the calls that
// were under way on it; the lock is held.
func (s *Session) lose(up *upstream, why failure) (lost loss) {
	now := time.Now()
	s.up = nil
	close(up.gone)
	s.failure = why
	s.health.Observe(heal.Event{Kind: heal.Lost, At: now, Closure: why.closure})
	for key, q := range s.own {
		if q.number == up.number {
			delete(s.own, key)
			q.settle(nil, errGone)
		}
	}
	for key, number := range s.asked {
		if number == up.number {
			lost.orphans = append(lost.orphans, key)
			delete(s.asked, key)
		}
	}
	var again []parcel
	for _, c := range s.underWay(up) {
		v := s.judge(c)
		if !v.Retry || why.closure.Expected {
			lost.answers = append(lost.answers, lostCall{c, s.connectionError(c, v.Outcome, codeConnectionLost, "the connection was lost while it was under way")})
			continue
		}
		// Over the budget it waits for its turn; it is not lost.
		c.throttled = c.reach == heal.Sent && !endless[c.method] && !s.retries.Take(now)
		if !endless[c.method] {
			c.retries++
		}
		if c.waits.IsZero() {
			c.waits = now.Add(s.options.RecoveryTimeout)
		}
		again = append(again, parcel{call: c})
	}
	s.held = append(again, s.held...)
	lost.again = len(again)
	return lost
}

// underWay takes the calls of a connection off it, in the order in which they
// came; the lock is held.
func (s *Session) underWay(up *upstream) []*call {
	var calls []*call
	knows, _ := up.conn.(interface{ Unsent(key string) bool })
	for _, c := range s.calls {
		if c.number != up.number {
			continue
		}
		c.number = 0
		if knows != nil && knows.Unsent(c.key) {
			c.reach = heal.Unsent
		}
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b *call) int { return int(a.sequence) - int(b.sequence) })
	return calls
}

// judge asks the policy about a call whose connection was lost; the lock is
// held.
func (s *Session) judge(c *call) heal.Verdict {
	return s.options.Retry.Judge(heal.ConnectionFailure, s.tools.get(c.tool).hinted(heal.Call{
		Reach: c.reach, Retries: c.retries, Harmless: harmless[c.method],
	}))
}

// giveUpWaiting refuses what waits for a server that will not come.
func (s *Session) giveUpWaiting() {
	s.mu.Lock()
	dead := s.health.State() == heal.Dead || s.ended != nil
	if !dead && !s.failure.hopeless {
		s.mu.Unlock()
		return
	}
	code, why := codeDead, "the server is dead"
	switch {
	case s.ended != nil:
		code, why = codeStopped, "the task was stopped: "+s.ended.why
	case !s.hand.made() && s.failure.closure.By == "network":
		code, why = codeCannotStart, "the server cannot be reached"
	case !s.hand.made():
		code, why = codeCannotStart, "the server cannot be started"
	}
	var refused []*call
	var answers [][]byte
	for _, p := range s.held {
		if p.call != nil && s.calls[p.call.key] == p.call {
			refused = append(refused, p.call)
			answers = append(answers, s.connectionError(p.call, refusedOutcome(p.call), code, why))
		}
	}
	for _, c := range s.queued {
		s.register(c)
		refused = append(refused, c)
		answers = append(answers, s.connectionError(c, heal.Refused, code, why))
	}
	s.held, s.queued = nil, nil
	s.mu.Unlock()
	for i, c := range refused {
		s.answer(c, answers[i], string(heal.Refused))
	}
}

// refusedOutcome is refused for a call that never left, and honest otherwise.
func refusedOutcome(c *call) heal.Outcome {
	if outcome := outcomeOf(c); outcome == heal.MayHaveRun {
		return outcome
	}
	return heal.Refused
}
