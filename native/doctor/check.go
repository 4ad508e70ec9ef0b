package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/native/facts"
	"mcpmend/native/probe"
	"mcpmend/native/state"
)

// The states of a server in a check.
const (
	OK         = "ok"
	Warns      = "warns"       // it works, and something is worth a warning
	Slow       = "slow"        // it works, but not within the time that its client waits
	Broken     = "broken"      // it does not work
	Off        = "off"         // switched off in the config
	NotStarted = "not started" // nobody agreed to start it
)

// Outcome is what became of a server.
type Outcome struct {
	Name   string        `json:"name"`
	File   string        `json:"file"`
	Client string        `json:"client"`
	State  string        `json:"state"`
	Why    string        `json:"why,omitempty"` // in one line, where it is not well
	Tools  int           `json:"tools"`
	Tokens int           `json:"tokens"` // what the tools cost a model's context, roughly
	MS     float64       `json:"ms"`
	New    bool          `json:"new,omitempty"` // no check has seen it before
	Since  string        `json:"since,omitempty"`
	Phases []probe.Phase `json:"phases"`
	Notes  []string      `json:"notes,omitempty"` // fix modules that failed, and why
	Report core.Report   `json:"report"`

	Subject Subject       `json:"-"`
	Result  *probe.Result `json:"-"`
}

// Watch is told how a check goes on. Its functions may be called from several
// goroutines, one subject at a time.
type Watch struct {
	Began  func(Subject)
	Phase  func(s Subject, phase string)
	Stderr func(s Subject, written []byte)
	Ended  func(Outcome)
}

// maxProbes is how many servers are probed side by side: they mostly wait.
const maxProbes = 32

// Check probes subjects side by side and gives their outcomes in order.
func (d *Doctor) Check(ctx context.Context, subjects []Subject, w Watch) []Outcome {
	outcomes := make([]Outcome, len(subjects))
	slots := make(chan struct{}, maxProbes)
	same := make([]string, len(subjects)) // launch, "" for those that are not started
	first := map[string]int{}             // launch -> who is probed for all that are the same
	var wait sync.WaitGroup
	for i, s := range subjects {
		if s.Server.Disabled || d.Consent(s) != "" {
			outcomes[i] = d.Probe(ctx, s, w) // nothing is started
			continue
		}
		same[i] = d.launch(s)
		if _, again := first[same[i]]; again {
			continue
		}
		first[same[i]] = i
		wait.Add(1)
		go func() {
			defer wait.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			outcomes[i] = d.Probe(ctx, s, w)
		}()
	}
	wait.Wait()
	for i, s := range subjects {
		if j := first[same[i]]; same[i] != "" && j != i {
			// One run, but a verdict for each: fixes name places in a file.
			outcomes[i] = blank(s)
			d.judge(ctx, s, outcomes[j].Result, &outcomes[i])
			if w.Ended != nil {
				w.Ended(outcomes[i])
			}
		}
	}
	d.remember(outcomes)
	return outcomes
}

// Probe looks at one server.
func (d *Doctor) Probe(ctx context.Context, s Subject, w Watch) Outcome {
	o := blank(s)
	if w.Began != nil {
		w.Began(s)
	}
	why := d.Consent(s)
	switch {
	case s.Server.Disabled:
		o.State, o.Why = Off, "disabled"
	case why != "":
		o.State, o.Why = NotStarted, why
	default:
		d.judge(ctx, s, probe.Run(ctx, d.target(s), d.limits(s, w)), &o)
	}
	if w.Ended != nil {
		w.Ended(o)
	}
	return o
}

// blank is the outcome of a server that was not looked at yet.
func blank(s Subject) Outcome {
	return Outcome{Name: s.Server.Name, File: s.File.Path, Client: s.File.Client, Subject: s, Phases: []probe.Phase{},
		Report: core.Report{Version: core.Version, Client: s.File.Client, Diagnoses: []core.Diagnosis{}}}
}

// judge says what a probe means for a server.
func (d *Doctor) judge(ctx context.Context, s Subject, r *probe.Result, o *Outcome) {
	o.Result = r
	o.Phases, o.Tools = r.Phases, len(r.Tools)
	for _, p := range r.Phases {
		o.MS += p.MS
	}
	o.Tokens = tokens(r)
	o.Report, o.Notes = d.verdict(ctx, s, r)
	limit := s.Document.Client.Limits
	switch {
	case !r.OK():
		o.State = Broken
	case len(o.Report.Diagnoses) > 0:
		o.State = Warns
	case limit.StartSeconds > 0 && limit.Certainty != config.Low && o.MS > float64(limit.StartSeconds)*1000:
		o.State = Slow
		o.Why = fmt.Sprintf("%.1f s to start; the client gives up after %d s", o.MS/1000, limit.StartSeconds)
	default:
		o.State = OK
	}
	if len(o.Report.Diagnoses) > 0 && o.Why == "" {
		o.Why = o.Report.Diagnoses[0].Title
	}
}

// launch is what decides how a probe goes, whatever file and client the server
// stands in: entries that mean the same are probed once.
func (d *Doctor) launch(s Subject) string {
	anywhere := *s.Server
	anywhere.Name = ""
	t, c := d.target(s), s.Document.Client
	client := ""
	if refers(anywhere) {
		client = c.ID // clients replace references in their own ways
	}
	return state.Fingerprint(fmt.Sprint(c.Environment, t.Path, t.Dir, d.limits(s, Watch{}).Timeout, client), anywhere)
}

// refers says whether an entry has references to variables.
func refers(s config.Server) bool {
	texts := append([]string{s.Command, s.URL, s.Cwd}, s.Args...)
	for _, v := range append(slices.Clone(s.Env), s.Headers...) {
		texts = append(texts, v.Value)
	}
	return slices.ContainsFunc(texts, func(text string) bool { return len(config.References(text)) > 0 })
}

// target is the server with the surroundings that its client would give it.
func (d *Doctor) target(s Subject) probe.Target {
	t := probe.Target{Server: *s.Server, Client: s.Document.Client, Getenv: d.getenv, Environ: d.environ}
	if s.Server.Cwd == "" {
		t.Dir = d.dir(s)
	}
	if s.Document.Client.Launch == config.FromDesktop && d.facts.OS == "macos" {
		t.Path = []string{"/usr/bin", "/bin", "/usr/sbin", "/sbin"}
	}
	return t
}

// dir is where a server is started: where its entry says, or in the project
// that defines it, which the user agreed to as a whole. Other servers get an
// empty directory, since what npx runs depends on where it stands.
func (d *Doctor) dir(s Subject) string {
	if s.Server.Cwd == "" && s.File.Scope == string(config.ProjectScope) {
		return d.project
	}
	return s.Server.Cwd
}

// limits is how long this client would wait, or what the user said.
func (d *Doctor) limits(s Subject, w Watch) probe.Options {
	o := probe.Options{Timeout: d.Timeout}
	if seconds, set := s.Document.TimeoutOf(s.Server); set && seconds > 0 && d.Timeout == 0 {
		o.Timeout = time.Duration(seconds) * time.Second
	}
	if w.Phase != nil {
		o.Phase = func(name string) { w.Phase(s, name) }
	}
	if w.Stderr != nil {
		o.Stderr = func(written []byte) { w.Stderr(s, written) }
	}
	return o
}

// verdict names the root cause, hears what the client's own log says of it, asks
// for the facts that its fixers use, and lets fixers and modules speak.
func (d *Doctor) verdict(ctx context.Context, s Subject, r *probe.Result) (report core.Report, notes []string) {
	report = probe.Verdict(r, s.Document.Text, s.File.Path, s.Server.Name, s.Document.Client, emptyFacts)
	if r.OK() || len(report.Diagnoses) == 0 {
		return report, nil
	}
	own := len(r.Text())
	log := d.listen(s)
	if log != nil && log.after && !vague(log.category) && vague(report.Diagnoses[0].Category) {
		joined := *r // the same run may be another entry's too
		joined.Heard = log.text
		r = &joined
		report = probe.Verdict(r, s.Document.Text, s.File.Path, s.Server.Name, s.Document.Client, emptyFacts)
	}
	cause := report.Diagnoses[0]
	found := facts.Collect(ctx, d.facts, facts.Question{Category: cause.Category, Names: cause.Names, Server: s.Server, Client: s.Document.Client, Dir: d.dir(s)})
	report = probe.Verdict(r, s.Document.Text, s.File.Path, s.Server.Name, s.Document.Client, found)
	if log != nil {
		log.testify(&report.Diagnoses[0], own)
	}
	library, err := d.library()
	if err != nil {
		return report, []string{err.Error()}
	}
	for i := range report.Diagnoses {
		fixes, errs := library.Propose(ctx, report.Diagnoses[i], s.Document, s.Server, s.File.Client, found)
		report.Diagnoses[i].Fixes = append(report.Diagnoses[i].Fixes, fixes...)
		for _, err := range errs {
			notes = append(notes, err.Error())
		}
	}
	return report, notes
}

// tokens estimates what the tools' descriptions cost: four bytes a token.
func tokens(r *probe.Result) int {
	bytes := 0
	for _, tool := range r.Tools {
		bytes += len(tool.Name) + len(tool.Description) + schemaSize(tool.InputSchema)
	}
	return bytes / 4
}

func schemaSize(schema any) int {
	data, err := json.Marshal(schema)
	if err != nil {
		return 0 // it came as JSON, so this cannot be
	}
	return len(data)
}

// remember writes the verdicts into the history and marks what is new.
func (d *Doctor) remember(outcomes []Outcome) {
	now := time.Now().UTC()
	first := len(d.seen.Servers) == 0 // before that everything is new
	for i := range outcomes {
		o := &outcomes[i]
		if o.State == Off || o.State == NotStarted {
			continue
		}
		key := state.Key(o.File, o.Name)
		old, known := d.seen.Servers[key]
		o.New = !known && !first
		if known && o.State == Broken && !old.LastHealthy.IsZero() {
			o.Since = "worked " + old.LastHealthy.Format(time.DateOnly)
			if old.HealthyFingerprint != o.Subject.Fingerprint {
				o.Since += ", before its entry was changed"
			}
		}
		v := state.Verdict{Fingerprint: o.Subject.Fingerprint, State: o.State, Tools: o.Tools, When: now}
		if o.State == OK || o.State == Warns || o.State == Slow {
			v.State = "healthy"
		}
		if len(o.Report.Diagnoses) > 0 {
			v.Code = o.Report.Diagnoses[0].Code
		}
		d.seen.Record(key, v)
	}
	// A history that cannot be written is no reason to fail a check.
	_ = d.seen.Save()
}
