package triage

import "strings"

// Terminals and chat windows break long lines, and people paste what they
// see. maxWrapped bounds the texts in which words broken that way are looked
// for: what is larger is a log file and has its lines whole.
const maxWrapped = 64 << 10

// unwrap joins the lines of a text: a break together with the indentation and
// frame around it becomes one space. Offsets still lead to the text as given.
func unwrap(plain stripped) stripped {
	var joined stripped
	var text strings.Builder
	text.Grow(len(plain.text))
	keep := func(from, to int) {
		joined.plain = append(joined.plain, text.Len())
		joined.given = append(joined.given, plain.offset(from))
		text.WriteString(plain.text[from:to])
	}
	const frame = " \t\r|│┃║>"
	for at := 0; at < len(plain.text); {
		end := lineEnd(plain.text, at)
		line := strings.TrimLeft(plain.text[at:end], frame)
		if from := end - len(line); from < end {
			if text.Len() > 0 {
				joined.plain = append(joined.plain, text.Len())
				joined.given = append(joined.given, plain.offset(from)-1)
				text.WriteByte(' ')
			}
			keep(from, from+len(strings.TrimRight(line, frame)))
		}
		at = end + 1
	}
	joined.text = text.String()
	return joined
}

// wrapped looks for the rules that have not matched in a text whose lines are
// joined, and only where a break stands inside a literal: there a whole line
// could not show it.
func (r *reader) wrapped() {
	const near = 240
	joined := unwrap(r.text)
	if len(joined.plain) < 2 {
		return
	}
	run := 0 // the first piece that begins behind the literal's start
	r.automaton.scan(joined.text, func(literal uint16, end int) {
		start := end - len(r.literals[literal])
		for run < len(joined.plain) && joined.plain[run] <= start {
			run++
		}
		if run == len(joined.plain) || joined.plain[run] >= end {
			return
		}
		for _, rule := range r.users[literal] {
			t := &r.tries[rule]
			if r.rules[rule].Role == Hint || t.matches > 0 || t.count >= maxTries {
				continue
			}
			t.count++
			from, to := max(0, start-near), min(len(joined.text), end+near)
			f, ok := r.expressions[rule].find(&r.rules[rule], joined.text[from:to], fold(joined.text[from:to]))
			if !ok || from+f.groups[0] > start || from+f.groups[1] < end {
				continue
			}
			t.matches++
			r.matches = append(r.matches, Match{
				Rule:  &r.rules[rule],
				Start: joined.offset(from + f.groups[0]),
				End:   joined.end(from + f.groups[1]),
				Names: names(f, joined.text[from:to]),
			})
		}
	})
}
