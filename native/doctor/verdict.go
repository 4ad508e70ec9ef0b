package doctor

import (
	"context"

	"mcpmend/core"
	"mcpmend/core/module"
	"mcpmend/native/facts"
	"mcpmend/native/probe"
)

// verdict names the root cause, hears what the client's own log says of it, asks
// for the facts that its fixers use, and lets fixers and modules speak.
func (d *Doctor) verdict(ctx context.Context, s Subject, r *probe.Result) (report core.Report, notes []string) {
	in := core.Input{Config: s.Document.Text, File: s.File.Path, Client: s.Document.Client.ID, Server: s.Server.Name}
	report = probe.Verdict(r, in)
	if r.OK() || len(report.Diagnoses) == 0 {
		return report, nil
	}
	own := len(r.Text())
	log := d.listen(s)
	if log != nil && log.after && !vague(log.category) && vague(report.Diagnoses[0].Category) {
		joined := *r // the same run may be another entry's too
		joined.Heard = log.text
		r = &joined
		report = probe.Verdict(r, in)
	}
	cause := report.Diagnoses[0]
	in.Facts = facts.Collect(ctx, d.facts, facts.Question{Category: cause.Category, Names: cause.Names, Server: s.Server, Client: s.Document.Client, Dir: d.dir(s)})
	report = probe.Verdict(r, in)
	if log != nil {
		log.testify(&report.Diagnoses[0], own)
	}
	library, err := d.library()
	if err != nil {
		return report, []string{err.Error()}
	}
	for i := range report.Diagnoses {
		fixes, errs := library.Propose(ctx, module.NewCall(report.Diagnoses[i], s.Document, s.Server, s.File.Client, in.Facts))
		report.Diagnoses[i].Fixes = append(report.Diagnoses[i].Fixes, fixes...)
		for _, err := range errs {
			notes = append(notes, err.Error())
		}
	}
	return report, notes
}
