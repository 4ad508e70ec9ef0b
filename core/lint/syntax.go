package lint

import (
	"slices"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// Syntax looks at what had to be mended before a text could be read, one
// finding for each kind of accident at its first place. The client is that of
// the mended text; offsets are those of the text before the mend. The fix of
// every finding is the whole repair, because a part of it would not parse.
func Syntax(r config.Repaired, client *config.Client, o Options) []Finding {
	p := &pass{client: client, options: o, alike: map[*Rule]int{}}
	var edits []config.Edit
	for _, m := range r.Mends {
		edits = append(edits, m.Edit)
	}
	end := edge(r)
	for _, m := range firstOfKind(r.Mends) {
		switch {
		case rewritten(m, r.Format):
			p.rule = ruleByCode(foreignFormat)
		case m.Kind == config.MendBackslash && misread(r):
			p.rule = ruleByCode(misreadPath)
		default:
			p.rule = mendRules()[m.Kind]
		}
		if p.rule == nil {
			continue
		}
		f := Finding{Span: shown(m), Fix: Fix{Title: "Repair the text", Edits: edits, Safe: true}}
		var fact config.Certainty
		f.Severity, fact = p.strictness(m.Kind)
		if o.File == "" && (slices.Contains(pasted, m.Kind) || slices.Contains(cut, m.Kind) && m.End >= end) {
			f.Severity = Note // what was pasted is a piece of a file that may be whole
		}
		p.report(&f, fact)
	}
	order(p.findings)
	return p.findings
}

// pasted are the accidents of copying a piece of a file, cut those that follow
// from it at the end of the piece.
var (
	pasted = []config.MendKind{config.MendFence, config.MendAround, config.MendFragment, config.MendEscaped, config.MendTruncated}
	cut    = []config.MendKind{config.MendMissingClose, config.MendExtraClose, config.MendTrailingComma}
)

// edge gives the offset from which on a text has nothing but the last mends,
// or one behind its end where it has something after them.
func edge(r config.Repaired) int {
	grown, last := 0, 0
	for _, m := range r.Mends {
		grown += len(m.Insert) - (m.End - m.Start)
		last = max(last, m.End)
	}
	tail := len(r.Text) - grown - last
	if tail < 0 || tail > len(r.Text) || strings.TrimSpace(r.Text[len(r.Text)-tail:]) != "" {
		return len(r.Text) - grown + 1
	}
	return last
}

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

// Rules that Syntax picks by more than the kind of a mend.
const (
	foreignFormat = "MCP3071"
	misreadPath   = "MCP4403"
)

// rewritten tells whether a mend writes a whole piece anew in the file's own
// format: it was JSON in a TOML file.
func rewritten(m config.Mend, format config.Format) bool {
	return m.Kind == config.MendStray && format == config.TOML && strings.HasPrefix(m.Insert, "[")
}

// misread tells whether a text parsed as it was, but not to what was meant:
// all that was mended are backslashes that began an escape.
func misread(r config.Repaired) bool {
	grown := 0
	for _, m := range r.Mends {
		at := m.Start + grown + 2*len(m.Insert)
		if m.Kind != config.MendBackslash || at >= len(r.Text) || !strings.ContainsRune("bfnrt", rune(r.Text[at])) {
			return false
		}
		grown += len(m.Insert) - (m.End - m.Start)
	}
	return true
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
		for _, m := range p.extras() {
			if m.Kind == kind {
				edits = append(edits, m.Edit)
			}
		}
		if len(edits) > 0 {
			p.report(&Finding{
				Severity: severity, Span: shown(config.Mend{Edit: edits[0]}),
				Fix: Fix{Title: p.rule.Remedy, Edits: edits, Safe: kind == config.MendTrailingComma},
			}, fact)
		}
	}
}

// embedded looks for servers that stand as JSON in a string of the config, one
// or two keys deep.
func (p *pass) embedded(n *config.Node, path ...string) {
	for _, m := range members(n) {
		if m.Value.Kind == config.Object && len(path) == 0 {
			p.embedded(m.Value, m.Name)
		}
		text := m.Value.Text
		if m.Value.Kind != config.String || !strings.HasPrefix(strings.TrimSpace(text), "{") || !strings.Contains(text, `"mcpServers"`) {
			continue
		}
		if _, err := config.Parse(text, config.Options{Format: config.JSON}); err != nil {
			f := Finding{Pointer: config.Pointer(append(slices.Clone(path), m.Name)...), Span: m.Value.Span}
			if r := config.Repair(text, config.JSON); r.Err == nil {
				f.Fix = Fix{Title: "Repair the JSON", Patch: config.Patch{replace(f.Pointer, r.Text)}}
			}
			p.report(&f)
		}
	}
}
