package core

import (
	"mcpmend/core/fix"
	"mcpmend/core/lint"
)

// fixes asks for candidates, the finding's own mend among them.
func (e *examination) fixes(d *Diagnosis, f *lint.Finding) []fix.Fix {
	p := fix.Problem{
		Code: d.Code, Category: d.Category, Names: d.Names, Finding: f,
		Document: e.conf.document, Client: e.client, OS: e.os,
	}
	if p.Document != nil {
		for i := range p.Document.Servers {
			if s := &p.Document.Servers[i]; s.Name == d.Server {
				p.Server = s
				break
			}
		}
	}
	return fix.Propose(p, e.in.Facts)
}
