package config

import (
	"strings"
)

// repairYAML mends a YAML text that does not parse. It reads the text line by
// line with a grammar that knows the usual accidents, and evens out the
// indentation at the end, when it is known what each line is.
func repairYAML(text string) []Mend {
	return settled(text, mendYAML(text), againYAML)
}

// againYAML looks at a text that has been mended once.
func againYAML(text string) []Mend {
	if _, err := parseYAML(text); err != nil {
		return mendYAML(text)
	}
	return oddYAML(text)
}

// mendYAML reads the text once.
func mendYAML(text string) []Mend {
	if rest := strings.TrimLeft(text, " \t\r\n\u00a0"); strings.HasPrefix(rest, "{") && !strings.HasPrefix(rest, "{{") {
		if mends := repairPastedJSON(text); mends != nil {
			return mends
		}
	}
	m := &yamlMender{bracketMender: bracketMender{text: text, yaml: true}, newline: newlineOf(text)}
	m.survey()
	for m.at < len(text) {
		m.lineOf()
	}
	m.evenOut()
	return m.mends
}

// repairPastedJSON mends JSON, which is YAML once it is right.
func repairPastedJSON(text string) []Mend {
	mends := repairJSON(text, true)
	mended, err := Edited(text, editsOf(mends))
	if err != nil {
		return nil
	}
	if _, err := parseYAML(mended); err != nil {
		return nil
	}
	return mends
}

// yamlMender reads a broken YAML text.
type yamlMender struct {
	bracketMender
	newline string
	lines   []brokenLine
	step    int  // columns of one level in this file
	hanging bool // lists stand deeper than their keys
	commas  bool // values end with commas, as in JSON
	surveys []surveyed
	next    int // of surveys, for the line being read
}

// surveyed is what a line looks like before anything is mended.
type surveyed struct {
	start  int // of its content
	indent int // in columns, a tab counting as one level
	kind   lineKind
	opens  bool
}

type lineKind uint8

const (
	lineText  lineKind = iota // no sign of either
	lineKey                   // key: value
	lineEntry                 // - value
)

// brokenLine is a line that has a place in the structure.
type brokenLine struct {
	start   int // of the line
	content int // behind the indentation
	indent  int // in columns
	clean   bool
	kind    lineKind
	name    string // of its first key
	dashes  []int  // columns of its dashes, the first being the indent
	key     int    // column of its key, -1 for none
	opens   bool   // its value stands on the lines below
	block   Span   // the lines of a block scalar below it
}

// survey looks at all lines once: the width of a level, and what each seems to
// be, so that a line without a sign can be judged by its neighbours.
func (m *yamlMender) survey() {
	m.step = m.levelWidth()
	commas := 0
	for at := 0; at < len(m.text); {
		end := m.lineEnd(at)
		content, indent, _ := m.indentation(at)
		line := strings.TrimRight(uncommented(m.text[content:end]), " \t")
		s := surveyed{start: content, indent: indent}
		switch {
		case line == "" || line[0] == '#' || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "```"):
			s.start = -1
		case line == "-" || strings.HasPrefix(line, "- "):
			s.kind, s.opens = lineEntry, line == "-" || strings.HasSuffix(line, ":")
		case strings.HasSuffix(line, ":") || strings.Contains(line, ": "):
			s.kind, s.opens = lineKey, strings.HasSuffix(line, ":")
		}
		if strings.HasSuffix(line, ",") {
			commas++
			m.commas = m.commas || commas > 2 || strings.HasSuffix(line, `",`) || strings.HasSuffix(line, `',`)
		}
		if n := len(m.surveys); n > 0 && s.kind == lineEntry && m.surveys[n-1].opens && s.indent > m.surveys[n-1].indent {
			m.hanging = true
		}
		if s.start >= 0 {
			m.surveys = append(m.surveys, s)
		}
		at = end + breakSize(m.text, end)
		if at == end {
			break
		}
	}
}

// levelWidth gives the smallest indentation by spaces, 2 where there is none.
func (m *yamlMender) levelWidth() int {
	counts := map[int]int{}
	previous := 0
	for line := range strings.Lines(m.text) {
		content := strings.TrimLeft(line, " ")
		if strings.TrimSpace(content) == "" || content[0] == '\t' || content[0] == '#' {
			continue
		}
		indent := len(line) - len(content)
		if by := indent - previous; by > 1 && by <= 8 {
			counts[by]++
		}
		previous = indent
	}
	best := 2
	for by, n := range counts {
		if n > counts[best] || n == counts[best] && by < best {
			best = by
		}
	}
	return best
}

// indentation measures the blank in front of a line; clean means spaces only.
func (m *yamlMender) indentation(at int) (content, columns int, clean bool) {
	clean = true
	for at < len(m.text) {
		switch c := m.text[at]; {
		case c == ' ':
			columns++
			at++
			continue
		case c == '\t':
			columns += m.step
			at++
			clean = false
			continue
		case c < 0x80:
			return at, columns, clean
		}
		size, instead, ok := invisibleAt(m.text, at)
		if !ok {
			return at, columns, clean
		}
		columns += len(instead)
		at += size
		clean = false
	}
	return at, columns, clean
}

// lineOf reads one line together with what its value spans.
func (m *yamlMender) lineOf() {
	start := m.at
	content, indent, clean := m.indentation(start)
	m.at = content
	rest := m.text[content:]
	switch {
	case m.lineBreak():
		return
	case m.at >= len(m.text):
		return
	case strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~"):
		m.at = m.lineEnd(m.at)
		m.lineBreak()
		m.mend(MendFence, start, m.at, "")
		return
	case m.comment():
		m.lineBreak()
		return
	case indent == 0 && (strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "...") || rest[0] == '%' && blankAt(rest, len("%YAML"))):
		m.at = m.lineEnd(m.at)
		m.lineBreak()
		return
	}
	for m.next < len(m.surveys) && m.surveys[m.next].start < content {
		m.next++
	}
	line := brokenLine{start: start, content: content, indent: indent, clean: clean, key: -1}
	for m.dash(&line) {
	}
	column := indent + m.at - content
	if m.key(&line) {
		line.key = column
	}
	m.yamlValue(&line, column)
	m.endOfValue()
	m.lines = append(m.lines, line)
}

func (m *yamlMender) lineBreak() bool {
	size := breakSize(m.text, m.at)
	m.at += size
	return size > 0
}

// dash passes one dash of a list, and parts it from its item.
func (m *yamlMender) dash(line *brokenLine) bool {
	rest := m.text[m.at:]
	column := line.indent + m.at - line.content
	size := 1
	switch {
	case strings.HasPrefix(rest, "-") && blankAt(rest, 1):
	case strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "—") || strings.HasPrefix(rest, "•"):
		size = len("–")
		if !blankAt(rest, size) || len(line.dashes) > 0 {
			return false
		}
		m.mend(MendStray, m.at, m.at+size, "-")
	case strings.HasPrefix(rest, "* ") && len(line.dashes) == 0:
		m.mend(MendStray, m.at, m.at+1, "-")
	case strings.HasPrefix(rest, "-") && len(line.dashes) == 0 && m.amongEntries():
		m.mend(MendMissingSpace, m.at+1, m.at+1, " ")
		line.kind = lineEntry
		line.dashes = append(line.dashes, column)
		m.at++
		return false
	default:
		return false
	}
	line.kind = lineEntry
	line.dashes = append(line.dashes, column)
	m.at += size
	for m.peek() == ' ' || m.peek() == '\t' {
		m.at++
	}
	return !m.atBreak(m.at)
}

// here gives what the line being read looked like.
func (m *yamlMender) here() surveyed {
	if m.next < len(m.surveys) {
		return m.surveys[m.next]
	}
	return surveyed{start: len(m.text)}
}

// amongEntries reports whether the line stands in a list: a neighbour at its
// column is an item, or it is the first thing below a key and no key itself.
func (m *yamlMender) amongEntries() bool {
	here := m.here()
	if here.kind == lineKey && !m.sibling(lineEntry) {
		return false
	}
	if m.sibling(lineEntry) {
		return true
	}
	if m.next == 0 {
		return false
	}
	above := m.surveys[m.next-1]
	return above.opens && here.indent >= above.indent || m.sibling(lineText) && strings.HasPrefix(m.text[above.start:], "-")
}

// sibling reports whether the nearest line at the same column, above or below,
// is of a kind.
func (m *yamlMender) sibling(kind lineKind) bool {
	here := m.here()
	for i := m.next - 1; i >= 0 && m.surveys[i].indent >= here.indent; i-- {
		if m.surveys[i].indent == here.indent {
			if m.surveys[i].kind == kind {
				return true
			}
			break
		}
	}
	for i := m.next + 1; i < len(m.surveys) && m.surveys[i].indent >= here.indent; i++ {
		if m.surveys[i].indent == here.indent {
			return m.surveys[i].kind == kind
		}
	}
	return false
}

// endOfValue passes the rest of a line behind a value.
func (m *yamlMender) endOfValue() {
	for {
		m.skipSpace()
		switch c := m.peek(); {
		case m.at >= len(m.text):
			return
		case m.lineBreak():
			return
		case c == '#':
			if !blankAt(m.text, m.at-1) {
				m.mend(MendMissingSpace, m.at, m.at, " ")
			}
			m.comment()
		case strings.HasPrefix(m.text[m.at:], "//") || strings.HasPrefix(m.text[m.at:], "/*"):
			m.comment()
		case c == ',' || c == ';':
			m.mend(MendExtraComma, m.at, m.at+1, "")
			m.at++
		case c == ']' || c == '}' || c == ')':
			m.mend(MendExtraClose, m.at, m.at+1, "")
			m.at++
		default:
			m.mend(MendStray, m.at, m.at, "# ")
			m.at = m.lineEnd(m.at)
		}
	}
}
