package config

import (
	"strings"
	"unicode/utf8"
)

// yamlPlace is what stands before a value on its line.
type yamlPlace uint8

const (
	yamlCompact    yamlPlace = iota // a dash, a question mark or nothing: a collection may begin here
	yamlAfterColon                  // a key: a collection begins on the next line
)

func (p *yamlParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *yamlParser) column() int { return p.at - p.line }

// breakSize gives the length of the line break at an offset, 0 for none.
func breakSize(text string, at int) int {
	switch {
	case at >= len(text):
		return 0
	case text[at] == '\n':
		return 1
	case text[at] != '\r':
		return 0
	case at+1 < len(text) && text[at+1] == '\n':
		return 2
	}
	return 1
}

// blankAt reports whether space, a line break or the end is at an offset.
func blankAt(text string, at int) bool {
	return at >= len(text) || text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r'
}

func (p *yamlParser) newline() bool {
	size := breakSize(p.text, p.at)
	p.at += size
	if size > 0 {
		p.line = p.at
	}
	return size > 0
}

func (p *yamlParser) skipLine() {
	for p.at < len(p.text) && breakSize(p.text, p.at) == 0 {
		p.at++
	}
}

func (p *yamlParser) skipSpace() {
	for p.peek() == ' ' || p.peek() == '\t' {
		p.at++
	}
}

// skipBlank passes space, comments and line breaks, and reports whether it
// came to a new line. A tab in front of a block's content is an error.
func (p *yamlParser) skipBlank() (fresh bool) {
	head := p.at == p.line // as after a block scalar
	for {
		p.skipSpace()
		if p.peek() == '#' && (p.at == p.line || blankAt(p.text, p.at-1)) {
			p.skipLine()
		}
		if !p.newline() {
			break
		}
		fresh = true
	}
	if (fresh || head) && p.flow == 0 && p.at < len(p.text) {
		if tab := strings.IndexByte(p.text[p.line:p.at], '\t'); tab >= 0 {
			p.fail(p.line+tab, "a tab in the indentation: YAML takes spaces only")
		}
	}
	return fresh
}

// lineEnd wants nothing more on the line but a comment.
func (p *yamlParser) lineEnd() {
	p.skipSpace()
	if p.peek() == '#' && blankAt(p.text, p.at-1) {
		p.skipLine()
	}
	if p.at < len(p.text) && breakSize(p.text, p.at) == 0 {
		p.fail(p.at, "expected the end of the line, found %s", found(p.text, p.at))
	}
}

// entry reports whether an indicator of its own stands here.
func (p *yamlParser) entry(indicator byte) bool {
	return p.peek() == indicator && blankAt(p.text, p.at+1)
}

// marker reports whether --- or ... stands here at the start of a line.
func (p *yamlParser) marker(mark string) bool {
	return p.column() == 0 && strings.HasPrefix(p.text[p.at:], mark) && blankAt(p.text, p.at+len(mark))
}

func (p *yamlParser) ended() bool {
	return p.at >= len(p.text) || p.marker("---") || p.marker("...")
}

// blockNode reads the value that belongs to a collection at column indent, -1
// for the document itself.
func (p *yamlParser) blockNode(indent int, place yamlPlace) *yamlNode {
	p.enter()
	defer func() { p.depth-- }()
	absent := p.at
	fresh := p.skipBlank()
	if p.absent(indent, place, fresh) {
		return p.hold(yamlNode{Span: Span{absent, absent}, start: absent, style: yamlEmpty})
	}
	start, line := p.at, p.line
	column := p.column()
	props := p.properties()
	if props != nil && p.line == line && breakSize(p.text, p.at) == 0 && p.peek() != '#' && p.at < len(p.text) {
		// On one line they may belong to the first key of a mapping.
		return p.blockContent(indent, place, fresh, start, column, props)
	}
	if props != nil {
		absent = p.at
		below := p.skipBlank()
		if p.absent(indent, place, below) || p.ended() {
			n := p.hold(yamlNode{Span: Span{absent, absent}, start: start, style: yamlEmpty})
			return p.named(n, props)
		}
		n := p.blockContent(indent, place, true, p.at, p.column(), nil)
		if n.start = start; n.anchor != "" {
			p.fail(start, "one value cannot have two anchors")
		}
		return p.named(n, props)
	}
	return p.blockContent(indent, place, fresh, start, column, nil)
}

// absent reports whether the value is left out: what comes next belongs to a
// collection further out. A list may stand at the column of its key.
func (p *yamlParser) absent(indent int, place yamlPlace, fresh bool) bool {
	if p.ended() {
		return true
	}
	if !fresh || p.column() > indent {
		return false
	}
	return !(place == yamlAfterColon && p.column() == indent && p.entry('-'))
}

func (p *yamlParser) blockContent(indent int, place yamlPlace, fresh bool, start, column int, props *yamlProperties) *yamlNode {
	collection := fresh || place == yamlCompact
	switch c := p.peek(); {
	case p.entry('-'):
		if !collection || props != nil {
			p.fail(p.at, "a list begins on the line below its key")
		}
		return p.blockSequence(p.column())
	case p.entry('?') && collection && props == nil:
		return p.blockMapping(column, nil)
	case c == '|' || c == '>':
		n := p.blockScalar(indent)
		n.start = start
		return p.named(n, props)
	}
	line := p.line
	n := p.content(indent)
	n.start = start
	p.named(n, props)
	p.skipSpace()
	if !p.colon() {
		p.lineEnd()
		return n
	}
	p.shortKey(n)
	switch {
	case p.line != line:
		p.fail(p.at, "a key has to be on one line: is the indentation right?")
	case !collection:
		p.fail(p.at, "a colon inside a value: the value needs quotes")
	}
	return p.blockMapping(column, n)
}

// colon reports whether the colon after a key stands here.
func (p *yamlParser) colon() bool { return p.entry(':') }

func (p *yamlParser) blockSequence(column int) *yamlNode {
	n := p.hold(yamlNode{kind: Array, style: yamlBlock, start: p.at, column: column, Span: Span{p.at, p.at}})
	for {
		dash := p.at
		p.at++
		value := p.blockNode(column, yamlCompact)
		n.items = append(n.items, yamlItem{dash, value})
		n.End = max(dash+1, value.End)
		p.skipBlank()
		if p.ended() || p.column() < column || p.column() == column && !p.entry('-') {
			return p.counted(n)
		}
		if p.column() > column {
			p.fail(p.at, "indented deeper than the list it is in")
		}
	}
}

// blockMapping reads pairs at a column; the first key may have been read.
func (p *yamlParser) blockMapping(column int, key *yamlNode) *yamlNode {
	n := p.hold(yamlNode{kind: Object, style: yamlBlock, start: p.line + column, column: column})
	n.Start = n.start
	for {
		pair := yamlPair{key: key, colon: -1}
		if key == nil && p.entry('?') {
			p.at++
			pair.key = p.blockNode(column, yamlCompact)
			p.skipBlank()
			pair.value = p.hold(yamlNode{Span: Span{pair.key.End, pair.key.End}, start: pair.key.End})
			if p.column() == column && p.colon() && !p.ended() {
				pair.colon = p.at
				p.at++
				pair.value = p.blockNode(column, yamlCompact)
			}
		} else {
			if key == nil {
				pair.key = p.implicitKey()
			}
			pair.colon = p.at
			p.at++
			pair.value = p.blockNode(column, yamlAfterColon)
		}
		key = nil
		n.pairs = append(n.pairs, pair)
		n.End = max(pair.key.End, pair.colon+1, pair.value.End)
		p.skipBlank()
		if p.ended() || p.column() < column {
			return p.counted(n)
		}
		if p.column() > column {
			p.fail(p.at, "indented deeper than the keys above it")
		}
	}
}

func (p *yamlParser) implicitKey() *yamlNode {
	if p.entry('-') {
		p.fail(p.at, "a list item among the keys of a mapping")
	}
	start, line := p.at, p.line
	props := p.properties()
	n := p.content(p.column())
	n.start = start
	p.skipSpace()
	if p.line != line || !p.colon() {
		p.fail(n.Start, "expected a key with a colon and a space after it")
	}
	p.shortKey(n)
	return p.named(n, props)
}

// shortKey refuses a key that YAML does not look for a colon behind.
func (p *yamlParser) shortKey(key *yamlNode) {
	const most = 1024
	if p.at-key.start > most && utf8.RuneCountInString(p.text[key.start:p.at]) > most {
		p.fail(key.start, "a key has at most %d characters", most)
	}
}

// yamlProperties are what may stand before a value.
type yamlProperties struct {
	anchor, tag string
}

func (p *yamlParser) properties() *yamlProperties {
	var props *yamlProperties
	for p.peek() == '&' || p.peek() == '!' {
		if props == nil {
			props = &yamlProperties{}
		}
		start := p.at
		if p.peek() == '&' {
			if props.anchor != "" {
				p.fail(p.at, "one value cannot have two anchors")
			}
			p.at++
			props.anchor = p.label()
		} else {
			for !blankAt(p.text, p.at) && (p.flow == 0 || !isFlowIndicator(p.peek())) {
				p.at++
			}
			props.tag = p.text[start:p.at]
		}
		if !blankAt(p.text, p.at) && (p.flow == 0 || !isFlowIndicator(p.peek())) {
			p.fail(start, "an anchor or a tag ends with a space")
		}
		p.skipSpace()
	}
	if props != nil && props.anchor != "" {
		// Until the value has been read, an alias to it would be a circle.
		p.anchors[props.anchor] = p.hold(yamlNode{open: true})
	}
	return props
}

// label reads the name of an anchor.
func (p *yamlParser) label() string {
	start := p.at
	for isTOMLBare(p.peek()) {
		p.at++
	}
	if p.at == start {
		p.fail(start-1, "%s begins an anchor or an alias, which needs a name; text that begins with it needs quotes", found(p.text, start-1))
	}
	return p.text[start:p.at]
}

// named gives a value its anchor and lets its tag decide what it is.
func (p *yamlParser) named(n *yamlNode, props *yamlProperties) *yamlNode {
	if props == nil {
		return n
	}
	if n.target != nil {
		p.fail(n.Start, "an alias has neither anchor nor tag")
	}
	n.anchor, n.tag = props.anchor, props.tag
	if n.kind != Object && n.kind != Array {
		n.resolveTag()
	}
	if n.anchor != "" {
		p.anchors[n.anchor] = n
	}
	return n
}

// counted adds up what a collection amounts to.
func (p *yamlParser) counted(n *yamlNode) *yamlNode {
	add := func(child *yamlNode) {
		n.cost.nodes += child.cost.nodes + 1
		n.cost.bytes += child.cost.bytes + len(child.text)
		n.cost.depth = max(n.cost.depth, child.cost.depth+1)
	}
	for _, pair := range n.pairs {
		add(pair.key)
		add(pair.value)
	}
	for _, item := range n.items {
		add(item.value)
	}
	if n.cost.depth > MaxDepth {
		p.fail(n.Start, "aliases nest deeper than %d levels", MaxDepth)
	}
	return n
}

func (p *yamlParser) alias() *yamlNode {
	start := p.at
	p.at++
	name := p.label()
	target := p.anchors[name]
	switch {
	case target == nil:
		p.fail(start, "the alias *%s names no anchor; text that begins with * needs quotes", name)
	case target.open:
		p.fail(start, "the alias *%s is inside what it names", name)
	}
	p.aliased.nodes += target.cost.nodes + 1
	p.aliased.bytes += target.cost.bytes + len(target.text)
	if p.aliased.nodes > yamlMaxAliasNodes || p.aliased.bytes > yamlMaxAliasBytes {
		p.fail(start, "the aliases stand for more than %d values or %d MiB", yamlMaxAliasNodes, yamlMaxAliasBytes>>20)
	}
	return p.hold(yamlNode{Span: Span{start, p.at}, start: start, style: yamlAlias,
		kind: target.kind, text: target.text, target: target, cost: target.cost})
}
