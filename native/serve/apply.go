package serve

import (
	"crypto/sha256"
	"fmt"

	"mcpmend/core/heal"
	"mcpmend/native/doctor"
	"mcpmend/native/roster"
)

// The tools that carry out what was proposed, and take it back.

type applyArguments struct {
	FixID  string `json:"fix_id"`
	DryRun *bool  `json:"dry_run"`
}

// dry says whether a call only shows: it does unless it was told otherwise.
func dry(flag *bool) bool { return flag == nil || *flag }

func (c *call) applyFix(in applyArguments) (answer, error) {
	get := c.server.fixes.take
	if dry(in.DryRun) {
		get = c.server.fixes.look
	}
	p, err := get(in.FixID, c.session)
	if err != nil {
		return answer{}, err
	}
	l, err := c.server.roster.List("")
	if err != nil {
		return answer{}, err
	}
	e, err := unchanged(l, p)
	if err != nil {
		return answer{}, err
	}
	d := l.Doctor
	d.Timeout = c.server.options.Timeout
	if err := c.mayStart(d, e.Subject); err != nil {
		return answer{}, err
	}
	known := d.Known(e.Subject)
	view := viewOf(d, e)
	next, err := doctor.Applied(e.Subject, p.fix)
	if err != nil {
		return answer{}, err
	}
	outcome := c.probe(d, []doctor.Subject{next}, c.watch(map[string]string{next.Fingerprint: view.called()}))[0]
	h := healthOf(view, outcome)
	works := outcome.State.Works()
	entry := ""
	if works {
		entry = entryText(next)
	}
	applied := p.fix
	h.Healing = recordOf(heal.Record{Fixed: works, Attempts: []heal.Attempt{{Number: 1, FixApplied: &applied, Result: string(outcome.State)}}}, entry)
	h.Diff = diffLines(e.Subject.File.Text, next.Document.Text)
	data := struct {
		health
		DryRun bool `json:"dry_run"`
	}{h, dry(in.DryRun)}
	if !works || data.DryRun {
		return answer{data.line() + "\nnothing was written", data}, nil
	}
	if err := c.mayWrite(next, next.Document.Text, basis{vouched: known}); err != nil {
		return answer{}, err
	}
	if err := d.Save(e.Subject.File, next.Document.Text, p.fix.Title); err != nil {
		return answer{}, err
	}
	c.wrote(e.Subject.File.Path, next.Document.Text)
	data.Written, data.NextStep = true, doctor.NextStep(next.Document.Client)
	return answer{data.line(), data}, nil
}

// unchanged finds the server of a proposal in the very text that it was made
// for.
func unchanged(l *roster.Listing, p proposal) (roster.Entry, error) {
	for _, e := range l.Entries {
		if e.ID == p.server && sha256.Sum256([]byte(e.Subject.File.Text)) == p.text {
			return e, nil
		}
	}
	return roster.Entry{}, failure{"changed", "the file has changed since the fix was proposed; test the server again"}
}

type undoArguments struct{}

// undo takes back the last write of this session, if the file is still what
// was written.
func (c *call) undo(undoArguments) (answer, error) {
	last, ok := c.server.written.last(c.session)
	if !ok {
		return answer{}, failure{"unknown", "this session has written nothing that could be taken back"}
	}
	l, err := c.server.roster.List("")
	if err != nil {
		return answer{}, err
	}
	for _, f := range l.Files {
		if f.Path == last.path && f.Text != last.text {
			return answer{}, failure{"changed", "the file was changed after it was written here, so it is left as it is"}
		}
	}
	text := fmt.Sprintf("Take back the last change of %s?", safe(last.path))
	if err := c.agree(question{text: text, writes: true, vouched: true}); err != nil {
		return answer{}, err
	}
	backup, err := l.Doctor.Undo(last.path)
	if err != nil {
		return answer{}, err
	}
	c.server.written.drop(last)
	data := struct {
		Undone bool     `json:"undone"`
		File   string   `json:"file"`
		Diff   []string `json:"diff"`
	}{true, safe(last.path), diffLines(last.text, string(backup.Before))}
	return answer{"taken back: " + data.File, data}, nil
}
