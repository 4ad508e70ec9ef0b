package wrap

import (
	"fmt"
	"strings"
	"time"

	"mcpmend/core"
	"mcpmend/core/heal"
	"mcpmend/core/report"
)

// outcomeReport is what every failed call carries for programs, beside the text for
// people and models.
type outcomeReport struct {
	Outcome    heal.Outcome `json:"outcome"`
	Kind       string       `json:"kind"` // "connection", "timeout", "argument", …
	Reason     string       `json:"reason"`
	Connection *connection  `json:"connection,omitempty"`
	Cause      *cause       `json:"cause,omitempty"`
	Journal    string       `json:"journal,omitempty"`
	Error      any          `json:"error,omitempty"`     // the explainer's object
	Server     string       `json:"untrusted,omitempty"` // the server's own words
	Corrected  *heldErrors  `json:"correction,omitempty"`
}

// connection is the state behind a connection error.
type connection struct {
	State      heal.State    `json:"state"`
	Reasons    []string      `json:"reasons"`
	Closures   int           `json:"closures"`
	Recoveries int           `json:"recoveries"`
	LastCheck  time.Time     `json:"last_check"`
	Last       *heal.Closure `json:"last_closure,omitempty"`
}

// cause is the first diagnosis of what the server printed.
type cause struct {
	Code     string `json:"code"`
	Category string `json:"category"`
	Title    string `json:"title"`
	Evidence string `json:"untrusted_evidence,omitempty"`
	Fix      string `json:"fix"`
}

// outcomeWords say what a caller must know about the effect.
var outcomeWords = map[heal.Outcome]string{
	heal.NotRun:     "The call did not run; it is safe to make it again.",
	heal.MayHaveRun: "The call may have run. Look before making it again.",
	heal.Refused:    "The call was not sent to the server.",
}

// connectionError is the answer to a call that the server could not be asked;
// the lock is held.
func (s *Session) connectionError(c *call, outcome heal.Outcome, code int, why string) []byte {
	status := s.health.Status()
	r := outcomeReport{
		Outcome: outcome, Kind: string(heal.ConnectionFailure), Reason: why,
		Connection: &connection{status.State, status.Reasons, status.Closures, status.Recoveries, status.LastCheck, status.Last},
		Cause:      s.cause(),
	}
	if s.ended != nil {
		r.Journal = s.ended.journal
	}
	return s.failed(c, code, r.text(c), r)
}

// text is a connection error for people and models.
func (r outcomeReport) text(c *call) string {
	var b strings.Builder
	b.WriteString("Connection error")
	if c.method == "tools/call" {
		b.WriteString(", not an error of the tool")
	}
	last := ""
	if r.Connection.Last != nil {
		last = plain(r.Connection.Last.Why, 300)
	}
	switch {
	case strings.HasPrefix(last, r.Reason): // it says the same, and more
		fmt.Fprintf(&b, ": %s.", last)
	case last != "":
		fmt.Fprintf(&b, ": %s. Last closure: %s.", r.Reason, last)
	default:
		fmt.Fprintf(&b, ": %s.", r.Reason)
	}
	if r.Cause != nil {
		fmt.Fprintf(&b, "\nCause: %s (%s).", r.Cause.Title, r.Cause.Code)
		if r.Cause.Evidence != "" && !strings.Contains(last, r.Cause.Evidence) {
			fmt.Fprintf(&b, "\nEvidence: %s", r.Cause.Evidence)
		}
		if r.Cause.Fix != "" {
			fmt.Fprintf(&b, "\nWhat to do: %s", r.Cause.Fix)
		}
	}
	if c.method == "tools/call" {
		fmt.Fprintf(&b, "\n%s", outcomeWords[r.Outcome])
	}
	if r.Journal != "" {
		fmt.Fprintf(&b, "\nWhat was done is in %s.", r.Journal)
	}
	if closures := r.Connection.Closures; closures > 0 {
		back := "never came back"
		if n := r.Connection.Recoveries; n > 0 {
			back = "came back " + times(n)
		}
		fmt.Fprintf(&b, "\nThe server is %s; its connection ended %s and %s.", r.Connection.State, times(closures), back)
	}
	return b.String()
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// executionError is the answer to a call that failed on a working connection.
func (s *Session) executionError(c *call, outcome heal.Outcome, code int, why string) []byte {
	kind := "execution"
	if code == codeTimedOut {
		kind = string(heal.TimeoutFailure)
	}
	text := fmt.Sprintf("The call failed: %s.", why)
	if c.method == "tools/call" {
		text += "\n" + outcomeWords[outcome]
	}
	return s.failed(c, code, text, outcomeReport{Outcome: outcome, Kind: kind, Reason: why})
}

// failed puts a failure into the form that the call's method wants: a result
// that the model sees for a tool, an error for everything else.
func (s *Session) failed(c *call, code int, text string, r outcomeReport) []byte {
	structured := map[string]any{"mcpmend": r}
	if c.method == "tools/call" {
		return resultMessage(c.id, toolError(c.modern, text, structured))
	}
	return errorMessage(c.id, rpcError{Code: code, Message: text, Data: structured})
}

// cause diagnoses what the server left behind; the lock is held. A server that
// ended without a word gives nothing to say.
func (s *Session) cause() *cause {
	if s.failure.diagnosed {
		return s.failure.cause
	}
	s.failure.diagnosed = true
	evidence := strings.TrimSpace(s.failure.evidence)
	if evidence == "" {
		return nil
	}
	found := s.options.Examine(evidence)
	if len(found.Diagnoses) == 0 || found.Diagnoses[0].Severity == core.Note {
		return nil
	}
	d := found.Diagnoses[0]
	s.failure.cause = &cause{Code: d.Code, Category: d.Category, Title: d.Title, Fix: d.SuggestedFix}
	if len(d.Evidence) > 0 {
		s.failure.cause.Evidence = plain(d.Evidence[0].Quote, 500)
	}
	return s.failure.cause
}

// plain makes foreign text fit to be shown on one line: bounded, and with
// nothing in it that hides or moves.
func plain(text string, limit int) string {
	if len(text) > limit {
		cut := limit
		for cut > 0 && text[cut]&0xc0 == 0x80 {
			cut--
		}
		text = text[:cut] + "…"
	}
	return report.Safe(strings.NewReplacer("\r", "", "\n", " ").Replace(text))
}
