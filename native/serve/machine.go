package serve

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"mcpmend/core/heal"
	"mcpmend/native/doctor"
	"mcpmend/native/roster"
)

// The tools that look at the servers of this machine.

type listArguments struct {
	Client string `json:"client"`
}

type unreadable struct {
	Client string `json:"client"`
	File   string `json:"file"`
	Why    string `json:"why"`
}

func (c *call) listServers(in listArguments) (answer, error) {
	l, err := c.server.roster.List(in.Client)
	if err != nil {
		return answer{}, err
	}
	data := struct {
		Servers    []serverView `json:"servers"`
		Unreadable []unreadable `json:"unreadable"`
	}{[]serverView{}, []unreadable{}}
	var out strings.Builder
	for _, e := range l.Entries {
		v := viewOf(l.Doctor, e)
		data.Servers = append(data.Servers, v)
		fmt.Fprintf(&out, "%s  %s  %s  %s", v.ID, v.called(), v.Client, v.Transport)
		if !v.Enabled {
			out.WriteString("  off")
		}
		if v.NeedsConsent {
			out.WriteString("  of the project: the user is asked before it is started")
		}
		out.WriteString("\n")
	}
	for _, f := range l.Files {
		if f.Error != "" || f.Document == nil {
			why := f.Error
			if why == "" {
				why = "it does not parse; mcpmend fix mends it"
			}
			data.Unreadable = append(data.Unreadable, unreadable{f.Client, safe(f.Path), safe(why)})
			fmt.Fprintf(&out, "cannot be read: %s\n", safe(f.Path))
		}
	}
	if len(data.Servers) == 0 {
		out.WriteString("no servers are configured\n")
	}
	return answer{strings.TrimSpace(out.String()), data}, nil
}

type testArguments struct {
	Server   string `json:"server"`
	Client   string `json:"client"`
	AutoHeal bool   `json:"auto_heal"`
}

func (c *call) testConnection(in testArguments) (answer, error) {
	l, err := c.server.roster.List(in.Client)
	if err != nil {
		return answer{}, err
	}
	found, err := named(l, []string{in.Server})
	if err != nil {
		return answer{}, err
	}
	if len(found) > 1 {
		return answer{}, failure{"unknown", fmt.Sprintf("%d servers have this name; use one of the ids: %s", len(found), ids(found))}
	}
	if err := c.mayStart(l.Doctor, found[0].Subject); err != nil {
		return answer{}, err
	}
	h := c.look(l, found, in.AutoHeal)[0]
	return answer{h.line(), h}, nil
}

type checkArguments struct {
	Servers  []string `json:"servers"`
	Client   string   `json:"client"`
	AutoHeal bool     `json:"auto_heal"`
}

// checkHealth leaves out what nobody agreed to start, and says so: asking for
// each server of a project in turn teaches people to say yes.
func (c *call) checkHealth(in checkArguments) (answer, error) {
	l, err := c.server.roster.List(in.Client)
	if err != nil {
		return answer{}, err
	}
	found := l.Entries
	if len(in.Servers) > 0 {
		if found, err = named(l, in.Servers); err != nil {
			return answer{}, err
		}
	}
	data := struct {
		Servers []health `json:"servers"`
		Healthy int      `json:"healthy"`
		Sick    int      `json:"sick"`
		Healed  int      `json:"healed"`
	}{Servers: c.look(l, found, in.AutoHeal)}
	var lines []string
	for _, h := range data.Servers {
		switch {
		case h.Written:
			data.Healed++
			data.Healthy++
		case h.State == doctor.Broken:
			data.Sick++
		case h.State.Works():
			data.Healthy++
		}
		lines = append(lines, h.line())
	}
	text := fmt.Sprintf("%d servers: %d work, %d do not", len(data.Servers), data.Healthy, data.Sick)
	if data.Healed > 0 {
		text += fmt.Sprintf(", %d healed", data.Healed)
	}
	return answer{strings.Join(append([]string{text}, lines...), "\n"), data}, nil
}

// named finds servers by id or name.
func named(l *roster.Listing, words []string) ([]roster.Entry, error) {
	var found []roster.Entry
	for _, word := range words {
		n := len(found)
		for _, e := range l.Entries {
			if (e.ID == word || e.Subject.Server.Name == word) && !slices.ContainsFunc(found, func(f roster.Entry) bool { return f.ID == e.ID }) {
				found = append(found, e)
			}
		}
		if len(found) == n && !slices.ContainsFunc(found, func(f roster.Entry) bool { return f.ID == word || f.Subject.Server.Name == word }) {
			return nil, failure{"unknown", "no server has this name or id; list_servers lists them"}
		}
	}
	return found, nil
}

func ids(found []roster.Entry) string {
	var all []string
	for _, e := range found {
		all = append(all, fmt.Sprintf("%s (%s, %s)", e.ID, e.Subject.File.Client, safe(e.Subject.File.Path)))
	}
	return strings.Join(all, ", ")
}

// look probes servers and heals them if it may.
func (c *call) look(l *roster.Listing, found []roster.Entry, autoHeal bool) []health {
	d := l.Doctor
	d.Timeout = c.server.options.Timeout
	known := make([]bool, len(found))
	var subjects []doctor.Subject
	names := map[string]string{} // of a subject, in words of ours
	for i, e := range found {
		known[i] = d.Known(e.Subject)
		subjects = append(subjects, e.Subject)
		names[e.Subject.Fingerprint] = viewOf(d, e).called()
	}
	watch := c.watch(names)
	outcomes := c.probe(d, subjects, watch)
	all := make([]health, len(found))
	for i, e := range found {
		all[i] = healthOf(viewOf(d, e), outcomes[i])
		all[i].New = all[i].New && !known[i]
		if outcomes[i].State != doctor.Broken {
			continue
		}
		if autoHeal {
			c.heal(d, e, known[i], watch, &all[i])
		}
		if !all[i].Written {
			c.propose(e, outcomes[i], &all[i])
		}
	}
	return all
}

// probe is Doctor.Check in as many slots as the server has.
func (c *call) probe(d *doctor.Doctor, subjects []doctor.Subject, watch doctor.Watch) []doctor.Outcome {
	free, err := c.slot()
	if err != nil {
		outcomes := make([]doctor.Outcome, len(subjects))
		for i, s := range subjects {
			outcomes[i] = doctor.Outcome{Name: s.Server.Name, State: doctor.NotStarted, Why: "the call was cancelled", Subject: s}
		}
		return outcomes
	}
	defer free()
	return d.Check(c.ctx, subjects, watch)
}

// slot waits for a place among the checks that run.
func (c *call) slot() (free func(), err error) {
	select {
	case c.server.probes <- struct{}{}:
		return func() { <-c.server.probes }, nil
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
}

// watch tells the client what goes on.
func (c *call) watch(names map[string]string) doctor.Watch {
	var mu sync.Mutex
	return doctor.Watch{
		Phase: func(s doctor.Subject, phase string) {
			mu.Lock()
			defer mu.Unlock()
			c.progress("%s: %s", names[s.Fingerprint], phase)
		},
		Ended: func(o doctor.Outcome) {
			mu.Lock()
			defer mu.Unlock()
			c.progress("%s: %s", names[o.Subject.Fingerprint], o.State)
		},
	}
}

// heal tries fixes on a copy and writes what was proven, if the user agrees. A
// server that nobody has seen before and that no catalogue knows may have been
// put there by somebody else: without a person to ask it is left alone.
func (c *call) heal(d *doctor.Doctor, e roster.Entry, known bool, watch doctor.Watch, h *health) {
	if !known && !c.canAskAnybody() {
		h.Why = "it is new and unknown, so it is not healed by itself; ask the user whether it is theirs, then test it again"
		return
	}
	subject, err := asItIsNow(d, e.Subject)
	if err != nil {
		h.Why = safe(err.Error())
		return
	}
	healed, err := c.tryFixes(d, subject, watch)
	if err != nil {
		h.Why = safe(err.Error())
		return
	}
	c.finish(d, healed, basis{vouched: known}, h)
}

// asItIsNow reads a server's file again: healing its neighbour may have changed
// the text around the entry, but not the entry.
func asItIsNow(d *doctor.Doctor, s doctor.Subject) (doctor.Subject, error) {
	files, err := d.Files(doctor.Selection{Client: s.File.Client})
	if err != nil {
		return s, err
	}
	for _, now := range d.Subjects(files, s.Server.Name) {
		if now.File.Path == s.File.Path && now.Server.Pointer == s.Server.Pointer && now.Fingerprint == s.Fingerprint {
			return now, nil
		}
	}
	return s, roster.ErrChanged
}

func (c *call) tryFixes(d *doctor.Doctor, s doctor.Subject, watch doctor.Watch) (*doctor.Healing, error) {
	free, err := c.slot()
	if err != nil {
		return nil, err
	}
	defer free()
	return d.Heal(c.ctx, s, heal.MaxAttempts, watch)
}

// finish shows what healing came to, and writes it.
func (c *call) finish(d *doctor.Doctor, healed *doctor.Healing, b basis, h *health) {
	entry := ""
	if healed.After != "" {
		entry = entryText(healed.Outcome.Subject)
	}
	h.Healing = recordOf(healed.Record, entry)
	if healed.After == "" {
		return
	}
	h.Diff = diffLines(healed.Before, healed.After)
	if err := c.mayWrite(healed.Outcome.Subject, healed.After, b); err != nil {
		h.Why = safe(err.Error())
		return
	}
	if err := d.Write(healed, "healed "+healed.Subject.Server.Name); err != nil {
		h.Why = safe(err.Error())
		return
	}
	c.wrote(healed.Subject.File.Path, healed.After)
	h.Written, h.State, h.Why = true, healed.Outcome.State, ""
	h.Tools, h.MS, h.Phases = healed.Outcome.Tools, healed.Outcome.MS, healed.Outcome.Phases
	h.NextStep = doctor.NextStep(healed.Subject.Document.Client)
}

func (c *call) wrote(path, text string) {
	c.server.written.push(write{c.session, path, text})
}

// propose gives every fix that a program may carry out an id of its own.
func (c *call) propose(e roster.Entry, o doctor.Outcome, h *health) {
	for i, d := range o.Report.Diagnoses {
		for j, f := range d.Fixes {
			if f.RequiresUserAction || len(f.Patch) == 0 {
				continue
			}
			next, err := doctor.Applied(e.Subject, f)
			if err != nil {
				continue
			}
			view := &h.Diagnoses[i].Fixes[j]
			view.Diff = diffLines(e.Subject.File.Text, next.Document.Text)
			view.FixID = c.server.fixes.add(proposal{session: c.session, server: e.ID, text: sha256.Sum256([]byte(e.Subject.File.Text)), fix: f})
		}
	}
}
