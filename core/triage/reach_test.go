package triage

import (
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// A wording is tried only on lines that hold one of its rule's literals, so a
// wording without any can never match. This spells the forms of each wording
// out and looks for a literal in them.
func TestWordingsAreReached(t *testing.T) {
	for _, r := range Rules() {
		for i, w := range wordingsOf(r.Wordings) {
			w.regexp() // it compiles
			tree, err := syntax.Parse(flags+shorthand.Replace(r.Wordings[i]), syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(forms(tree), func(form string) bool { return holdsLiteral(form, r.Literals) }) {
				t.Errorf("%s: no literal leads to %s", r.Code, r.Wordings[i])
			}
		}
	}
}

func holdsLiteral(form string, literals []string) bool {
	return slices.ContainsFunc(literals, func(l string) bool {
		return strings.Contains(form, l[:min(len(l), longestLiteral)])
	})
}

// forms lists texts that an expression matches, as far as they can be told
// and up to a bound. What may be anything is written as a zero byte.
func forms(e *syntax.Regexp) []string {
	const most, smallClass = 300, 12
	anything := []string{"\x00"}
	switch e.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(e.Rune))}
	case syntax.OpCapture:
		return forms(e.Sub[0])
	case syntax.OpQuest:
		return append([]string{""}, forms(e.Sub[0])...)
	case syntax.OpRepeat:
		if e.Min == 0 {
			return []string{"", "\x00"}
		}
		return anything
	case syntax.OpStar, syntax.OpPlus, syntax.OpAnyCharNotNL, syntax.OpAnyChar:
		return anything
	case syntax.OpCharClass:
		var all []string
		for i := 0; i < len(e.Rune); i += 2 {
			for c := e.Rune[i]; c <= e.Rune[i+1]; c++ {
				if all = append(all, fold(string(c))); len(all) > smallClass {
					return anything
				}
			}
		}
		return all
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range e.Sub {
			var longer []string
			for _, begin := range all {
				for _, end := range forms(sub) {
					if len(longer) < most {
						longer = append(longer, begin+end)
					}
				}
			}
			all = longer
		}
		return all
	case syntax.OpAlternate:
		var all []string
		for _, sub := range e.Sub {
			all = append(all, forms(sub)...)
		}
		return all
	}
	return []string{""} // a place between characters
}
