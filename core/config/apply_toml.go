package config

import (
	"errors"
	"fmt"
	"strings"
)

// applyTOML carries out a patch on TOML text.
func applyTOML(text string, p Patch) (string, []Edit, error) {
	return applyEach(text, p, parseTOML, changeTOML)
}

var errTOMLNull = errors.New("TOML has no null: remove the key instead")

// changeTOML computes the edits of one change, and makes sure that they mean
// what was asked for.
func changeTOML(text string, root *Node, c change) ([]Edit, error) {
	if c.Value.hasNull() {
		return nil, errTOMLNull
	}
	want, err := changed(root, c.Names, c)
	if err != nil {
		return nil, err
	}
	if want.Kind != Object {
		return nil, errors.New("a TOML document is a table")
	}
	doc, err := readTOML(text)
	if err != nil {
		return nil, err
	}
	w := &tomlWriter{text: text, doc: doc, newline: newlineOf(text)}
	edits, err := w.edits(c)
	if err == nil && w.means(edits, want) {
		return edits, nil
	}
	// Notations that do not mix, such as a scalar put into an array of tables:
	// the smallest value around it that can be written anew is.
	for depth := len(c.Names) - 1; depth > 0; depth-- {
		names := c.Names[:depth]
		whole := change{Op: "replace", Names: names, Value: want.At(Pointer(names...))}
		if edits, err := w.edits(whole); err == nil && w.means(edits, want) {
			return edits, nil
		}
	}
	whole := []Edit{{Start: 0, End: len(text), Insert: w.lines(writeTOML(want))}}
	if w.means(whole, want) {
		return whole, nil
	}
	return nil, fmt.Errorf("the change at %q cannot be written in TOML", Pointer(c.Names...))
}

func (w *tomlWriter) means(edits []Edit, want *Node) bool {
	text, err := Edited(w.text, edits)
	if err != nil {
		return false
	}
	got, err := parseTOML(text)
	return err == nil && got.Equal(want)
}

// hasNull reports whether a null stands anywhere in a value.
func (n *Node) hasNull() bool {
	if n == nil {
		return false
	}
	for _, m := range n.Members {
		if m.Value.hasNull() {
			return true
		}
	}
	for _, e := range n.Elements {
		if e.hasNull() {
			return true
		}
	}
	return n.Kind == Null
}

// changed gives the tree after a change, sharing what stays the same.
func changed(n *Node, names []string, c change) (*Node, error) {
	if len(names) == 0 {
		return c.Value, nil
	}
	copied := *n
	name, last := names[0], len(names) == 1
	switch n.Kind {
	case Object:
		i := n.index(name)
		copied.Members = append([]Member(nil), n.Members...)
		switch {
		case !last && i >= 0:
			value, err := changed(n.Members[i].Value, names[1:], c)
			copied.Members[i].Value = value
			return &copied, err
		case last && c.Op == "rename" && i >= 0:
			copied.Members[i].Name = c.To
			return &copied, nil
		case last && c.Op == "remove" && i >= 0:
			copied.Members = append(copied.Members[:i:i], copied.Members[i+1:]...)
			return &copied, nil
		case last && i >= 0:
			copied.Members[i].Value = c.Value
			return &copied, nil
		case last && c.Op == "add":
			copied.Members = append(copied.Members, Member{Name: name, Value: c.Value})
			return &copied, nil
		}
	case Array:
		i, ok := arrayIndex(name)
		if name == "-" {
			i, ok = len(n.Elements), true
		}
		copied.Elements = append([]*Node(nil), n.Elements...)
		switch {
		case !ok || i > len(n.Elements) || i == len(n.Elements) && (c.Op != "add" || !last):
		case !last:
			value, err := changed(n.Elements[i], names[1:], c)
			copied.Elements[i] = value
			return &copied, err
		case c.Op == "remove":
			copied.Elements = append(copied.Elements[:i:i], copied.Elements[i+1:]...)
			return &copied, nil
		case c.Op == "replace":
			copied.Elements[i] = c.Value
			return &copied, nil
		default:
			copied.Elements = append(copied.Elements[:i:i], append([]*Node{c.Value}, copied.Elements[i:]...)...)
			return &copied, nil
		}
	}
	return nil, fmt.Errorf("there is no place for %q", name)
}

// tomlWriter computes edits of one text.
type tomlWriter struct {
	text    string
	doc     *tomlDocument
	newline string
}

// lines gives text the line ends of the file.
func (w *tomlWriter) lines(text string) string {
	return strings.ReplaceAll(text, "\n", w.newline)
}

func (w *tomlWriter) edits(c change) ([]Edit, error) {
	if len(c.Names) == 0 {
		return []Edit{{Start: 0, End: len(w.text), Insert: w.lines(writeTOML(c.Value))}}, nil
	}
	name := c.Names[len(c.Names)-1]
	parent := w.doc.root.At(Pointer(c.Names[:len(c.Names)-1]...))
	if parent == nil {
		return nil, fmt.Errorf("there is no table to hold %q", name)
	}
	if w.doc.tables[parent] == nil {
		return w.bracketEdits(parent, name, c)
	}
	if parent.Kind == Array {
		return w.sectionEdits(parent, name, c)
	}
	target := parent.Get(name)
	switch {
	case c.Op == "rename":
		return w.rename(target, c.To), nil
	case c.Op == "remove":
		return w.remove(parent, target, c.Names), nil
	case target == nil:
		return w.add(parent, c.Names, c)
	case w.doc.tables[target] == nil:
		return []Edit{{Start: target.Start, End: target.End, Insert: w.instead(target, c)}}, nil
	}
	return w.inTwoSteps(change{Op: "remove", Names: c.Names}, change{Op: "add", Names: c.Names, Value: c.Value})
}

// inTwoSteps carries out two changes, one on the text that the other leaves,
// and gives them as one edit.
func (w *tomlWriter) inTwoSteps(first, second change) ([]Edit, error) {
	text := w.text
	for _, c := range []change{first, second} {
		doc, err := readTOML(text)
		if err != nil {
			return nil, err
		}
		step := &tomlWriter{text: text, doc: doc, newline: w.newline}
		edits, err := step.edits(c)
		if err != nil {
			return nil, err
		}
		if text, err = Edited(text, edits); err != nil {
			return nil, err
		}
	}
	return []Edit{difference(w.text, text)}, nil
}

// difference gives the one edit that makes a text into another.
func difference(before, after string) Edit {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end, stop := len(before), len(after)
	for end > start && stop > start && before[end-1] == after[stop-1] {
		end--
		stop--
	}
	return Edit{Start: start, End: end, Insert: after[start:stop]}
}

// instead writes the value of a change in place of another, a string in the
// quotes that were there: paths of Windows often stand in single ones.
func (w *tomlWriter) instead(old *Node, c change) string {
	odd := func(r rune) bool { return r == '\'' || r < ' ' && r != '\t' || r == 0x7f }
	if old.Kind == String && c.Value.Kind == String && w.text[old.Start] == '\'' && !strings.ContainsFunc(c.Value.Text, odd) {
		return "'" + c.Value.Text + "'"
	}
	return w.inline(c)
}

// inline writes the value of a change on one line; what comes from the file
// itself keeps its spelling.
func (w *tomlWriter) inline(c change) string {
	if c.Own && c.Value.End > c.Value.Start && c.Value.End <= len(c.Source) {
		raw := c.Source[c.Value.Start:c.Value.End]
		if n, err := parseTOML("x = " + raw); err == nil && n.Get("x").Equal(c.Value) && !strings.Contains(raw, "\n") {
			return raw
		}
	}
	return tomlInline(c.Value)
}

// through gives the statements that go through a value, and the key of each
// that names it.
func (w *tomlWriter) through(n *Node) (steps []tomlStep, statements []int) {
	var header *tomlStep // of the section, where its header goes through n
	for i, trail := range w.doc.trails {
		var own *tomlStep
		for j := range trail {
			if trail[j].node == n {
				own = &trail[j]
				break
			}
		}
		if w.doc.statements[i].kind != tomlPair {
			header = own
		} else if own == nil {
			own = header
		}
		if own != nil {
			steps = append(steps, *own)
			statements = append(statements, i)
		}
	}
	return steps, statements
}

func (w *tomlWriter) rename(target *Node, to string) []Edit {
	steps, _ := w.through(target)
	var edits []Edit
	seen := map[int]bool{}
	for _, step := range steps {
		if key := w.doc.statements[step.statement].keys[step.key]; !seen[key.Start] {
			seen[key.Start] = true
			edits = append(edits, Edit{Start: key.Start, End: key.End, Insert: tomlKeyText(to)})
		}
	}
	return edits
}

// remove takes out every statement of a value. A table that would vanish with
// its last member keeps a header, or an empty table, in its place.
func (w *tomlWriter) remove(parent, target *Node, names []string) []Edit {
	_, statements := w.through(target)
	keep := ""
	if t := w.doc.tables[parent]; len(parent.Members) == 1 && parent != w.doc.root {
		switch t.origin {
		case tomlImplied:
			keep = "[" + tomlPath(w.headerNames(names[:len(names)-1])) + "]"
		case tomlDotted:
			st := w.doc.statements[statements[0]]
			last := w.stepKey(statements[0], target)
			keep = w.text[st.Start:st.keys[last-1].End] + " = {}"
		}
	}
	return w.removeStatements(statements, keep)
}

func (w *tomlWriter) stepKey(statement int, n *Node) int {
	for _, step := range w.doc.trails[statement] {
		if step.node == n {
			return step.key
		}
	}
	return 0
}

// headerNames drops the indexes from a path: headers do not have them.
func (w *tomlWriter) headerNames(path []string) []string {
	var names []string
	n := w.doc.root
	for _, name := range path {
		if n.Kind != Array {
			names = append(names, name)
		}
		n = n.child(name)
	}
	return names
}

// removeStatements takes lines out, with the empty ones behind them, and
// leaves comments. keep stands in place of the first statement.
func (w *tomlWriter) removeStatements(statements []int, keep string) []Edit {
	var edits []Edit
	for k, i := range statements {
		st := w.doc.statements[i]
		if k == 0 && keep != "" {
			edits = append(edits, Edit{Start: st.Start, End: st.End, Insert: keep})
			continue
		}
		start, end := w.lineStart(st.Start), w.lineEnd(st.End)
		if rest := strings.TrimSpace(w.text[st.End:end]); rest != "" {
			comment := st.End + strings.Index(w.text[st.End:end], rest)
			edits = append(edits, Edit{Start: st.Start, End: comment})
			continue
		}
		end = w.nextLine(end)
		run := start
		if n := len(edits); n > 0 && edits[n-1].End == start && edits[n-1].Insert == "" {
			run = edits[n-1].Start
		}
		if run == 0 || w.blankBefore(run) || k+1 < len(statements) && statements[k+1] == i+1 {
			for end < len(w.text) && strings.TrimSpace(w.text[end:w.lineEnd(end)]) == "" {
				end = w.nextLine(w.lineEnd(end))
			}
		}
		if n := len(edits); n > 0 && edits[n-1].End == start && edits[n-1].Insert == "" {
			edits[n-1].End = end
			continue
		}
		edits = append(edits, Edit{Start: start, End: end})
	}
	if n := len(edits); n > 0 && edits[n-1].End == len(w.text) && edits[n-1].Insert == "" {
		last := &edits[n-1]
		for last.Start > 0 && w.blankBefore(last.Start) {
			last.Start = w.lineStart(last.Start - 1)
		}
		if n > 1 && edits[n-2].End > last.Start {
			last.Start = edits[n-2].End
		}
	}
	return edits
}

func (w *tomlWriter) lineStart(at int) int { return strings.LastIndexByte(w.text[:at], '\n') + 1 }

// lineEnd gives the end of a line, before its break.
func (w *tomlWriter) lineEnd(at int) int {
	if i := strings.IndexByte(w.text[at:], '\n'); i >= 0 {
		at += i
		if at > 0 && w.text[at-1] == '\r' {
			at--
		}
		return at
	}
	return len(w.text)
}

func (w *tomlWriter) nextLine(end int) int { return end + breakSize(w.text, end) }

// blankBefore reports whether the line before the one that starts here is
// empty.
func (w *tomlWriter) blankBefore(start int) bool {
	return start > 0 && strings.TrimSpace(w.text[w.lineStart(start-1):start]) == ""
}
