package ecma

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// exampleSteps bounds the proof of one example.
const exampleSteps = 20_000

// maxWriterSteps bounds the walk that writes one example.
const maxWriterSteps = 5_000

// Examples gives up to n different texts that match the pattern and have low
// to high characters (no upper bound if negative), the most readable first.
// Each has been matched; a pattern that is too cunning gives none.
func (p *Pattern) Examples(low, high, n int) []string {
	if p.root == nil || low > 10_000 {
		return nil
	}
	var out []string
	for _, style := range styles(low) {
		w := writer{style: style, limit: max(low*2, 2000), captured: make([]string, p.groups+1)}
		w.node(p.root)
		text := w.out.String()
		length := utf8.RuneCountInString(text)
		if length < low || high >= 0 && length > high || slices.Contains(out, text) {
			continue
		}
		steps := exampleSteps
		if matched, err := p.Match(text, &steps); err != nil || !matched {
			continue
		}
		if out = append(out, text); len(out) == n {
			break
		}
	}
	return out
}

// style is one way to walk the tree.
type style struct {
	minimal bool // as few repetitions as allowed
	extra   int  // more repetitions than natural
	turn    int  // which alternatives and characters to take
}

func styles(low int) []style {
	out := []style{{}, {minimal: true}}
	for turn := range 4 {
		for _, extra := range []int{1, 2, 3, 5, 8, 13, 30} {
			out = append(out, style{extra: extra, turn: turn})
		}
		out = append(out, style{turn: turn + 1}, style{turn: turn + 1, minimal: true})
	}
	return append(out, style{extra: low}, style{extra: low, minimal: true})
}

// writer writes an example while walking the tree.
type writer struct {
	style
	out      strings.Builder
	limit    int
	steps    int // an empty group repeated a million times writes nothing
	captured []string
	wanted   []rune // what a look-ahead asked for, to be put where it fits
}

func (w *writer) node(n *node) {
	if w.steps++; w.spent() {
		return
	}
	switch n.kind {
	case class:
		w.out.WriteRune(n.set.sample(w.turn))
	case sequence:
		for _, sub := range n.subs {
			w.node(sub)
		}
	case alternation:
		w.node(n.subs[w.turn%len(n.subs)])
	case group:
		from := w.out.Len()
		w.node(n.subs[0])
		w.captured[n.index] = w.out.String()[from:]
	case reference:
		w.out.WriteString(w.captured[n.index])
	case repetition:
		w.repetition(n)
	case look:
		if !n.negative && !n.behind {
			inner := writer{style: style{minimal: true, turn: w.turn}, limit: 100, captured: w.captured}
			inner.node(n.subs[0])
			w.wanted = append(w.wanted, []rune(inner.out.String())...)
		}
	}
}

func (w *writer) spent() bool { return w.out.Len() > w.limit || w.steps > maxWriterSteps }

func (w *writer) repetition(n *node) {
	sub := n.subs[0]
	natural := max(n.min, 1)
	if sub.kind == class {
		natural = max(n.min, len(sub.set.word(w.turn)), len(w.wanted))
	}
	if w.minimal {
		natural = max(n.min, len(w.wanted))
	}
	times := natural + w.extra
	if n.max != unlimited {
		times = min(times, n.max)
	}
	times = min(max(times, n.min), w.limit)
	if sub.kind != class {
		for i := 0; i < times && !w.spent(); i++ {
			w.node(sub)
		}
		return
	}
	w.fill(sub.set, times)
}

// fill writes a run of characters of one set, beginning with what a
// look-ahead wanted.
func (w *writer) fill(s *set, times int) {
	word := []rune(s.word(w.turn))
	for i := range times {
		switch {
		case len(w.wanted) > 0 && s.contains(w.wanted[0]):
			w.out.WriteRune(w.wanted[0])
			w.wanted = w.wanted[1:]
		case len(word) > 0:
			w.out.WriteRune(word[i%len(word)])
		default:
			w.out.WriteRune(s.sample(w.turn + i))
		}
	}
}

// words are what runs of characters are filled with, in order of preference.
var words = []string{"example", "Example", "EXAMPLE", "12345", "a1b2c3d4", "A1B2C3D4", "1.5", "01"}

// word gives a word whose characters are all in the set.
func (s *set) word(turn int) string {
	var fitting []string
	for _, word := range words {
		if !strings.ContainsFunc(word, func(r rune) bool { return !s.contains(r) }) {
			fitting = append(fitting, word)
		}
	}
	if len(fitting) == 0 {
		return ""
	}
	return fitting[turn%len(fitting)]
}

// sample gives one character of the set, a plain one where there is one.
func (s *set) sample(turn int) rune {
	var plain []rune
	for _, r := range "aA1bB2cC3-_. /:@#xyz0" {
		if s.contains(r) {
			plain = append(plain, r)
		}
	}
	if len(plain) > 0 {
		return plain[turn%len(plain)]
	}
	for _, i := range s.ranges {
		if !s.negated {
			return i.low + rune(turn)%(i.high-i.low+1)
		}
	}
	for _, p := range s.tables {
		if !s.negated && !p.negated {
			if ranges := p.intervals(); len(ranges) > 0 {
				return ranges[0].low
			}
		}
	}
	for r := rune(' '); r < unicode.MaxLatin1; r++ {
		if s.contains(r) {
			return r
		}
	}
	for _, i := range complement(s.ranges) {
		if s.contains(i.low) {
			return i.low
		}
	}
	return 'a'
}
