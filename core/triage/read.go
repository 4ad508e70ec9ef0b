package triage

import (
	"sort"
	"strings"
	"sync"
)

// Bounds that keep the cost of a hostile or merely huge text linear: no
// pattern sees more than a window around its literal, and a rule that has
// been tried or has matched often enough waits for its last occurrence.
const (
	windowBefore = 1 << 10
	windowAfter  = 3 << 10
	maxTries     = 64 // on lines of ordinary length; a longer one counts for several
	ordinaryLine = 512
	maxHints     = 1000

	// Of a longer literal only the beginning is looked for; the pattern sees
	// to the rest.
	longestLiteral = 12
	maxMatches     = 12
)

// index is what [Read] needs of the rules, built on first use.
type index struct {
	automaton   *automaton
	rules       []Rule
	expressions []expression
	literals    []string
	users       [][]uint16 // literal -> rules
	voices      []*voice   // literal -> what it tells of the client, or nil
}

var indexed = sync.OnceValue(func() *index {
	x := &index{rules: rules()}
	x.expressions = make([]expression, len(x.rules))
	known := map[string]int{}
	add := func(literal string) int {
		literal = literal[:min(len(literal), longestLiteral)]
		id, ok := known[literal]
		if !ok {
			id = len(x.literals)
			known[literal] = id
			x.literals = append(x.literals, literal)
			x.users = append(x.users, nil)
			x.voices = append(x.voices, nil)
		}
		return id
	}
	for r := range x.rules {
		for _, l := range x.rules[r].Literals {
			id := add(l)
			x.users[id] = append(x.users[id], uint16(r))
		}
	}
	all := voices()
	for v := range all {
		x.voices[add(all[v].literal)] = &all[v]
	}
	x.automaton = newAutomaton(x.literals)
	return x
})

// try is the progress of one rule through one text.
type try struct {
	seen    int // up to here a pattern has looked
	count   int
	matches int
	last    hit // where a literal stood last, once the rule must wait
}

// hit is a literal's place.
type hit struct {
	start, end int // of the line; of the literal
}

// hint is a place where a vague rule might match.
type hint struct {
	rule uint16
	at   hit
}

// Read finds every rule's matches in text.
func Read(text string) Log {
	x := indexed()
	plain := strip(text)
	r := reader{index: x, text: plain, tries: make([]try, len(x.rules)), heard: map[speaker]int{}}
	r.lines()
	if len(plain.text) <= maxWrapped {
		r.wrapped()
	}
	sort.SliceStable(r.matches, func(i, j int) bool { return r.matches[i].Start < r.matches[j].Start })
	return Log{
		Matches: r.matches,
		Client:  r.most(func(s speaker) string { return s.client }),
		OS:      r.most(func(s speaker) string { return s.system }),
		Telling: tellingLine(plain.text),
	}
}

// lines makes the one pass over the text, line by line.
func (r *reader) lines() {
	text := r.text.text
	var now hit
	counted := 0
	r.automaton.scan(text, func(literal uint16, end int) {
		for {
			next := strings.IndexByte(text[counted:end], '\n')
			if next < 0 {
				break
			}
			counted += next + 1
			now.start = counted
		}
		counted = max(counted, end-1)
		now.end = end
		if v := r.voices[literal]; v != nil {
			r.hear(v, now)
		}
		for _, rule := range r.users[literal] {
			r.visit(rule, now)
		}
	})
	for rule := range r.tries {
		if t := &r.tries[rule]; t.last.end > t.seen {
			r.match(uint16(rule), t.last)
		}
	}
	if !r.undecided() {
		return
	}
	said := r.matches
	for _, h := range r.hints {
		if len(said) > 0 && (!strings.HasPrefix(r.rules[h.rule].Code, ofStarting) || r.onLine(said, h.at)) {
			continue // beside the end of a connection only what ends a start counts
		}
		if t := &r.tries[h.rule]; h.at.end > t.seen && t.matches < maxMatches && r.match(h.rule, h.at) {
			t.matches++
		}
	}
}

// ofStarting begins the codes of the rules about starting a server.
const ofStarting = "MCP1"

// undecided tells whether nothing exact was said, or only that a connection
// ended: then vague words are worth a look.
func (r *reader) undecided() bool {
	for i := range r.matches {
		if m := r.matches[i].Rule; m.Role != Noise && (m.Role != Symptom || m.Category != ConnectionClosed) {
			return false
		}
	}
	return true
}

// onLine tells whether one of the matches stands on the line of a hint: its
// words are spoken for.
func (r *reader) onLine(matches []Match, at hit) bool {
	start, end := r.text.offset(at.start), r.text.end(lineEnd(r.text.text, at.end))
	for i := range matches {
		if matches[i].Start < end && start < matches[i].End {
			return true
		}
	}
	return false
}

type reader struct {
	*index
	text    stripped
	tries   []try
	matches []Match
	hints   []hint
	heard   map[speaker]int
	lower   struct { // the window that was folded last: rules share lines
		from, end int
		text      string
	}
}

// folded is a part of the text in lower case.
func (r *reader) folded(from, end int) string {
	if l := &r.lower; l.from != from || l.end != end {
		l.from, l.end, l.text = from, end, fold(r.text.text[from:end])
	}
	return r.lower.text
}

func (r *reader) visit(rule uint16, at hit) {
	t := &r.tries[rule]
	if at.end <= t.seen {
		return
	}
	if r.rules[rule].Role == Hint {
		if len(r.hints) < maxHints {
			r.hints = append(r.hints, hint{rule, at})
		}
		return
	}
	if t.count >= maxTries || t.matches >= maxMatches {
		t.last = at
		return
	}
	start, end := window(r.text.text, at, r.rules[rule].Lines)
	t.count += 1 + (end-start)/ordinaryLine
	if r.match(rule, at) {
		t.matches++
	}
}

// match tries a rule's pattern around a literal.
func (r *reader) match(rule uint16, at hit) bool {
	text := r.text.text
	start, end := window(text, at, r.rules[rule].Lines)
	r.tries[rule].seen = min(end, lineEnd(text, at.end))
	var p prefix
	if at.end-at.start < windowBefore {
		p = readPrefix(text[at.start:lineEnd(text, at.end)])
	}
	from := start
	if start == at.start && start+p.length < at.end { // else the literal is in what looked like a prefix
		from += p.length
	}
	f, ok := r.expressions[rule].find(&r.rules[rule], text[from:end], r.folded(from, end))
	if !ok {
		return false
	}
	first, last := statement(text, from, from+f.groups[0], from+f.groups[1])
	r.matches = append(r.matches, Match{
		Rule:   &r.rules[rule],
		Server: p.server,
		Start:  r.text.offset(first),
		End:    r.text.end(last),
		Depth:  p.depth,
		Names:  names(f, text[from:end]),
	})
	return true
}

// window is the part of the text that a pattern may see.
func window(text string, at hit, lines int) (start, end int) {
	start = at.start
	end = lineEnd(text, at.end)
	for range lines {
		start = lineStart(text, start)
		if end >= len(text) || end > at.end+windowAfter {
			break
		}
		end = lineEnd(text, end+1)
	}
	return max(start, at.end-windowBefore), min(end, at.end+windowAfter)
}

// lineStart is where the line before the one at from begins.
func lineStart(text string, from int) int {
	if from == 0 {
		return 0
	}
	return strings.LastIndexByte(text[max(0, from-windowBefore):from-1], '\n') + 1 + max(0, from-windowBefore)
}

func lineEnd(text string, from int) int {
	if from >= len(text) {
		return len(text)
	}
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

// names collects a wording's named groups. A group may be spelt with a
// trailing digit where a wording has alternatives for one name.
func names(f found, text string) map[string]string {
	var all map[string]string
	for i, group := range f.regexp.SubexpNames() {
		if group == "" || f.groups[2*i] < 0 {
			continue
		}
		group = strings.TrimRight(group, "0123456789")
		value, ok := cleanName(group, text[f.groups[2*i]:f.groups[2*i+1]])
		if !ok {
			continue
		}
		if all == nil {
			all = map[string]string{}
		}
		if all[group] == "" {
			all[group] = value
		}
	}
	return all
}
