package heal_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/heal"
)

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return begin.Add(d) }

func TestHealthStates(t *testing.T) {
	type event = heal.Event
	crash := heal.Closure{By: "server", Why: "exit code 1"}
	up := []event{{Kind: heal.Starting}, {Kind: heal.Connected}}
	tests := []struct {
		name   string
		events []event
		want   heal.State
		plan   heal.Decision
	}{
		{"new", nil, heal.Healthy, heal.RetryConnection},
		{"a first start is no trouble", []event{{Kind: heal.Starting}}, heal.Healthy, heal.Continue},
		{"connected", up, heal.Healthy, heal.Continue},
		{"first start fails", []event{{Kind: heal.Starting}, {Kind: heal.Failed, Closure: crash}}, heal.Degraded, heal.RetryConnection},
		{"lost", append(up, event{Kind: heal.Lost, Closure: crash}), heal.Degraded, heal.RetryConnection},
		{"the client left", append(up, event{Kind: heal.Lost, Closure: heal.Closure{By: "client", Expected: true}}), heal.Degraded, heal.StopTask},
		{"slow", append(up, event{Kind: heal.Answered, Took: time.Minute}), heal.Degraded, heal.Continue},
		{"fast again", append(up, event{Kind: heal.Answered, Took: time.Minute}, event{Kind: heal.Answered}), heal.Healthy, heal.Continue},
		{"ignored pings alone are nothing", append(up, event{Kind: heal.PingFailed}, event{Kind: heal.PingFailed}, event{Kind: heal.PingFailed}, event{Kind: heal.PingFailed}), heal.Healthy, heal.Continue},
		{"one call unanswered", append(up, event{Kind: heal.Unanswered}), heal.Degraded, heal.Continue},
		{"a call and a ping unanswered", append(up, event{Kind: heal.Unanswered}, event{Kind: heal.PingFailed}), heal.Unresponsive, heal.RetryConnection},
		{"three calls unanswered", append(up, event{Kind: heal.Unanswered}, event{Kind: heal.Unanswered}, event{Kind: heal.Unanswered}), heal.Unresponsive, heal.RetryConnection},
		{"an answer in between", append(up, event{Kind: heal.Unanswered}, event{Kind: heal.Unanswered}, event{Kind: heal.Answered}, event{Kind: heal.Unanswered}), heal.Degraded, heal.Continue},
		{"restarted", append(up, event{Kind: heal.Lost}, event{Kind: heal.Starting}, event{Kind: heal.Connected}), heal.Degraded, heal.Continue},
		{"restarted and served", append(up, event{Kind: heal.Lost}, event{Kind: heal.Starting}, event{Kind: heal.Connected}, event{Kind: heal.Answered}), heal.Healthy, heal.Continue},
		{"five failed connections", slices.Repeat([]event{{Kind: heal.Starting}, {Kind: heal.Failed, Closure: crash}}, 5), heal.Dead, heal.RetryConnection},
		{"a trial of the dead is under way", append(slices.Repeat([]event{{Kind: heal.Starting}, {Kind: heal.Failed, Closure: crash}}, 5), event{Kind: heal.Starting}), heal.Dead, heal.Continue},
		{"a trial that worked", append(slices.Repeat([]event{{Kind: heal.Starting}, {Kind: heal.Failed, Closure: crash}}, 5), up...), heal.Degraded, heal.Continue},
		{"crash loop", append(slices.Repeat(append(up, event{Kind: heal.Lost, Closure: crash}), 6), nil...), heal.Dead, heal.RetryConnection},
		{"dies often, but serves", slices.Repeat(append(up, event{Kind: heal.Answered}, event{Kind: heal.Lost, Closure: crash}), 50), heal.Degraded, heal.RetryConnection},
		{"twenty restarts for nothing", slices.Repeat([]event{{Kind: heal.Starting}, {Kind: heal.Failed, Closure: crash}}, 21), heal.Dead, heal.StopTask},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			h := heal.NewHealth(heal.DefaultPolicy())
			for i, e := range test.events {
				e.At = after(time.Duration(i) * time.Millisecond)
				h.Observe(e)
			}
			is.Equal(h.State(), test.want)
			plan, _ := h.Plan(after(time.Second), 0.5)
			is.Equal(plan, test.plan)
			if s := h.Status(); s.State != heal.Healthy {
				is.True(len(s.Reasons) > 0) // never without a reason
			}
		})
	}
}

func TestHealthCounts(t *testing.T) {
	is := is.New(t)
	h := heal.NewHealth(heal.DefaultPolicy())
	for i, kind := range []heal.EventKind{heal.Starting, heal.Connected, heal.Answered, heal.Lost, heal.Starting, heal.Connected, heal.Answered} {
		h.Observe(heal.Event{Kind: kind, At: after(time.Duration(i) * time.Second), Closure: heal.Closure{By: "server", Why: "killed"}})
	}
	s := h.Status()
	is.Equal(s.Closures, 1)
	is.Equal(s.Unexpected, 1)
	is.Equal(s.Recoveries, 1)
	is.Equal(s.LastSuccess, after(6*time.Second))
	is.Equal(s.Last.Why, "killed")
	is.Equal(len(s.History), 2)
}

// The first start is no restart: nobody waits for it.
func TestFirstStartIsAtOnce(t *testing.T) {
	is := is.New(t)
	decision, wait := heal.NewHealth(heal.DefaultPolicy()).Plan(time.Now(), 0.99)
	is.Equal(decision, heal.RetryConnection)
	is.Equal(wait, time.Duration(0))
}

// A server that dies at once, for a whole day: the starts stay within the
// window's limit and end at the session's.
func TestCrashLoopEnds(t *testing.T) {
	is := is.New(t)
	policy := heal.DefaultPolicy()
	h := heal.NewHealth(policy)
	now := begin
	var starts []time.Time
	for now.Before(begin.Add(24 * time.Hour)) {
		decision, wait := h.Plan(now, 0.01) // the most eager chance
		if decision == heal.StopTask {
			break
		}
		is.Equal(decision, heal.RetryConnection)
		now = now.Add(wait)
		starts = append(starts, now)
		h.Observe(heal.Event{Kind: heal.Starting, At: now})
		h.Observe(heal.Event{Kind: heal.Connected, At: now})
		now = now.Add(time.Millisecond)
		h.Observe(heal.Event{Kind: heal.Lost, At: now, Closure: heal.Closure{By: "server", Why: "exit code 1"}})
	}
	is.Equal(len(starts), 1+policy.SessionLimit)
	for i := range starts {
		if i >= 6 {
			is.True(starts[i].Sub(starts[i-6]) >= policy.Window) // at most six starts in any window
		}
	}
	decision, _ := h.Plan(now, 0)
	is.Equal(decision, heal.StopTask)
	is.Equal(h.State(), heal.Dead)
}

// Every sequence of events up to a length, with the waits that were asked for
// kept and with none kept.
func TestHealthModel(t *testing.T) {
	policy := heal.Policy{
		Slow: time.Second, Unanswered: 2, Failures: 2, Restarts: 2, Window: time.Minute, SessionLimit: 3,
		Backoff: heal.Backoff{Base: time.Second, Cap: 8 * time.Second, Reset: time.Minute},
	}
	kinds := []heal.EventKind{heal.Starting, heal.Failed, heal.Connected, heal.Answered, heal.Unanswered, heal.PingFailed, heal.Lost}
	steps := []time.Duration{time.Millisecond, 2 * time.Minute}
	length := 5
	if testing.Short() {
		length = 4
	}
	sequences := 0
	var walk func(path []heal.Event)
	walk = func(path []heal.Event) {
		sequences++
		check(t, policy, path)
		if len(path) == length || t.Failed() {
			return
		}
		now := begin
		if len(path) > 0 {
			now = path[len(path)-1].At
		}
		for _, kind := range kinds {
			for _, step := range steps {
				walk(append(path[:len(path):len(path)], heal.Event{Kind: kind, At: now.Add(step), Took: step}))
			}
		}
	}
	walk(nil)
	t.Logf("%d sequences", sequences)
}

func check(t *testing.T, policy heal.Policy, path []heal.Event) {
	h := heal.NewHealth(policy)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf(format+" after %s", append(args, show(path))...)
	}
	idle, starts := 0, 0
	up := false
	for _, e := range path {
		before := h.State()
		h.Observe(e)
		switch e.Kind {
		case heal.Starting:
			if starts++; starts > 1 {
				idle++
			}
		case heal.Connected:
			up = true
		case heal.Answered:
			if up {
				idle = 0
			}
		case heal.Failed, heal.Lost:
			up = false
		}
		state := h.State()
		if before == heal.Dead && state != heal.Dead && e.Kind != heal.Connected {
			fail("dead was left by event %d", e.Kind)
		}
		if before == heal.Healthy && state == heal.Dead && e.Kind != heal.Failed && e.Kind != heal.Lost {
			fail("healthy became dead by event %d", e.Kind)
		}
		if e.Kind == heal.PingFailed && state == heal.Dead && before != heal.Dead {
			fail("an ignored ping was taken for a death")
		}
		if s := h.Status(); state != heal.Healthy && state != heal.Dead && len(s.Reasons) == 0 {
			fail("%s without a reason", state)
		}
		for _, chance := range []float64{0, 0.999} {
			decision, wait := h.Plan(e.At, chance)
			switch decision {
			case heal.Continue, heal.RetryConnection, heal.StopTask:
			default:
				fail("no decision: %q", decision)
			}
			if wait < 0 || wait > policy.Window {
				fail("a wait of %v", wait)
			}
			if decision == heal.RetryConnection && idle >= policy.SessionLimit {
				fail("a restart past the session's limit")
			}
			if decision == heal.RetryConnection && state == heal.Dead && wait < policy.Backoff.Cap {
				fail("a trial of the dead after %v", wait)
			}
		}
	}
	// From anywhere, with a server that never connects, waiting as told ends.
	now := begin
	if len(path) > 0 {
		now = path[len(path)-1].At
	}
	h.Observe(heal.Event{Kind: heal.Lost, At: now})
	var tries []time.Time
	for n := 0; ; n++ {
		decision, wait := h.Plan(now, 0)
		if decision == heal.StopTask {
			break
		}
		if decision == heal.Continue || n > policy.SessionLimit+1 {
			fail("no end: %s at try %d", decision, n)
			return
		}
		now = now.Add(wait)
		tries = append(tries, now)
		h.Observe(heal.Event{Kind: heal.Starting, At: now})
		h.Observe(heal.Event{Kind: heal.Failed, At: now})
	}
	for i := policy.Restarts + 1; i < len(tries); i++ {
		if tries[i].Sub(tries[i-policy.Restarts-1]) < policy.Window {
			fail("more than %d restarts in a window", policy.Restarts+1)
		}
	}
}

func show(path []heal.Event) string {
	s := ""
	for _, e := range path {
		s += fmt.Sprintf(" %d@%v", e.Kind, e.At.Sub(begin))
	}
	return s
}

func TestTemper(t *testing.T) {
	is := is.New(t)
	is.Equal(heal.Temper(heal.StopTask, heal.Continue), heal.StopTask) // cannot be talked out of it
	is.Equal(heal.Temper(heal.RetryConnection, heal.Continue), heal.RetryConnection)
	is.Equal(heal.Temper(heal.Continue, heal.StopTask), heal.StopTask)
	is.Equal(heal.Temper(heal.Continue, "reboot the world"), heal.Continue)
}

func TestBackoff(t *testing.T) {
	is := is.New(t)
	b := heal.DefaultPolicy().Backoff
	is.Equal(b.Delay(0, 0.5), 100*time.Millisecond)
	is.Equal(b.Delay(3, 0.5), 800*time.Millisecond)
	is.Equal(b.Delay(3, 0), time.Duration(0))
	is.Equal(b.Delay(1000, 0.5), 15*time.Second) // capped, and no overflow
}

func TestRetryBudget(t *testing.T) {
	is := is.New(t)
	b := heal.RetryBudget{Share: 0.2, Floor: 10}
	granted := 0
	for range 1000 { // a storm within one instant
		b.Call()
		if b.Take(begin) {
			granted++
		}
	}
	is.True(granted <= 1000/5+10)
	is.True(granted >= 1000/5)
	is.True(!b.Take(begin))
	is.True(b.Take(after(time.Second))) // the floor comes back
}
