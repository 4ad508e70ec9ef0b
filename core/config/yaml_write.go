package config

import (
	"fmt"
	"strings"
	"unicode"
)

// writeYAML writes a value as a YAML document in block style.
func writeYAML(root *Node) string {
	text := defaultYAMLHabit.block(root, -2, yamlAfterColon)
	return strings.TrimLeft(text, " \n") + "\n"
}

// yamlHabit is how a file writes its collections and strings.
type yamlHabit struct {
	step    int    // columns by which a mapping is indented below its key
	dash    int    // the same for a list: 0 where the dash stands below the key's first letter
	newline string //
	quote   byte   // for strings that need quotes, and 0 to leave the others plain
	always  bool   // quotes around every string
	flat    bool   // no | blocks, because a comment stands behind the value
}

var defaultYAMLHabit = yamlHabit{step: 2, dash: 2, newline: "\n", quote: '"'}

// block writes what follows the colon of a key, or the dash of a list, that
// stands at a column: a space and a scalar, or the lines of a collection.
func (h yamlHabit) block(n *Node, column int, place yamlPlace) string {
	switch {
	case n.Kind == Object && len(n.Members) > 0:
		lines := h.lines(column+h.step, column, place)
		for _, m := range n.Members {
			lines.add(h.key(m.Name) + ":" + h.block(m.Value, lines.column, yamlAfterColon))
		}
		return lines.String()
	case n.Kind == Array && len(n.Elements) > 0:
		lines := h.lines(max(column+h.dash, 0), column, place)
		for _, e := range n.Elements {
			lines.add("-" + h.block(e, lines.column, yamlCompact))
		}
		return lines.String()
	case n.Kind == String && strings.Contains(n.Text, "\n") && !h.flat:
		if literal, ok := h.literal(n.Text, column+2); ok {
			return " " + literal
		}
	}
	return " " + h.inline(n, yamlBlock)
}

// yamlLines are the entries of a collection, one below the other.
type yamlLines struct {
	strings.Builder
	column int
	lead   string // before the entry that comes next
	margin string // before all but the first
}

// lines begins a collection: below a key at a column of its own, behind a dash
// on the dash's line.
func (h yamlHabit) lines(belowKey, dash int, place yamlPlace) *yamlLines {
	l := &yamlLines{column: belowKey}
	if place == yamlCompact {
		l.column = dash + 2
	}
	l.margin = h.newline + strings.Repeat(" ", max(l.column, 0))
	l.lead = l.margin
	if place == yamlCompact {
		l.lead = " "
	}
	return l
}

func (l *yamlLines) add(entry string) {
	l.WriteString(l.lead + entry)
	l.lead = l.margin
}

// literal writes text of several lines below a |, if that can hold it.
func (h yamlHabit) literal(text string, column int) (string, bool) {
	body := strings.TrimSuffix(text, "\n")
	head := "|"
	if body == text {
		head = "|-"
	}
	if strings.HasSuffix(body, "\n") || strings.HasPrefix(body, "\n") || strings.HasPrefix(body, " ") || strings.HasPrefix(body, "\t") || body == "" {
		return "", false
	}
	indent := strings.Repeat(" ", max(column, 2))
	var out strings.Builder
	out.WriteString(head)
	for line := range strings.SplitSeq(body, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }) {
			return "", false
		}
		out.WriteString(h.newline)
		if line != "" {
			out.WriteString(indent + line)
		}
	}
	return out.String(), true
}

// inline writes a value on one line, in a block or in brackets, where plain text
// cannot hold as much.
func (h yamlHabit) inline(n *Node, around yamlStyle) string {
	var parts []string
	switch n.Kind {
	case Null:
		return "null"
	case String:
		return h.text(n.Text, around)
	case Number:
		return fmt.Sprint(plainNumber(n.Text))
	case Array:
		for _, e := range n.Elements {
			parts = append(parts, h.inline(e, yamlFlow))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Object:
		for _, m := range n.Members {
			parts = append(parts, h.flowKey(m.Name)+": "+h.inline(m.Value, yamlFlow))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return n.Text
}

func (h yamlHabit) key(name string) string {
	if isYAMLPlain(name, yamlBlock) && len(name) < 128 {
		return name
	}
	return h.quoted(name)
}

func (h yamlHabit) flowKey(name string) string {
	if isYAMLPlain(name, yamlFlow) {
		return name
	}
	return h.quoted(name)
}

func (h yamlHabit) text(text string, around yamlStyle) string {
	if !h.always && isYAMLPlain(text, around) {
		return text
	}
	return h.quoted(text)
}

// quoted prefers the file's quotes, and single ones where they spare escapes.
func (h yamlHabit) quoted(text string) string {
	double := yamlDoubleText(text)
	plain := !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
	if plain && (h.quote == '\'' || len(double) > len(text)+2 && !strings.Contains(text, "'")) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return double
}

func yamlDoubleText(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case r == '\r':
			out.WriteString(`\r`)
		case unicode.IsPrint(r):
			out.WriteRune(r)
		case r > 0xffff:
			out.WriteString(`\U` + fmt.Sprintf("%08X", r))
		default:
			out.WriteString(`\u` + fmt.Sprintf("%04X", r))
		}
	}
	out.WriteByte('"')
	return out.String()
}

// yamlOldWords mean something else to a YAML 1.1 parser.
var yamlOldWords = map[string]bool{"y": true, "n": true, "yes": true, "no": true, "on": true, "off": true, "<<": true, "=": true}

// isYAMLPlain reports whether text without quotes is read as that text in a
// block or in brackets, by parsers of YAML 1.1 and 1.2 alike.
func isYAMLPlain(text string, around yamlStyle) bool {
	if text == "" || yamlOldWords[strings.ToLower(text)] || isTimestamp(text) ||
		strings.HasPrefix(text, "---") || strings.HasPrefix(text, "...") {
		return false
	}
	if strings.TrimSpace(text) != text || strings.Contains(text, ": ") || strings.Contains(text, " #") || strings.HasSuffix(text, ":") {
		return false
	}
	if around == yamlFlow && (strings.ContainsAny(text, ",[]{}") || text == "-") {
		return false
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.IndexByte(",[]{}#&*!|>'\"%@`", text[0]) >= 0 {
		return false
	}
	if strings.IndexByte("-?:", text[0]) >= 0 && (len(text) == 1 || text[1] == ' ') {
		return false
	}
	kind, _ := resolveYAML(text)
	return kind == String && !looksNumeric(text)
}

// isTimestamp reports whether text begins as a YAML 1.1 date does.
func isTimestamp(text string) bool {
	return len(text) >= 8 && matchesDigits(text[:5], "dddd-")
}

// looksNumeric catches what only older parsers take for a number, such as
// 12:30:45, .inf and 0o8.
func looksNumeric(text string) bool {
	rest := strings.TrimLeft(text, "+-")
	return rest != "" && (isDigit(rest[0]) && strings.Trim(rest, "0123456789:_.") == "" && !strings.Contains(rest, "..") && strings.Count(rest, ".") <= 1 ||
		strings.EqualFold(rest, ".inf") || strings.EqualFold(rest, ".nan"))
}
