package companion

import (
	"fmt"
	"net/http"
	"os"
	"strings"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
	"mcpmend/native/files"
	"mcpmend/native/probe"
	"mcpmend/native/roster"
)

// fileView is a config file as the page shows it.
type fileView struct {
	Path    string       `json:"path"`
	Client  string       `json:"client"`
	Name    string       `json:"client_name"`
	Scope   config.Scope `json:"scope"`
	Error   string       `json:"error,omitempty"`
	Servers []serverView `json:"servers"`
}

// serverView is one of its servers. The page shows the command and sends back
// only id and hash.
type serverView struct {
	ID        string `json:"id"`
	Hash      string `json:"hash"`
	Name      string `json:"name"`
	Transport string `json:"transport"`
	Command   string `json:"command"`
	Enabled   bool   `json:"enabled"`
	NeedsYes  bool   `json:"needs_yes"` // in the terminal, before it is started
}

func (c *Companion) servers(w http.ResponseWriter, _ *http.Request, _ ask) error {
	l, err := c.roster.List("")
	if err != nil {
		return err
	}
	views := []fileView{}
	at := map[string]int{}
	for _, f := range l.Files {
		v := fileView{Path: shown(short(f.Path)), Client: f.Client, Name: f.Client, Scope: f.Scope, Error: shown(f.Error), Servers: []serverView{}}
		if client := config.ClientByID(f.Client); client != nil {
			v.Name = client.Name
		}
		if f.Error == "" && f.Document == nil {
			v.Error = "it does not parse"
		}
		at[f.Path] = len(views)
		views = append(views, v)
	}
	for _, e := range l.Entries {
		s := e.Subject
		v := &views[at[s.File.Path]]
		v.Servers = append(v.Servers, serverView{ID: e.ID, Hash: e.Hash, Name: shown(s.Server.Name), Transport: string(s.Server.Transport),
			Command: commandLine(s), Enabled: !s.Server.Disabled, NeedsYes: l.Doctor.Consent(s) != ""})
	}
	return reply(w, map[string]any{"files": views})
}

// short is a path as a person writes it.
func short(path string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return files.Tilde(home, path)
}

// shown is a foreign text for the page: masked and safe.
func shown(text string) string { return report.SafeLines(config.Mask(text)) }

func commandLine(s doctor.Subject) string {
	if s.Server.URL != "" {
		return shown(s.Server.URL)
	}
	return shown(strings.Join(append([]string{s.Server.Command}, s.Server.Args...), " "))
}

// outcome is how a server is.
type outcome struct {
	State     doctor.State     `json:"state"`
	Why       string           `json:"why"`
	Tools     int              `json:"tools"`
	MS        float64          `json:"ms"`
	Phases    []probe.Phase    `json:"phases"`
	Diagnoses []core.Diagnosis `json:"diagnoses"`
}

func outcomeOf(o doctor.Outcome) outcome {
	diagnoses := o.Report.Diagnoses
	if diagnoses == nil {
		diagnoses = []core.Diagnosis{}
	}
	return outcome{o.State, shown(o.Why), o.Tools, o.MS, o.Phases, withoutPatches(diagnoses)}
}

// withoutPatches drops the user's own bytes, which the page has no use for: it
// shows the diff.
func withoutPatches(list []core.Diagnosis) []core.Diagnosis {
	for i := range list {
		for j := range list[i].Fixes {
			list[i].Fixes[j].Patch = config.Patch{}
		}
	}
	return list
}

// begin finds the server of a request as it was shown, asks in the terminal if
// it must, and takes a slot.
func (c *Companion) begin(r *http.Request, a ask) (*roster.Listing, roster.Entry, func(), error) {
	l, e, err := c.roster.Find(a.id, a.hash)
	if err != nil {
		return nil, e, nil, err
	}
	select {
	case c.probes <- struct{}{}:
	default:
		return nil, e, nil, problem{http.StatusServiceUnavailable, fmt.Sprintf("%d servers are being tried already", maxProbes)}
	}
	free := func() { <-c.probes }
	if err := c.mayStart(r, l.Doctor, e.Subject); err != nil {
		free()
		return nil, e, nil, err
	}
	l.Doctor.Timeout = c.options.Timeout
	return l, e, free, nil
}

func (c *Companion) mayStart(r *http.Request, d *doctor.Doctor, s doctor.Subject) error {
	if d.Consent(s) == "" {
		return nil
	}
	if c.options.Confirm == nil {
		return problem{http.StatusForbidden, "a project's server is started only after a yes in the terminal, and there is none; run mcpmend check in the project"}
	}
	question := fmt.Sprintf("The page wants to start %s of %s, which comes from the project and not from you:\n  %s\nStart it?",
		report.Safe(s.Server.Name), report.Safe(s.File.Path), strings.Join(doctor.LaunchOf(s).Lines(), "\n  "))
	ok, err := c.options.Confirm(r.Context(), question)
	if err != nil {
		return problem{http.StatusForbidden, "nobody could be asked in the terminal"}
	}
	if !ok {
		return problem{http.StatusForbidden, "the answer in the terminal was no"}
	}
	d.AgreeOnce(s)
	return nil
}

func (c *Companion) probe(w http.ResponseWriter, r *http.Request, a ask) error {
	l, e, free, err := c.begin(r, a)
	if err != nil {
		return err
	}
	defer free()
	s := newStream(w)
	o := l.Doctor.Check(r.Context(), []doctor.Subject{e.Subject}, s.watch())[0]
	s.send(map[string]any{"event": "done", "outcome": outcomeOf(o)})
	return nil
}

// heal tries fixes on a copy. What was proven can be written afterwards, by the
// handle of the change, and nothing else can.
func (c *Companion) heal(w http.ResponseWriter, r *http.Request, a ask) error {
	l, e, free, err := c.begin(r, a)
	if err != nil {
		return err
	}
	defer free()
	s := newStream(w)
	healed, err := l.Doctor.Heal(r.Context(), e.Subject, heal.MaxAttempts, s.watch())
	if err != nil {
		s.send(map[string]any{"event": "failed", "error": shown(err.Error())})
		return nil
	}
	final := map[string]any{"event": "healed", "outcome": outcomeOf(healed.Outcome), "fixed": healed.Record.Fixed,
		"attempts": attemptsOf(healed.Record), "user_action_needed": shown(healed.Record.UserActionNeeded), "diff": []diffLine{}, "change": ""}
	if healed.After != "" {
		final["diff"] = diffOf(healed.Before, healed.After)
		final["change"] = c.changes.propose(change{path: e.Subject.File.Path, before: healed.Before, after: healed.After, server: e.Subject.Server.Name})
	}
	s.send(final)
	return nil
}

type attempt struct {
	Number int    `json:"attempt_number"`
	Cause  string `json:"cause"`
	Fix    string `json:"fix"`
	Result string `json:"result"`
}

func attemptsOf(r heal.Record) []attempt {
	all := []attempt{}
	for _, a := range r.Attempts {
		one := attempt{Number: a.Number, Cause: shown(a.Diagnosis.Title), Result: shown(a.Result)}
		if a.FixApplied != nil {
			one.Fix = shown(a.FixApplied.Title)
		}
		all = append(all, one)
	}
	return all
}

type diffLine struct {
	Sign string `json:"sign"`
	Old  int    `json:"old"`
	New  int    `json:"new"`
	Text string `json:"text"`
}

func diffOf(before, after string) []diffLine {
	lines := []diffLine{}
	for _, l := range report.Diff(before, after) {
		lines = append(lines, diffLine{string(l.Sign), l.Old, l.New, report.Safe(l.Text)})
	}
	return lines
}
