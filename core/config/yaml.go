package config

import (
	"fmt"
	"strings"
)

// YAML is read by a parser of our own, because the nodes of yaml.v3 have only
// starts, counted in characters, and neither ends nor the place of a colon; it
// serves as the referee in the tests. The dialect is YAML 1.2 with the core
// schema, and 1_000 and 0b11 as numbers because yaml.v3 and js-yaml take them
// for such. What plain data does not know (.inf, .nan, dates, custom tags on
// scalars) becomes a string.
//
// Only the first document with content is read: what follows a second ---
// may be the Markdown under front matter.

// parseYAML reads a YAML document. An alias spans its own bytes, while what
// lies below it spans the bytes behind the anchor; members that a merge key
// brings in stand after the others and span the place they come from.
func parseYAML(text string) (*Node, error) {
	doc, err := scannedYAML(text)
	if err != nil {
		return nil, err
	}
	return doc.node(doc.top, false), nil
}

// yamlDocument is a text as it is written, and what it means.
type yamlDocument struct {
	top    *yamlNode
	end    int // where the document ends: at the next marker or at the end of the text
	root   *Node
	source map[*Node]*yamlNode // how a node that is not behind an alias is written
	slab   []Node              // nodes to give out
}

// yamlNode is one value as it is written.
type yamlNode struct {
	Span        // without anchor, tag and comments
	start  int  // with anchor and tag
	kind   Kind // of an alias, that of its target
	style  yamlStyle
	text   string
	plain  string // plain text as written, folded to one line
	tag    string
	anchor string
	target *yamlNode // of an alias
	open   bool      // still being read, so that an alias to it would be a circle
	column int       // of a block collection
	pairs  []yamlPair
	items  []yamlItem
	cost   yamlCost
}

type yamlPair struct {
	key   *yamlNode
	colon int // -1 where a flow mapping or an explicit key has none
	value *yamlNode
}

type yamlItem struct {
	dash  int // -1 in a flow sequence
	value *yamlNode
}

type yamlStyle uint8

const (
	yamlEmpty yamlStyle = iota // nothing written: null
	yamlPlain
	yamlSingle
	yamlDouble
	yamlLiteral
	yamlFolded
	yamlBlock // a collection by indentation
	yamlFlow  // a collection in brackets
	yamlPairStyle
	yamlAlias
)

// yamlCost is what a value amounts to once its aliases are followed.
type yamlCost struct {
	nodes, bytes, depth int
}

// What aliases may add to a document: nested ones grow exponentially, and a
// long text may be named by many.
const (
	yamlMaxAliasNodes = 100_000
	yamlMaxAliasBytes = MaxSize
)

// readYAML reads a document with all that a change to its text needs to know.
func readYAML(text string) (*yamlDocument, error) {
	doc, err := scannedYAML(text)
	if err != nil {
		return nil, err
	}
	doc.source = map[*Node]*yamlNode{}
	doc.root = doc.node(doc.top, false)
	return doc, nil
}

func scannedYAML(text string) (doc *yamlDocument, err error) {
	if err := checkSize(text); err != nil {
		return nil, err
	}
	defer catchSyntax(&err)
	checkYAMLCharacters(text)
	p := &yamlParser{text: text, anchors: map[string]*yamlNode{}}
	if strings.HasPrefix(text, bom) {
		p.at, p.line = len(bom), len(bom)
	}
	doc = &yamlDocument{top: p.document()}
	doc.end = p.at
	return doc, nil
}

// checkYAMLCharacters refuses what YAML does not let a text contain.
func checkYAMLCharacters(text string) {
	for i := 0; i < len(text); {
		c := text[i]
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			panic(&SyntaxError{Offset: i, Msg: fmt.Sprintf("control character %U", rune(c))})
		}
		if c < 0x80 {
			i++
			continue
		}
		size := characterSize(text, i)
		if text[i] == 0xc2 && text[i+1] < 0xa0 && text[i+1] != 0x85 || strings.HasPrefix(text[i:], "\uffff") || strings.HasPrefix(text[i:], "\ufffe") {
			panic(&SyntaxError{Offset: i, Msg: "control character"})
		}
		i += size
	}
}

// yamlParser reads one text. It leaves its recursion by a panic with a
// [*SyntaxError].
type yamlParser struct {
	text    string
	at      int // the place of reading
	line    int // where the line of that place begins
	depth   int
	flow    int // brackets around the place of reading
	anchors map[string]*yamlNode
	aliased yamlCost // what aliases have added so far
	slab    []yamlNode
}

// hold gives a node its place. Nodes are made many at a time, since making
// them singly takes half the time of reading.
func (p *yamlParser) hold(n yamlNode) *yamlNode {
	if len(p.slab) == 0 {
		p.slab = make([]yamlNode, 64)
	}
	held := &p.slab[0]
	p.slab = p.slab[1:]
	*held = n
	return held
}

func (p *yamlParser) fail(offset int, format string, args ...any) {
	panic(&SyntaxError{Offset: offset, Msg: fmt.Sprintf(format, args...)})
}

func (p *yamlParser) enter() {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.at, "nested deeper than %d levels", MaxDepth)
	}
}

// document reads the first document that has content.
func (p *yamlParser) document() *yamlNode {
	for {
		p.skipBlank()
		for p.peek() == '%' && p.column() == 0 {
			p.skipLine()
			p.skipBlank()
		}
		marked := p.marker("---")
		if marked {
			p.at += len("---")
		}
		n := p.blockNode(-1, yamlCompact)
		p.skipBlank()
		if p.marker("...") {
			p.at += len("...")
			p.lineEnd()
		} else if !p.ended() {
			p.fail(p.at, "expected the end of the document, found %s: is the indentation right?", found(p.text, p.at))
		}
		if n.style != yamlEmpty || p.at >= len(p.text) {
			return n
		}
	}
}

// node gives a value as plain data has it: aliases followed, merge keys
// carried out.
func (d *yamlDocument) node(y *yamlNode, aliased bool) *Node {
	content := y
	if y.target != nil {
		content, aliased = y.target, true
	}
	if len(d.slab) == 0 {
		d.slab = make([]Node, 64)
	}
	n := &d.slab[0]
	d.slab = d.slab[1:]
	*n = Node{Kind: content.kind, Span: y.Span, Text: content.text}
	if len(content.items) > 0 {
		n.Elements = make([]*Node, 0, len(content.items))
	}
	if len(content.pairs) > 0 {
		n.Members = make([]Member, 0, len(content.pairs))
	}
	for _, item := range content.items {
		n.Elements = append(n.Elements, d.node(item.value, aliased))
	}
	var merged []*yamlNode
	for _, pair := range content.pairs {
		if isYAMLMerge(pair) {
			merged = append(merged, yamlMerged(pair.value)...)
			continue
		}
		n.Members = append(n.Members, Member{pair.key.name(), pair.key.Span, d.node(pair.value, aliased)})
	}
	if len(merged) > 0 {
		d.merge(n, merged)
	}
	if !aliased && d.source != nil {
		d.source[n] = y
	}
	return n
}

// name is a key as plain data has it: always text.
func (y *yamlNode) name() string {
	if y.target != nil {
		return y.target.name()
	}
	switch {
	case y.style == yamlPlain:
		return y.plain
	case y.kind == Object || y.kind == Array:
		return y.complexName()
	}
	return y.text
}

// complexName stands for a key that is a collection, which plain data cannot
// have.
func (y *yamlNode) complexName() string {
	return fmt.Sprintf("key at byte %d", y.Start)
}

// isYAMLMerge reports whether a pair is a merge key: its value is a mapping, or
// a list of nothing else.
func isYAMLMerge(pair yamlPair) bool {
	if pair.key.style != yamlPlain || pair.key.text != "<<" {
		return false
	}
	return len(yamlMerged(pair.value)) > 0 || pair.value.kind == Array && pair.value.cost.nodes == 0
}

// yamlMerged gives the mappings that the value of a merge key names, or none
// where the value is something else.
func yamlMerged(value *yamlNode) []*yamlNode {
	if value.target != nil {
		value = value.target
	}
	if value.kind == Object {
		return []*yamlNode{value}
	}
	var list []*yamlNode
	for _, item := range value.items {
		each := item.value
		if each.target != nil {
			each = each.target
		}
		if each.kind != Object {
			return nil
		}
		list = append(list, each)
	}
	return list
}

// merge adds what n does not have yet; the mapping named first wins.
func (d *yamlDocument) merge(n *Node, merged []*yamlNode) {
	have := map[string]bool{}
	for _, m := range n.Members {
		have[m.Name] = true
	}
	for _, y := range merged {
		old := len(n.Members)
		for _, m := range d.node(y, true).Members {
			if !have[m.Name] {
				n.Members = append(n.Members, m)
			}
		}
		for _, m := range n.Members[old:] { // within one mapping, the last of a name counts
			have[m.Name] = true
		}
	}
}
