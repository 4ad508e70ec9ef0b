package lint

import (
	"slices"
	"sync"

	"mcpmend/core/config"
)

// Syntax looks at what had to be mended before a text could be read, one
// finding for each kind of accident at its first place. The client is that of
// the mended text; offsets are those of the text before the mend. The fix of
// every finding is the whole repair, because a part of it would not parse.
func Syntax(r config.Repaired, client *config.Client, o Options) []Finding {
	p := &pass{client: client, options: o}
	var edits []config.Edit
	for _, m := range r.Mends {
		edits = append(edits, m.Edit)
	}
	piece := o.File == "" && slices.ContainsFunc(r.Mends, func(m config.Mend) bool { return slices.Contains(pasted, m.Kind) })
	for _, m := range firstOfKind(r.Mends) {
		if p.rule = mendRules()[m.Kind]; p.rule == nil {
			continue
		}
		f := Finding{Span: shown(m), Fix: Fix{Title: "Repair the text", Edits: edits, Safe: true}}
		var fact config.Certainty
		f.Severity, fact = p.strictness(m.Kind)
		if piece && (slices.Contains(pasted, m.Kind) || slices.Contains(brackets, m.Kind)) {
			f.Severity = Note // what was pasted is a piece of a file that may be whole
		}
		p.report(f, fact)
	}
	order(p.findings)
	return p.findings
}

// pasted are the accidents of copying a piece of a file, brackets those that
// follow from it.
var (
	pasted   = []config.MendKind{config.MendFence, config.MendAround, config.MendFragment, config.MendTruncated}
	brackets = []config.MendKind{config.MendMissingClose, config.MendExtraClose, config.MendMissingOpen}
)

// strictness says how grave an accident is to the client, and how sure that is.
func (p *pass) strictness(kind config.MendKind) (Severity, config.Certainty) {
	answer := config.No
	switch kind {
	case config.MendBOM:
		answer = p.client.BOM
	case config.MendComment:
		answer = p.client.Comments
	case config.MendTrailingComma:
		answer = p.client.TrailingCommas
	default:
		return Error, config.High
	}
	switch answer {
	case config.No:
		return Error, p.dialect(config.High)
	case config.Yes:
		return Note, config.High
	}
	return Warning, config.High // most clients mind; this one may not
}

// firstOfKind gives the first mend of each kind.
func firstOfKind(mends []config.Mend) []config.Mend {
	seen := map[config.MendKind]bool{}
	var first []config.Mend
	for _, m := range mends {
		if !seen[m.Kind] {
			seen[m.Kind] = true
			first = append(first, m)
		}
	}
	return first
}

// shown is where to point for a mend: at the character before one that only
// inserts, so that there is something to see.
func shown(m config.Mend) config.Span {
	if m.Start == m.End && m.Start > 0 {
		return config.Span{Start: m.Start - 1, End: m.Start}
	}
	return config.Span{Start: m.Start, End: max(m.End, m.Start+1)}
}

var mendRules = sync.OnceValue(func() map[config.MendKind]*Rule {
	rules := map[config.MendKind]*Rule{}
	for _, r := range Rules() {
		if r.Mend != "" {
			rules[r.Mend] = r
		}
	}
	return rules
})

// strict looks for what a parser reads and a strict client does not.
func strict(kind config.MendKind) func(*pass) {
	return func(p *pass) {
		severity, fact := p.strictness(kind)
		if severity == Note || p.doc.Format != config.JSON && p.doc.Format != config.JSONC {
			return
		}
		var edits []config.Edit
		for _, m := range config.Strict(p.doc.Text) {
			if m.Kind == kind {
				edits = append(edits, m.Edit)
			}
		}
		if len(edits) > 0 {
			p.report(Finding{
				Severity: severity, Span: shown(config.Mend{Edit: edits[0]}),
				Fix: Fix{Title: p.rule.Remedy, Edits: edits, Safe: kind == config.MendTrailingComma},
			}, fact)
		}
	}
}
