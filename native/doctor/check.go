package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/native/probe"
	"mcpmend/native/state"
)

// State is what became of a server in a check.
type State string

const (
	OK         State = "ok"
	Warns      State = "warns"       // it works, and something is worth a warning
	Slow       State = "slow"        // it works, but not within the time that its client waits
	Broken     State = "broken"      // it does not work
	Off        State = "off"         // switched off in the config
	NotStarted State = "not started" // nobody agreed to start it
)

// Works says whether the server was started or reached, and answered.
func (s State) Works() bool { return s == OK || s == Warns || s == Slow }

// Outcome is a server after a check.
type Outcome struct {
	Name   string        `json:"name"`
	File   string        `json:"file"`
	Client string        `json:"client"`
	State  State         `json:"state"`
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

// maxProbes is how many servers are probed side by side: they mostly wait.
const maxProbes = 32

// calm is how many at a time get a second chance where a crowd was too late:
// npx and its like keep a processor busy for a second or two each, and many at
// once can all miss a time limit that each would keep.
var calm = max(4, 2*runtime.NumCPU())

// Check probes subjects side by side and gives their outcomes in order.
func (d *Doctor) Check(ctx context.Context, subjects []Subject, w Watch) []Outcome {
	outcomes := make([]Outcome, len(subjects))
	same := make([]string, len(subjects)) // launch, "" for those that are not started
	first := map[string]int{}             // launch -> who is probed for all that are the same
	var probed []int
	for i, s := range subjects {
		if s.Server.Disabled || d.Consent(s) != "" {
			outcomes[i] = d.Probe(ctx, s, w) // nothing is started
			continue
		}
		same[i] = d.launch(s)
		if _, again := first[same[i]]; !again {
			first[same[i]] = i
			probed = append(probed, i)
		}
	}
	run := func(which []int) {
		slots := make(chan struct{}, maxProbes)
		var wait sync.WaitGroup
		for _, i := range which {
			slots <- struct{}{}
			wait.Go(func() {
				defer func() { <-slots }()
				outcomes[i] = d.Probe(ctx, subjects[i], w)
			})
		}
		wait.Wait()
	}
	late := func(i int) bool { return outcomes[i].Result.TimedOut }
	run(probed)
	if crowd := slices.DeleteFunc(probed, func(i int) bool { return !late(i) }); len(crowd) > calm {
		for few := range slices.Chunk(crowd, calm) {
			if run(few); !slices.ContainsFunc(few, func(i int) bool { return !late(i) }) {
				break // they are late by themselves
			}
		}
	}
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
	why := d.Consent(s)
	switch {
	case s.Server.Disabled:
		o.State, o.Why = Off, "disabled"
	case why != "":
		o.State, o.Why = NotStarted, why
	default:
		options, ended := w.options(s)
		options.Timeout = d.timeout(s)
		result := probe.Run(ctx, d.target(s), options)
		ended()
		d.judge(ctx, s, result, &o)
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
	return state.Fingerprint(fmt.Sprint(c.Environment, t.Path, t.Dir, d.timeout(s), client), anywhere)
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
	if s.Server.Cwd == "" && s.File.Scope == config.ProjectScope {
		return d.project
	}
	return s.Server.Cwd
}

// timeout is what the user said, or how long this client would wait, or 0.
func (d *Doctor) timeout(s Subject) time.Duration {
	if seconds, set := s.Document.TimeoutOf(s.Server); set && seconds > 0 && d.Timeout == 0 {
		return time.Duration(seconds) * time.Second
	}
	return d.Timeout
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
