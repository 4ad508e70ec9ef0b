package config

import (
	"slices"
	"strings"
)

// bracketMender reads broken values: strings, words, and what stands in
// brackets. TOML and YAML share it, since on one line they differ in little.
type bracketMender struct {
	text  string
	at    int
	mends []Mend
	yaml  bool
	moved []string // comments that have to stand behind the value
	depth int
	looks int // at the whole text
}

// surroundings are what a value stands in.
type surroundings uint8

const (
	inStatement surroundings = iota // key = value
	inArray
	inTable
)

func (m *bracketMender) mend(kind MendKind, start, end int, insert string) {
	m.mends = append(m.mends, Mend{Edit{start, end, insert, mendReason[kind]}, kind})
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
	c := m.peek()
	size, family, quote := 0, rune(0), false
	if m.at < len(m.text) {
		size, family, quote = quoteAt(m.text, m.at)
	}
	switch {
	case in == inStatement && m.missingValue():
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
		m.mend(MendRawNewline, m.at, next, "")
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

// quotedValue reads a string from its first quote.
func (m *bracketMender) quotedValue(size int, family rune, in surroundings) {
	start := m.at
	body := start + size
	close, width := m.stringEnd(body, family, in)
	straight := m.text[start]
	raw := m.text[body:close]
	quote := `"`
	if straight == '\'' && !m.hasQuote(raw, '\'') {
		quote = "'"
	}
	kind := MendSmartQuotes
	switch straight {
	case '\'':
		kind = MendSingleQuotes
	case '"':
		kind = MendMissingQuote
	}
	if m.text[start:body] != quote {
		m.mend(kind, start, body, quote)
	}
	if quote == `"` {
		m.content(body, raw)
	}
	if m.text[close:close+width] != quote {
		if width == 0 {
			kind = MendMissingQuote
		} else if kind == MendMissingQuote {
			kind = MendSmartQuotes
		}
		m.mend(kind, close, close+width, quote)
	}
	m.at = close + width
}

// hasQuote reports whether a single-quoted text has such a quote inside; YAML
// doubles it.
func (m *bracketMender) hasQuote(raw string, quote byte) bool {
	if m.yaml {
		raw = strings.ReplaceAll(raw, "''", "")
	}
	return strings.IndexByte(raw, quote) >= 0
}

// content mends what cannot stand between double quotes.
func (m *bracketMender) content(start int, raw string) {
	doubled := m.doubleBackslashes(start, raw)
	for i := 0; i < len(raw); i++ {
		at := start + i
		switch c := raw[i]; {
		case c == '\\':
			if !slices.Contains(doubled, i) {
				i++
			}
		case c == '"':
			m.mend(MendInnerQuote, at, at, `\`)
		case c == '\n' || c == '\r':
			size := breakSize(raw, i)
			size += foldedIndent(raw[i+size:])
			m.mend(MendRawNewline, at, at+size, "")
			i += size - 1
		case c < ' ' && c != '\t' || c == 0x7f:
			m.mend(MendControl, at, at+1, controlEscape(c))
		}
	}
}

// doubleBackslashes mends a path in a string with escapes. What is valid and
// no path stays.
func (m *bracketMender) doubleBackslashes(start int, raw string) []int {
	if !startsPath(raw) && m.escapesRead(raw) {
		return nil
	}
	doubled := unescapedBackslashes(raw)
	for _, i := range doubled {
		m.mend(MendBackslash, start+i, start+i, `\`)
	}
	return doubled
}

// escapesRead reports whether every escape of a double-quoted text is valid.
func (m *bracketMender) escapesRead(raw string) bool {
	if strings.IndexByte(raw, '\\') < 0 {
		return true
	}
	text := `"` + raw + `"`
	var err error
	func() {
		defer catchSyntax(&err)
		if m.yaml {
			p := &yamlParser{text: text}
			p.doubleQuoted()
			return
		}
		s := &tomlScanner{text: text}
		s.basicString()
	}()
	syntax, _ := err.(*SyntaxError)
	return syntax == nil || raw[max(min(syntax.Offset-1, len(raw)-1), 0)] != '\\'
}

// stringEnd finds where a string ends: at the first quote that something
// follows which may follow a value, else where the quote was forgotten.
func (m *bracketMender) stringEnd(body int, family rune, in surroundings) (close, width int) {
	last := -1
	lastSize := 0
	limit := body
	for i := body; !m.atBreak(i); i++ {
		limit = i + 1
		if m.text[i] == '\\' && family == '"' && i+1 < len(m.text) && m.text[i+1] == '\\' {
			i++
			continue
		}
		size, f, ok := quoteAt(m.text, i)
		if !ok || !sameQuotes(f, family) {
			continue
		}
		if m.yaml && family == '\'' && strings.HasPrefix(m.text[i:], "''") {
			i++
			continue
		}
		escaped := i > body && m.text[i-1] == '\\' && family == '"'
		if !escaped && m.mayEnd(i+size, in) {
			return i, size
		}
		if comma := forgottenQuote(m.text[body:i], m.yaml); !escaped && comma >= 0 {
			return body + comma, 0
		}
		if escaped && m.mayEnd(i+size, in) {
			last, lastSize = i, size
		}
	}
	limit = m.lineEnd(limit)
	if last >= 0 { // a path that ends with a backslash
		return last, lastSize
	}
	if end, width, ok := m.stringEndBelow(body, limit, family, in); ok {
		return end, width
	}
	text := m.text[body:limit]
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimRight(text, " \t")
	if in == inTable {
		if comma := m.nextPair(body, body+len(text)); comma >= 0 {
			return comma, 0
		}
	}
	for in != inStatement {
		trimmed := strings.TrimRight(text, "]},")
		if trimmed == text || trimmed == "" {
			break
		}
		text = strings.TrimRight(trimmed, " \t")
	}
	return body + len(text), 0
}

// nextPair finds a comma with a key and its sign behind it.
func (m *bracketMender) nextPair(at, end int) int {
	for i := at; i < min(end, at+lookAhead); i++ {
		if m.text[i] == ',' && m.startsPair(skipBlank(m.text, i+1)) {
			return i
		}
	}
	return -1
}

// sameQuotes reports whether a quote may end what another has begun.
func sameQuotes(a, b rune) bool {
	if a == b {
		return true
	}
	double := func(r rune) bool { return r == '"' || r == smartDouble }
	return double(a) == double(b) && (a > 0x7f || b > 0x7f)
}

// forgottenQuote finds the comma before which a string should have ended, if
// text runs up to the first quote of the next value: ["a, "b"].
func forgottenQuote(text string, yaml bool) int {
	trimmed := strings.TrimRight(text, " \t")
	if strings.HasSuffix(trimmed, ",") {
		return len(trimmed) - 1
	}
	sign := "="
	if yaml {
		sign = ":"
	}
	if before, ok := strings.CutSuffix(trimmed, sign); ok {
		key := strings.TrimRight(before, " \t\"")
		name := strings.TrimRight(key, bareKeyBytes+"\"")
		if comma := strings.TrimRight(name, " \t"); strings.HasSuffix(comma, ",") && len(name) < len(key) {
			return len(comma) - 1
		}
	}
	return -1
}

// mayEnd reports whether a string may end before at.
func (m *bracketMender) mayEnd(at int, in surroundings) bool {
	line := m.ahead(at)
	rest := strings.TrimLeft(line, " \t\u00a0\u200b\ufeff")
	if rest == "" || rest[0] == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") {
		return true
	}
	if in == inStatement {
		after := strings.TrimLeft(rest, ",;]}) \t")
		return after != rest && (after == "" || after[0] == '#' || strings.HasPrefix(after, "//"))
	}
	if strings.IndexByte(",;]})", rest[0]) >= 0 {
		return true
	}
	_, _, quote := quoteAt(rest, 0)
	switch in {
	case inArray:
		// Another string right behind it: only the comma is missing.
		spaced := len(rest) < len(line)
		return quote && (spaced || len(rest) > 1 && rest[1] != ',' && rest[1] != ']') || rest[0] == '{' || rest[0] == '['
	case inTable:
		return m.startsPair(at + len(line) - len(rest))
	}
	return false
}

// stringEndBelow finds the end of a string that was broken over two lines.
func (m *bracketMender) stringEndBelow(body, limit int, family rune, in surroundings) (close, width int, ok bool) {
	next := limit + breakSize(m.text, limit)
	if m.yaml || next >= len(m.text) {
		return 0, 0, false
	}
	begin := skipBlank(m.text, next)
	line := m.text[begin:m.lineEnd(begin)]
	if _, _, quote := quoteAt(line, 0); quote || line == "" || line[0] == '#' || begin > next+40 ||
		looksLikeHeader(line) || m.startsPair(begin) || strings.ContainsAny(line[:1], "]}[{,") {
		return 0, 0, false
	}
	for i := begin; i < begin+len(line); i++ {
		if size, f, quote := quoteAt(m.text, i); quote && sameQuotes(f, family) {
			return i, size, m.mayEnd(i+size, in)
		}
	}
	return 0, 0, false
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
