package config

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// changeJSON computes the edits of one change.
func changeJSON(text string, root *Node, c change) ([]Edit, error) {
	w := jsonHabits(text, root)
	if len(c.Names) == 0 {
		return []Edit{{Start: root.Start, End: root.End, Insert: w.written(c, 0)}}, nil
	}
	last := c.Names[len(c.Names)-1]
	parent := root.At(Pointer(c.Names[:len(c.Names)-1]...))
	if parent == nil {
		return nil, fmt.Errorf("there is no object or array to hold %q", last)
	}
	list, place := entriesOf(parent), -1
	switch {
	case parent.Kind == Object:
		place = parent.index(last)
	case parent.Kind != Array:
		return nil, fmt.Errorf("%q would be inside a value that holds nothing", last)
	case last == "-":
		place = len(list)
	default:
		i, ok := arrayIndex(last)
		if !ok || i > len(list) || i == len(list) && c.Op != "add" {
			return nil, fmt.Errorf("%q is not a place in an array of %d", last, len(list))
		}
		place = i
	}
	switch {
	case c.Op == "rename":
		key := parent.Members[place].Key
		return []Edit{{Start: key.Start, End: key.End, Insert: string(hujson.String(c.To))}}, nil
	case c.Op == "remove":
		return w.remove(parent, list, place), nil
	case c.Op == "replace" || parent.Kind == Object && place >= 0:
		value := list[place].value
		return []Edit{{Start: value.Start, End: value.End, Insert: w.written(c, w.indentAt(list[place].start))}}, nil
	case parent.Kind == Object:
		place = len(list)
	}
	return w.insert(parent, list, place, c, last), nil
}

// entry is a member or an element with its place in the text.
type entry struct {
	start int // of the key, or of the element
	value *Node
}

func entriesOf(n *Node) []entry {
	list := make([]entry, 0, len(n.Members)+len(n.Elements))
	for _, m := range n.Members {
		list = append(list, entry{m.Key.Start, m.Value})
	}
	for _, e := range n.Elements {
		list = append(list, entry{e.Start, e})
	}
	return list
}

// jsonWriter writes new JSON the way the text around it is written.
type jsonWriter struct {
	text       string
	newline    string
	unit       string // one step of indentation
	colon      string // ": " or ":"
	inline     bool   // the whole document stands on one line
	listInline bool   // arrays of plain values stand on one line
}

func jsonHabits(text string, root *Node) *jsonWriter {
	w := &jsonWriter{text: text, newline: newlineOf(text), unit: "  ", colon: ": ", listInline: true}
	w.inline = !strings.Contains(text[root.Start:root.End], "\n") && len(entriesOf(root)) > 0
	if w.inline && strings.Contains(text, `":`) && !strings.Contains(text, `": `) {
		w.colon = ":"
	}
	list, unit := false, false
	var look func(n *Node)
	look = func(n *Node) {
		entries := entriesOf(n)
		if len(entries) > 0 && !unit && w.ownLine(entries[0].start) {
			outer, inner := w.indentAt(n.Start), w.indentAt(entries[0].start)
			if inner > outer {
				at := w.lineStart(entries[0].start)
				w.unit, unit = text[at+outer:at+inner], true
			}
		}
		if n.Kind == Array && len(entries) > 0 && !list && n.Elements[0].Kind < Array {
			w.listInline, list = !w.ownLine(entries[0].start), true
		}
		for _, e := range entries {
			if unit && list {
				return
			}
			look(e.value)
		}
	}
	look(root)
	return w
}

func (w *jsonWriter) lineStart(pos int) int { return strings.LastIndexByte(w.text[:pos], '\n') + 1 }

// ownLine tells whether pos is the first character of its line, not counting
// the first line of the text.
func (w *jsonWriter) ownLine(pos int) bool {
	start := w.lineStart(pos)
	return start > 0 && strings.Trim(w.text[start:pos], " \t") == ""
}

// indentAt gives the width of the indentation of the line that holds pos.
func (w *jsonWriter) indentAt(pos int) int {
	start := w.lineStart(pos)
	return len(w.text[start:pos]) - len(strings.TrimLeft(w.text[start:pos], " \t"))
}

// margin gives the indentation of the line that holds pos.
func (w *jsonWriter) margin(pos int) string {
	start := w.lineStart(pos)
	return w.text[start : start+w.indentAt(pos)]
}

// written is the value of a change as it is to stand in the text; indent is
// the width of the line it begins on. What comes from the document itself
// keeps its comments and layout.
func (w *jsonWriter) written(c change, indent int) string {
	return w.value(c.Value, c.Source, w.marginOf(indent), c.Own)
}

// marginOf makes an indentation of the given width in the style of the text.
func (w *jsonWriter) marginOf(width int) string {
	if strings.HasPrefix(w.unit, "\t") {
		return strings.Repeat("\t", width)
	}
	return strings.Repeat(" ", width)
}

func (w *jsonWriter) value(n *Node, source, margin string, own bool) string {
	raw := source[n.Start:n.End]
	entries := entriesOf(n)
	switch {
	case n.Kind != Object && n.Kind != Array:
		return raw
	case len(entries) == 0 && !own:
		return raw[:1] + raw[len(raw)-1:]
	case own:
		return w.reindented(raw, source, n.Start, margin)
	}
	inline := w.inline
	if n.Kind == Array && w.listInline {
		plain := true
		for _, e := range n.Elements {
			plain = plain && e.Kind < Array
		}
		inline = inline || plain
	}
	var out strings.Builder
	out.WriteByte(raw[0])
	inner := margin + w.unit
	for i, e := range entries {
		if i > 0 {
			out.WriteByte(',')
		}
		if !inline {
			out.WriteString(w.newline + inner)
		} else if i > 0 && w.colon != ":" {
			out.WriteByte(' ')
		}
		if n.Kind == Object {
			key := n.Members[i].Key
			out.WriteString(source[key.Start:key.End] + w.colon)
		}
		out.WriteString(w.value(e.value, source, inner, false))
	}
	if !inline {
		out.WriteString(w.newline + margin)
	}
	out.WriteByte(raw[len(raw)-1])
	return out.String()
}

// reindented moves a part of the document itself to another margin.
func (w *jsonWriter) reindented(raw, source string, start int, margin string) string {
	lineStart := strings.LastIndexByte(source[:start], '\n') + 1
	line := source[lineStart:start]
	old := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if old == margin {
		return raw
	}
	lines := strings.Split(raw, "\n")
	for i := 1; i < len(lines); i++ {
		if rest, ok := strings.CutPrefix(lines[i], old); ok {
			lines[i] = margin + rest
		}
	}
	return strings.Join(lines, "\n")
}

// insert adds an entry at place, where len(list) is the end.
func (w *jsonWriter) insert(parent *Node, list []entry, place int, c change, name string) []Edit {
	if len(list) == 0 {
		return w.insertFirst(parent, c, name)
	}
	near := list[min(place, len(list)-1)]
	ownLine := w.ownLine(near.start)
	written := w.entry(parent, c, name, w.margin(near.start))
	between := " "
	if ownLine {
		between = w.newline + w.margin(near.start)
	} else if w.colon == ":" {
		between = ""
	}
	if place < len(list) {
		return []Edit{{Start: near.start, End: near.start, Insert: written + "," + between}}
	}
	end := near.value.End
	comma := w.commaAfter(end, parent.End-1)
	after := end
	if comma >= 0 {
		after = comma + 1
		written += "," // the habit of this file
	}
	var edits []Edit
	if remark := w.remarkEnd(after); ownLine && remark > after {
		// A comment on the line of the last entry stays on it.
		if comma < 0 {
			edits = append(edits, Edit{Start: end, End: end, Insert: ","})
		}
		return append(edits, Edit{Start: remark, End: remark, Insert: between + written})
	}
	if comma < 0 {
		between = "," + between
	}
	return []Edit{{Start: after, End: after, Insert: between + written}}
}

func (w *jsonWriter) entry(parent *Node, c change, name, margin string) string {
	value := w.value(c.Value, c.Source, margin, c.Own)
	if parent.Kind == Object {
		return string(hujson.String(name)) + w.colon + value
	}
	return value
}

// insertFirst adds the first entry of an empty object or array.
func (w *jsonWriter) insertFirst(parent *Node, c change, name string) []Edit {
	start, end := parent.Start+1, parent.End-1
	inside := w.text[start:end]
	if w.inline || parent.Kind == Array && w.listInline && c.Value.Kind < Array && !strings.Contains(inside, "/") {
		return []Edit{{Start: start, End: end, Insert: w.entry(parent, c, name, "")}}
	}
	margin := w.margin(parent.Start)
	inner := margin + w.unit
	written := w.newline + inner + w.entry(parent, c, name, inner)
	if strings.TrimSpace(inside) == "" {
		return []Edit{{Start: start, End: end, Insert: written + w.newline + margin}}
	}
	// Comments inside stay, before the new entry.
	trimmed := strings.TrimRight(inside, " \t\r\n")
	insert := written
	if !strings.Contains(inside[len(trimmed):], "\n") {
		insert += w.newline + margin
	}
	at := start + len(trimmed)
	return []Edit{{Start: at, End: at, Insert: insert}}
}

// remove takes out the entry at place, its comma, and its line where nothing
// else stands on it. Comments around it stay.
func (w *jsonWriter) remove(parent *Node, list []entry, place int) []Edit {
	e := list[place]
	end := e.value.End
	if len(list) == 1 {
		start, stop := parent.Start+1, parent.End-1
		if comma := w.commaAfter(end, stop); comma >= 0 {
			end = comma + 1
		}
		if strings.TrimSpace(w.text[start:e.start]+w.text[end:stop]) == "" {
			return []Edit{{Start: start, End: stop}}
		}
		return []Edit{w.wholeLines(e.start, end)}
	}
	comma := w.commaAfter(end, parent.End-1)
	if place < len(list)-1 {
		next := list[place+1].start
		if w.ownLine(e.start) && w.ownLine(next) {
			return w.removeParts(e.start, end, comma)
		}
		if strings.TrimSpace(w.text[comma+1:next]) == "" {
			return []Edit{{Start: e.start, End: next}}
		}
		return []Edit{{Start: e.start, End: comma + 1}}
	}
	if comma >= 0 {
		return w.removeParts(e.start, end, comma)
	}
	previous := list[place-1].value.End
	before := w.commaAfter(previous, e.start)
	if strings.TrimSpace(w.text[before+1:e.start]) == "" {
		return []Edit{{Start: previous, End: end}}
	}
	return []Edit{{Start: before, End: before + 1}, w.wholeLines(e.start, end)}
}

// removeParts takes out an entry and the comma after it, which a comment may
// separate.
func (w *jsonWriter) removeParts(start, end, comma int) []Edit {
	if strings.TrimSpace(w.text[end:comma]) == "" {
		return []Edit{w.wholeLines(start, comma+1)}
	}
	return []Edit{{Start: start, End: end}, {Start: comma, End: comma + 1}}
}

// wholeLines widens a removal to whole lines where nothing else is on them.
func (w *jsonWriter) wholeLines(start, end int) Edit {
	if !w.ownLine(start) {
		return Edit{Start: start, End: end}
	}
	rest := w.text[end:]
	line, _, found := strings.Cut(rest, "\n")
	if !found || strings.TrimSpace(line) != "" {
		return Edit{Start: start, End: end}
	}
	return Edit{Start: w.lineStart(start), End: end + len(line) + 1}
}

// commaAfter finds the comma between pos and limit, outside of comments.
func (w *jsonWriter) commaAfter(pos, limit int) int {
	for pos < limit {
		if w.text[pos] == ',' {
			return pos
		}
		if end := skipComment(w.text, pos); end > pos {
			pos = end
			continue
		}
		pos++
	}
	return -1
}

// remarkEnd gives the end of the comments that follow pos on the same line.
func (w *jsonWriter) remarkEnd(pos int) int {
	end := pos
	for i := pos; i < len(w.text); {
		switch c := w.text[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '/':
			next := skipComment(w.text, i)
			if strings.Contains(w.text[i:next], "\n") {
				return end
			}
			i = next
			end = pos + len(strings.TrimRight(w.text[pos:i], "\r"))
		default:
			if c == '\n' {
				return end
			}
			return pos
		}
	}
	return end
}
