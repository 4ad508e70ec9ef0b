package config

import (
	"encoding/json"
	"strings"
)

// writeJSON writes a value the way people lay out these files: two spaces, and
// a list of plain values on one line while it fits.
func writeJSON(root *Node) string {
	var out strings.Builder
	writeJSONValue(&out, root, "\n")
	out.WriteByte('\n')
	return out.String()
}

const jsonLine = 100 // characters that a list may have on its line

func writeJSONValue(out *strings.Builder, n *Node, newline string) {
	inner := newline + "  "
	switch {
	case n.Kind == String:
		out.WriteString(jsonText(n.Text))
	case n.Kind == Null:
		out.WriteString("null")
	case n.Kind == Object && len(n.Members) > 0:
		out.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(inner + jsonText(m.Name) + ": ")
			writeJSONValue(out, m.Value, inner)
		}
		out.WriteString(newline + "}")
	case n.Kind == Object:
		out.WriteString("{}")
	case n.Kind == Array:
		writeJSONList(out, n, newline)
	default:
		out.WriteString(n.Text)
	}
}

func writeJSONList(out *strings.Builder, n *Node, newline string) {
	var line strings.Builder
	flat := true
	for i, e := range n.Elements {
		if flat = flat && e.Kind != Object && e.Kind != Array; !flat {
			break
		}
		if i > 0 {
			line.WriteString(", ")
		}
		writeJSONValue(&line, e, "")
	}
	if flat && line.Len() <= jsonLine {
		out.WriteString("[" + line.String() + "]")
		return
	}
	out.WriteByte('[')
	for i, e := range n.Elements {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(newline + "  ")
		writeJSONValue(out, e, newline+"  ")
	}
	out.WriteString(newline + "]")
}

// jsonText quotes a string, leaving <, > and & as they are.
func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string cannot fail
	}
	return strings.TrimSuffix(b.String(), "\n")
}
