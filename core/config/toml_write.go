package config

import (
	"fmt"
	"strings"
)

// writeTOML writes an object as a TOML document: plain values first, then a
// section for each table. TOML has no null: members that are null are left
// out, as are null elements of arrays.
func writeTOML(root *Node) string {
	var out strings.Builder
	writeTOMLTable(&out, nil, root)
	return out.String()
}

func writeTOMLTable(out *strings.Builder, path []string, table *Node) {
	for _, m := range table.Members {
		if m.Value.Kind != Null && !isTOMLSection(m.Value) {
			fmt.Fprintf(out, "%s = %s\n", tomlKeyText(m.Name), tomlInline(m.Value))
		}
	}
	for _, m := range table.Members {
		if !isTOMLSection(m.Value) {
			continue
		}
		inner := append(path[:len(path):len(path)], m.Name)
		if m.Value.Kind == Object {
			if !isTOMLImplied(m.Value) {
				writeTOMLHeader(out, "["+tomlPath(inner)+"]\n")
			}
			writeTOMLTable(out, inner, m.Value)
			continue
		}
		for _, e := range m.Value.Elements {
			writeTOMLHeader(out, "[["+tomlPath(inner)+"]]\n")
			writeTOMLTable(out, inner, e)
		}
	}
}

func writeTOMLHeader(out *strings.Builder, header string) {
	if out.Len() > 0 {
		out.WriteByte('\n')
	}
	out.WriteString(header)
}

// isTOMLSection reports whether a value gets a header of its own.
func isTOMLSection(n *Node) bool {
	if n.Kind != Array {
		return n.Kind == Object
	}
	for _, e := range n.Elements {
		if e.Kind != Object {
			return false
		}
	}
	return len(n.Elements) > 0
}

// isTOMLImplied reports whether the headers of its tables say that it exists.
func isTOMLImplied(n *Node) bool {
	for _, m := range n.Members {
		if !isTOMLSection(m.Value) {
			return false
		}
	}
	return len(n.Members) > 0
}

func tomlPath(names []string) string {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = tomlKeyText(name)
	}
	return strings.Join(keys, ".")
}

// tomlKeyText writes a key, in quotes only where it needs them.
func tomlKeyText(name string) string {
	for i := range len(name) {
		if !isTOMLBare(name[i]) {
			return tomlBasic(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// tomlInline writes a value on one line.
func tomlInline(n *Node) string {
	var parts []string
	switch n.Kind {
	case String:
		return tomlString(n.Text)
	case Number:
		return tomlNumberText(n.Text)
	case Array:
		for _, e := range n.Elements {
			if e.Kind != Null {
				parts = append(parts, tomlInline(e))
			}
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Object:
		for _, m := range n.Members {
			if m.Value.Kind != Null {
				parts = append(parts, tomlKeyText(m.Name)+" = "+tomlInline(m.Value))
			}
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return n.Text
}

// tomlNumberText writes a number of JSON or YAML. TOML's integers have 64
// bits, so a longer one becomes a float.
func tomlNumberText(text string) string {
	if _, ok := tomlNumber(text); ok {
		return text
	}
	text = fmt.Sprint(plainNumber(text))
	if _, ok := tomlNumber(text); !ok {
		return text + ".0"
	}
	return text
}

// tomlString takes the literal form where that spares escapes, as for a
// Windows path.
func tomlString(text string) string {
	basic := tomlBasic(text)
	if len(basic) == len(text)+2 || strings.ContainsRune(text, '\'') {
		return basic
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] == 0x7f {
			return basic
		}
	}
	return "'" + text + "'"
}

func tomlBasic(text string) string {
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
		case r < ' ' || r == 0x7f:
			out.WriteString(`\u` + fmt.Sprintf("%04X", r))
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
