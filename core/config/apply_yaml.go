package config

import (
	"fmt"
	"strings"
)

// applyYAML carries out a patch on YAML text.
func applyYAML(text string, p Patch) (string, []Edit, error) {
	return applyEach(text, p, parseYAML, changeYAML)
}

// changeYAML computes the edits of one change, and makes sure that they mean
// what was asked for.
func changeYAML(text string, root *Node, c change) ([]Edit, error) {
	want, err := changed(root, c.Names, c)
	if err != nil {
		return nil, err
	}
	doc, err := readYAML(text)
	if err != nil {
		return nil, err
	}
	w := &yamlWriter{text: text, doc: doc}
	w.habit = w.habits()
	for _, flat := range []bool{false, true} { // a | block needs a line end behind it
		w.habit.flat = flat
		if edits, err := w.edits(c); err == nil && w.means(edits, want) {
			return edits, nil
		}
	}
	// Behind an alias or a merge key, or where an anchor would go: what is
	// around is written out, as little of it as will do.
	for depth := len(c.Names) - 1; depth >= 0; depth-- {
		names := c.Names[:depth]
		whole := change{Op: "replace", Names: names, Value: want.At(Pointer(names...))}
		if edits, err := w.edits(whole); err == nil && w.means(edits, want) {
			return edits, nil
		}
	}
	return nil, fmt.Errorf("the change at %q cannot be written in YAML", Pointer(c.Names...))
}

// yamlWriter computes edits of one text.
type yamlWriter struct {
	text  string
	doc   *yamlDocument
	habit yamlHabit
}

func (w *yamlWriter) means(edits []Edit, want *Node) bool {
	text, err := Edited(w.text, edits)
	if err != nil {
		return false
	}
	got, err := parseYAML(text)
	return err == nil && got.Equal(want)
}

// habits sees how the file indents and quotes.
func (w *yamlWriter) habits() yamlHabit {
	h := defaultYAMLHabit
	h.newline = newlineOf(w.text)
	steps, dashes := map[int]int{}, map[int]int{}
	single, double, plain := 0, 0, 0
	var walk func(y *yamlNode)
	walk = func(y *yamlNode) {
		for _, pair := range y.pairs {
			if v := pair.value; y.style == yamlBlock && v.style == yamlBlock {
				if v.kind == Array {
					dashes[v.column-y.column]++
				} else {
					steps[v.column-y.column]++
				}
			}
			walk(pair.value)
		}
		for _, item := range y.items {
			walk(item.value)
		}
		switch {
		case y.style == yamlSingle:
			single++
		case y.style == yamlDouble:
			double++
		case y.style == yamlPlain && y.kind == String:
			plain++
		}
	}
	walk(w.doc.top)
	h.step = commonest(steps, h.step)
	h.dash = commonest(dashes, h.step)
	if single > double {
		h.quote = '\''
	}
	h.always = plain == 0 && single+double > 2
	return h
}

// commonest gives the number that was counted most often.
func commonest(counts map[int]int, otherwise int) int {
	best := otherwise
	for n, count := range counts {
		if count > counts[best] || count == counts[best] && n < best {
			best = n
		}
	}
	return best
}

func (w *yamlWriter) edits(c change) ([]Edit, error) {
	if len(c.Names) == 0 {
		return w.replaceRoot(c)
	}
	name := c.Names[len(c.Names)-1]
	node := w.doc.root.At(Pointer(c.Names[:len(c.Names)-1]...))
	y := w.doc.source[node]
	if y == nil || y.target != nil {
		return nil, errNotation
	}
	switch y.style {
	case yamlBlock:
		if y.kind == Array {
			return w.itemEdits(y, name, c)
		}
		return w.pairEdits(y, name, c)
	case yamlFlow:
		if len(y.pairs)+len(y.items) == 0 && c.Op == "add" && y.tag == "" && y.anchor == "" && w.inBlock(c.Names[:len(c.Names)-1]) {
			// Empty brackets open up into a block.
			whole, err := changed(node, []string{name}, c)
			if err != nil {
				return nil, err
			}
			return w.edits(change{Op: "replace", Names: c.Names[:len(c.Names)-1], Value: whole})
		}
		return w.flowEdits(node, y, name, c)
	}
	return nil, errNotation
}

// inBlock reports whether the collection around a value is a block, or the
// value is the document.
func (w *yamlWriter) inBlock(names []string) bool {
	if len(names) == 0 {
		return true
	}
	y := w.doc.source[w.doc.root.At(Pointer(names[:len(names)-1]...))]
	return y != nil && y.style == yamlBlock
}

func (w *yamlWriter) replaceRoot(c change) ([]Edit, error) {
	top := w.doc.top
	text := strings.TrimLeft(w.habit.block(c.Value, -w.habit.step, yamlAfterColon), " \r\n")
	if c.Value.Kind == Array && len(c.Value.Elements) > 0 {
		text = strings.TrimLeft(w.habit.block(c.Value, -w.habit.dash, yamlAfterColon), " \r\n")
	}
	if top.style == yamlEmpty {
		insert := text + w.habit.newline
		if w.doc.end > 0 && !strings.HasSuffix(w.text[:w.doc.end], "\n") {
			insert = w.habit.newline + insert
		}
		return []Edit{{Start: w.doc.end, End: w.doc.end, Insert: insert}}, nil
	}
	return []Edit{{Start: top.start, End: top.End, Insert: text}}, nil
}

// pairEdits changes a block mapping.
func (w *yamlWriter) pairEdits(y *yamlNode, name string, c change) ([]Edit, error) {
	place := -1
	for i, pair := range y.pairs {
		if pair.key.name() == name && !isYAMLMerge(pair) {
			place = i
		}
	}
	if place < 0 {
		if c.Op != "add" {
			return nil, errNotation
		}
		last := y.pairs[len(y.pairs)-1]
		text := w.habit.key(name) + ":" + w.written(c, y.column, yamlAfterColon)
		return []Edit{w.below(max(last.value.End, last.colon+1), y.column, text)}, nil
	}
	pair := y.pairs[place]
	switch {
	case c.Op == "rename":
		return []Edit{{Start: pair.key.Start, End: pair.key.End, Insert: w.habit.key(c.To)}}, nil
	case c.Op == "remove" && len(y.pairs) == 1:
		return w.edits(change{Op: "replace", Names: c.Names[:len(c.Names)-1], Value: &Node{Kind: Object}})
	case c.Op == "remove":
		next := -1
		if place+1 < len(y.pairs) {
			next = w.keyStart(y, y.pairs[place+1])
		}
		return w.removeEntry(w.keyStart(y, pair), max(pair.value.End, pair.colon+1), next), nil
	case pair.colon < 0:
		return nil, errNotation
	}
	return w.replaceValue(pair.colon+1, pair.value, c, y.column, yamlAfterColon), nil
}

// keyStart gives where a pair begins: at a question mark where it has one.
func (w *yamlWriter) keyStart(y *yamlNode, pair yamlPair) int {
	line := strings.LastIndexByte(w.text[:pair.key.start], '\n') + 1
	if line+y.column < pair.key.start && w.text[line+y.column] == '?' {
		return line + y.column
	}
	return pair.key.start
}

// itemEdits changes a block sequence.
func (w *yamlWriter) itemEdits(y *yamlNode, name string, c change) ([]Edit, error) {
	place := len(y.items)
	if i, ok := arrayIndex(name); ok {
		place = i
	}
	switch {
	case place > len(y.items) || place == len(y.items) && c.Op != "add":
		return nil, errNotation
	case c.Op == "remove" && len(y.items) == 1:
		return w.edits(change{Op: "replace", Names: c.Names[:len(c.Names)-1], Value: &Node{Kind: Array}})
	case c.Op == "remove":
		next := -1
		if place+1 < len(y.items) {
			next = y.items[place+1].dash
		}
		item := y.items[place]
		return w.removeEntry(item.dash, max(item.value.End, item.dash+1), next), nil
	case c.Op == "replace":
		item := y.items[place]
		return w.replaceValue(item.dash+1, item.value, c, y.column, yamlCompact), nil
	}
	text := "-" + w.written(c, y.column, yamlCompact)
	if place == len(y.items) {
		last := y.items[place-1]
		return []Edit{w.below(max(last.value.End, last.dash+1), y.column, text)}, nil
	}
	at := y.items[place].dash
	return []Edit{{Start: at, End: at, Insert: text + w.habit.newline + strings.Repeat(" ", y.column)}}, nil
}

// written gives what stands behind a colon or a dash at a column. A scalar of
// the file itself keeps its spelling.
func (w *yamlWriter) written(c change, column int, place yamlPlace) string {
	if n := c.Value; c.Own && n.Kind != Object && n.Kind != Array && n.End > n.Start && n.End <= len(c.Source) {
		raw := c.Source[n.Start:n.End]
		if again, err := parseYAML("- " + raw); err == nil && !strings.ContainsAny(raw, "\r\n") && len(again.Elements) == 1 &&
			again.Elements[0].Equal(n) {
			return " " + raw
		}
	}
	return w.habit.block(c.Value, column, place)
}

// below puts a new entry behind the line on which the last one ends.
func (w *yamlWriter) below(end, column int, text string) Edit {
	indent := strings.Repeat(" ", column)
	if end > 0 && w.text[end-1] == '\n' { // a block scalar that keeps its last lines
		return Edit{Start: end, End: end, Insert: indent + text + w.habit.newline}
	}
	at := w.lineEnd(end)
	return Edit{Start: at, End: at, Insert: w.habit.newline + indent + text}
}

func (w *yamlWriter) lineEnd(at int) int {
	if i := strings.IndexAny(w.text[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(w.text)
}

// replaceValue puts a new value behind a colon or dash in place of another;
// comments between the two, and behind the value, stay.
func (w *yamlWriter) replaceValue(after int, value *yamlNode, c change, column int, place yamlPlace) []Edit {
	end := max(value.End, after)
	w.habit.flat = w.habit.flat || startsComment(w.text[end:w.lineEnd(end)])
	text := w.written(c, column, place)
	start := max(value.start, after)
	gap := w.text[after:start]
	if !strings.Contains(gap, "#") {
		return []Edit{{Start: after, End: max(value.End, after), Insert: text}}
	}
	// key: # comment, and the value below.
	lineEnd := w.lineEnd(after)
	tail := lineEnd
	if i := strings.LastIndexByte(gap, '#'); i >= 0 {
		tail = w.lineEnd(after + i)
	}
	if strings.HasPrefix(text, " ") {
		first := text
		rest := ""
		if i := strings.IndexAny(text, "\r\n"); i >= 0 {
			first, rest = text[:i], text[i:]
		}
		return []Edit{{Start: after, End: after, Insert: first}, {Start: tail, End: max(value.End, tail), Insert: rest}}
	}
	return []Edit{{Start: tail, End: max(value.End, tail), Insert: text}}
}

// removeEntry takes out what stands from start to end: its lines, or where it
// begins behind a dash of another list, what lies before the next entry.
func (w *yamlWriter) removeEntry(start, end, next int) []Edit {
	lineStart := strings.LastIndexByte(w.text[:start], '\n') + 1
	if strings.TrimSpace(w.text[lineStart:start]) != "" {
		if next < 0 {
			return nil
		}
		return []Edit{{Start: start, End: next}}
	}
	if end > 0 && w.text[end-1] == '\n' {
		return []Edit{{Start: lineStart, End: end}}
	}
	lineEnd := w.lineEnd(end)
	if rest := strings.TrimSpace(w.text[end:lineEnd]); rest != "" {
		return []Edit{{Start: start, End: end + strings.Index(w.text[end:lineEnd], rest)}}
	}
	stop := lineEnd + breakSize(w.text, lineEnd)
	if stop == lineEnd && lineStart > 0 { // the last line has no end to go with it
		lineStart--
		if lineStart > 0 && w.text[lineStart-1] == '\r' {
			lineStart--
		}
	}
	return []Edit{{Start: lineStart, End: stop}}
}

// flowEdits changes a collection in brackets.
func (w *yamlWriter) flowEdits(node *Node, y *yamlNode, name string, c change) ([]Edit, error) {
	var list []entry
	place := -1
	for i, pair := range y.pairs {
		list = append(list, entry{pair.key.start, &Node{Span: Span{pair.value.start, max(pair.value.End, pair.colon+1)}}})
		if pair.key.name() == name && !isYAMLMerge(pair) {
			place = i
		}
	}
	for _, item := range y.items {
		list = append(list, entry{item.value.start, &Node{Span: item.value.Span}})
	}
	if i, ok := arrayIndex(name); ok && y.kind == Array {
		place = i
	}
	if place < 0 || name == "-" && y.kind == Array {
		place = len(list)
	}
	known := place < len(list)
	switch {
	case c.Op == "rename" && known:
		key := y.pairs[place].key
		return []Edit{{Start: key.Start, End: key.End, Insert: w.habit.flowKey(c.To)}}, nil
	case c.Op == "remove" && known:
		return bracketRemove(w.text, node, list, place), nil
	case known && c.Op == "add" && y.kind == Array, !known && c.Op == "add" && place == len(list):
		text := w.habit.inline(c.Value, yamlFlow)
		if y.kind == Object {
			text = w.habit.flowKey(name) + ": " + text
		}
		return bracketInsert(w.text, node, list, place, text, w.habit.newline), nil
	case known && y.kind == Object && y.pairs[place].colon < 0:
		at := y.pairs[place].key.End
		return []Edit{{Start: at, End: at, Insert: ": " + w.habit.inline(c.Value, yamlFlow)}}, nil
	case known && y.kind == Object:
		pair := y.pairs[place]
		return []Edit{{Start: pair.colon + 1, End: max(pair.value.End, pair.colon+1), Insert: " " + w.habit.inline(c.Value, yamlFlow)}}, nil
	case known:
		value := y.items[place].value
		return []Edit{{Start: value.start, End: value.End, Insert: w.habit.inline(c.Value, yamlFlow)}}, nil
	}
	return nil, errNotation
}
