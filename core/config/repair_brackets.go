package config

import "strings"

// array reads what stands in square brackets.
func (m *bracketMender) array(in surroundings) {
	if m.peek() == '(' {
		m.mend(MendStray, m.at, m.at+1, "[")
	}
	m.at++
	m.elements(in)
}

// entries tells how far the inside of a pair of brackets has been read.
type entries struct {
	last    int  // the end of the last entry, or of the opening bracket
	count   int  //
	pending bool // no comma stands behind the last entry
	comma   int  // the one behind it, or -1
}

// elements reads what follows the bracket of an array.
func (m *bracketMender) elements(in surroundings) {
	read := entries{last: m.at, comma: -1}
	for {
		fresh := m.skipBlank()
		if m.at >= len(m.text) || fresh && m.arrayIsOver() {
			m.mend(MendMissingClose, read.last, read.last, "]")
			m.at = read.last
			return
		}
		switch c := m.peek(); {
		case c == ']':
			m.at++
			return
		case c == '}' && in == inTable:
			m.mend(MendMissingClose, read.last, read.last, "]")
			return
		case c == '}' || c == ')':
			m.mend(MendMissingClose, m.at, m.at+1, "]")
			m.at++
			return
		case c == ',' || c == ';':
			m.separator(&read)
		default:
			m.entry(&read, m.element)
		}
	}
}

// separator passes a comma or a semicolon in its place. One that separates
// nothing goes.
func (m *bracketMender) separator(read *entries) {
	if read.count == 0 || !read.pending {
		m.mend(MendExtraComma, m.at, m.at+1, "")
	} else {
		read.comma = m.at
		if m.peek() == ';' {
			m.mend(MendSemicolon, m.at, m.at+1, ",")
		}
	}
	m.at++
	read.pending = false
}

// entry reads one entry, and drops what cannot be one.
func (m *bracketMender) entry(read *entries, one func() bool) {
	if read.pending {
		m.mend(MendMissingComma, read.last, read.last, ",")
	}
	before := m.at
	if !one() {
		m.at = max(before+1, m.at)
		m.mend(MendStray, before, m.at, "")
		return
	}
	*read = entries{last: m.at, count: read.count + 1, pending: true, comma: -1}
}

// element reads a value of an array, and reports whether there was one.
func (m *bracketMender) element() bool {
	before := m.at
	m.value(inArray)
	return m.at > before
}

// arrayIsOver reports whether the line at the place of reading belongs to what
// comes after an array that was not closed.
func (m *bracketMender) arrayIsOver() bool {
	line := m.ahead(m.at)
	if m.yaml {
		return m.startsPair(m.at) || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "---")
	}
	return looksLikeHeader(line) || m.startsPair(m.at)
}

// skipBlank passes blanks, comments and line ends inside brackets and reports
// whether it came to a new line.
func (m *bracketMender) skipBlank() (fresh bool) {
	for {
		m.skipSpace()
		switch {
		case m.newline():
			fresh = true
		case m.peek() != ';' && m.comment():
		default:
			return fresh
		}
	}
}

// table reads what stands in braces.
func (m *bracketMender) table(in surroundings) {
	open := m.at
	m.at++
	read := entries{last: m.at, comma: -1}
	for {
		if m.tableIsOver(in, read) {
			m.mend(MendMissingClose, read.last, read.last, m.closingBrace(open))
			m.at = read.last
			return
		}
		switch c := m.peek(); {
		case c == '}':
			if read.comma >= 0 && !m.yaml {
				m.dropComma(read.comma)
			}
			m.at++
			return
		case c == ']' && in == inArray:
			m.mend(MendMissingClose, read.last, read.last, m.closingBrace(open))
			return
		case c == ']' || c == ')':
			m.mend(MendMissingClose, m.at, m.at+1, "}")
			m.at++
			return
		case c == ',' || c == ';':
			m.separator(&read)
		default:
			m.entry(&read, m.inlinePair)
		}
	}
}

// tableIsOver goes on to what comes next in a table, over the ends of lines, and
// reports whether the table ends before that without its brace.
func (m *bracketMender) tableIsOver(in surroundings, read entries) bool {
	for {
		m.skipSpace()
		switch c := m.peek(); {
		case m.at >= len(m.text):
			return true
		case c != '\n' && c != '\r' && c != '#' && !strings.HasPrefix(m.text[m.at:], "//"):
			return false
		case read.pending && (in == inStatement || m.yaml) && !m.closesBelow(m.at):
			return true
		case m.yaml:
			m.skipBlank()
		default:
			m.joinLines()
		}
	}
}

// dropComma takes out the comma behind the last pair. What was made one on the
// way goes as it stands in the text.
func (m *bracketMender) dropComma(at int) {
	for i := len(m.mends) - 1; i >= 0 && m.mends[i].Start >= at; i-- {
		if m.mends[i].Start == at && m.mends[i].Kind == MendSemicolon {
			m.mends[i].Insert = ""
			return
		}
	}
	m.mend(MendExtraComma, at, at+1, "")
}

// closingBrace follows the space that the file puts inside braces.
func (m *bracketMender) closingBrace(open int) string {
	if open+1 < len(m.text) && m.text[open+1] == ' ' {
		return " }"
	}
	return "}"
}

// closesBelow reports whether a brace that closes stands on a later line,
// before the next header or empty line.
func (m *bracketMender) closesBelow(at int) bool {
	limit := min(len(m.text), at+8*lookAhead)
	for at = m.lineEnd(at); at < limit; at = m.lineEnd(at) {
		at += breakSize(m.text, at)
		line := strings.TrimSpace(uncommented(m.text[at:m.lineEnd(at)]))
		switch {
		case strings.HasPrefix(line, "}"):
			return true
		case line == "" || looksLikeHeader(line):
			return false
		case strings.HasSuffix(line, "}") && !strings.Contains(line, "{"):
			return true
		}
	}
	return false
}

// joinLines takes out a line end inside a TOML table, which has to stand on
// one line; a comment on the way is kept for later.
func (m *bracketMender) joinLines() {
	start := m.at
	for m.at < len(m.text) {
		if m.text[m.at] == '#' || strings.HasPrefix(m.text[m.at:], "//") {
			end := m.lineEnd(m.at)
			m.moved = append(m.moved, "#"+strings.TrimLeft(m.text[m.at:end], "#/"))
			m.at = end
		}
		m.at = skipBlank(m.text, m.at)
		if c := m.peek(); c != '#' && !strings.HasPrefix(m.text[m.at:], "//") {
			break
		}
	}
	for start > 0 && (m.text[start-1] == ' ' || m.text[start-1] == '\t') {
		start--
	}
	m.mend(MendRawNewline, start, m.at, " ")
}

// inlinePair reads key = value inside braces.
func (m *bracketMender) inlinePair() bool {
	const signs = "=:"
	start := m.at
	size, family, quote := quoteAt(m.text, m.at)
	limit := m.at + len(m.ahead(m.at))
	if quote {
		close := -1
		for i := m.at + size; i < limit; i++ {
			if n, f, ok := quoteAt(m.text, i); ok && sameQuotes(f, family) {
				close = i
				m.at = i + n
				break
			}
			if strings.IndexByte("=,{}", m.text[i]) >= 0 {
				break
			}
		}
		switch {
		case close < 0:
			m.at = start + size
			m.keyWord(signs, limit)
			m.mend(MendMissingQuote, m.at, m.at, `"`)
			if size > 1 || m.text[start] == '`' {
				m.mend(MendSmartQuotes, start, start+size, `"`)
			}
		case size > 1 || m.text[start] == '`' || m.at-close > 1:
			m.mend(MendSmartQuotes, start, start+size, `"`)
			m.mend(MendSmartQuotes, close, m.at, `"`)
		}
	} else {
		m.keyWord(signs, limit)
		key := m.text[start:m.at]
		if key == "" {
			return false
		}
		if n, ok := trailingQuote(key); ok {
			if n > 1 {
				m.mend(MendSmartQuotes, m.at-n, m.at, `"`)
			}
			m.mend(MendMissingQuote, start, start, `"`)
		} else if !m.yaml && strings.Trim(key, bareKeyBytes+".") != "" {
			m.mend(MendUnquotedKey, start, m.at, tomlBasic(key))
		} else if m.yaml && !isYAMLPlain(key, yamlFlow) {
			m.mend(MendUnquotedKey, start, m.at, yamlDoubleText(key))
		}
	}
	return m.inlineSign()
}

// keyWord passes a key without quotes, up to its sign.
func (m *bracketMender) keyWord(signs string, limit int) {
	start := m.at
	for m.at < limit && strings.IndexByte(signs+",{}[]", m.text[m.at]) < 0 {
		if c := m.text[m.at]; (c == ' ' || c == '\t') && m.at > start {
			rest := strings.TrimLeft(m.ahead(m.at), " \t")
			if _, _, quote := quoteAt(rest, 0); quote || rest == "" || strings.IndexByte("[{", rest[0]) >= 0 {
				break
			}
		}
		m.at++
	}
	for m.at > start && (m.text[m.at-1] == ' ' || m.text[m.at-1] == '\t') {
		m.at--
	}
}

// inlineSign passes the sign between key and value, right or wrong, and the
// value.
func (m *bracketMender) inlineSign() bool {
	end := m.at
	m.skipSpace()
	sign := m.at
	for m.at < len(m.text) && strings.IndexByte("=:>", m.text[m.at]) >= 0 {
		m.at++
	}
	switch got := m.text[sign:m.at]; {
	case got == "":
		if c := m.peek(); m.yaml && (c == ',' || c == '}') {
			return true
		}
		insert := " = "
		if m.yaml {
			insert = ": "
		}
		m.mend(MendEquals, end, m.at, insert)
	case m.yaml && got == ":" && !blankAt(m.text, m.at) && m.text[end-1] != '"' && m.text[end-1] != '\'':
		m.mend(MendMissingSpace, m.at, m.at, " ")
	case m.yaml && got != ":":
		insert := ":"
		if !blankAt(m.text, m.at) {
			insert = ": "
		}
		m.mend(MendEquals, end, m.at, insert)
	case !m.yaml && got == ":":
		insert := "="
		if sign == end && blankAt(m.text, m.at) {
			insert = " ="
		}
		m.mend(MendEquals, sign, m.at, insert)
	case !m.yaml && got != "=":
		m.mend(MendEquals, sign, m.at, "=")
	}
	m.skipSpace()
	before := m.at
	if c := m.peek(); c == ',' || c == '}' || m.at >= len(m.text) {
		if !m.yaml {
			m.mend(MendMissingValue, m.at, m.at, `""`)
		}
		return true
	}
	m.value(inTable)
	return m.at > before
}
