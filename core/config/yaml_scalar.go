package config

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func (p *yamlParser) singleQuoted() *yamlNode {
	start := p.at
	p.at++
	var out strings.Builder
	out.WriteString(p.quotedRun("'"))
	for p.at < len(p.text) {
		c := p.peek()
		switch {
		case c == '\'' && strings.HasPrefix(p.text[p.at:], "''"):
			out.WriteByte('\'')
			p.at += 2
		case c == '\'':
			p.at++
			return p.hold(yamlNode{Span: Span{start, p.at}, start: start, style: yamlSingle, kind: String, text: out.String()})
		case blankAt(p.text, p.at):
			p.foldQuoted(start, &out)
		default:
			out.WriteString(p.quotedRun("'"))
		}
	}
	p.fail(start, "the string is not closed: ' is missing")
	return nil
}

func (p *yamlParser) doubleQuoted() *yamlNode {
	start := p.at
	p.at++
	var out strings.Builder
	out.WriteString(p.quotedRun("\"\\"))
	for p.at < len(p.text) {
		c := p.peek()
		switch {
		case c == '"':
			p.at++
			return p.hold(yamlNode{Span: Span{start, p.at}, start: start, style: yamlDouble, kind: String, text: out.String()})
		case c == '\\' && breakSize(p.text, p.at+1) > 0:
			p.at++
			p.newline()
			p.quotedMarker(start)
			p.skipSpace()
		case c == '\\':
			p.escape(&out)
		case blankAt(p.text, p.at):
			p.foldQuoted(start, &out)
		default:
			out.WriteString(p.quotedRun("\"\\"))
		}
	}
	p.fail(start, `the string is not closed: " is missing`)
	return nil
}

// quotedRun passes the bytes of a quoted text that mean themselves.
func (p *yamlParser) quotedRun(special string) string {
	start := p.at
	for p.at < len(p.text) && !blankAt(p.text, p.at) && strings.IndexByte(special, p.text[p.at]) < 0 {
		p.at++
	}
	return p.text[start:p.at]
}

// foldQuoted passes space in a quoted text: as it is within a line, and as one
// space, or one line break less, between lines.
func (p *yamlParser) foldQuoted(open int, out *strings.Builder) {
	start := p.at
	p.skipSpace()
	breaks := 0
	for p.newline() {
		breaks++
		p.quotedMarker(open)
		p.skipSpace()
	}
	switch breaks {
	case 0:
		out.WriteString(p.text[start:p.at])
	case 1:
		out.WriteByte(' ')
	default:
		out.WriteString(strings.Repeat("\n", breaks-1))
	}
}

func (p *yamlParser) quotedMarker(open int) {
	if p.marker("---") || p.marker("...") {
		p.fail(open, "the string is not closed before the document ends")
	}
}

var yamlEscapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r",
	'e': "\x1b", ' ': " ", '"': `"`, '/': "/", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

func (p *yamlParser) escape(out *strings.Builder) {
	start := p.at
	p.at++
	c := p.peek()
	if s, ok := yamlEscapes[c]; ok {
		out.WriteString(s)
		p.at++
		return
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 {
		p.fail(start, `\%s is not an escape: write \\ for a backslash, or use '…'`, firstCharacter(p.text[p.at:]))
	}
	p.at++
	end := min(p.at+digits, len(p.text))
	code, err := strconv.ParseUint(p.text[p.at:end], 16, 32)
	if err != nil || end-p.at != digits || !utf8.ValidRune(rune(code)) {
		p.fail(start, `\%c needs %d hexadecimal digits of a character; write \\ for a backslash, or use '…'`, c, digits)
	}
	p.at = end
	out.WriteRune(rune(code))
}

// blockScalar reads | or > and the lines below it, for a collection at column
// indent. Its range ends with the last line that belongs to it.
func (p *yamlParser) blockScalar(indent int) *yamlNode {
	n := p.hold(yamlNode{Span: Span{Start: p.at}, style: yamlLiteral, kind: String})
	if p.peek() == '>' {
		n.style = yamlFolded
	}
	p.at++
	chomp, depth := p.blockHeader(max(indent, 0))
	n.End = p.at
	p.lineEnd()
	p.newline()
	if depth == 0 {
		depth = p.detectIndent(max(indent+1, 1))
	}
	var out strings.Builder
	lineBreak, blank := "", 0 // what parts the last line from the next
	wasIndented := false
	for {
		rows, ended := p.blankRows(depth)
		blank += rows
		if ended {
			break
		}
		isIndented := p.peek() == ' ' || p.peek() == '\t'
		switch {
		case lineBreak == "" || n.style == yamlLiteral || wasIndented || isIndented:
			out.WriteString(lineBreak)
		case blank == 0:
			out.WriteByte(' ')
		}
		out.WriteString(strings.Repeat("\n", blank))
		start := p.at
		p.skipLine()
		out.WriteString(p.text[start:p.at])
		n.End = p.at
		lineBreak, blank, wasIndented = "", 0, isIndented
		if !p.newline() {
			break // the text ends without a line break
		}
		lineBreak = "\n"
	}
	if chomp != '-' {
		out.WriteString(lineBreak)
	}
	if chomp == '+' {
		out.WriteString(strings.Repeat("\n", blank))
		n.End = max(n.End, p.line)
	}
	n.text = out.String()
	return n
}

// blockHeader reads the indicators after | or >: how to treat the last line
// break, and the depth of the text, 0 where it is to be seen from the text.
func (p *yamlParser) blockHeader(indent int) (chomp byte, depth int) {
	for {
		switch c := p.peek(); {
		case (c == '+' || c == '-') && chomp == 0:
			chomp = c
		case c >= '1' && c <= '9' && depth == 0:
			depth = indent + int(c-'0')
		default:
			return chomp, depth
		}
		p.at++
	}
}

// detectIndent gives the indentation of the first line that has text, or of an
// emptier one before it that has more.
func (p *yamlParser) detectIndent(least int) int {
	widest := 0
	for at := p.at; at < len(p.text); {
		start := at
		for at < len(p.text) && p.text[at] == ' ' {
			at++
		}
		widest = max(widest, at-start)
		size := breakSize(p.text, at)
		if size == 0 {
			break
		}
		at += size
	}
	return max(widest, least)
}

// blankRows passes empty lines and the indentation of the next line that has
// text, and reports whether the text ends instead.
func (p *yamlParser) blankRows(depth int) (rows int, ended bool) {
	for {
		for p.column() < depth && p.peek() == ' ' {
			p.at++
		}
		if p.newline() {
			rows++
			continue
		}
		if p.at >= len(p.text) {
			return rows, true
		}
		if p.column() < depth {
			p.at = p.line
			return rows, true
		}
		return rows, false
	}
}

// resolveTag lets a tag override what the spelling says.
func (y *yamlNode) resolveTag() {
	switch y.tag {
	case "":
		return
	case "!!null":
		y.kind = Null
		return
	case "!!bool", "!!int", "!!float":
		if kind, text := resolveYAML(y.text); y.style != yamlPlain && kind == Bool || kind == Number {
			y.kind, y.text = kind, text
		}
		return
	}
	y.kind = String
	if y.style == yamlPlain {
		y.text = y.plain
	}
}

// resolveYAML tells what plain text means, and gives numbers as JSON has them.
func resolveYAML(text string) (Kind, string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null, text
	case "true", "True", "TRUE":
		return Bool, "true"
	case "false", "False", "FALSE":
		return Bool, "false"
	}
	if c := text[0]; !isDigit(c) && c != '-' && c != '+' && c != '.' {
		return String, text
	}
	if number, ok := yamlNumber(text); ok {
		return Number, number
	}
	return String, text
}

// yamlNumber gives the decimal form of a number. Underscores count for nothing
// in one, unless a point comes first, as yaml.v3 has it.
func yamlNumber(text string) (string, bool) {
	if text[0] == '.' && strings.Contains(text, "_") {
		return "", false
	}
	plain := strings.ReplaceAll(text, "_", "")
	sign := ""
	unsigned := strings.TrimPrefix(plain, "+")
	if rest, ok := strings.CutPrefix(plain, "-"); ok {
		sign, unsigned = "-", rest
	}
	if strings.HasPrefix(strings.TrimLeft(text, "+-"), "._") || unsigned == "" || !isDigit(unsigned[0]) && unsigned[0] != '.' {
		return "", false
	}
	for prefix, base := range map[string]int{"0x": 16, "0o": 8, "0b": 2} {
		if digits, ok := strings.CutPrefix(unsigned, prefix); ok {
			if digits == "" || !isHex(digits[0]) {
				return "", false
			}
			n, err := strconv.ParseUint(digits, base, 64)
			if err != nil {
				return "", false
			}
			return sign + strconv.FormatUint(n, 10), true
		}
	}
	whole, rest := leadingDigits(unsigned)
	number := strings.TrimLeft(whole, "0")
	if number == "" {
		number = "0"
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		var fraction string
		fraction, rest = leadingDigits(after)
		if whole == "" && fraction == "" {
			return "", false
		}
		if fraction == "" {
			fraction = "0"
		}
		number += "." + fraction
	}
	number += rest
	if !isDecimal(number) {
		return "", false
	}
	if _, err := strconv.ParseFloat(number, 64); err != nil {
		return "", false // 9e999
	}
	return sign + number, true
}
