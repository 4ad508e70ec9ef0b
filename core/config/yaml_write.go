package config

import (
	"fmt"
	"strings"
	"unicode"
)

// writeYAML writes a value as a YAML document in block style.
func writeYAML(root *Node) string {
	text := defaultYAMLHabit.block(root, -2, false)
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
func (h yamlHabit) block(n *Node, column int, afterDash bool) string {
	switch {
	case n.Kind == Object && len(n.Members) > 0:
		inner := column + h.step
		if afterDash {
			inner = column + 2
		}
		var out strings.Builder
		for i, m := range n.Members {
			h.lead(&out, inner, afterDash && i == 0)
			out.WriteString(h.key(m.Name) + ":" + h.block(m.Value, inner, false))
		}
		return out.String()
	case n.Kind == Array && len(n.Elements) > 0:
		inner := max(column+h.dash, 0)
		if afterDash {
			inner = column + 2
		}
		var out strings.Builder
		for i, e := range n.Elements {
			h.lead(&out, inner, afterDash && i == 0)
			out.WriteString("-" + h.block(e, inner, true))
		}
		return out.String()
	case n.Kind == String && strings.Contains(n.Text, "\n") && !h.flat:
		if literal, ok := h.literal(n.Text, column+2); ok {
			return " " + literal
		}
	}
	return " " + h.inline(n, false)
}

// lead begins an entry: behind the dash on the same line, or on its own.
func (h yamlHabit) lead(out *strings.Builder, column int, sameLine bool) {
	if sameLine {
		out.WriteByte(' ')
		return
	}
	out.WriteString(h.newline + strings.Repeat(" ", max(column, 0)))
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

// inline writes a value on one line. Inside brackets plain text cannot hold
// as much as outside.
func (h yamlHabit) inline(n *Node, flow bool) string {
	var parts []string
	switch n.Kind {
	case Null:
		return "null"
	case String:
		return h.text(n.Text, flow)
	case Number:
		return fmt.Sprint(plainNumber(n.Text))
	case Array:
		for _, e := range n.Elements {
			parts = append(parts, h.inline(e, true))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Object:
		for _, m := range n.Members {
			parts = append(parts, h.flowKey(m.Name)+": "+h.inline(m.Value, true))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return n.Text
}

func (h yamlHabit) key(name string) string {
	if isYAMLPlain(name, false) && len(name) < 128 {
		return name
	}
	return h.quoted(name)
}

func (h yamlHabit) flowKey(name string) string {
	if isYAMLPlain(name, true) {
		return name
	}
	return h.quoted(name)
}

func (h yamlHabit) text(text string, flow bool) string {
	if !h.always && isYAMLPlain(text, flow) {
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

// isYAMLPlain reports whether text without quotes is read as that text, by
// parsers of YAML 1.1 and 1.2 alike.
func isYAMLPlain(text string, flow bool) bool {
	if text == "" || yamlOldWords[strings.ToLower(text)] || isTimestamp(text) ||
		strings.HasPrefix(text, "---") || strings.HasPrefix(text, "...") {
		return false
	}
	if strings.TrimSpace(text) != text || strings.Contains(text, ": ") || strings.Contains(text, " #") || strings.HasSuffix(text, ":") {
		return false
	}
	if flow && strings.ContainsAny(text, ",[]{}") || flow && strings.HasPrefix(text, "-") && len(text) == 1 {
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
