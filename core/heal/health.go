package heal

import (
	"fmt"
	"slices"
	"time"
)

// State is how a server is.
type State string

const (
	Healthy      State = "healthy"
	Degraded     State = "degraded"     // usable, or about to be again
	Unresponsive State = "unresponsive" // connected, and answers no call
	Dead         State = "dead"         // not to be reached; only a trial can tell otherwise
)

// Decision is what to do about it.
type Decision string

const (
	Continue        Decision = "continue"
	RetryConnection Decision = "retry_connection"
	StopTask        Decision = "stop_task"
)

// Policy has the hard limits. [DefaultPolicy] is a good one.
type Policy struct {
	Slow         time.Duration // a call that takes longer makes the server degraded
	Unanswered   int           // calls in a row without an answer make it unresponsive
	Failures     int           // failed connections in a row make it dead
	Restarts     int           // that came to nothing, within Window, make it dead
	Window       time.Duration
	SessionLimit int // restarts in a row that came to nothing; then it is left for good
	Backoff      Backoff
}

// DefaultPolicy is what the wrapper keeps to unless it is told otherwise.
func DefaultPolicy() Policy {
	return Policy{
		Slow: 10 * time.Second, Unanswered: 3, Failures: 5,
		Restarts: 5, Window: time.Minute, SessionLimit: 20,
		Backoff: Backoff{Base: 200 * time.Millisecond, Cap: 30 * time.Second, Reset: time.Minute},
	}
}

// EventKind is what can happen to a connection.
type EventKind uint8

const (
	Starting   EventKind = iota // a start or a connect begins
	Failed                      // it came to nothing
	Connected                   // the server answered the handshake
	Answered                    // a call was answered, well or with a tool's error
	Unanswered                  // a call was not, within its time limit
	PingFailed                  // a ping was not; that alone says nothing
	Lost                        // the connection ended
)

// Event is one of them. Took is for Answered, Closure for Lost and Failed.
type Event struct {
	Kind    EventKind
	At      time.Time
	Took    time.Duration
	Closure Closure
}

// Closure is the end of a connection.
type Closure struct {
	By       string `json:"by"` // "client", "server", "network", "us"
	Why      string `json:"why"`
	Expected bool   `json:"expected"` // the client left, or the end was asked for
}

// Status is everything that is known about a connection; it is a copy.
type Status struct {
	State       State        `json:"state"`
	Reasons     []string     `json:"reasons"`
	Connected   bool         `json:"connected"`
	Failures    int          `json:"consecutive_failures"`
	LastSuccess time.Time    `json:"last_success"`
	LastCheck   time.Time    `json:"last_check"`
	Starts      int          `json:"starts"`
	Closures    int          `json:"closures"`
	Unexpected  int          `json:"unexpected_closures"`
	Recoveries  int          `json:"recoveries"`
	Last        *Closure     `json:"last_closure"`
	History     []Transition `json:"history"`
}

// Transition is a change of state.
type Transition struct {
	At   time.Time `json:"at"`
	From State     `json:"from"`
	To   State     `json:"to"`
	Why  string    `json:"why"`
}

// historyKept bounds [Status.History].
const historyKept = 32

// Health follows one connection. It begins healthy and not yet connected.
type Health struct {
	policy Policy
	status Status

	starting   bool
	served     bool        // since it was connected
	restarts   []time.Time // that came to nothing, within the window
	idle       int         // restarts in a row that came to nothing
	attempt    int         // for the backoff
	unanswered int         // calls in a row
	pings      int         // in a row
	slow       bool
	calmSince  time.Time
	buried     bool // dead, until a trial connects
}

// NewHealth makes the state machine of one connection.
func NewHealth(p Policy) *Health {
	return &Health{policy: p, status: Status{State: Healthy}}
}

// Observe takes an event and works out the state.
func (h *Health) Observe(e Event) {
	s := &h.status
	s.LastCheck = e.At
	switch e.Kind {
	case Starting:
		h.starting = true
		if s.Starts++; s.Starts > 1 {
			h.restarts = append(h.recent(e.At), e.At)
			h.idle++
			h.attempt++
		}
	case Failed:
		h.starting = false
		s.Connected = false
		s.Failures++
		s.Last = &e.Closure
	case Connected:
		h.starting, h.served, h.buried = false, false, false
		h.unanswered, h.pings, h.slow = 0, 0, false
		if s.Connected = true; s.Starts > 1 {
			s.Recoveries++
		}
		h.calmSince = e.At
	case Answered:
		if !s.Connected {
			break // of a connection that is no more
		}
		// A server that serves is not in a crash loop, however often it dies
		// in between.
		h.served, h.restarts, h.idle, h.attempt, s.Failures = true, nil, 0, 0, 0
		s.LastSuccess = e.At
		h.unanswered, h.pings = 0, 0
		h.slow = e.Took > h.policy.Slow
	case Unanswered:
		h.unanswered++
	case PingFailed:
		h.pings++
	case Lost:
		s.Connected, h.starting = false, false
		if !h.served {
			s.Failures++
		}
		if h.calm(e.At) {
			h.attempt = 0
		}
		h.ended(e.Closure)
	}
	h.judge(e.At)
}

// Plan says what to do now and after what wait. While a start is under way
// there is nothing to do but to go on.
func (h *Health) Plan(now time.Time, chance float64) (Decision, time.Duration) {
	s := &h.status
	switch {
	case h.starting:
		return Continue, 0
	case s.Last != nil && s.Last.Expected && !s.Connected:
		return StopTask, 0
	case h.idle >= h.policy.SessionLimit:
		return StopTask, 0
	case s.Connected && s.State != Unresponsive:
		return Continue, 0
	case s.Starts == 0 && s.Failures == 0:
		return RetryConnection, 0 // the first start has nothing to wait for
	}
	wait := h.policy.Backoff.Delay(h.attempt, chance)
	if s.State == Dead {
		// Half open: one trial after a full wait, which is not shortened by
		// chance, and never more starts than the window allows.
		wait = h.policy.Backoff.Cap
	}
	if recent := h.recent(now); len(recent) >= h.policy.Restarts {
		free := recent[len(recent)-h.policy.Restarts].Add(h.policy.Window).Sub(now)
		wait = max(wait, free)
	}
	return RetryConnection, wait
}

// Temper is a decision that was asked of someone else, held within the limits:
// it may be more careful than the policy's own, never less.
func Temper(own, asked Decision) Decision {
	order := []Decision{Continue, RetryConnection, StopTask}
	if slices.Index(order, asked) > slices.Index(order, own) {
		return asked
	}
	return own
}

// State is the state alone.
func (h *Health) State() State { return h.status.State }

// Up tells whether there is a connection.
func (h *Health) Up() bool { return h.status.Connected }

// Status is a copy of all that is known.
func (h *Health) Status() Status {
	s := h.status
	s.Reasons = slices.Clone(s.Reasons)
	s.History = slices.Clone(s.History)
	if s.Last != nil {
		last := *s.Last
		s.Last = &last
	}
	return s
}

// judge works out the state and notes it where it changed.
func (h *Health) judge(now time.Time) {
	s := &h.status
	var state State
	state, s.Reasons = h.assess(now)
	if state == s.State {
		return
	}
	why := "a call was answered"
	if len(s.Reasons) > 0 {
		why = s.Reasons[len(s.Reasons)-1]
	}
	s.History = append(s.History, Transition{now, s.State, state, why})
	if over := len(s.History) - historyKept; over > 0 {
		s.History = slices.Delete(s.History, 0, over)
	}
	s.State = state
}

// assess tells the state that follows from what is known, and why. What comes
// later outweighs what comes before.
func (h *Health) assess(now time.Time) (state State, reasons []string) {
	s := &h.status
	because := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	state = Healthy
	if !s.Connected && (s.Starts > 0 || s.Failures > 0) {
		// A first start that is under way is no trouble.
		if s.Starts > 1 || !h.starting {
			state = Degraded
			because("the connection is lost")
		}
		if s.Failures >= h.policy.Failures {
			h.buried = true
			because("%d connections in a row came to nothing", s.Failures)
		}
		if n := len(h.recent(now)); n >= h.policy.Restarts && !h.starting {
			h.buried = true
			because("%d restarts within %v, and no call was answered in between", n, h.policy.Window)
		}
		if h.idle >= h.policy.SessionLimit && !h.starting {
			h.buried = true
			because("%d restarts came to nothing", h.idle)
		}
	}
	if h.slow {
		state = Degraded
		because("the last answer took longer than %v", h.policy.Slow)
	}
	if s.Connected && !h.served && s.Starts > 1 {
		state = Degraded
		because("restarted, and no call answered yet")
	}
	if h.unanswered > 0 {
		state = Degraded
		because("%d calls in a row were not answered in time", h.unanswered)
	}
	if h.pings > 0 {
		because("%d pings in a row were not answered", h.pings)
	}
	if s.Connected && (h.unanswered >= h.policy.Unanswered || h.unanswered > 0 && h.pings > 0) {
		state = Unresponsive
	}
	if h.buried {
		state = Dead
	}
	return state, reasons
}

// ended counts the end of a connection that was up.
func (h *Health) ended(c Closure) {
	h.status.Last = &c
	h.status.Closures++
	if !c.Expected {
		h.status.Unexpected++
	}
}

// calm tells whether the connection was up long enough for the backoff to
// begin again.
func (h *Health) calm(now time.Time) bool {
	return !h.calmSince.IsZero() && now.Sub(h.calmSince) >= h.policy.Backoff.Reset
}

// recent drops restarts that are older than the window.
func (h *Health) recent(now time.Time) []time.Time {
	begin := now.Add(-h.policy.Window)
	h.restarts = slices.DeleteFunc(h.restarts, func(at time.Time) bool { return !at.After(begin) })
	return h.restarts
}
