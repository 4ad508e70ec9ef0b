package config

import (
	"slices"
	"strings"
)

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
		at, inner := body, raw
		if straight == '"' && width > 0 {
			at, inner = m.undoubled(body, raw)
		}
		m.content(at, inner)
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

// undoubled drops the second of two quotes at the beginning or the end of a
// string that has none between them, as in ""npx"", and gives what is left.
func (m *bracketMender) undoubled(start int, raw string) (int, string) {
	inner := strings.TrimPrefix(strings.TrimSuffix(raw, `"`), `"`)
	if inner == "" || strings.Contains(inner, `"`) || strings.HasSuffix(inner, `\`) {
		return start, raw
	}
	at := start + strings.Index(raw, inner)
	if at > start {
		m.mend(MendStray, start, at, "")
	}
	if end := at + len(inner); end < start+len(raw) {
		m.mend(MendStray, end, start+len(raw), "")
	}
	return at, inner
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
			if last == body+comma-lastSize { // ["C:\dir\", "b"]
				return last, lastSize
			}
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
