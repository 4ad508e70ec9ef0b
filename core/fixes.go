package core

import (
	"mcpmend/core/fix"
	"mcpmend/core/lint"
)

// fixes asks for candidates, the finding's own mend among them.
func (e *examination) fixes(d *Diagnosis, f *lint.Finding) []fix.Fix {
	if f != nil && len(f.Fix.Edits) > 0 && len(e.conf.repaired.Mends) > 0 {
		f = nil // its edits are among those of the repair
	}
	return fix.Propose(fix.Problem{
		Code: d.Code, Category: d.Category, Names: d.Names, Finding: f,
		Server: e.entry(d.Server), Document: e.conf.document, Client: e.client, OS: e.os,
	}, e.in.Facts)
}
