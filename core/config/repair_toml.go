package config

import "strings"

// repairTOML mends a TOML text that does not parse. It reads the text once,
// statement by statement, with a grammar that knows the usual accidents and
// notes a mend for each; then it settles tables and keys that occur twice.
func repairTOML(text string) []Mend {
	return settled(text, mendTOML(text), func(mended string) []Mend {
		root, err := parseTOML(mended)
		if err != nil {
			return mendTOML(mended)
		}
		return misreadTOML(mended, root)
	})
}

// mendTOML reads the text once.
func mendTOML(text string) []Mend {
	m := &tomlMender{bracketMender: bracketMender{text: text}}
	m.spaced = strings.Contains(text, " = ") || !strings.Contains(text, "=")
	for m.at < len(text) {
		m.statement()
	}
	m.settleTables()
	return m.mends
}

// misreadTOML finds Windows paths whose backslashes a text that parses has
// turned into line breaks and tabs.
func misreadTOML(text string, root *Node) []Mend {
	m := &bracketMender{text: text}
	root.walkStrings(func(n *Node) {
		if text[n.Start] != '"' || strings.HasPrefix(text[n.Start:], `"""`) {
			return
		}
		if raw := text[n.Start+1 : n.End-1]; startsPath(raw) {
			m.doubleBackslashes(n.Start+1, raw)
		}
	})
	return m.mends
}

// tomlMender reads a broken TOML text.
type tomlMender struct {
	bracketMender
	statements []brokenStatement
	spaced     bool // the file has spaces around its equals signs
	settlings  int  // doubles settled so far
}

// brokenStatement is a header or a pair as far as it could be understood.
type brokenStatement struct {
	Span  // from the start of its line to the start of the next
	kind  tomlStatementKind
	names []string
	key   Span // the last key
	value Span
	array Span // the outer brackets of a header
}

func (m *tomlMender) statement() {
	line := m.at
	m.skipSpace()
	start := m.at
	switch rest := m.text[m.at:]; {
	case m.newline() || m.at >= len(m.text):
		return
	case m.comment():
		m.newline()
		return
	case strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~"):
		m.at = m.lineEnd(m.at)
		m.newline()
		m.mend(MendFence, line, m.at, "")
		return
	case rest[0] == '{' && m.pastedJSON():
		return
	case rest[0] == '[':
		m.header(line)
	case m.headerWithoutOpening():
		m.mend(MendTableHeader, start, start, "[")
		m.header(line)
	case !m.pair(line):
		// Words between the statements are kept as a comment.
		m.mend(MendAround, start, start, "# ")
		m.at = m.lineEnd(start)
	}
	m.endStatement()
	if n := len(m.statements); n > 0 && m.statements[n-1].Start == line {
		m.statements[n-1].End = m.at
	}
}

// endStatement passes what may follow a statement and mends what may not.
func (m *tomlMender) endStatement() {
	for {
		m.skipSpace()
		switch c := m.peek(); {
		case m.at >= len(m.text):
			m.moveComments(m.at)
			return
		case c == '\n' || c == '\r':
			m.moveComments(m.at)
			m.newline()
			return
		case c == '#' || strings.HasPrefix(m.text[m.at:], "//"):
			m.moveComments(m.at)
			m.comment()
		case c == ',' || c == ';':
			m.mend(MendExtraComma, m.at, m.at+1, "")
			m.at++
		case c == ']' || c == '}' || c == ')':
			m.mend(MendExtraClose, m.at, m.at+1, "")
			m.at++
		case m.startsPair(m.at):
			m.mend(MendStray, m.at, m.at, "\n")
			return
		default:
			m.mend(MendStray, m.at, m.at, "# ")
			m.at = m.lineEnd(m.at)
		}
	}
}

// moveComments puts what was said inside an inline table behind it, since
// there it can have no comment.
func (m *tomlMender) moveComments(at int) {
	for _, comment := range m.moved {
		m.mend(MendRawNewline, at, at, " "+comment)
	}
	if len(m.moved) > 0 && m.peek() == '#' {
		m.mend(MendRawNewline, at, at, " ")
	}
	m.moved = nil
}

// headerWithoutOpening reports whether the line is a header but for its first
// bracket.
func (m *tomlMender) headerWithoutOpening() bool {
	line := strings.TrimSpace(uncommented(m.text[m.at:m.lineEnd(m.at)]))
	inside, ok := strings.CutSuffix(line, "]")
	return ok && inside != "" && !strings.ContainsAny(inside, "=:[]{},") && isTOMLBare(inside[0])
}

// header reads [a.b] or [[a.b]] in any state.
func (m *tomlMender) header(line int) {
	end := m.lineEnd(m.at)
	end = m.at + len(strings.TrimRight(uncommented(m.text[m.at:end]), " \t"))
	st := brokenStatement{Span: Span{Start: line}, kind: tomlHeader}
	opens := 1
	open := m.at
	if m.at < len(m.text) && m.text[m.at] != '[' {
		opens = 1 // the bracket has just been put there
	} else {
		m.at++
		if m.peek() == '[' {
			opens = 2
			m.at++
		}
	}
	// What stands behind the name: the right brackets, others, other signs.
	tail := end
	for tail > m.at && strings.IndexByte("]})>:;,= \t", m.text[tail-1]) >= 0 {
		tail--
	}
	if size := strings.IndexByte(m.text[tail:end], '\n'); size >= 0 {
		end = tail + size
	}
	closers := strings.TrimRight(m.text[tail:end], " \t")
	want := strings.Repeat("]", opens)
	if opens == 2 && closers == "]" && !m.holds(m.text[open:tail]+"]]") {
		// Both brackets are doubled far more often by a slip than for an array.
		m.mend(MendTableHeader, open, open+1, "")
		want, opens = "]", 1
	}
	if strings.ReplaceAll(closers, " ", "") != want {
		m.mend(MendTableHeader, tail, tail+len(closers), want)
	}
	if opens == 2 {
		st.kind = tomlArrayHeader
	}
	st.array = Span{open, end}
	st.names, st.key = m.headerKeys(tail)
	m.at = end
	m.statements = append(m.statements, st)
}

// headerKeys reads the dotted name of a header up to end.
func (m *tomlMender) headerKeys(end int) (names []string, last Span) {
	for m.at <= end {
		m.skipSpace()
		start := m.at
		if m.at >= end || m.peek() == '.' {
			if m.at >= end && len(names) > 0 {
				// a dot without a name behind it
				dot := strings.LastIndexByte(m.text[:end], '.')
				m.mend(MendStray, dot, dot+1, "")
				return names, last
			}
			if m.at >= end {
				return names, last
			}
			m.mend(MendStray, m.at, m.at+1, "")
			m.at++
			continue
		}
		name := m.keyName(end, ".")
		names, last = append(names, name), Span{start, m.at}
		m.skipSpace()
		if m.at >= end || m.peek() != '.' {
			break
		}
		m.at++
	}
	return names, last
}

// keyName reads one key that ends before one of stops or at end, and puts it
// in quotes where it needs them.
func (m *tomlMender) keyName(end int, stops string) string {
	start := m.at
	if size, family, ok := quoteAt(m.text, start); ok {
		if close, width := m.closingQuote(start+size, end, family, stops); close >= 0 {
			name := m.text[start+size : close]
			m.at = close + width
			if m.text[start] != '"' && m.text[start] != '\'' || m.text[close] != m.text[start] {
				m.mend(MendSmartQuotes, start, start+size, `"`)
				m.mend(MendSmartQuotes, close, close+width, `"`)
			}
			return name
		}
		// Only the first of the two quotes is there.
		to := m.keyEnd(start+size, end, stops)
		if size > 1 || m.text[start] == '`' {
			m.mend(MendSmartQuotes, start, start+size, `"`)
			m.mend(MendMissingQuote, to, to, `"`)
		} else {
			m.mend(MendMissingQuote, to, to, m.text[start:start+size])
		}
		m.at = to
		return m.text[start+size : to]
	}
	to := m.keyEnd(start, end, stops)
	m.at = to
	name := m.text[start:to]
	if size, ok := trailingQuote(name); ok {
		quote := name[len(name)-size:]
		if size > 1 || quote == "`" {
			quote = `"`
			m.mend(MendSmartQuotes, to-size, to, quote)
		}
		m.mend(MendMissingQuote, start, start, quote)
		return name[:len(name)-size]
	}
	if strings.Trim(name, bareKeyBytes) != "" {
		m.mend(MendUnquotedKey, start, to, tomlBasic(name))
	}
	return name
}

const bareKeyBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// keyEnd gives where a key without quotes ends.
func (m *tomlMender) keyEnd(at, end int, stops string) int {
	for to := at; to < end; to++ {
		if strings.IndexByte(stops, m.text[to]) >= 0 {
			end = to
		}
	}
	return at + len(strings.TrimRightFunc(m.text[at:end], func(r rune) bool {
		_, _, invisible := invisibleAt(string(r), 0)
		return invisible
	}))
}

// closingQuote finds the quote that ends a key: one that a stop, or the end,
// comes after.
func (m *tomlMender) closingQuote(at, end int, family rune, stops string) (close, width int) {
	sign := false // an equals sign has gone by
	for i := at; i < end; i++ {
		sign = sign || m.text[i] == '='
		size, f, ok := quoteAt(m.text, i)
		if !ok || f != family && (f == '\'') != (family == '\'') && f < 0x80 && family < 0x80 {
			continue
		}
		after := m.text[i+size : end]
		after = strings.TrimLeft(after, " \t")
		if after == "" || strings.IndexByte(stops, after[0]) >= 0 || after[0] == '.' {
			return i, size
		}
		if sign {
			return -1, 0
		}
	}
	return -1, 0
}

// trailingQuote reports whether a word ends with a quote.
func trailingQuote(word string) (size int, ok bool) {
	for size = 1; size <= 3 && size < len(word); size++ {
		if n, _, quote := quoteAt(word, len(word)-size); quote && n == size {
			return size, true
		}
	}
	return 0, false
}

// pair reads key = value in any state; false if the line is nothing like it.
func (m *tomlMender) pair(line int) bool {
	end := m.lineEnd(m.at)
	text := m.text[m.at:end]
	sep, size := pairSeparator(text)
	st := brokenStatement{Span: Span{Start: line}, kind: tomlPair}
	if sep < 0 {
		sep = missingSeparator(text)
		if sep < 0 {
			return false
		}
		m.mend(MendEquals, m.at+sep, m.at+sep+len(text[sep:])-len(strings.TrimLeft(text[sep:], " \t")), " = ")
	} else if sign := text[sep : sep+size]; sign != "=" {
		insert := "="
		if sep > 0 && text[sep-1] != ' ' && (sign == ":" || sign == ":=") && m.spaced {
			insert = " ="
		}
		m.mend(MendEquals, m.at+sep, m.at+sep+size, insert)
	}
	separator := m.at + sep
	key := m.at
	for m.at < separator {
		start := m.at
		name := m.keyName(separator, ".")
		st.names, st.key = append(st.names, name), Span{start, m.at}
		m.skipSpace()
		if m.peek() != '.' || m.at >= separator {
			break
		}
		m.at++
		m.skipSpace()
	}
	m.at = separator + size
	m.skipSpace()
	start := m.at
	m.null = false
	m.value(inStatement)
	if m.null { // a key without a value is one that is not there
		m.mend(MendLiteral, key, key, "# ")
		return true
	}
	st.value = Span{start, m.at}
	m.statements = append(m.statements, st)
	return len(st.names) > 0
}

// pairSeparator finds the sign between key and value: the first one outside
// quotes.
func pairSeparator(line string) (at, size int) {
	for i := 0; i < len(line); i++ {
		if n, family, ok := quoteAt(line, i); ok {
			if i == 0 || line[i-1] == '.' || line[i-1] == ' ' {
				if close := closeOf(line, i+n, family); close > 0 {
					i = close
				}
			}
			continue
		}
		switch line[i] {
		case '=':
			for size = 1; i+size < len(line) && (line[i+size] == '=' || line[i+size] == '>'); size++ {
			}
			return i, size
		case ':':
			if i+1 < len(line) && line[i+1] == '=' {
				return i, 2
			}
			if i > 0 && !strings.HasPrefix(line[i:], "://") {
				return i, 1
			}
			return -1, 0
		case '#', '{', '[':
			return -1, 0
		}
	}
	return -1, 0
}

// closeOf gives the last byte of the quote that closes a key on this line.
func closeOf(line string, at int, family rune) int {
	for i := at; i < len(line); i++ {
		if n, f, ok := quoteAt(line, i); ok && (f == family || f > 0x80 && family > 0x80) {
			return i + n - 1
		}
		if line[i] == '=' {
			return -1
		}
	}
	return -1
}

// missingSeparator gives the end of the key of a line that has a value but no
// sign before it: a word and then a value, or just one more word.
func missingSeparator(line string) int {
	key := len(line) - len(strings.TrimLeft(line, bareKeyBytes+"."))
	rest := uncommented(line[key:])
	value := strings.TrimSpace(rest)
	if key == 0 || value == "" || rest == value {
		return -1
	}
	_, _, quote := quoteAt(value, 0)
	_, _, scalar := tomlScalar(value)
	if quote || scalar || value[0] == '[' || value[0] == '{' {
		return key
	}
	if len(strings.Fields(value)) == 1 && !isButton(line) && strings.ToLower(line[:key]) == line[:key] {
		return key
	}
	return -1
}

// uncommented cuts a comment off a line, of either sign, unless it stands in
// quotes.
func uncommented(line string) string {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.IndexByte(line[i+1:], c) >= 0:
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t' || line[i-1] == ']'),
			strings.HasPrefix(line[i:], "//") && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return line[:i]
		}
	}
	return line
}

// pastedJSON replaces a JSON object between the statements by tables.
func (m *tomlMender) pastedJSON() bool {
	end := m.at
	depth := 0
	for ; end < len(m.text); end++ {
		switch m.text[end] {
		case '"':
			end = skipString(m.text, end) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 {
			end++
			break
		}
	}
	pasted := Repair(m.text[m.at:min(end, len(m.text))], JSONC)
	root, err := parseJSON(pasted.Text)
	if err != nil || root.Kind != Object {
		return false
	}
	var out strings.Builder
	for i := 0; i < len(pasted.Text); i++ {
		if pasted.Text[i] == '"' {
			i = skipString(pasted.Text, i) - 1
		} else if stop := skipComment(pasted.Text, i); stop > i {
			for line := range strings.Lines(pasted.Text[i:stop]) {
				out.WriteString("# " + strings.Trim(line, "/* \t\r\n") + "\n")
			}
			i = stop
		}
	}
	out.WriteString(writeTOML(root))
	m.mend(MendStray, m.at, end, strings.TrimSuffix(out.String(), "\n"))
	m.at = end
	m.at = m.lineEnd(m.at)
	m.newline()
	return true
}
