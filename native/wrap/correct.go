package wrap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/core/schema"
	"mcpmend/native/llm"
)

// Corrector answers a prompt with a model's text. [llm.Endpoint] is one;
// [Sampling] stands for the client's own model.
type Corrector interface {
	Complete(ctx context.Context, p llm.Prompt) (string, error)
}

// rejection is a failed call with what is known about it.
type rejection struct {
	kind       heal.Failure
	reach      heal.Reach
	message    string          // the error's own words
	schema     json.RawMessage // of the tool
	issues     []schema.Issue  // what failed, where our validator can tell
	text       string          // what the model is told
	structured any
	original   []byte // the server's answer, when it was the server that rejected
}

// correction is what was done to a call that is made a second time.
type correction struct {
	first  rejection
	before []byte // the arguments
	after  []byte
}

// heldErrors keeps both errors of a call that was corrected in vain.
type heldErrors struct {
	First  string `json:"untrusted_first"`
	Second string `json:"untrusted_second"`
	Diff   string `json:"changed"`
}

// Limits on what a model may cost.
const (
	correctionsPerHour = 20
	correctionTime     = 20 * time.Second
)

// reject answers a failed call, or has it corrected first.
func (s *Session) reject(c *call, r rejection) {
	if !s.mayCorrect(c, r) {
		s.answerRejected(c, r)
		return
	}
	if _, ok := s.options.Corrector.(Sampling); ok && c.modern {
		s.parkForSampling(c, r)
		return
	}
	s.mu.Lock()
	if !c.registered {
		s.register(c) // it is under way, although the server has not got it
	}
	c.number = 0             // a death of the server does not concern it now
	c.deadline = time.Time{} // the model has a limit of its own
	s.mu.Unlock()
	go func() {
		answer, err := s.complete(llm.CorrectionPrompt(r.prompt(c)))
		s.corrected(c, r, answer, err)
	}()
}

func (r rejection) prompt(c *call) llm.Rejection {
	return llm.Rejection{Tool: c.tool, Schema: r.schema, Arguments: c.args, Error: r.message, Kind: string(r.kind)}
}

// mayCorrect asks policy and budget.
func (s *Session) mayCorrect(c *call, r rejection) bool {
	if s.options.Corrector == nil || c.fix != nil {
		return false
	}
	if !s.options.Retry.Judge(r.kind, s.tools.get(c.tool).hinted(heal.Call{Reach: r.reach})).Retry {
		return false
	}
	if _, ok := s.options.Corrector.(Sampling); ok && !s.canSample(c) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	hour := time.Now().Add(-time.Hour)
	s.corrections = slices.DeleteFunc(s.corrections, func(at time.Time) bool { return at.Before(hour) })
	if len(s.corrections) >= correctionsPerHour {
		return false
	}
	s.corrections = append(s.corrections, time.Now())
	return true
}

// complete asks the endpoint, or a client of the older era.
func (s *Session) complete(p llm.Prompt) (string, error) {
	if _, ok := s.options.Corrector.(Sampling); !ok {
		ctx, cancel := context.WithTimeout(s.context, correctionTime)
		defer cancel()
		return s.options.Corrector.Complete(ctx, p)
	}
	return s.sample(p)
}

// corrected takes a model's answer: the call is made once more, or the
// original error stands.
func (s *Session) corrected(c *call, r rejection, answer string, err error) {
	var arguments json.RawMessage
	if err == nil {
		arguments, err = llm.ReadCorrection(answer)
	}
	if err == nil {
		err = s.checkCorrection(c, r, arguments)
	}
	if err != nil {
		s.log.Info("no correction", "tool", c.tool, "reason", err.Error())
		s.options.Metrics.count("corrections_refused")
		s.answerRejected(c, r)
		return
	}
	c.fix = &correction{first: r, before: slices.Clone(c.args), after: arguments}
	s.replaceArguments(c, arguments)
	s.log.Info("corrected arguments", "tool", c.tool, "changed", c.fix.diff())
	s.options.Metrics.count("corrections")
	s.options.Journal.correction(c)
	s.mu.Lock()
	if s.calls[c.key] != c { // cancelled, or timed out, meanwhile
		s.mu.Unlock()
		return
	}
	s.limit(c, time.Now())
	c.reach = heal.Unsent
	s.deliver(c)
}

// checkCorrection holds a model's arguments to the rules: they fit the schema,
// have no property that it does not name, and differ only where the call
// failed.
func (s *Session) checkCorrection(c *call, r rejection, arguments json.RawMessage) error {
	t := s.tools.get(c.tool)
	if t == nil {
		return errors.New("the tool is gone")
	}
	checker := t.compile(s)
	if checker == nil {
		return errors.New("the tool's schema cannot be used")
	}
	if result := checker.Explain(c.tool, arguments); !result.Valid {
		return fmt.Errorf("the correction does not fit the schema: %s", result.Error.Summary)
	}
	var before, after map[string]any
	if err := json.Unmarshal(arguments, &after); err != nil {
		return fmt.Errorf("cannot read the correction: %w", err)
	}
	if len(c.args) > 0 && json.Unmarshal(c.args, &before) != nil {
		before = nil // they were no object: everything failed
	}
	for name := range after {
		if _, had := before[name]; !had && member(t.schema, "properties", name) == nil {
			return fmt.Errorf("the correction adds the property %q, which the schema does not name", plain(name, 100))
		}
	}
	if before == nil {
		return nil
	}
	failing := r.failing(before)
	for _, changed := range differences("", before, after) {
		if failing != nil && !slices.ContainsFunc(failing, func(field string) bool { return within(changed, field) || within(field, changed) }) {
			return fmt.Errorf("the correction changes %s, which did not fail", plain(changed, 100))
		}
	}
	return nil
}

// failing lists the fields that failed: those of our validator, else those
// that the server's error names. Nil means that nobody can tell.
func (r rejection) failing(arguments map[string]any) []string {
	var fields []string
	for _, issue := range r.issues {
		fields = append(fields, issue.Field)
	}
	if fields != nil {
		return fields
	}
	words := strings.FieldsFunc(r.message, func(c rune) bool { return c != '_' && c != '-' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	for name := range arguments {
		if slices.Contains(words, name) {
			fields = append(fields, config.Pointer(name))
		}
	}
	return fields
}

// within tells whether a JSON Pointer is at or below another.
func within(pointer, root string) bool {
	return pointer == root || strings.HasPrefix(pointer, root+"/")
}

// differences lists the pointers at which two values differ.
func differences(at string, a, b any) []string {
	x, xok := a.(map[string]any)
	y, yok := b.(map[string]any)
	if !xok || !yok {
		if string(encode(a)) == string(encode(b)) {
			return nil
		}
		return []string{at}
	}
	var all []string
	for name, v := range x {
		w, there := y[name]
		if !there {
			all = append(all, at+config.Pointer(name))
			continue
		}
		all = append(all, differences(at+config.Pointer(name), v, w)...)
	}
	for name := range y {
		if _, there := x[name]; !there {
			all = append(all, at+config.Pointer(name))
		}
	}
	slices.Sort(all)
	return all
}

// diff shows a correction for logs: masked, one line a change.
func (f *correction) diff() string {
	var before, after map[string]any
	if json.Unmarshal(f.before, &before) != nil || json.Unmarshal(f.after, &after) != nil {
		return "- " + string(llm.MaskArguments(f.before)) + "\n+ " + string(llm.MaskArguments(f.after))
	}
	var b strings.Builder
	for _, pointer := range differences("", before, after) {
		name, _, _ := strings.Cut(pointer[1:], "/")
		show := func(sign string, from map[string]any) {
			if v, there := from[name]; there {
				masked := llm.MaskArguments(encode(map[string]any{name: v}))
				fmt.Fprintf(&b, "%s %s\n", sign, plain(string(masked), 300))
			}
		}
		show("-", before)
		show("+", after)
	}
	return strings.TrimSpace(b.String())
}

// answerRejected gives the client the error, with what we can add.
func (s *Session) answerRejected(c *call, r rejection) {
	outcome := heal.MayHaveRun
	if r.reach != heal.Sent {
		outcome = heal.NotRun
	}
	answer := r.original
	if r.text != "" {
		rep := outcomeReport{Outcome: outcome, Kind: string(r.kind), Reason: "the arguments were rejected", Error: r.structured}
		if r.original != nil {
			rep.Reason, rep.Server = "the server rejected the arguments", plain(config.Mask(r.message), 2000)
		}
		answer = resultMessage(c.id, toolError(c.modern, r.text, map[string]any{"mcpmend": rep}))
	}
	s.options.Metrics.count("rejections")
	s.answer(c, answer, string(outcome))
}

// failedTwice is the answer to a corrected call that failed again.
func (s *Session) failedTwice(c *call, m message, kind heal.Failure, words string) []byte {
	first, second := c.fix.first.message, words
	text := fmt.Sprintf("The call failed, was corrected once, and failed again.\n\nFirst error:\n%s\n\nSecond error:\n%s\n\nWhat was changed in between:\n%s\n",
		quoteLines(first), quoteLines(second), c.fix.diff())
	outcome := heal.MayHaveRun
	if code, _ := faultOf(m); code == -32602 {
		outcome = heal.NotRun
	}
	return resultMessage(c.id, toolError(c.modern, text, map[string]any{"mcpmend": outcomeReport{
		Outcome: outcome, Kind: string(kind), Reason: "the corrected call failed too",
		Corrected: &heldErrors{plain(config.Mask(first), 2000), plain(config.Mask(second), 2000), c.fix.diff()},
	}}))
}
