package config

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookAhead bounds how far an explanation may look, so that a text of one
// long line cannot make the search quadratic.
const lookAhead = 2048

// token is a string, number or word as it may be read at some place, with the
// mends that make it one.
type token struct {
	end   int
	cost  int
	mends []Mend
}

func (t *token) mend(cost int, kind MendKind, start, end int, insert string) {
	t.cost += cost
	t.mends = append(t.mends, mendFor(kind, start, end, insert))
}

// lex gives the ways to read the string or word at pos, as a key or a value.
func (r *jsonRepair) lex(pos int, key bool) []token {
	if _, style, ok := quoteAt(r.text, pos); ok {
		return r.lexQuoted(pos, style)
	}
	if key {
		return r.lexBareKey(pos)
	}
	return r.lexBareValue(pos)
}

// lexBareKey reads a key without quotes, or with the closing one only.
func (r *jsonRepair) lexBareKey(pos int) []token {
	var tokens []token
	limit := r.lineEnd(pos)
	stop := pos
	for stop < limit && !strings.ContainsRune(":={}[],\"", rune(r.text[stop])) {
		if _, style, ok := quoteAt(r.text, stop); ok && style == smartDouble {
			break
		}
		stop++
	}
	if size, _, ok := quoteAt(r.text, stop); ok && stop > pos && r.endsWell(stop+size) {
		t := token{end: stop + size}
		t.mend(costMend, MendMissingQuote, pos, pos, `"`)
		if size > 1 {
			t.mend(0, MendSmartQuotes, stop, stop+size, `"`)
		}
		tokens = append(tokens, t)
	}
	end := pos + len(strings.TrimRight(r.text[pos:stop], " \t\r"))
	word := pos + r.bareWidth(pos)
	if end > pos && (stop >= limit || r.text[stop] == ':' || r.text[stop] == '=') {
		tokens = append(tokens, r.quoted(pos, end, costMend, MendUnquotedKey))
		if word == end {
			return tokens
		}
	}
	if word > pos {
		tokens = append(tokens, r.quoted(pos, word, costUnusual, MendUnquotedKey))
	}
	return tokens
}

// literals that other languages write differently.
var foreignLiterals = map[string]string{
	"True": "true", "False": "false", "TRUE": "true", "FALSE": "false",
	"None": "null", "Null": "null", "NULL": "null", "nil": "null", "undefined": "null", "NaN": "null",
	"Infinity": "null", "-Infinity": "null",
}

// lexBareValue reads a number, a literal, or a string without quotes.
func (r *jsonRepair) lexBareValue(pos int) []token {
	width := r.bareWidth(pos)
	word := r.text[pos : pos+width]
	end := pos + width
	valid := width > 0 && json.Valid([]byte(word))
	if width > 0 && r.endsWell(end) {
		if valid {
			return []token{{end: end}}
		}
		if t, ok := foreignLiteral(word, pos); ok {
			return []token{t}
		}
		if rest, ok := cutLiteral(word); ok && end == len(r.text) {
			t := token{end: end}
			t.mend(costMend, MendTruncated, end, end, rest)
			return []token{t}
		}
	}
	var tokens []token
	if valid { // what is missing may be the comma behind it
		tokens = append(tokens, token{end: end})
	}
	limit := r.lineEnd(pos)
	line := r.text[pos:limit]
	// The opening quote is missing.
	if i := strings.IndexByte(line, '"'); i > 0 && r.endsWell(pos+i+1) {
		t := r.quoted(pos, pos+i, costMend+costMend*strings.Count(line[:i], ","), MendMissingQuote)
		t.mends = t.mends[:len(t.mends)-1] // the closing one is there
		t.end++
		tokens = append(tokens, t)
	}
	// Both are.
	short := strings.IndexAny(line, ",]}\"")
	if short < 0 {
		short = len(line)
	}
	short = len(strings.TrimRight(line[:short], " \t\r"))
	long := len(strings.TrimRight(line, " \t\r,]}"))
	if short > 0 {
		tokens = append(tokens, r.quoted(pos, pos+short, costUnusual, MendUnquotedValue))
	}
	if long > short && !strings.Contains(line[:long], `"`) {
		cost := costUnusual*(1+strings.Count(line[:long], ",")) + costSmall
		tokens = append(tokens, r.quoted(pos, pos+long, cost, MendUnquotedValue))
	}
	return tokens
}

func foreignLiteral(word string, pos int) (token, bool) {
	t := token{end: pos + len(word)}
	if plain, ok := foreignLiterals[word]; ok {
		t.mend(costMend, MendLiteral, pos, t.end, plain)
		return t, true
	}
	// Versions, addresses and dates are strings; these are numbers.
	digits := strings.ReplaceAll(word, "_", "")
	number := ""
	if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
		number = strconv.FormatInt(i, 10)
	} else if f, err := strconv.ParseFloat(digits, 64); err == nil && f-f == 0 && !strings.ContainsAny(word, "xXpPnNiI") {
		number = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if number == "" || digits[0] == '0' && len(digits) > 1 && digits[1] >= '0' && digits[1] <= '9' {
		return t, false
	}
	t.mend(costMend, MendNumber, pos, t.end, number)
	return t, true
}

// cutLiteral completes a literal that the end of the text cuts.
func cutLiteral(word string) (rest string, ok bool) {
	for _, whole := range [...]string{"true", "false", "null"} {
		if rest, ok = strings.CutPrefix(whole, word); ok && rest != "" {
			return rest, true
		}
	}
	return "", false
}

// quoted puts quotes around text[start:end].
func (r *jsonRepair) quoted(start, end, cost int, kind MendKind) token {
	t := token{end: end}
	t.mend(cost, kind, start, start, `"`)
	r.mendContent(&t, start, end, 0)
	t.mend(0, kind, end, end, `"`)
	return t
}

// skip moves a reading to the next token, over blank and comments, and mends
// what only looks like one of them.
func (r *jsonRepair) skip(s reading) reading {
	for s.pos < len(r.text) {
		c := r.text[s.pos]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			s.pos++
		case c == '/' && strings.HasPrefix(r.text[s.pos:], "//"):
			s = r.skipLineComment(s)
		case c == '/' && strings.HasPrefix(r.text[s.pos:], "/*"):
			s = r.skipBlockComment(s)
		case c == '<' && strings.HasPrefix(r.text[s.pos:], "<!--"):
			next, ok := r.skipPageComment(s)
			if !ok {
				return s
			}
			s = next
		case c == '.' || strings.HasPrefix(r.text[s.pos:], "…"):
			width := r.leftOut(s)
			if width == 0 {
				return s
			}
			s = s.with(costSmall, MendAround, s.pos, s.pos+width, "")
			s.pos += width
		case c == '*' && r.boldAt(s.pos):
			s = s.with(costSmall, MendStray, s.pos, s.pos+2, "")
			s.pos += 2
		case c == '>' && r.beginsLine(s.pos):
			s = s.with(costSmall, MendAround, s.pos, s.pos+1, "") // quoted in a mail or an issue
			s.pos++
		case c == '#':
			s = r.skipLineComment(s.with(costSmall, MendHashComment, s.pos, s.pos, "// "))
		case c < utf8.RuneSelf && c >= ' ' && c != 0x7f:
			return s
		default:
			size, instead, ok := invisibleAt(r.text, s.pos)
			if !ok {
				return s
			}
			s = s.with(costSmall, MendInvisible, s.pos, s.pos+size, instead)
			s.pos += size
		}
	}
	return s
}

// boldAt tells whether Markdown's ** stands before or behind a string.
func (r *jsonRepair) boldAt(pos int) bool {
	if !strings.HasPrefix(r.text[pos:], "**") {
		return false
	}
	_, _, before := quoteAt(r.text, pos+2)
	return before || pos > 0 && r.text[pos-1] == '"' && r.endsWell(pos+2)
}

func (r *jsonRepair) beginsLine(pos int) bool {
	_, first := r.margin(pos)
	return first
}

// skipLineComment also mends what hujson does not accept inside one: bytes
// that are not UTF-8, and the line separators of Unicode.
func (r *jsonRepair) skipLineComment(s reading) reading {
	end := strings.IndexByte(r.text[s.pos:], '\n')
	if end < 0 {
		end = len(r.text) - s.pos
	}
	return r.mendComment(s, s.pos+end)
}

func (r *jsonRepair) skipBlockComment(s reading) reading {
	if s.pos+2 <= r.lastClose {
		end := strings.Index(r.text[s.pos+2:], "*/")
		r.budget -= end
		return r.mendComment(s, s.pos+2+end+2)
	}
	// Never closed: it was meant for its line.
	line, _, _ := strings.Cut(r.text[s.pos:], "\n")
	end := s.pos + len(strings.TrimRight(line, " \t\r"))
	s = r.mendComment(s, end)
	return s.with(costMend, MendUnclosedComment, end, end, " */")
}

// skipPageComment passes a comment of HTML.
func (r *jsonRepair) skipPageComment(s reading) (reading, bool) {
	const open, end = "<!--", "-->"
	body := s.pos + len(open)
	width := strings.Index(r.text[body:min(len(r.text), body+lookAhead)], end)
	r.budget -= max(width, 0)
	if width < 0 || strings.Contains(r.text[body:body+width], "*/") {
		return s, false
	}
	s = s.with(costSmall, MendHashComment, s.pos, body, "/*")
	s.pos = body
	s = r.mendComment(s, body+width)
	s = s.with(0, MendHashComment, s.pos, s.pos+len(end), "*/")
	s.pos += len(end)
	return s, true
}

// leftOut gives the width of dots that stand for entries which were not
// written down, with the comma behind them.
func (r *jsonRepair) leftOut(s reading) int {
	if s.top == nil || s.expect == expectColon || s.expect == expectValue && !s.top.array {
		return 0
	}
	line := r.text[s.pos:r.lineEnd(s.pos)]
	rest := strings.TrimLeft(strings.TrimPrefix(line, "…"), ".")
	if dots := line[:len(line)-len(rest)]; dots != "…" && len(dots) < 3 {
		return 0
	}
	rest = strings.TrimLeft(rest, " \t\r")
	if after, ok := strings.CutPrefix(rest, ","); ok {
		return len(line) - len(after)
	}
	if rest != "" && rest[0] != '}' && rest[0] != ']' {
		return 0
	}
	return len(line) - len(rest)
}

func (r *jsonRepair) mendComment(s reading, end int) reading {
	comment := r.text[s.pos:end]
	r.budget -= len(comment)
	if !utf8.ValidString(comment) || strings.Contains(comment, "\u2028") || strings.Contains(comment, "\u2029") {
		for i, c := range comment {
			switch _, size := utf8.DecodeRuneInString(comment[i:]); {
			case c == utf8.RuneError && size == 1:
				s = s.with(costSmall, MendEncoding, s.pos+i, s.pos+i+1, "\ufffd")
			case c == '\u2028' || c == '\u2029':
				s = s.with(costSmall, MendInvisible, s.pos+i, s.pos+i+size, " ")
			}
		}
	}
	s.pos = end
	return s
}

// invisibleAt recognises a character that shows nothing but is no blank to
// JSON, and says what should stand there.
func invisibleAt(text string, pos int) (size int, instead string, ok bool) {
	c, size := utf8.DecodeRuneInString(text[pos:])
	switch {
	case c == utf8.RuneError && size == 1:
		return 1, "", true
	case c == '\u0085' || c == '\u2028' || c == '\u2029' || c == '\v' || c == '\f':
		return size, "\n", true
	case unicode.IsSpace(c) || c == '\u3164' || c == '\u2800':
		return size, " ", true
	case unicode.In(c, unicode.Cc, unicode.Cf, unicode.Variation_Selector):
		return size, "", true
	}
	return 0, "", false
}

// bareWidth gives the length of the word at pos.
func (r *jsonRepair) bareWidth(pos int) int {
	end := pos
	for end < len(r.text) && end-pos < lookAhead && isWordByte(r.text[end]) {
		if size, _, ok := quoteAt(r.text, end); ok && size > 1 {
			break
		}
		end++
	}
	return end - pos
}

func isWordByte(c byte) bool {
	return c > ' ' && c != 0x7f && !strings.ContainsRune("\"',:;={}[]`#", rune(c))
}

// lineEnd gives the end of the line that holds pos, or as far as one may look.
func (r *jsonRepair) lineEnd(pos int) int {
	near := r.text[pos:min(len(r.text), pos+lookAhead)]
	if i := strings.IndexByte(near, '\n'); i >= 0 {
		near = near[:i]
	}
	r.budget -= len(near)
	return pos + len(near)
}

// endsWell tells whether what follows a value or key at pos may follow one.
func (r *jsonRepair) endsWell(pos int) bool {
	for pos < len(r.text) && (r.text[pos] == ' ' || r.text[pos] == '\t') {
		pos++
	}
	if pos >= len(r.text) {
		return true
	}
	switch r.text[pos] {
	case ',', ':', '}', ']', '=', ';', '\n', '\r', '#':
		return true
	case '/':
		return strings.HasPrefix(r.text[pos:], "//") || strings.HasPrefix(r.text[pos:], "/*")
	case '*':
		return strings.HasPrefix(r.text[pos:], "**")
	}
	_, _, invisible := invisibleAt(r.text, pos)
	return invisible
}

// skipBlank gives the offset of the next character that is no blank.
func skipBlank(text string, pos int) int {
	for pos < len(text) && (text[pos] == ' ' || text[pos] == '\t' || text[pos] == '\r' || text[pos] == '\n') {
		pos++
	}
	return pos
}
