package config

import "fmt"

// tomlTable is how an object, or an array of tables, is written.
type tomlTable struct {
	origin tomlOrigin
	by     int // the header statement under which its keys stand, -1 for the root's
}

type tomlOrigin uint8

const (
	tomlByHeader tomlOrigin = iota // [a]
	tomlImplied                    // a, of [a.b]
	tomlDotted                     // a, of a.b = 1
	tomlArray                      // a, of [[a]]
)

// buildTOML makes the tree of the statements by the rules of the
// specification: a table is defined once, and neither a dotted key nor a
// header adds to what another notation has closed. trails asks for the way of
// each statement too.
func buildTOML(statements []tomlStatement, trails bool) *tomlDocument {
	doc := &tomlDocument{statements: statements, root: &Node{Kind: Object}, tables: map[*Node]*tomlTable{}}
	doc.tables[doc.root] = &tomlTable{tomlByHeader, -1}
	index := map[*Node]map[string]*Node{}
	b := &tomlBuilder{doc: doc, index: index}
	current := doc.root
	by := -1
	if trails {
		doc.trails = make([][]tomlStep, len(statements))
	}
	for i, st := range statements {
		b.at = i
		last := len(st.keys) - 1
		switch st.kind {
		case tomlPair:
			current.cover(st.Span)
			doc.root.cover(st.Span)
			table := current
			for j, key := range st.keys[:last] {
				table = b.dotted(table, key, by, st.Span)
				b.step(table, j)
			}
			b.add(table, st.keys[last], st.value)
			b.step(st.value, last)
		case tomlHeader:
			by = i
			current = b.header(b.descend(st), st, i)
		case tomlArrayHeader:
			by = i
			current = b.arrayHeader(b.descend(st), st, i)
		}
	}
	// The tables above a header reach as far as what stands under it.
	b.coverAll(doc.root)
	return doc
}

type tomlBuilder struct {
	doc   *tomlDocument
	index map[*Node]map[string]*Node
	at    int // the statement being read
}

// step notes that the current statement goes through a value.
func (b *tomlBuilder) step(n *Node, key int) {
	if b.doc.trails == nil {
		return
	}
	b.doc.trails[b.at] = append(b.doc.trails[b.at], tomlStep{n, b.at, key})
}

func (n *Node) cover(s Span) {
	if n.End == 0 {
		n.Span = s
		return
	}
	n.Start, n.End = min(n.Start, s.Start), max(n.End, s.End)
}

// coverAll widens each table that headers made to the tables inside it.
func (b *tomlBuilder) coverAll(n *Node) {
	if b.doc.tables[n] == nil {
		return
	}
	for _, m := range n.Members {
		b.coverAll(m.Value)
		n.cover(m.Value.Span)
	}
	for _, e := range n.Elements {
		b.coverAll(e)
		n.cover(e.Span)
	}
}

// fewMembers are found faster without an index.
const fewMembers = 12

func (b *tomlBuilder) find(table *Node, name string) *Node {
	if len(table.Members) > fewMembers {
		return b.index[table][name]
	}
	return table.Get(name)
}

func (b *tomlBuilder) add(table *Node, key tomlKey, value *Node) {
	if b.find(table, key.name) != nil {
		panic(&SyntaxError{Offset: key.Start, Msg: fmt.Sprintf("%s is set twice", quoted(key.name))})
	}
	table.Members = append(table.Members, Member{key.name, key.Span, value})
	switch n := len(table.Members); {
	case n == fewMembers+1:
		b.index[table] = make(map[string]*Node, 2*n)
		for _, m := range table.Members {
			b.index[table][m.Name] = m.Value
		}
	case n > fewMembers:
		b.index[table][key.name] = value
	}
}

// dotted steps into the table that a dotted key names, and makes it if need be.
func (b *tomlBuilder) dotted(table *Node, key tomlKey, by int, span Span) *Node {
	next := b.find(table, key.name)
	if next == nil {
		next = &Node{Kind: Object}
		b.doc.tables[next] = &tomlTable{tomlDotted, by}
		b.add(table, key, next)
	}
	if t := b.doc.tables[next]; t == nil || t.origin != tomlDotted || t.by != by {
		panic(&SyntaxError{Offset: key.Start, Msg: fmt.Sprintf("%s is already set and cannot get more keys here", quoted(key.name))})
	}
	next.cover(Span{key.Start, span.End})
	return next
}

// descend walks to the table that holds the last key of a header.
func (b *tomlBuilder) descend(st tomlStatement) *Node {
	table := b.doc.root
	for j, key := range st.keys[:len(st.keys)-1] {
		table.cover(st.Span)
		next := b.find(table, key.name)
		if next == nil {
			next = &Node{Kind: Object}
			b.doc.tables[next] = &tomlTable{origin: tomlImplied}
			b.add(table, key, next)
		}
		t := b.doc.tables[next]
		if t == nil {
			panic(&SyntaxError{Offset: key.Start, Msg: fmt.Sprintf("%s is a value, not a table", quoted(key.name))})
		}
		b.step(next, j)
		if t.origin == tomlArray {
			next.cover(st.Span)
			next = next.Elements[len(next.Elements)-1]
			b.step(next, j)
		}
		table = next
	}
	table.cover(st.Span)
	return table
}

func (b *tomlBuilder) header(table *Node, st tomlStatement, by int) *Node {
	key := st.keys[len(st.keys)-1]
	n := b.find(table, key.name)
	switch t := b.doc.tables[n]; {
	case n == nil:
		n = &Node{Kind: Object}
		b.doc.tables[n] = &tomlTable{tomlByHeader, by}
		b.add(table, key, n)
	case t != nil && t.origin == tomlImplied:
		*t = tomlTable{tomlByHeader, by}
	default:
		panic(&SyntaxError{Offset: st.Start, Msg: fmt.Sprintf("the table %s is defined twice", quoted(key.name))})
	}
	n.cover(st.Span)
	b.step(n, len(st.keys)-1)
	return n
}

func (b *tomlBuilder) arrayHeader(table *Node, st tomlStatement, by int) *Node {
	key := st.keys[len(st.keys)-1]
	n := b.find(table, key.name)
	if n == nil {
		n = &Node{Kind: Array}
		b.doc.tables[n] = &tomlTable{tomlArray, by}
		b.add(table, key, n)
	}
	if t := b.doc.tables[n]; t == nil || t.origin != tomlArray {
		panic(&SyntaxError{Offset: st.Start, Msg: fmt.Sprintf("%s is already set and is not an array of tables", quoted(key.name))})
	}
	element := &Node{Kind: Object, Span: st.Span}
	b.doc.tables[element] = &tomlTable{tomlByHeader, by}
	n.Elements = append(n.Elements, element)
	n.cover(st.Span)
	b.step(n, len(st.keys)-1)
	b.step(element, len(st.keys)-1)
	return element
}
