package serve

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/heal"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
	"mcpmend/native/probe"
	"mcpmend/native/roster"
)

// maxUntrusted bounds what is quoted of a server or a file in one field.
const maxUntrusted = 2 << 10

// untrusted makes a foreign text fit to be shown to a model: masked, bounded,
// and with everything visible that it contains. Of a log the end is kept.
func untrusted(text string) string {
	text = report.SafeLines(config.Mask(strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")))
	if len(text) <= maxUntrusted {
		return text
	}
	const cut = "… "
	text = text[len(text)-maxUntrusted+len(cut):]
	for !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return cut + text
}

// safe is untrusted for one line of our own that names a path or a file.
func safe(text string) string { return report.SafeLines(config.Mask(text)) }

// serverView is a server as a model sees it.
type serverView struct {
	ID            string       `json:"id"`
	Name          string       `json:"name"` // "" where it is no plain word: see untrusted_name
	UntrustedName string       `json:"untrusted_name,omitempty"`
	Client        string       `json:"client"`
	Scope         config.Scope `json:"scope"`
	File          string       `json:"file"`
	Transport     string       `json:"transport"`
	Enabled       bool         `json:"enabled"`
	NeedsConsent  bool         `json:"needs_consent"` // the user is asked before it is started
}

// plainName is a name that can say nothing but itself.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@/-]{0,63}$`)

func viewOf(d *doctor.Doctor, e roster.Entry) serverView {
	s := e.Subject
	v := serverView{ID: e.ID, Client: s.File.Client, Scope: s.File.Scope, File: safe(s.File.Path),
		Transport: string(s.Server.Transport), Enabled: !s.Server.Disabled, NeedsConsent: d.Consent(s) != ""}
	if plainName.MatchString(s.Server.Name) {
		v.Name = s.Server.Name
	} else {
		v.UntrustedName = untrusted(s.Server.Name)
	}
	return v
}

// called is the server's name in a sentence of ours.
func (v serverView) called() string {
	if v.Name != "" {
		return v.Name
	}
	return "server " + v.ID
}

// diagnosis is a core.Diagnosis of something on this machine: without the
// user's own bytes, and with foreign text where it belongs.
type diagnosis struct {
	Code         string        `json:"code"`
	Category     string        `json:"category"`
	Severity     core.Severity `json:"severity"`
	Title        string        `json:"title"`
	Explanation  string        `json:"explanation"`
	SuggestedFix string        `json:"suggested_fix"`
	Confidence   float64       `json:"confidence"`
	Symptoms     []string      `json:"symptoms"`
	Fixes        []fixView     `json:"fixes"`
	Original     string        `json:"untrusted_original_error"`
	Evidence     []string      `json:"untrusted_evidence"`
}

// fixView is a fix.Fix without its patch; the change is shown as a diff.
type fixView struct {
	FixID              string     `json:"fix_id,omitempty"` // for apply_fix, where a program may carry it out
	ID                 string     `json:"id"`
	Title              string     `json:"title"`
	Description        string     `json:"description"`
	InstallCommand     string     `json:"install_command,omitempty"`
	EnvVarHint         string     `json:"env_var_hint,omitempty"`
	RequiresUserAction bool       `json:"requires_user_action"`
	HelpURL            string     `json:"help_url,omitempty"`
	Safety             fix.Safety `json:"safety"`
	Confidence         float64    `json:"confidence"`
	By                 string     `json:"by"`
	Diff               []string   `json:"diff,omitempty"`
}

func fixOf(f fix.Fix) fixView {
	return fixView{ID: f.ID, Title: safe(f.Title), Description: safe(f.Description), InstallCommand: safe(f.InstallCommand),
		EnvVarHint: safe(f.EnvVarHint), RequiresUserAction: f.RequiresUserAction, HelpURL: safe(f.HelpURL), Safety: f.Safety,
		Confidence: f.Confidence, By: f.By}
}

func diagnosisOf(d core.Diagnosis) diagnosis {
	out := diagnosis{Code: d.Code, Category: d.Category, Severity: d.Severity, Title: safe(d.Title), Explanation: safe(d.Explanation),
		SuggestedFix: safe(d.SuggestedFix), Confidence: d.Confidence, Symptoms: d.Symptoms, Fixes: []fixView{},
		Original: untrusted(d.OriginalError), Evidence: []string{}}
	for _, e := range d.Evidence {
		out.Evidence = append(out.Evidence, untrusted(e.Quote))
	}
	for _, f := range d.Fixes {
		out.Fixes = append(out.Fixes, fixOf(f))
	}
	return out
}

// record is a heal.Record in the same sense. FinalConfig is the entry alone: a
// client's file may hold much that is nobody's business.
type record struct {
	Fixed            bool      `json:"fixed"`
	Attempts         []attempt `json:"attempts"`
	FinalConfig      string    `json:"final_config"`
	UserActionNeeded string    `json:"user_action_needed"`
}

type attempt struct {
	Number     int       `json:"attempt_number"`
	Diagnosis  diagnosis `json:"diagnosis"`
	FixApplied *fixView  `json:"fix_applied"`
	Result     string    `json:"result"`
}

func recordOf(r heal.Record, entry string) record {
	out := record{Fixed: r.Fixed, Attempts: []attempt{}, FinalConfig: entry, UserActionNeeded: safe(r.UserActionNeeded)}
	for _, a := range r.Attempts {
		one := attempt{Number: a.Number, Diagnosis: diagnosisOf(a.Diagnosis), Result: safe(a.Result)}
		if a.FixApplied != nil {
			applied := fixOf(*a.FixApplied)
			one.FixApplied = &applied
		}
		out.Attempts = append(out.Attempts, one)
	}
	return out
}

// health is what became of one server.
type health struct {
	Server    serverView    `json:"server"`
	State     doctor.State  `json:"state"`
	Why       string        `json:"why"`
	New       bool          `json:"new"` // no check has seen it before: it may not be the user's
	Tools     int           `json:"tools"`
	MS        float64       `json:"ms"`
	Phases    []probe.Phase `json:"phases"`
	Diagnoses []diagnosis   `json:"diagnoses"`
	Healing   record        `json:"healing"`
	Written   bool          `json:"written"`
	Diff      []string      `json:"diff"`
	NextStep  string        `json:"next_step"` // what makes the client see what was written
	Stderr    string        `json:"untrusted_stderr"`
}

func healthOf(v serverView, o doctor.Outcome) health {
	h := health{Server: v, State: o.State, Why: safe(o.Why), New: o.New, Tools: o.Tools, MS: o.MS, Phases: o.Phases,
		Diagnoses: []diagnosis{}, Healing: recordOf(heal.Record{}, ""), Diff: []string{}}
	if o.Result != nil {
		h.Stderr = untrusted(o.Result.Stderr)
	}
	for _, d := range o.Report.Diagnoses {
		h.Diagnoses = append(h.Diagnoses, diagnosisOf(d))
	}
	return h
}

// line is a health in one or a few lines for a model.
func (h health) line() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s (%s): %s", h.Server.called(), h.Server.Client, h.State)
	if h.State == doctor.OK {
		fmt.Fprintf(&out, ", %d tools", h.Tools)
	}
	if h.New && h.State == doctor.Broken {
		out.WriteString(". It was never seen before: ask the user whether it is theirs")
	}
	if len(h.Diagnoses) > 0 && h.State != doctor.OK {
		d := h.Diagnoses[0]
		fmt.Fprintf(&out, "\n  %s %s", d.Code, d.Title)
		if d.SuggestedFix != "" {
			fmt.Fprintf(&out, "\n  fix: %s", d.SuggestedFix)
		}
		for _, f := range d.Fixes {
			if f.FixID != "" {
				fmt.Fprintf(&out, "\n  apply_fix %s: %s", f.FixID, f.Title)
			}
		}
	} else if h.Why != "" {
		fmt.Fprintf(&out, "\n  %s", h.Why)
	}
	switch {
	case h.Written:
		fmt.Fprintf(&out, "\n  healed and written. %s", h.NextStep)
	case h.Healing.UserActionNeeded != "":
		fmt.Fprintf(&out, "\n  the user must: %s", strings.ReplaceAll(h.Healing.UserActionNeeded, "\n", " "))
	}
	return out.String()
}

// diffLines is the change for a model.
func diffLines(before, after string) []string {
	text := diffText(before, after)
	if text == "" {
		return []string{}
	}
	return strings.Split(text, "\n")
}

// entryText is one server's entry as plain data, masked.
func entryText(s doctor.Subject) string {
	data, err := json.Marshal(s.Server.Node.Value())
	if err != nil {
		return "" // it was parsed from a text, so this cannot be
	}
	return safe(string(data))
}
