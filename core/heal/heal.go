// Package heal decides: which fix to try next, whether a server is well,
// when to start it again and when to leave it, which failed call may be made
// a second time.
//
// Everything here is a state machine that is told what happened and answers
// what to do. It starts nothing, waits for nothing and reads no clock: time
// and chance are handed in, so that every sequence of events can be played
// through in a test.
//
//   - [Loop] is the healing of a set-up: probe result in, next action out.
//   - [Health] is the life of one connection: states, restarts, decisions.
//   - [Backoff], [RetryBudget] and [RetryPolicy] are the limits it keeps.
package heal

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"mcpmend/core"
	"mcpmend/core/fix"
)

// MaxAttempts is how many fixes a [Loop] tries where nothing else was asked.
const MaxAttempts = 3

// Probe is what a probe of a server showed.
type Probe struct {
	OK     bool
	Report core.Report // of core.Examine; not looked at when OK
	Config string      // the very text that was probed
}

// Step is what a [Loop] wants done next.
type Step string

const (
	Try  Step = "try"  // apply Action.Fix to Action.Config, on a copy, and probe that
	Ask  Step = "ask"  // the user must do Action.Fix; nothing is tried
	Done Step = "done" // the probed config works
	Stop Step = "stop" // nothing more is worth trying; Action.Why says why
)

// Action is the answer to a probe.
type Action struct {
	Step   Step
	Fix    fix.Fix
	Config string // what Fix.Patch was made for
	Why    string
}

// Record is the whole healing, in the form that every face shows.
type Record struct {
	Fixed            bool      `json:"fixed"`
	Attempts         []Attempt `json:"attempts"`
	FinalConfig      string    `json:"final_config"`       // seen to work; "" when nothing was
	UserActionNeeded string    `json:"user_action_needed"` // "" when none is
}

// Attempt is one fix that was tried.
type Attempt struct {
	Number     int            `json:"attempt_number"`
	Diagnosis  core.Diagnosis `json:"diagnosis"`
	FixApplied *fix.Fix       `json:"fix_applied"`
	Result     string         `json:"result"`
}

// Loop heals one server: hand each probe to [Loop.Next] and do what it says
// until the step is Done, Ask or Stop. The zero Loop is ready for use.
type Loop struct {
	MaxAttempts int // [MaxAttempts] where zero

	record Record
	base   Probe           // what the next fix is for
	tried  map[string]bool // fixes, by id and patch
	met    map[string]int  // problems, by how often a probe showed them
	over   bool
}

// Next takes the result of a probe: of the config as found the first time, of
// the config with the fix of the last Action afterwards.
func (l *Loop) Next(seen Probe) Action {
	if l.over {
		return Action{Step: Stop, Why: "the healing is over"}
	}
	if seen.OK {
		l.judge("connected")
		l.record.Fixed, l.record.FinalConfig = true, seen.Config
		l.over = true
		return Action{Step: Done, Config: seen.Config}
	}
	problem, found := rootCause(seen.Report)
	if !found {
		l.judge("still failing, with nothing to go on")
		return l.stop("the probe failed and showed nothing that could be diagnosed")
	}
	before, had := rootCause(l.base.Report)
	switch {
	case !had:
		l.base = seen
	case key(problem) != key(before):
		l.judge("another problem now: " + problem.Title)
		l.base = seen
	default:
		l.judge("no change: " + problem.Title)
		// The next rung of a ladder was made for the config as it now is; any
		// other fix is an alternative to the one that did not help, and so
		// belongs to the config before that.
		if l.nextRung(problem) != nil {
			l.base = seen
			return l.choose()
		}
	}
	if l.met == nil {
		l.met = map[string]int{}
	}
	if l.met[key(problem)]++; l.met[key(problem)] > 2 {
		return l.stop("two fixes left the problem as it was: " + problem.Title)
	}
	return l.choose()
}

// Refuse says that the fix of the last Action could not be applied, and gets
// the next one. It counts as an attempt.
func (l *Loop) Refuse(why string) Action {
	if l.over {
		return Action{Step: Stop, Why: "the healing is over"}
	}
	l.judge("not applied: " + why)
	return l.choose()
}

// Record returns what has been done so far.
func (l *Loop) Record() Record {
	r := l.record
	r.Attempts = slices.Clone(r.Attempts)
	if r.Attempts == nil {
		r.Attempts = []Attempt{} // [] in JSON, never null
	}
	return r
}

// choose picks the best fix of the base's root cause that was not tried yet.
func (l *Loop) choose() Action {
	problem, found := rootCause(l.base.Report)
	if !found {
		return l.stop("there is nothing to fix")
	}
	limit := l.MaxAttempts
	if limit == 0 {
		limit = MaxAttempts
	}
	for _, f := range problem.Fixes {
		if l.tried[identity(f)] {
			continue
		}
		if !f.Applicable() {
			l.record.UserActionNeeded = instruction(f)
			l.over = true
			return Action{Step: Ask, Fix: f, Config: l.base.Config, Why: problem.Title}
		}
		if len(l.record.Attempts) >= limit {
			return l.stop("the attempts are used up")
		}
		if l.tried == nil {
			l.tried = map[string]bool{}
		}
		l.tried[identity(f)] = true
		l.record.Attempts = append(l.record.Attempts, Attempt{
			Number: len(l.record.Attempts) + 1, Diagnosis: problem, FixApplied: &f,
		})
		return Action{Step: Try, Fix: f, Config: l.base.Config, Why: problem.Title}
	}
	if len(problem.Fixes) > 0 {
		return l.stop("every known fix was tried")
	}
	return l.stop("no fix is known for: " + problem.Title)
}

// nextRung finds a fix that is the last one again with another value, as 60 s
// are after 30 s: a ladder is one strategy, and climbing it is progress.
func (l *Loop) nextRung(problem core.Diagnosis) *fix.Fix {
	n := len(l.record.Attempts)
	if n == 0 {
		return nil
	}
	last := l.record.Attempts[n-1].FixApplied
	for _, f := range problem.Fixes {
		if f.ID == last.ID && !l.tried[identity(f)] {
			return &f
		}
	}
	return nil
}

// judge writes the result of the attempt that is under way.
func (l *Loop) judge(result string) {
	if n := len(l.record.Attempts); n > 0 && l.record.Attempts[n-1].Result == "" {
		l.record.Attempts[n-1].Result = result
	}
}

func (l *Loop) stop(why string) Action {
	l.over = true
	return Action{Step: Stop, Config: l.base.Config, Why: why}
}

// rootCause is the first error of a report, or its first diagnosis of any kind.
func rootCause(r core.Report) (core.Diagnosis, bool) {
	for _, d := range r.Diagnoses {
		if d.Severity == core.Error {
			return d, true
		}
	}
	if len(r.Diagnoses) > 0 {
		return r.Diagnoses[0], true
	}
	return core.Diagnosis{}, false
}

// key tells problems apart: the same rule about another command is another
// problem, the same rule in other words is not.
func key(d core.Diagnosis) string {
	var b strings.Builder
	b.WriteString(d.Server + "\x00" + d.Code + "\x00" + d.Category)
	for _, name := range slices.Sorted(maps.Keys(d.Names)) {
		b.WriteString("\x00" + name + "=" + d.Names[name])
	}
	return b.String()
}

// identity tells fixes apart: the same fix with another patch is another rung.
func identity(f fix.Fix) string {
	patch, err := json.Marshal([]any{f.Patch, f.Edits})
	if err != nil {
		// A patch whose value is no JSON can be applied by nobody.
		return f.ID
	}
	return f.ID + "\x00" + f.By + "\x00" + string(patch)
}

// instruction is a fix as one text for the person who has to carry it out.
func instruction(f fix.Fix) string {
	parts := []string{f.Title}
	for _, more := range []string{f.Description, f.InstallCommand, f.EnvVarHint, f.HelpURL} {
		if !strings.Contains(strings.Join(parts, "\n"), more) { // a variable is mostly named already
			parts = append(parts, more)
		}
	}
	return strings.Join(parts, "\n")
}
