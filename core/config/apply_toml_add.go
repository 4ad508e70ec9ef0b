package config

import (
	"strings"
)

// add writes a new member into a table.
func (w *tomlWriter) add(table *Node, path []string, c change) ([]Edit, error) {
	name := path[len(path)-1]
	t := w.doc.tables[table]
	if c.Value.Kind == Object && t.origin != tomlDotted && w.wantsSection(table, name) {
		names := w.headerNames(path)
		var out strings.Builder
		if !isTOMLImplied(c.Value) {
			out.WriteString("[" + tomlPath(names) + "]\n")
		}
		writeTOMLTable(&out, names, c.Value)
		return []Edit{w.section(table, out.String())}, nil
	}
	pair := tomlKeyText(name) + " = " + w.inline(c)
	switch {
	case t.origin == tomlDotted:
		last := w.lastPair(table)
		st := w.doc.statements[last]
		prefix := w.text[st.keys[0].Start:st.keys[w.stepKey(last, table)].End]
		return []Edit{w.below(last, w.indentOf(st.Start)+prefix+"."+pair)}, nil
	case t.origin == tomlImplied:
		_, statements := w.through(table)
		at := w.aboveHeader(statements[0])
		header := "[" + tomlPath(w.headerNames(path[:len(path)-1])) + "]\n"
		return []Edit{{Start: at, End: at, Insert: w.lines(header + pair + "\n\n")}}, nil
	}
	last := t.by
	for i := t.by + 1; i < len(w.doc.statements) && w.doc.statements[i].kind == tomlPair; i++ {
		last = i
	}
	switch {
	case last >= 0:
		return []Edit{w.below(last, w.indentOf(w.doc.statements[last].Start)+pair)}, nil
	case len(w.doc.statements) > 0:
		at := w.aboveHeader(0)
		return []Edit{{Start: at, End: at, Insert: w.lines(pair + "\n\n")}}, nil
	}
	return []Edit{{Start: len(w.text), End: len(w.text), Insert: w.freshLine() + w.lines(pair+"\n")}}, nil
}

// lastPair gives the last statement whose own dotted key goes through a table.
func (w *tomlWriter) lastPair(table *Node) int {
	last := 0
	steps, statements := w.through(table)
	for k, i := range statements {
		if steps[k].statement == i && w.doc.statements[i].kind == tomlPair {
			last = i
		}
	}
	return last
}

// wantsSection follows the file: a table gets a header where its neighbours
// have one, and braces where tables of that name have.
func (w *tomlWriter) wantsSection(table *Node, name string) bool {
	if t := w.doc.tables[table]; table == w.doc.root || t.origin == tomlImplied {
		return true
	}
	for _, m := range table.Members {
		if w.doc.tables[m.Value] != nil {
			return true
		}
	}
	braces := false
	for _, st := range w.doc.statements {
		switch last := st.keys[len(st.keys)-1]; {
		case st.kind != tomlPair && last.name == name:
			return true
		case st.kind == tomlPair && st.value.Kind == Object:
			braces = true
		}
	}
	return !braces
}

// section puts the text of a new section behind all that belongs to a table.
func (w *tomlWriter) section(table *Node, text string) Edit {
	last := len(w.doc.statements) - 1
	if table != w.doc.root {
		_, statements := w.through(table)
		last = statements[len(statements)-1]
	}
	if last < 0 {
		return Edit{Start: len(w.text), End: len(w.text), Insert: w.freshLine() + w.lines(text)}
	}
	return w.below(last, w.newline+w.lines(strings.TrimSuffix(text, "\n")))
}

// below puts lines behind a statement, and behind the comment on its line.
func (w *tomlWriter) below(statement int, text string) Edit {
	end := w.lineEnd(w.doc.statements[statement].End)
	return Edit{Start: end, End: end, Insert: w.newline + text}
}

func (w *tomlWriter) indentOf(at int) string { return w.text[w.lineStart(at):at] }

// freshLine ends the last line of the text where that is not ended.
func (w *tomlWriter) freshLine() string {
	if w.text == "" || strings.HasSuffix(w.text, "\n") {
		return ""
	}
	return w.newline
}

// aboveHeader gives the place above a header and the comment that belongs to
// it.
func (w *tomlWriter) aboveHeader(statement int) int {
	at := w.lineStart(w.doc.statements[statement].Start)
	for at > 0 {
		previous := w.lineStart(at - 1)
		if !strings.HasPrefix(strings.TrimSpace(w.text[previous:at]), "#") {
			break
		}
		at = previous
	}
	if at == 0 && strings.HasPrefix(w.text, bom) {
		return len(bom)
	}
	return at
}

// sectionEdits changes an array of tables.
func (w *tomlWriter) sectionEdits(array *Node, name string, c change) ([]Edit, error) {
	place := len(array.Elements)
	if i, ok := arrayIndex(name); ok {
		place = i
	}
	if c.Op == "remove" && len(array.Elements) > 1 {
		_, statements := w.through(array.Elements[place])
		return w.removeStatements(statements, ""), nil
	}
	if c.Op != "add" || c.Value.Kind != Object || place > len(array.Elements) {
		return nil, errNotation
	}
	names := w.headerNames(c.Names[:len(c.Names)-1])
	var out strings.Builder
	out.WriteString("[[" + tomlPath(names) + "]]\n")
	writeTOMLTable(&out, names, c.Value)
	if place == len(array.Elements) {
		return []Edit{w.section(array, out.String())}, nil
	}
	_, statements := w.through(array.Elements[place])
	at := w.aboveHeader(statements[0])
	return []Edit{{Start: at, End: at, Insert: w.lines(out.String() + "\n")}}, nil
}
