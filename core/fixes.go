package core

import (
	"mcpmend/core/fix"
	"mcpmend/core/lint"
)

// fixes asks for candidates, the finding's own mend among them.
func (e *examination) fixes(d *Diagnosis, f *lint.Finding) []fix.Fix {
	return fix.Propose(fix.Problem{
		Code: d.Code, Category: d.Category, Names: d.Names, Finding: f,
		Server: e.entry(d.Server), Document: e.conf.document, Client: e.client, OS: e.os,
	}, e.in.Facts)
}
