package report

import (
	"fmt"

	"mcpmend/core"
	"mcpmend/core/config"
)

// Findings shows the diagnoses of a file as a compiler would: where, what, the
// line with a caret, and what to do.
func Findings(r core.Report, src Source, s Style) string {
	p := printer{style: s, src: src, lines: map[core.Place]*config.Lines{}}
	for _, d := range r.Diagnoses {
		p.finding(d)
	}
	return p.String()
}

func (p *printer) finding(d core.Diagnosis) {
	place := shown(p.src.File)
	if len(d.Evidence) > 0 {
		place = fmt.Sprintf("%s:%d:%d", place, d.Evidence[0].Line, d.Evidence[0].Column)
	}
	p.wrapped("", "    ", fmt.Sprintf("%s: %s: %s [%s]", place, d.Severity, shown(d.Title), d.Code), p.style.Bold)
	if len(d.Evidence) > 0 {
		p.excerpt(d.Evidence[0], len(fmt.Sprint(d.Evidence[0].Line))+2, "")
	}
	if d.SuggestedFix != "" {
		p.wrapped("    ", "    ", shown(d.SuggestedFix), unpainted)
	}
}
