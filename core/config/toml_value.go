package config

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value reads any TOML value.
func (s *tomlScanner) value() *Node {
	start := s.at
	rest := s.text[s.at:]
	switch {
	case strings.HasPrefix(rest, `"""`):
		text := s.multilineString('"')
		return &Node{Kind: String, Span: Span{start, s.at}, Text: text}
	case strings.HasPrefix(rest, "'''"):
		text := s.multilineString('\'')
		return &Node{Kind: String, Span: Span{start, s.at}, Text: text}
	case s.peek() == '"':
		text := s.basicString()
		return &Node{Kind: String, Span: Span{start, s.at}, Text: text}
	case s.peek() == '\'':
		text := s.literalString()
		return &Node{Kind: String, Span: Span{start, s.at}, Text: text}
	case s.peek() == '[':
		return s.array()
	case s.peek() == '{':
		return s.inlineTable()
	}
	for s.at < len(s.text) && !strings.ContainsRune(" \t\r\n,]}#=\"'[{", rune(s.peek())) {
		s.at++
	}
	// A date and its time may be parted by a space.
	if isTOMLDate(s.text[start:s.at]) && s.peek() == ' ' && s.at+1 < len(s.text) && isDigit(s.text[s.at+1]) {
		for s.at++; s.at < len(s.text) && strings.ContainsRune("0123456789:.+-Zz", rune(s.peek())); s.at++ {
		}
	}
	word := s.text[start:s.at]
	kind, text, ok := tomlScalar(word)
	switch {
	case ok:
		return &Node{Kind: kind, Span: Span{start, s.at}, Text: text}
	case word == "":
		s.fail(start, "expected a value, found %s", found(s.text, start))
	default:
		s.fail(start, "%s is not a TOML value: text needs quotes", quoted(word))
	}
	return nil
}

func (s *tomlScanner) enter(open int) {
	if s.depth++; s.depth > MaxDepth {
		s.fail(open, "nested deeper than %d levels", MaxDepth)
	}
}

func (s *tomlScanner) array() *Node {
	n := &Node{Kind: Array, Span: Span{Start: s.at}}
	s.enter(s.at)
	s.at++
	for {
		s.skipBlank()
		if s.peek() == ']' {
			break
		}
		n.Elements = append(n.Elements, s.value())
		s.skipBlank()
		if s.peek() == ',' {
			s.at++
		} else if s.peek() != ']' {
			s.fail(s.at, "expected , or ] in the array, found %s", found(s.text, s.at))
		}
	}
	s.at++
	s.depth--
	n.End = s.at
	return n
}

func (s *tomlScanner) inlineTable() *Node {
	start := s.at
	s.enter(start)
	s.at++
	var pairs []tomlStatement
	s.skipSpace()
	for s.peek() != '}' {
		pair := s.at
		keys := s.dottedKey()
		s.skipSpace()
		if s.peek() != '=' {
			s.fail(s.at, "expected = after the key, found %s", found(s.text, s.at))
		}
		s.at++
		s.skipSpace()
		value := s.value()
		pairs = append(pairs, tomlStatement{Span{pair, s.at}, keys, tomlPair, value})
		s.skipSpace()
		if s.peek() == ',' {
			s.at++
			if s.skipSpace(); s.peek() == '}' {
				s.fail(s.at, "an inline table ends without a comma in TOML 1.0")
			}
		} else if s.peek() != '}' {
			s.fail(s.at, "expected , or } in the inline table, found %s", found(s.text, s.at))
		}
	}
	s.at++
	s.depth--
	n := buildTOML(pairs, false).root
	n.Span = Span{start, s.at}
	return n
}

func (s *tomlScanner) literalString() string {
	start := s.at
	s.at++
	for s.at < len(s.text) && s.peek() != '\'' {
		if s.peek() == '\n' || s.peek() == '\r' {
			break
		}
		s.character("a string")
	}
	if s.peek() != '\'' {
		s.fail(start, "the string is not closed: ' is missing")
	}
	s.at++
	return s.text[start+1 : s.at-1]
}

func (s *tomlScanner) basicString() string {
	start := s.at
	s.at++
	for s.at < len(s.text) && s.text[s.at] != '"' && s.text[s.at] != '\\' && s.text[s.at] >= ' ' && s.text[s.at] < 0x7f {
		s.at++
	}
	if s.peek() == '"' { // most strings have nothing to decode
		s.at++
		return s.text[start+1 : s.at-1]
	}
	var out strings.Builder
	out.WriteString(s.text[start+1 : s.at])
	for s.at < len(s.text) {
		switch c := s.peek(); c {
		case '"':
			s.at++
			return out.String()
		case '\\':
			s.escape(&out)
			continue
		case '\n', '\r':
			s.fail(start, `the string is not closed: " is missing`)
		}
		from := s.at
		s.character("a string")
		out.WriteString(s.text[from:s.at])
	}
	s.fail(start, `the string is not closed: " is missing`)
	return ""
}

// multilineString reads a string between three quotes of either kind.
func (s *tomlScanner) multilineString(quote byte) string {
	start := s.at
	s.at += 3
	s.newline()
	var out strings.Builder
	for s.at < len(s.text) {
		switch c := s.peek(); {
		case c == quote:
			run := len(s.text[s.at:]) - len(strings.TrimLeft(s.text[s.at:], string(quote)))
			if run < 3 {
				out.WriteString(s.text[s.at : s.at+run])
				s.at += run
				continue
			}
			run = min(run, 5) // up to two quotes may stand before the closing three
			out.WriteString(s.text[s.at : s.at+run-3])
			s.at += run
			return out.String()
		case c == '\\' && quote == '"':
			if !s.lineContinuation() {
				s.escape(&out)
			}
			continue
		}
		from := s.at
		if !s.newline() {
			s.character("a string")
		}
		out.WriteString(s.text[from:s.at])
	}
	s.fail(start, "the string is not closed: %s is missing", strings.Repeat(string(quote), 3))
	return ""
}

// lineContinuation passes a backslash at the end of a line together with the
// space and the line ends that follow it.
func (s *tomlScanner) lineContinuation() bool {
	back := s.at
	s.at++
	s.skipSpace()
	if !s.newline() {
		s.at = back
		return false
	}
	for {
		s.skipSpace()
		if !s.newline() {
			return true
		}
	}
}

var tomlEscapes = map[byte]rune{'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r', '"': '"', '\\': '\\'}

func (s *tomlScanner) escape(out *strings.Builder) {
	start := s.at
	s.at++
	c := s.peek()
	if r, ok := tomlEscapes[c]; ok {
		s.at++
		out.WriteRune(r)
		return
	}
	digits := map[byte]int{'u': 4, 'U': 8}[c]
	if digits == 0 {
		s.fail(start, `\%s is not an escape: write \\ for a backslash, or use '…'`, firstCharacter(s.text[s.at:]))
	}
	s.at++
	end := min(s.at+digits, len(s.text))
	code, err := strconv.ParseUint(s.text[s.at:end], 16, 32)
	if err != nil || end-s.at != digits || !utf8.ValidRune(rune(code)) {
		s.fail(start, `\%c needs %d hexadecimal digits of a character; write \\ for a backslash, or use '…'`, c, digits)
	}
	s.at = end
	out.WriteRune(rune(code))
}

// tomlScalar tells what a bare word means and gives it as plain data would.
func tomlScalar(word string) (Kind, string, bool) {
	switch word {
	case "true", "false":
		return Bool, word, true
	case "inf", "+inf", "-inf", "nan", "+nan", "-nan":
		return String, word, true
	}
	if isTOMLDate(word) || isTOMLTime(word) || isTOMLDateTime(word) {
		return String, word, true
	}
	text, ok := tomlNumber(word)
	return Number, text, ok
}

// tomlNumber gives the decimal form of a number, without underscores.
func tomlNumber(word string) (string, bool) {
	for _, radix := range []struct {
		prefix, digits string
		base           int
	}{{"0x", "0123456789abcdefABCDEF", 16}, {"0o", "01234567", 8}, {"0b", "01", 2}} {
		if rest, ok := strings.CutPrefix(word, radix.prefix); ok {
			digits, ok := joinDigits(rest, radix.digits)
			if !ok || digits == "" || strings.Trim(digits, radix.digits) != "" {
				return "", false
			}
			n, err := strconv.ParseInt(digits, radix.base, 64)
			return strconv.FormatInt(n, 10), err == nil
		}
	}
	plain, ok := joinDigits(word, "0123456789")
	if !ok {
		return "", false
	}
	unsigned := strings.TrimLeft(plain, "+-")
	if len(plain)-len(unsigned) > 1 || !isDecimal(unsigned) {
		return "", false
	}
	if !strings.ContainsAny(unsigned, ".eE") {
		if _, err := strconv.ParseInt(plain, 10, 64); err != nil {
			return "", false
		}
	} else if _, err := strconv.ParseFloat(plain, 64); err != nil {
		return "", false // 9e999
	}
	return strings.TrimPrefix(plain, "+"), true
}

// joinDigits takes the underscores out, each of which must stand between two
// digits.
func joinDigits(word, digits string) (string, bool) {
	for i, c := range []byte(word) {
		if c == '_' && (i == 0 || i == len(word)-1 || strings.IndexByte(digits, word[i-1]) < 0 || strings.IndexByte(digits, word[i+1]) < 0) {
			return "", false
		}
	}
	return strings.ReplaceAll(word, "_", ""), true
}

// isDecimal reports whether text is an unsigned number as JSON and TOML have
// it: no zero in front, digits on both sides of a point.
func isDecimal(text string) bool {
	whole, rest := leadingDigits(text)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		var fraction string
		if fraction, rest = leadingDigits(after); fraction == "" {
			return false
		}
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if rest != "" && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		var exponent string
		if exponent, rest = leadingDigits(rest); exponent == "" {
			return false
		}
	}
	return rest == ""
}

func leadingDigits(text string) (digits, rest string) {
	i := 0
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return text[:i], text[i:]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// matchesDigits reports whether text has the shape of the pattern, where d is
// a digit and everything else itself.
func matchesDigits(text, pattern string) bool {
	if len(text) != len(pattern) {
		return false
	}
	for i := range len(text) {
		if pattern[i] == 'd' && !isDigit(text[i]) || pattern[i] != 'd' && pattern[i] != text[i] {
			return false
		}
	}
	return true
}

func isTOMLDate(text string) bool {
	if !matchesDigits(text, "dddd-dd-dd") {
		return false
	}
	year, _ := strconv.Atoi(text[:4])
	month, _ := strconv.Atoi(text[5:7])
	day, _ := strconv.Atoi(text[8:])
	return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

func daysIn(year, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

func isTOMLTime(text string) bool {
	if len(text) < 8 || !matchesDigits(text[:8], "dd:dd:dd") || text[:2] > "23" || text[3:5] > "59" || text[6:8] > "60" {
		return false
	}
	fraction, dotted := strings.CutPrefix(text[8:], ".")
	digits, rest := leadingDigits(fraction)
	return rest == "" && dotted == (digits != "")
}

func isTOMLDateTime(text string) bool {
	if len(text) < 19 || !isTOMLDate(text[:10]) || !strings.ContainsRune("Tt ", rune(text[10])) {
		return false
	}
	clock := text[11:]
	if at := strings.IndexAny(clock, "Zz+-"); at >= 0 {
		zone := clock[at:]
		clock = clock[:at]
		if len(zone) > 1 && (!matchesDigits(zone[1:], "dd:dd") || zone[0] == 'Z' || zone[0] == 'z' || zone[1:3] > "23" || zone[4:] > "59") ||
			len(zone) == 1 && (zone[0] == '+' || zone[0] == '-') {
			return false
		}
	}
	return isTOMLTime(clock)
}

// found names what stands at an offset, for a message.
func found(text string, at int) string {
	switch {
	case at >= len(text):
		return "the end of the text"
	case text[at] == '\n' || text[at] == '\r':
		return "the end of the line"
	}
	return quoted(firstCharacter(text[at:]))
}

// quoted shows a piece of the text in a message, cut where it is long.
func quoted(text string) string {
	const most = 40
	if len(text) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return fmt.Sprintf("%q", text)
}

func firstCharacter(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return text[:size]
}

// characterSize gives the length of the character at an offset and refuses
// bytes that are no UTF-8.
func characterSize(text string, at int) int {
	r, size := utf8.DecodeRuneInString(text[at:])
	if r == utf8.RuneError && size == 1 {
		panic(&SyntaxError{Offset: at, Msg: fmt.Sprintf("the byte 0x%02x is not UTF-8", text[at])})
	}
	return size
}
