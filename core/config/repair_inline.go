package config

import "strings"

// bracketMender reads broken values: strings, words, and what stands in
// brackets. TOML and YAML share it, since on one line they differ in little.
type bracketMender struct {
	text  string
	at    int
	mends []Mend
	yaml  bool
	moved []string // comments that have to stand behind the value
	depth int
	looks int  // at the whole text
	null  bool // the value just read says that there is none
}

// surroundings are what a value stands in.
type surroundings uint8

const (
	inStatement surroundings = iota // key = value
	inArray
	inTable
)

func (m *bracketMender) mend(kind MendKind, start, end int, insert string) {
	m.mends = append(m.mends, mendFor(kind, start, end, insert))
}

func (m *bracketMender) peek() byte {
	if m.at < len(m.text) {
		return m.text[m.at]
	}
	return 0
}

func (m *bracketMender) lineEnd(at int) int {
	if i := strings.IndexAny(m.text[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(m.text)
}

// holds reports whether the whole text has a piece somewhere. A text that asks
// too often gets no for an answer, since each look costs its whole length.
func (m *bracketMender) holds(piece string) bool {
	const most = 100
	m.looks++
	return m.looks <= most && strings.Contains(m.text, piece)
}

// atBreak reports whether a line ends at an offset.
func (m *bracketMender) atBreak(at int) bool {
	return at >= len(m.text) || m.text[at] == '\n' || m.text[at] == '\r'
}

// ahead gives the text up to the end of the line, or as far as one may look:
// a line may be as long as the file.
func (m *bracketMender) ahead(at int) string {
	near := m.text[at:min(len(m.text), at+lookAhead)]
	if i := strings.IndexAny(near, "\r\n"); i >= 0 {
		near = near[:i]
	}
	return near
}

// skipSpace passes blanks on the line, and mends those that cannot be seen.
func (m *bracketMender) skipSpace() {
	for m.at < len(m.text) {
		c := m.text[m.at]
		if c == ' ' || c == '\t' {
			m.at++
			continue
		}
		if c == '\n' || c == '\r' {
			return
		}
		size, instead, ok := invisibleAt(m.text, m.at)
		if !ok || c > ' ' && c < 0x7f {
			return
		}
		m.mend(MendInvisible, m.at, m.at+size, instead)
		m.at += size
	}
}

// newline passes a line end. TOML does not know a carriage return alone.
func (m *bracketMender) newline() bool {
	size := breakSize(m.text, m.at)
	if size == 1 && m.text[m.at] == '\r' && !m.yaml {
		m.mend(MendControl, m.at, m.at+1, "\n")
	}
	m.at += size
	return size > 0
}

// comment passes a comment and gives one of another language its sign.
func (m *bracketMender) comment() bool {
	rest := m.text[m.at:]
	switch {
	case strings.HasPrefix(rest, "#"):
	case strings.HasPrefix(rest, "//"):
		m.mend(MendHashComment, m.at, m.at+2, "#")
	case strings.HasPrefix(rest, ";") && m.depth == 0 && !m.yaml:
		m.mend(MendHashComment, m.at, m.at+1, "#")
	case strings.HasPrefix(rest, "/*"):
		m.blockComment()
		return true
	default:
		return false
	}
	end := m.lineEnd(m.at)
	for i := m.at; i < end; i++ {
		if c := m.text[i]; c < ' ' && c != '\t' || c == 0x7f {
			m.mend(MendControl, i, i+1, "")
		}
	}
	m.at = end
	return true
}

// blockComment turns each line of a /* */ comment into one of its own.
func (m *bracketMender) blockComment() {
	m.mend(MendHashComment, m.at, m.at+2, "#")
	end := strings.Index(m.text[m.at+2:], "*/")
	stop := len(m.text)
	if end >= 0 {
		end += m.at + 2
		stop = end
	}
	for i := m.at + 2; i < stop; i++ {
		if m.text[i] == '\n' {
			m.mend(MendHashComment, i+1, i+1, "# ")
		}
	}
	m.at = stop
	if end >= 0 {
		m.mend(MendHashComment, end, end+2, "")
		m.at = end + 2
		if rest := m.text[m.at:m.lineEnd(m.at)]; strings.TrimSpace(rest) != "" {
			m.mend(MendHashComment, m.at, m.at, "\n")
		}
	}
}

// value reads any value in any state.
func (m *bracketMender) value(in surroundings) {
	m.depth++
	defer func() { m.depth-- }()
	if m.depth > MaxDepth {
		m.at = len(m.text)
		return
	}
	if in == inStatement && m.missingValue() {
		return
	}
	c := m.peek()
	size, family, quote := quoteAt(m.text, m.at)
	switch {
	case in == inStatement && m.missingOpen():
		m.mend(MendMissingOpen, m.at, m.at, "[")
		m.elements(in)
	case strings.HasPrefix(m.text[m.at:], `"""`), strings.HasPrefix(m.text[m.at:], "'''"):
		m.tripleQuoted()
	case quote:
		m.quotedValue(size, family, in)
	case c == '[' || c == '(' && in == inStatement:
		m.array(in)
	case c == '{':
		m.table(in)
	default:
		m.word(in)
	}
}

// missingValue deals with a key that has nothing behind its sign on the line.
func (m *bracketMender) missingValue() bool {
	if end := m.lineEnd(m.at); strings.TrimSpace(uncommented(m.text[m.at:end])) != "" {
		return false
	}
	next := skipBlank(m.text, m.at)
	below := m.text[next:m.lineEnd(next)]
	if next < len(m.text) && m.peek() != '#' && !m.startsPair(next) && !looksLikeHeader(below) && strings.ContainsAny(below[:1], "[{\"'") {
		m.mend(MendRawNewline, m.at, next, " ")
		m.at = next
		return false
	}
	m.mend(MendMissingValue, m.at, m.at, `""`)
	return true
}

// missingOpen reports whether a list has only its closing bracket.
func (m *bracketMender) missingOpen() bool {
	line := strings.TrimRight(uncommented(m.text[m.at:m.lineEnd(m.at)]), " \t,")
	return strings.HasSuffix(line, "]") && !strings.Contains(line, "[") && (strings.Contains(line, ",") || strings.HasSuffix(line, `"]`))
}

func (m *bracketMender) tripleQuoted() {
	mark := m.text[m.at : m.at+3]
	if end := strings.Index(m.text[m.at+3:], mark); end >= 0 {
		m.at += 3 + end + 3
		for m.peek() == mark[0] {
			m.at++
		}
		return
	}
	end := m.at + 3
	for end < len(m.text) {
		stop := m.lineEnd(end)
		next := stop + breakSize(m.text, stop)
		if next >= len(m.text) || looksLikeHeader(m.text[next:m.lineEnd(next)]) || m.startsPair(next) {
			end = stop
			break
		}
		end = next
	}
	m.mend(MendMissingQuote, end, end, mark)
	m.at = end
}

// startsPair reports whether a key and its sign stand at an offset.
func (m *bracketMender) startsPair(at int) bool {
	if at >= len(m.text) {
		return false
	}
	line := m.ahead(at)
	rest := strings.TrimLeft(line, bareKeyBytes+".")
	if size, family, ok := quoteAt(line, 0); ok {
		close := closeOf(line, size, family)
		if close < 0 {
			return false
		}
		rest = line[close+1:]
	} else if rest == line {
		return false
	}
	rest = strings.TrimLeft(rest, " \t")
	if m.yaml {
		return rest == ":" || strings.HasPrefix(rest, ": ")
	}
	return strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ": ") && !strings.HasPrefix(rest, "://")
}

// looksLikeHeader reports whether a line is a TOML table header rather than a
// nested array.
func looksLikeHeader(line string) bool {
	line = strings.TrimSpace(uncommented(line))
	name := strings.TrimLeft(line, "[")
	if name == line || name == "" || !isTOMLBare(name[0]) || isDigit(name[0]) {
		return false
	}
	name = strings.TrimRight(name, "]")
	return !strings.ContainsAny(name, ",={") && name != "true" && name != "false"
}

// foreignWords are values as other languages spell them.
var foreignWords = map[string]string{
	"True": "true", "TRUE": "true", "yes": "true", "Yes": "true", "on": "true", "On": "true",
	"False": "false", "FALSE": "false", "no": "false", "No": "false", "off": "false", "Off": "false",
}

// nullWords say that there is no value, for which TOML has no word.
var nullWords = map[string]bool{"null": true, "Null": true, "NULL": true, "None": true, "nil": true, "undefined": true}

// word reads a value without quotes, up to where it can go.
func (m *bracketMender) word(in surroundings) {
	start := m.at
	end := m.wordEnd(in)
	text := m.text[start:end]
	m.at = end
	if text == "" {
		return
	}
	if m.yaml {
		m.yamlWord(start, text)
		return
	}
	if _, _, ok := tomlScalar(text); ok {
		return
	}
	if in == inStatement {
		if trimmed := strings.TrimRight(text, ",;"); trimmed != text && trimmed != "" {
			m.mend(MendExtraComma, start+len(trimmed), end, "")
			text, end = trimmed, start+len(trimmed)
		}
		if _, _, ok := tomlScalar(text); ok {
			return
		}
	}
	if in == inStatement && nullWords[text] {
		m.null = true
		return
	}
	if instead, ok := foreignWords[text]; ok {
		m.mend(MendLiteral, start, end, instead)
		return
	}
	if number := mendedNumber(text); number != "" {
		m.mend(MendNumber, start, end, number)
		return
	}
	if size, ok := trailingQuote(text); ok {
		quote := text[len(text)-size:]
		inner := text[:len(text)-size]
		if quote != `"` && quote != "'" {
			quote = `"`
			m.mend(MendSmartQuotes, end-size, end, quote)
		}
		m.mend(MendMissingQuote, start, start, quote)
		if quote == `"` {
			m.content(start, inner)
		}
		return
	}
	m.mend(MendUnquotedValue, start, end, tomlString(text))
}

// mendedNumber gives a number that TOML spells differently, or "".
func mendedNumber(text string) string {
	if strings.Trim(text, "0123456789.+-eE_") != "" || strings.Count(text, ".") > 1 {
		return ""
	}
	number, ok := yamlNumber(text)
	if !ok {
		return ""
	}
	if _, valid := tomlNumber(number); !valid {
		return ""
	}
	return number
}

// wordEnd gives the end of the word at the place of reading.
func (m *bracketMender) wordEnd(in surroundings) int {
	end := m.at
	for ; !m.atBreak(end); end++ {
		c := m.text[end]
		blankBefore := end == m.at || m.text[end-1] == ' ' || m.text[end-1] == '\t'
		if blankBefore && (c == '#' || strings.HasPrefix(m.text[end:], "//")) {
			break
		}
		if in == inStatement || c != ',' && c != ']' && c != '}' && c != ';' {
			continue
		}
		if c != '}' || !strings.Contains(m.text[m.at:end], "{") { // ${VARIABLE}
			break
		}
	}
	return m.at + len(strings.TrimRight(m.text[m.at:end], " \t"))
}
