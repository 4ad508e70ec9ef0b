package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The families of quotation marks. A string ends with a mark of the family it
// began with.
const (
	smartDouble = '”'
	smartSingle = '’'
)

// quoteAt recognises a quotation mark: its size and its family, which is '"',
// '\” (with the backtick), smartDouble or smartSingle.
func quoteAt(text string, pos int) (size int, family rune, ok bool) {
	if pos >= len(text) {
		return 0, 0, false
	}
	switch c := text[pos]; {
	case c == '"':
		return 1, '"', true
	case c == '\'' || c == '`':
		return 1, '\'', true
	case c < utf8.RuneSelf:
		return 0, 0, false
	}
	c, size := utf8.DecodeRuneInString(text[pos:])
	switch c {
	case '“', '”', '„', '‟', '«', '»', '″', '＂', '〝', '〞':
		return size, smartDouble, true
	case '‘', '’', '‚', '‛', '′', '´', '＇':
		return size, smartSingle, true
	}
	return 0, 0, false
}

// closing is a place where a string may end.
type closing struct {
	at, size int // size 0: the mark is missing
	cost     int
	escaped  bool // a backslash stands before the mark and was meant as one
}

// lexQuoted gives the ways to read the string at pos. A string that ends on
// its line with something that may follow a string is read in one way only.
func (r *jsonRepair) lexQuoted(pos int, family rune) []token {
	open, _, _ := quoteAt(r.text, pos)
	body := pos + open
	doubled := r.lexDoubled(pos, body)
	first, closings := r.closings(body, family)
	if first >= 0 {
		size, _, _ := quoteAt(r.text, first)
		primary := r.quotedToken(pos, body, closing{at: first, size: size}, family)
		if r.endsWell(first + size) {
			return []token{primary}
		}
		tokens := append(doubled, primary)
		for _, c := range append(closings, r.missingClose(body, first, false)...) {
			tokens = append(tokens, r.quotedToken(pos, body, c, family))
		}
		return tokens
	}
	var tokens []token
	for _, c := range append(closings, r.missingClose(body, r.lineEnd(body), true)...) {
		tokens = append(tokens, r.quotedToken(pos, body, c, family))
	}
	if c, ok := r.closeOnLaterLine(body, family); ok {
		tokens = append(tokens, r.quotedToken(pos, body, c, family))
	}
	return tokens
}

// lexDoubled reads a string whose opening mark stands twice, as in ""npx"",
// without the first of the two.
func (r *jsonRepair) lexDoubled(pos, body int) []token {
	rest := r.text[pos:min(len(r.text), body+2)]
	if len(rest) < 3 || rest[:2] != `""` || rest[2] == '"' || r.endsWell(body+1) {
		return nil
	}
	tokens := r.lexQuoted(body, '"')
	for i := range tokens {
		tokens[i].cost += costMend - costSmall
		tokens[i].mends = append([]Mend{mendFor(MendStray, pos, body, "")}, tokens[i].mends...)
	}
	return tokens
}

// closings looks along the line for the first mark of the family, and for
// further places where the string could end with something that may follow a
// string: behind unescaped marks, a mark of another family, or a backslash
// that was meant as one.
func (r *jsonRepair) closings(body int, family rune) (first int, others []closing) {
	first = -1
	marks := 0
	i := body
	for ; i < len(r.text) && r.text[i] != '\n'; i++ {
		if first >= 0 && (i > body+lookAhead || marks > 16) {
			break
		}
		c := r.text[i]
		if c == '\\' {
			i++
			if size, f, ok := quoteAt(r.text, i); ok && f == family && r.endsWell(i+size) && i < body+lookAhead {
				others = append(others, closing{i, size, costMend, true})
			}
			if i < len(r.text) && r.text[i] == '\n' {
				break
			}
			continue
		}
		if c != '"' && c != '\'' && c != '`' && c < utf8.RuneSelf {
			continue
		}
		size, f, ok := quoteAt(r.text, i)
		switch {
		case !ok:
		case f == family:
			if first < 0 {
				first = i
				if r.endsWell(i + size) {
					r.budget -= i - body
					return first, nil
				}
				if i > body && strings.HasPrefix(r.text[i:], `""`) && r.endsWell(i+2) {
					others = append(others, closing{i, 2, costMend - costSmall, false})
				}
			} else if marks++; r.endsWell(i + size) {
				cost := marks * costMend
				if family == '"' {
					cost = 0 // counted where they are escaped
				}
				others = append(others, closing{i, size, cost, false})
			}
		case sameHeight(f, family) && i < body+lookAhead && r.endsWell(i+size):
			others = append(others, closing{i, size, costMend, false})
		}
	}
	r.budget -= i - body
	return first, others
}

// sameHeight tells whether two families are both double or both single.
func sameHeight(a, b rune) bool {
	double := func(f rune) bool { return f == '"' || f == smartDouble }
	return double(a) == double(b)
}

// missingClose gives the places before limit where the closing mark may have
// been left out: before something that would follow a string.
func (r *jsonRepair) missingClose(body, limit int, lineEnd bool) []closing {
	var found []closing
	add := func(at, cost int) {
		at = body + len(strings.TrimRight(r.text[body:at], " \t\r"))
		if at == body {
			cost += costSmall * 5
		}
		if !slices.ContainsFunc(found, func(c closing) bool { return c.at == at }) {
			found = append(found, closing{at: at, cost: cost})
		}
	}
	if lineEnd {
		// At the end of the line, before or among the commas and brackets.
		end := body + len(strings.TrimRight(r.text[body:limit], " \t\r"))
		for i := end; i >= body && len(found) < 8; i-- {
			if i < end && !strings.ContainsRune(" \t\r,]}[{:", rune(r.text[i])) {
				break
			}
			cost := costMend
			if i < end && closesInside(r.text[body:i+1]) {
				cost += costMend
			}
			if i > body && !closesInside(r.text[body:i]) && strings.ContainsRune(",]}[{:", rune(r.text[i-1])) {
				cost += costSmall // the mark rather belongs before these
			}
			add(i, cost)
		}
	}
	for i := limit - 1; i >= body && len(found) < 16; i-- {
		switch r.text[i] {
		case ',', ':', '=', ']', '}':
			if r.startsWell(i+1, limit) && !closesInside(r.text[body:i+1]) {
				add(i, costMend)
			}
		}
	}
	return found
}

// closesInside tells whether s ends with a bracket that was opened in it, as
// in ${HOME}.
func closesInside(s string) bool {
	open := map[byte]byte{'}': '{', ']': '['}[s[len(s)-1]]
	return open != 0 && strings.Count(s, string(open)) >= strings.Count(s, s[len(s)-1:])
}

// startsWell tells whether a new token begins at pos, where limit is either
// the next quotation mark or the end of the line.
func (r *jsonRepair) startsWell(pos, limit int) bool {
	rest := strings.TrimLeft(r.text[pos:limit], " \t\r")
	if rest == "" || strings.ContainsRune("{[]},", rune(rest[0])) {
		return true
	}
	word := strings.TrimRight(rest, " \t\r,]}")
	return word == "true" || word == "false" || word == "null" || strings.Trim(word, "0123456789") == ""
}

// closeOnLaterLine looks for the end of a string that was broken over lines.
func (r *jsonRepair) closeOnLaterLine(body int, family rune) (closing, bool) {
	const maxLines = 60
	limit := min(len(r.text), body+4*lookAhead)
	lines, cost := 0, costMend-3
	for i := body; i < limit && lines <= maxLines; i++ {
		switch c := r.text[i]; {
		case c == '\\':
			i++
		case c == '\n':
			lines++
			cost += 3
			if end := strings.TrimRight(r.text[body:i], " \t\r"); end != "" && strings.ContainsRune(",{}[]", rune(end[len(end)-1])) {
				cost += costMend // a line of JSON rather than half a string
			}
		case c == '"' || c == '\'' || c == '`' || c >= utf8.RuneSelf:
			size, f, ok := quoteAt(r.text, i)
			if !ok || f != family {
				continue
			}
			r.budget -= i - body
			if !r.endsWell(i + size) {
				cost += costMend
			}
			return closing{at: i, size: size, cost: cost}, lines > 0
		}
	}
	r.budget -= limit - body
	return closing{}, false
}

// quotedToken reads a string that ends at c.
func (r *jsonRepair) quotedToken(pos, body int, c closing, family rune) token {
	t := token{end: c.at + c.size, cost: c.cost}
	kind := MendSmartQuotes
	if family == '\'' {
		kind = MendSingleQuotes
	}
	if family != '"' {
		t.mend(costQuotes, kind, pos, body, `"`)
	}
	r.mendContent(&t, body, c.at, family)
	switch {
	case c.size == 0:
		t.mend(0, MendMissingQuote, c.at, c.at, `"`)
	case r.text[c.at:c.at+c.size] == `""`:
		t.mend(0, MendStray, c.at+1, c.at+2, "")
	case r.text[c.at:c.at+c.size] != `"`:
		if family == '"' {
			kind = MendSmartQuotes
		}
		t.mend(0, kind, c.at, c.at+c.size, `"`)
	}
	return t
}

// mendContent mends what may not stand between the quotes of a JSON string.
// family is that of the quotes in the text, 0 where there are none.
func (r *jsonRepair) mendContent(t *token, start, end int, family rune) {
	raw := r.text[start:end]
	r.budget -= len(raw)
	double := unescapedBackslashes(raw)
	for _, i := range double {
		t.mend(0, MendBackslash, start+i, start+i, `\`)
	}
	if len(double) > 0 {
		t.cost += costQuotes
	}
	pem := strings.HasPrefix(raw, "-----BEGIN")
	for i := 0; i < len(raw); i++ {
		at := start + i
		switch c := raw[i]; {
		case c == '\\':
			if slices.Contains(double, i) {
				continue
			}
			if i+1 < len(raw) && (raw[i+1] == '\'' || raw[i+1] == '`') && family != '"' {
				t.mend(0, MendSingleQuotes, at, at+1, "")
			}
			i++
		case c == '"':
			cost := costMend
			if family == '\'' || family == smartSingle {
				cost = costSmall // there it was no mistake
			} else if before := strings.TrimRight(raw[:i], " \t"); before != "" && strings.ContainsRune(",:[{", rune(before[len(before)-1])) {
				cost += costUnusual // it rather opens another string
			}
			t.mend(cost, MendInnerQuote, at, at, `\`)
		case c == '\n' || c == '\r' && i+1 < len(raw) && raw[i+1] == '\n':
			size := 1
			if c == '\r' {
				size = 2
			}
			insert := `\n`
			if !pem {
				insert = ""
				size += foldedIndent(raw[i+size:])
			}
			t.mend(0, MendRawNewline, at, at+size, insert)
			i += size - 1
		case c < ' ':
			escape := controlEscape(c)
			if startsPath(raw[:i] + `\`) {
				escape = fmt.Sprintf(`\u%04x`, c) // there \t would read as a name
			}
			t.mend(costSmall, MendControl, at, at+1, escape)
		}
	}
}

// foldedIndent gives the blank that a line was indented with when a string
// was broken over lines; one space is a word's, more is layout.
func foldedIndent(line string) int {
	blank := len(line) - len(strings.TrimLeft(line, " \t"))
	if blank < 2 {
		return 0
	}
	return blank
}

func controlEscape(c byte) string {
	switch c {
	case '\t':
		return `\t`
	case '\r':
		return `\r`
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// unescapedBackslashes gives the offsets, in the inside of a string, of the
// backslashes that have to be doubled: all single ones where one of them
// cannot be an escape, or where the string is a Windows path, in which \n and
// \t are the beginnings of names.
func unescapedBackslashes(raw string) []int {
	if strings.IndexByte(raw, '\\') < 0 {
		return nil
	}
	var singles []int
	meant := false // the author wrote backslashes as themselves
	names := false // some would be the beginnings of names
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i+1 == len(raw) {
			singles, meant = append(singles, i), true
			break
		}
		switch c := raw[i+1]; c {
		case '\\':
			i++
			continue
		case '"', '\'', '`':
			i++
			continue
		case '/':
		case 'n', 'r', 't':
			names = true
		case 'u':
			if !hexDigits(raw[i+2:], 4) {
				meant = true
			}
		default: // \b and \f are escapes, but nobody writes them in a config
			meant = true
		}
		singles = append(singles, i)
	}
	if !meant && !(names && startsPath(raw)) {
		return nil
	}
	if len(singles) > 0 && strings.HasPrefix(raw, `\\`) && !strings.HasPrefix(raw, `\\\`) {
		singles = append([]int{0, 1}, singles...) // \\host\share
	}
	return singles
}

func hexDigits(s string, n int) bool {
	return len(s) >= n && strings.Trim(s[:n], "0123456789abcdefABCDEF") == ""
}

// startsPath tells whether a Windows path begins in raw where one can begin:
// at the start or after a sign that ends an option.
func startsPath(raw string) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		before := raw[:i]
		switch {
		case before == "." || before == ".." || before == "~":
			return true
		case strings.HasSuffix(before, "%") && strings.Count(before, "%")%2 == 0:
			return true
		case strings.HasSuffix(before, ":") && len(before) >= 2:
			drive := before[len(before)-2] | 0x20
			if drive >= 'a' && drive <= 'z' && (len(before) == 2 || strings.ContainsRune("=,;\"'", rune(before[len(before)-3]))) {
				return true
			}
		}
		return false
	}
	return false
}

// misread finds what is wrong in a text that parses all the same: Windows
// paths whose backslashes were taken for escapes and, if strict, commas after
// the last entry.
func misread(text string, root *Node, strict bool) []Mend {
	var mends []Mend
	if strict {
		mends = extras(text, MendTrailingComma)
	}
	if strings.Contains(text, `\`) {
		root.walkStrings(func(n *Node) {
			for _, i := range unescapedBackslashes(text[n.Start+1 : n.End-1]) {
				at := n.Start + 1 + i
				mends = append(mends, mendFor(MendBackslash, at, at, `\`))
			}
		})
	}
	return mends
}

func (n *Node) walkStrings(visit func(*Node)) {
	if n.Kind == String {
		visit(n)
	}
	for _, e := range n.Elements {
		e.walkStrings(visit)
	}
	for _, m := range n.Members {
		m.Value.walkStrings(visit)
	}
}
