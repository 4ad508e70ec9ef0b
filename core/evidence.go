package core

import (
	"strings"
	"unicode"

	"mcpmend/core/config"
	"mcpmend/core/lint"
	"mcpmend/core/triage"
)

// inText is evidence from the text.
func (e *examination) inText(start, end int, role Role) Evidence {
	start, end = trimmed(e.in.Text, start, end)
	ev := Evidence{In: InText, Role: role, Start: start, End: end}
	ev.Line, ev.Column = e.textLines().At(start)
	ev.Quote = quote(e.in.Text[start:end])
	return ev
}

// add appends a place in the text to evidence, unless it is shown already or
// there is enough.
func (e *examination) add(list []Evidence, start, end int, role Role) []Evidence {
	if len(list) >= maxEvidence {
		return list
	}
	next := e.inText(start, end, role)
	for _, ev := range list {
		if ev.In == InText && ev.Start < end && start < ev.End || ev.Quote == next.Quote {
			return list
		}
	}
	return append(list, next)
}

// messageBelow adds the "message" of a list of issues, one member a line, of
// which a match is the beginning: the sentence that says what is wrong stands
// below the code and the path.
func (e *examination) messageBelow(d *Diagnosis, m *triage.Match, role Role) {
	const members = 12
	text, end := e.in.Text, m.End
	for range members {
		next := strings.IndexByte(text[end:], '\n')
		if next < 0 {
			return
		}
		start := end + next + 1
		end = len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		line := strings.TrimLeft(text[start:end], " \t")
		if strings.HasPrefix(line, `"message":`) {
			d.Evidence = e.add(d.Evidence, end-len(line), end, role)
			return
		}
		if line == "" || !strings.ContainsAny(line[:1], `"{}[]`) {
			return
		}
	}
}

// named adds the place in the config of the key that a message names.
func (e *examination) named(d *Diagnosis) {
	key := d.Names["key"]
	if key == "" || len(d.Evidence) >= maxEvidence {
		return
	}
	at := strings.Index(e.conf.text, `"`+key+`"`)
	if at < 0 {
		at = strings.Index(e.conf.text, key+" =") // of TOML
	}
	if at < 0 {
		return
	}
	first, last := lineAround(e.conf.text, at, at)
	d.Evidence = append(d.Evidence, e.inConfig(first, withNext(e.conf.text, first, last), Context))
}

// lineAround is the line of the config in which a finding stands, without its
// indentation; with those before it where it says nothing by itself.
func lineAround(text string, start, end int) (int, int) {
	start, end = min(start, len(text)), min(end, len(text))
	first := strings.LastIndexByte(text[:start], '\n') + 1
	last := len(text)
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		last = end + i
	}
	for range maxLines - 1 { // a line of brackets says nothing without the one before
		if first == 0 || strings.ContainsFunc(text[first:last], unicode.IsLetter) {
			break
		}
		first = strings.LastIndexByte(text[:first-1], '\n') + 1
	}
	for first < start && (text[first] == ' ' || text[first] == '\t') {
		first++
	}
	return first, last
}

// previousLine is where the line before the one at first begins.
func previousLine(text string, first int) int {
	end := strings.LastIndexByte(text[:first], '\n')
	if end < 0 {
		return first
	}
	return strings.LastIndexByte(text[:end], '\n') + 1
}

// withNext is a line together with those after it, as many as a quote holds.
func withNext(text string, first, last int) int {
	for range maxLines - 1 - strings.Count(text[first:last], "\n") {
		if last >= len(text) {
			break
		}
		next := strings.IndexByte(text[last+1:], '\n')
		if next < 0 {
			return len(text)
		}
		last += 1 + next
	}
	return last
}

// inConfig is evidence from the config; offsets of one that was found in the
// text are those of the text.
func (e *examination) inConfig(start, end int, role Role) Evidence {
	start = min(max(start, 0), len(e.conf.text))
	end = min(max(end, start), len(e.conf.text))
	start, end = trimmed(e.conf.text, start, end)
	base := e.conf.base
	ev := Evidence{In: InConfig, Role: role, Start: base + start, End: base + end, Quote: quote(e.conf.text[start:end])}
	ev.Line, ev.Column = e.configLines().At(base + start)
	if e.conf.within {
		ev.In = InText
	}
	return ev
}

func (e *examination) configLines() *config.Lines {
	if e.conf.lines == nil {
		e.conf.lines = config.NewLines(e.conf.source)
	}
	return e.conf.lines
}

func (e *examination) textLines() *config.Lines {
	if e.lines == nil {
		e.lines = config.NewLines(e.in.Text)
	}
	return e.lines
}

// trimmed is a span without the space at its ends, as its quote is; one of
// space alone stays.
func trimmed(text string, start, end int) (int, int) {
	words := strings.TrimSpace(text[start:end])
	if words == "" {
		return start, end
	}
	start += strings.Index(text[start:end], words)
	return start, start + len(words)
}

// quote is text made fit to be shown: valid, masked, and of at most three
// lines.
func quote(text string) string {
	if len(text) > maxQuote {
		text = text[:maxQuote]
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	lines := strings.SplitN(text, "\n", maxLines+1)
	text = strings.Join(lines[:min(len(lines), maxLines)], "\n")
	return config.Mask(strings.TrimSpace(text))
}

// span is where a finding stands in the config as given.
func (c *configuration) span(f *lint.Finding) (start, end int) {
	if f.Rule.Mend != "" { // found before the repair
		return f.Span.Start, f.Span.End
	}
	start = c.offset(f.Span.Start)
	return start, max(start, c.before(f.Span.End))
}

// offset translates an offset of the repaired config to the config as given.
func (c *configuration) offset(repaired int) int {
	shift := 0
	for _, m := range c.repaired.Mends {
		at := m.Start + shift // where the edit landed
		if repaired < at {
			break
		}
		if repaired < at+len(m.Insert) {
			return m.Start
		}
		shift += len(m.Insert) - (m.End - m.Start)
	}
	return repaired - shift
}

// before translates the end of a span as offset does its start: what an edit
// took away right behind the span is no part of it.
func (c *configuration) before(repaired int) int {
	end := c.offset(repaired)
	for _, m := range c.repaired.Mends {
		if m.Insert == "" && m.End == end {
			return m.Start
		}
	}
	return end
}
