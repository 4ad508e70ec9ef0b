package config

import "strings"

// key passes a key and its colon, in any state; false where the line has none.
func (m *yamlMender) key(line *brokenLine) bool {
	end := m.lineEnd(m.at)
	text := m.text[m.at:end]
	if text == "" || text[0] == '[' || text[0] == '{' || text[0] == '#' || text[0] == '|' || text[0] == '>' {
		return false
	}
	if text[0] == '?' && blankAt(text, 1) || text[0] == '&' || text[0] == '!' {
		m.at += len(text) - len(strings.TrimLeft(text, "?"))
		return false
	}
	if size, family, ok := quoteAt(text, 0); ok {
		return m.quotedKey(line, text, size, family)
	}
	plain := strings.TrimRight(uncommented(text), " \t")
	sep, size := yamlSeparator(plain)
	name := strings.TrimRight(plain[:max(sep, 0)], " \t")
	switch {
	case sep > 0 && strings.Contains(name, " ") && len(line.dashes) > 0:
		return false // an item that has a colon in it
	case sep > 0:
	case len(line.dashes) == 0 || m.keysFollow(line):
		return m.brokenKey(line, plain)
	default:
		return false
	}
	line.name = name
	line.kind = max(line.kind, lineKey)
	m.plainKey(name)
	m.at += sep + size
	return true
}

// yamlSeparator finds the colon after a plain key.
func yamlSeparator(line string) (at, size int) {
	for i := 0; i < len(line); i++ {
		if line[i] == ':' && blankAt(line, i+1) {
			return i, 1
		}
	}
	return -1, 0
}

// plainKey mends a key without quotes.
func (m *yamlMender) plainKey(name string) {
	if size, ok := trailingQuote(name); ok {
		end := m.at + len(name)
		quote := name[len(name)-size:]
		if size > 1 || quote == "`" {
			quote = `"`
			m.mend(MendSmartQuotes, end-size, end, quote)
		}
		m.mend(MendMissingQuote, m.at, m.at, quote)
		return
	}
	if name != "" && (strings.IndexByte(",[]{}#&*!|>'\"%@`", name[0]) >= 0) {
		m.mend(MendReserved, m.at, m.at+len(name), yamlDoubleText(name))
	}
}

// quotedKey passes a key that begins with a quote. The text may be a value.
func (m *yamlMender) quotedKey(line *brokenLine, text string, size int, family rune) bool {
	close, width := -1, 0
	for i := size; i < len(text); i++ {
		if n, f, ok := quoteAt(text, i); ok && sameQuotes(f, family) {
			close, width = i, n
			break
		}
	}
	if close < 0 || strings.Contains(text[:close], ": ") {
		sep, _ := yamlSeparator(text)
		if sep < 0 || len(line.dashes) > 0 && !m.keysFollow(line) {
			return false
		}
		// "key: value, with the second quote forgotten.
		quote := `"`
		if size == 1 && text[0] != '`' {
			quote = text[:1]
		} else {
			m.mend(MendSmartQuotes, m.at, m.at+size, quote)
		}
		m.mend(MendMissingQuote, m.at+sep, m.at+sep, quote)
		line.name, line.kind = text[size:sep], max(line.kind, lineKey)
		m.at += sep + 1
		return true
	}
	after := text[close+width:]
	rest := strings.TrimLeft(after, " \t")
	sign := 0
	switch {
	case strings.HasPrefix(rest, ":"):
		sign = 1
		if !blankAt(rest, 1) {
			m.mend(MendMissingSpace, m.at+len(text)-len(rest)+1, m.at+len(text)-len(rest)+1, " ")
		}
	case strings.HasPrefix(rest, "="):
		sign = len(rest) - len(strings.TrimLeft(rest, "=>"))
		insert := ":"
		if !blankAt(rest, sign) {
			insert = ": "
		}
		m.mend(MendEquals, m.at+close+width, m.at+len(text)-len(rest)+sign, insert)
	case rest != "" && len(line.dashes) == 0 && len(after) > len(rest) && rest[0] != '#' && rest[0] != ',':
		m.mend(MendMissingColon, m.at+close+width, m.at+close+width, ":")
	default:
		return false
	}
	if size > 1 || text[0] == '`' || text[:size] != text[close:close+width] {
		m.mend(MendSmartQuotes, m.at, m.at+size, `"`)
		m.mend(MendSmartQuotes, m.at+close, m.at+close+width, `"`)
	}
	line.name, line.kind = text[size:close], max(line.kind, lineKey)
	m.at += len(text) - len(rest) + sign
	return true
}

// keysFollow reports whether the lines below the item of a list are the other
// keys of the mapping that it begins.
func (m *yamlMender) keysFollow(line *brokenLine) bool {
	if m.next+1 >= len(m.surveys) {
		return false
	}
	below := m.surveys[m.next+1]
	column := line.indent + m.at - line.content
	return below.kind == lineKey && below.indent == column
}

// brokenKey passes a key whose colon is missing, has no space behind it, or is
// another sign.
func (m *yamlMender) brokenKey(line *brokenLine, text string) bool {
	word := len(text) - len(strings.TrimLeft(text, bareKeyBytes+"."))
	rest := text[word:]
	value := strings.TrimLeft(rest, " \t")
	if word == 0 || !m.amongKeys(line) {
		return false
	}
	sign := len(value) - len(strings.TrimLeft(value, "=>"))
	blank := len(rest) - len(value)
	at := m.at + word
	switch {
	case strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "://"):
		m.mend(MendMissingSpace, at+1, at+1, " ")
		m.at = at + 1
	case strings.HasPrefix(value, ":") && strings.HasPrefix(value, ":="):
		m.mend(MendEquals, at, at+blank+2, ":")
		m.at = at + blank + 2
	case sign > 0:
		insert := ":"
		if !blankAt(value, sign) {
			insert = ": "
		}
		m.mend(MendEquals, at, at+blank+sign, insert)
		m.at = at + blank + sign
	case value == "" && m.childrenFollow(line):
		m.mend(MendMissingColon, at, at, ":")
		m.at = at
	case blank > 0 && value != "":
		m.mend(MendMissingColon, at, at, ":")
		m.at = at
	default:
		return false
	}
	line.name, line.kind = text[:word], max(line.kind, lineKey)
	return true
}

// amongKeys reports whether a line without a sign stands where a key should.
func (m *yamlMender) amongKeys(line *brokenLine) bool {
	if len(line.dashes) > 0 || m.sibling(lineKey) || m.next == 0 {
		return true
	}
	above := m.surveys[m.next-1]
	here := m.here()
	if n := len(m.lines); n > 0 && m.lines[n-1].kind == lineKey && m.lines[n-1].indent == here.indent {
		return true // the line above was such a line too
	}
	return above.opens && here.indent > above.indent && !m.sibling(lineEntry)
}

func (m *yamlMender) childrenFollow(line *brokenLine) bool {
	if m.next+1 >= len(m.surveys) {
		return false
	}
	below := m.surveys[m.next+1]
	return below.indent > line.indent || below.indent == line.indent && below.kind == lineEntry
}

// yamlValue passes the value behind a key or a dash, in any state.
func (m *yamlMender) yamlValue(line *brokenLine, column int) {
	m.skipSpace()
	end := m.lineEnd(m.at)
	rest := strings.TrimRight(m.text[m.at:end], " \t")
	plain := strings.TrimRight(uncommented(rest), " \t")
	size, family, quote := 0, rune(0), false
	if rest != "" {
		size, family, quote = quoteAt(rest, 0)
	}
	switch {
	case plain == "":
		line.opens = true
	case isBlockHeader(plain):
		m.at = end
		line.block = m.blockLines(line, column)
		m.at = line.block.End
	case (rest[0] == '&' || rest[0] == '!') && strings.Trim(plain[1:], bareKeyBytes+"!:/<>.") == "":
		m.at = end
		line.opens = true
	case strings.HasPrefix(rest, "&") && isAnchored(plain) || strings.HasPrefix(rest, "!") && strings.Contains(plain, " "):
		m.at += strings.IndexAny(rest, " \t")
		m.yamlValue(line, column)
	case m.missingOpen():
		m.mend(MendMissingOpen, m.at, m.at, "[")
		m.elements(inStatement)
	case rest[0] == '[' && m.closesWell(plain, ']'):
		m.array(inStatement)
	case rest[0] == '{' && !strings.HasPrefix(rest, "{{") && m.closesWell(plain, '}'):
		m.table(inStatement)
	case quote:
		m.quotedLine(size, family, line, rest)
	default:
		m.plainLine(plain, line)
	}
}

// isBlockHeader reports whether | or > begins a block scalar.
func isBlockHeader(text string) bool {
	return (text[0] == '|' || text[0] == '>') && strings.Trim(text[1:], "+-123456789") == "" && len(text) <= 3
}

// isAnchored reports whether text is an anchor with a value behind it.
func isAnchored(text string) bool {
	label := strings.TrimLeft(text[1:], bareKeyBytes)
	return len(label) < len(text)-1 && strings.HasPrefix(label, " ")
}

// closesWell reports whether what begins with a bracket is a collection: after
// its last bracket there is nothing but what may be there by accident.
func (m *yamlMender) closesWell(text string, closer byte) bool {
	last := strings.LastIndexByte(text, closer)
	return last < 0 || strings.Trim(text[last+1:], " \t,;]})") == ""
}

// blockLines gives the range of the lines below a block scalar's header.
func (m *yamlMender) blockLines(line *brokenLine, column int) Span {
	floor := line.indent
	if line.key >= 0 {
		floor = line.key
	}
	if len(line.dashes) > 0 && line.key < 0 {
		floor = line.dashes[len(line.dashes)-1]
	}
	start := m.at + breakSize(m.text, m.at)
	at := start
	last := m.at
	depth := -1
	for at < len(m.text) {
		content, columns, _ := m.indentation(at)
		end := m.lineEnd(at)
		if content < end && (columns <= floor || columns < depth && m.startsPair(content)) {
			break
		}
		if content < end {
			last = end
			depth = max(depth, columns)
		}
		at = end + breakSize(m.text, end)
	}
	return Span{min(start, last), last}
}

// quotedLine passes a value that begins with a quote.
func (m *yamlMender) quotedLine(size int, family rune, line *brokenLine, rest string) {
	if size == 1 && rest[0] != '`' {
		if end, ok := m.readsQuoted(); ok {
			if raw := m.text[m.at+1 : end-1]; rest[0] == '"' && startsPath(raw) {
				m.doubleBackslashes(m.at+1, raw)
			}
			m.at = end
			return
		}
		// "npx" -y pkg: quotes that are part of the text.
		plain := strings.TrimRight(uncommented(rest), " \t,")
		_, ends := trailingQuote(plain)
		if strings.Count(plain, rest[:1]) > 1 && !ends {
			m.mend(MendReserved, m.at, m.at+len(plain), defaultYAMLHabit.quoted(plain))
			m.at += len(plain)
			return
		}
	}
	m.quotedValue(size, family, inStatement)
}

// readsQuoted reports whether a quoted text, of one line or several, is right
// as it stands, but for its backslashes.
func (m *yamlMender) readsQuoted() (end int, ok bool) {
	p := &yamlParser{text: m.text, at: m.at, line: m.at}
	var err error
	func() {
		defer catchSyntax(&err)
		if m.peek() == '"' {
			p.doubleQuoted()
		} else {
			p.singleQuoted()
		}
	}()
	if err != nil {
		return 0, false
	}
	text := m.text[m.at:p.at]
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		for at := m.at + i; at < p.at; at = m.lineEnd(at + 1) {
			next := at + breakSize(m.text, at)
			content, _, _ := m.indentation(next)
			if m.startsPair(content) || strings.HasPrefix(m.text[content:], "- ") {
				return 0, false // the quote on a later line belongs to another value
			}
		}
	}
	return p.at, m.mayEnd(p.at, inStatement)
}

// plainLine passes a value without quotes and puts it in some if it needs them.
func (m *yamlMender) plainLine(text string, line *brokenLine) {
	start := m.at
	m.at = start + len(text)
	if m.commas {
		if trimmed := strings.TrimRight(text, ", \t"); trimmed != text && trimmed != "" {
			m.mend(MendExtraComma, start+len(trimmed), start+len(text), "")
			text = trimmed
		}
	}
	if line.key >= 0 && strings.HasPrefix(text, "- ") {
		m.mend(MendIndentation, start, start, m.newline+strings.Repeat(" ", line.key+m.step))
		return
	}
	if n, ok := trailingQuote(text); ok && strings.Count(text, text[len(text)-n:]) == 1 && !strings.Contains(text, " ") {
		quote := text[len(text)-n:]
		if n > 1 || quote == "`" {
			quote = `"`
			m.mend(MendSmartQuotes, start+len(text)-n, start+len(text), quote)
		}
		m.mend(MendMissingQuote, start, start, quote)
		return
	}
	if m.plainNeedsQuotes(text) {
		m.mend(MendReserved, start, start+len(text), defaultYAMLHabit.quoted(text))
	}
}

// plainNeedsQuotes reports whether YAML cannot read text as a plain value.
func (m *yamlMender) plainNeedsQuotes(text string) bool {
	switch c := text[0]; {
	case c == '*':
		label := strings.TrimRight(text[1:], " \t")
		return strings.Trim(label, bareKeyBytes) != "" || !m.holds("&"+label)
	case c == '!':
		return strings.Contains(text, " ")
	case c == '-' || c == '?' || c == ':':
		if blankAt(text, 1) {
			return true
		}
	case strings.IndexByte(",[]{}#&|>'\"%@`", c) >= 0:
		return true
	}
	return strings.Contains(text, ": ") || strings.HasSuffix(text, ":")
}

// yamlWord mends a word inside brackets.
func (m *bracketMender) yamlWord(start int, text string) {
	end := start + len(text)
	if n, ok := trailingQuote(text); ok {
		quote := text[len(text)-n:]
		if n > 1 || quote == "`" {
			quote = `"`
			m.mend(MendSmartQuotes, end-n, end, quote)
		}
		m.mend(MendMissingQuote, start, start, quote)
		return
	}
	if text[0] == '*' && m.holds("&"+text[1:]) || text[0] == '&' || text[0] == '!' {
		return
	}
	if strings.IndexByte("#*|>%@`:?", text[0]) >= 0 || strings.ContainsAny(text, "{}") || strings.HasSuffix(text, ":") || text == "-" || strings.HasPrefix(text, "- ") {
		m.mend(MendReserved, start, end, defaultYAMLHabit.quoted(text))
	}
}
