package config

import "strings"

func isFlowIndicator(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

// content reads a value that is neither a block collection nor a block scalar.
func (p *yamlParser) content(indent int) *yamlNode {
	switch p.peek() {
	case '*':
		return p.alias()
	case '[', '{':
		return p.flowCollection()
	case '"':
		return p.doubleQuoted()
	case '\'':
		return p.singleQuoted()
	}
	return p.plain(indent)
}

// flowNode reads a value inside brackets; what is not there is null.
func (p *yamlParser) flowNode() *yamlNode {
	start := p.at
	props := p.properties()
	if props != nil {
		p.skipBlank()
	}
	if c := p.peek(); c == ',' || c == ']' || c == '}' || p.flowColon() {
		n := p.hold(yamlNode{Span: Span{p.at, p.at}, start: start, style: yamlEmpty})
		return p.named(n, props)
	}
	n := p.content(-1)
	n.start = start
	return p.named(n, props)
}

// flowColon reports whether a colon that parts key and value stands here.
func (p *yamlParser) flowColon() bool {
	return p.peek() == ':' && (blankAt(p.text, p.at+1) || isFlowIndicator(p.text[p.at+1]))
}

// flowCollection reads [a, b] or {a: b}.
func (p *yamlParser) flowCollection() *yamlNode {
	p.enter()
	p.flow++
	start := p.at
	n := p.hold(yamlNode{Span: Span{Start: start}, start: start, style: yamlFlow, kind: Array})
	closer := byte(']')
	if p.peek() == '{' {
		n.kind, closer = Object, '}'
	}
	p.at++
	for {
		p.skipFlow(start, closer)
		if p.peek() == closer {
			break
		}
		if p.peek() == ',' {
			p.fail(p.at, "a comma without a value before it")
		}
		p.flowEntry(n, start, closer)
		p.skipFlow(start, closer)
		if p.peek() == ',' {
			p.at++
		} else if p.peek() != closer {
			p.fail(p.at, "expected , or %c, found %s", closer, found(p.text, p.at))
		}
	}
	p.at++
	n.End = p.at
	p.depth--
	p.flow--
	return p.counted(n)
}

// skipFlow passes the blank between the parts of a collection, which must not
// end before its bracket is closed.
func (p *yamlParser) skipFlow(open int, closer byte) {
	p.skipBlank()
	if p.ended() {
		p.fail(open, "%c is never closed: %c is missing", p.text[open], closer)
	}
}

// flowEntry reads one value or pair of a collection in brackets. A pair in a
// sequence is a mapping of its own.
func (p *yamlParser) flowEntry(n *yamlNode, open int, closer byte) {
	explicit := p.entry('?')
	if explicit {
		p.at++
		p.skipFlow(open, closer)
	}
	if p.flowColon() {
		p.fail(p.at, "a colon without a key before it")
	}
	key := p.flowNode()
	end := p.at
	p.skipFlow(open, closer)
	adjacent := p.peek() == ':' && (key.style == yamlDouble || key.style == yamlSingle || key.style == yamlFlow)
	pair := yamlPair{key: key, colon: -1}
	if p.flowColon() || adjacent {
		if !explicit && key.style != yamlFlow && strings.ContainsAny(p.text[key.start:p.at], "\r\n") {
			p.fail(key.Start, "a key has to be on one line: is a quote, a comma or a bracket missing?")
		}
		if !explicit {
			p.shortKey(key)
		}
		pair.colon = p.at
		p.at++
		p.skipFlow(open, closer)
		pair.value = p.flowNode()
	} else if n.kind == Array && !explicit {
		n.items = append(n.items, yamlItem{-1, key})
		return
	} else {
		pair.value = p.hold(yamlNode{Span: Span{end, end}, start: end})
	}
	if n.kind == Object {
		n.pairs = append(n.pairs, pair)
		return
	}
	single := p.hold(yamlNode{Span: Span{key.start, max(end, pair.colon+1, pair.value.End)}, start: key.start,
		style: yamlPairStyle, kind: Object, pairs: []yamlPair{pair}})
	n.items = append(n.items, yamlItem{-1, p.counted(single)})
}

// plain reads text without quotes. Lines that are indented more than indent
// go on with it.
func (p *yamlParser) plain(indent int) *yamlNode {
	start := p.at
	p.plainStart()
	end := p.plainLine()
	if end == start {
		p.fail(start, "expected a value, found %s", found(p.text, start))
	}
	text := p.text[start:end]
	p.at = end
	if p.flow > 0 || !p.keyFollows() {
		text, end = p.plainContinued(text, end, indent)
	}
	n := p.hold(yamlNode{Span: Span{start, end}, start: start, style: yamlPlain, plain: text})
	n.kind, n.text = resolveYAML(text)
	return n
}

func (p *yamlParser) keyFollows() bool {
	at := p.at
	p.skipSpace()
	yes := p.colon()
	p.at = at
	return yes
}

// plainStart refuses what plain text cannot begin with.
func (p *yamlParser) plainStart() {
	c := p.peek()
	next := byte(0)
	if p.at+1 < len(p.text) {
		next = p.text[p.at+1]
	}
	switch {
	case strings.IndexByte("-?:", c) >= 0:
		if blankAt(p.text, p.at+1) || p.flow > 0 && (isFlowIndicator(next) || c == ':') {
			p.fail(p.at, "%s has no place here", found(p.text, p.at))
		}
	case strings.IndexByte(",[]{}#&*!|>'\"%@`", c) >= 0:
		p.fail(p.at, "a value cannot begin with %s: it needs quotes", found(p.text, p.at))
	case strings.HasPrefix(p.text[p.at:], "\u00a0") || strings.HasPrefix(p.text[p.at:], "\u200b") || strings.HasPrefix(p.text[p.at:], bom):
		// YAML would take it for part of the text, which nobody means.
		p.fail(p.at, "an invisible character before the text")
	}
}

// plainLine gives the end of the plain text on this line.
func (p *yamlParser) plainLine() int {
	end := p.at
	for at := p.at; at < len(p.text); at++ {
		c := p.text[at]
		switch {
		case c == '\n' || c == '\r':
			return end
		case c == ':' && (blankAt(p.text, at+1) || p.flow > 0 && isFlowIndicator(p.text[at+1])):
			return end
		case c == '#' && at > 0 && blankAt(p.text, at-1):
			return end
		case p.flow > 0 && isFlowIndicator(c):
			return end
		case c != ' ' && c != '\t':
			end = at + 1
		}
	}
	return end
}

// plainContinued folds the following lines into a plain text.
func (p *yamlParser) plainContinued(text string, end, indent int) (string, int) {
	var out strings.Builder
	for {
		p.at = end
		line := p.line
		p.skipSpace()
		breaks := 0
		for p.newline() {
			breaks++
			p.skipSpace()
		}
		more := breaks > 0 && !p.ended() && p.peek() != '#' &&
			(p.flow == 0 && p.column() > indent && !strings.Contains(p.text[p.line:p.at], "\t") || p.flow > 0 && p.continuesFlow())
		var next int
		if more {
			next = p.plainLine()
			more = next > p.at
		}
		if !more {
			p.at, p.line = end, line
			if out.Len() == 0 {
				return text, end
			}
			return out.String(), end
		}
		if out.Len() == 0 {
			out.WriteString(text)
		}
		if breaks == 1 {
			out.WriteByte(' ')
		}
		out.WriteString(strings.Repeat("\n", breaks-1))
		out.WriteString(p.text[p.at:next])
		end = next
	}
}

// continuesFlow reports whether plain text in brackets goes on here.
func (p *yamlParser) continuesFlow() bool {
	return !isFlowIndicator(p.peek()) && !p.flowColon()
}
