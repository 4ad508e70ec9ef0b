package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcpmend/core"
	"mcpmend/core/catalog"
	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/heal"
)

// Healing is a server that was diagnosed, mended on a copy and probed again.
type Healing struct {
	Subject Subject
	Record  heal.Record
	Before  string   // the file as it is
	After   string   // the file as it would be written; "" when nothing was proven
	Outcome Outcome  // of the last probe
	Refused []string // fixes that may not be tried here, and why
}

// Heal tries fixes on a copy of the file until the server works, at most
// attempts times. Nothing is written: see Write.
func (d *Doctor) Heal(ctx context.Context, s Subject, attempts int, w Watch) (*Healing, error) {
	if why := d.Consent(s); why != "" {
		return nil, fmt.Errorf("%s is not started: %s", s.Server.Name, why)
	}
	h := &Healing{Subject: s, Before: s.File.Text}
	loop := heal.Loop{MaxAttempts: attempts}
	current := s
	for {
		h.Outcome = d.Probe(ctx, current, w)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		seen := heal.Probe{OK: h.Outcome.State != Broken, Report: h.Outcome.Report, Config: current.Document.Text}
		if seen.OK {
			if report, ill := misread(current); ill {
				seen.OK, seen.Report = false, report
			}
		}
		action := loop.Next(seen)
		next, done := d.follow(&loop, action, s, h)
		h.Record = loop.Record()
		if done {
			if action.Step == heal.Done && current.Document.Text != h.Before {
				h.After = current.Document.Text
			}
			return h, nil
		}
		current = next
	}
}

// misread says whether a server that works by itself stands in the file in a
// shape that its client does not read, and how that is mended. A probe cannot
// see it: it reads more than clients do.
func misread(s Subject) (core.Report, bool) {
	report := core.Examine(core.Input{Config: s.Document.Text, File: s.File.Path, Client: s.File.Client, Server: s.Server.Name})
	report.Diagnoses = slices.DeleteFunc(report.Diagnoses, func(d core.Diagnosis) bool {
		return d.Category != "config_shape" || d.Severity != core.Error || !slices.ContainsFunc(d.Fixes, fix.Fix.Applicable)
	})
	return report, len(report.Diagnoses) > 0
}

// follow applies the fix of an action to a copy. A fix that may not be tried
// makes the loop choose another.
func (d *Doctor) follow(loop *heal.Loop, action heal.Action, s Subject, h *Healing) (Subject, bool) {
	for action.Step == heal.Try {
		next, err := applied(s, action.Config, action.Fix)
		if err == nil {
			return next, false
		}
		h.Refused = append(h.Refused, fmt.Sprintf("%s: %v", action.Fix.Title, err))
		action = loop.Refuse(err.Error())
	}
	return Subject{}, true
}

// Applied is the subject in a copy of its file with one fix carried out, for
// trying it by itself.
func Applied(s Subject, f fix.Fix) (Subject, error) { return applied(s, s.Document.Text, f) }

// applied is the subject in a copy of its file with a fix carried out.
func applied(s Subject, text string, f fix.Fix) (Subject, error) {
	changed, err := f.Apply(text, s.Document.Format)
	if err != nil {
		return Subject{}, err
	}
	doc, err := config.Parse(changed, config.Options{Format: s.Document.Format, Client: s.Document.Client.ID, File: s.File.Path})
	if err != nil {
		return Subject{}, fmt.Errorf("the config would no longer parse: %w", err)
	}
	server := again(doc, s.Server)
	if server == nil {
		return Subject{}, errors.New("the server would be gone")
	}
	if err := tryable(s.Server, server); err != nil {
		return Subject{}, err
	}
	// The copy stands for the entry that was agreed to.
	return Subject{File: s.File, Document: doc, Server: server, Fingerprint: s.Fingerprint}, nil
}

// again finds a server in a changed document: where it was, or else the one of
// its name, since a fix may move all servers under another key.
func again(doc *config.Document, was *config.Server) *config.Server {
	var named *config.Server
	for i := range doc.Servers {
		s := &doc.Servers[i]
		if s.Pointer == was.Pointer {
			return s
		}
		if s.Name == was.Name {
			if named != nil {
				return nil
			}
			named = s
		}
	}
	return named
}

// tryable says whether a changed server may be started on a copy without
// asking: only if it keeps the package that the user named, or takes one that
// the catalogue vouches for as its successor.
func tryable(before, after *config.Server) error {
	was, is := catalog.Parse(before.Command, before.Args), catalog.Parse(after.Command, after.Args)
	name := catalog.Unversioned(is.Package)
	if name == "" || name == catalog.Unversioned(was.Package) || name == "mcp-remote" {
		return nil
	}
	if old := catalog.ByPackage(was.Package); old != nil && old.Successor == name {
		return nil
	}
	for _, arg := range append(before.Args, before.Command) { // args in one string
		if containsWord(arg, is.Package) {
			return nil
		}
	}
	return fmt.Errorf("it would start the package %q, which the entry does not name", is.Package)
}

// containsWord says whether a text has a word among its spaces.
func containsWord(text, word string) bool {
	for _, w := range strings.Fields(text) {
		if w == word {
			return true
		}
	}
	return false
}
