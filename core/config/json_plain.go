package config

import (
	"slices"

	"github.com/tailscale/hujson"
)

// plainReader reads JSON without comments and trailing commas, as most configs
// are, in a third of the time that hujson needs to keep all that stands between
// the values. What it does not expect it leaves to hujson, a mistake as well as
// a comment, so that it has no errors of its own.
type plainReader struct {
	text     string
	at       int
	members  []Member // of the objects that are still open
	elements []*Node  // of the arrays
	spare    []Node
}

func readPlainJSON(text string) (*Node, bool) {
	r := plainReader{text: text}
	root := r.value(0)
	return root, root != nil && r.next() == 0 && r.at == len(text)
}

// value reads a value inside so many others, or gives nil.
func (r *plainReader) value(depth int) *Node {
	c := r.next()
	n := r.node()
	n.Start = r.at
	ok := false
	switch c {
	case '{':
		ok = depth < MaxDepth && r.object(n, depth+1)
	case '[':
		ok = depth < MaxDepth && r.array(n, depth+1)
	case '"':
		n.Kind = String
		n.Text, n.Span, ok = r.str()
	default:
		ok = r.word(n)
	}
	if !ok {
		return nil
	}
	n.End = r.at
	return n
}

// next gives the first byte after white space, or 0 at the end.
func (r *plainReader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// node takes one of a number of nodes that are made at once.
func (r *plainReader) node() *Node {
	if len(r.spare) == 0 {
		r.spare = make([]Node, min(max(len(r.text)/64, 8), 512))
	}
	n := &r.spare[0]
	r.spare = r.spare[1:]
	return n
}

func (r *plainReader) object(n *Node, depth int) bool {
	n.Kind = Object
	open := len(r.members)
	r.at++
	for c := r.next(); c != '}' || len(r.members) > open; c = r.next() {
		if c != '"' {
			return false
		}
		name, key, ok := r.str()
		if !ok || r.next() != ':' {
			return false
		}
		r.at++
		value := r.value(depth)
		if value == nil {
			return false
		}
		r.members = append(r.members, Member{Name: name, Key: key, Value: value})
		if c = r.next(); c == '}' {
			break
		}
		if c != ',' {
			return false
		}
		r.at++
	}
	r.at++
	n.Members = slices.Clone(r.members[open:])
	r.members = r.members[:open]
	return true
}

func (r *plainReader) array(n *Node, depth int) bool {
	n.Kind = Array
	open := len(r.elements)
	r.at++
	for c := r.next(); c != ']' || len(r.elements) > open; c = r.next() {
		value := r.value(depth)
		if value == nil {
			return false
		}
		r.elements = append(r.elements, value)
		if c = r.next(); c == ']' {
			break
		}
		if c != ',' {
			return false
		}
		r.at++
	}
	r.at++
	n.Elements = slices.Clone(r.elements[open:])
	r.elements = r.elements[:open]
	return true
}

// str reads a string. One that has escapes is checked and decoded as hujson's
// are.
func (r *plainReader) str() (string, Span, bool) {
	literal := Span{Start: r.at}
	escaped := false
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			literal.End = r.at
			ok := !escaped || hujson.Literal(r.text[literal.Start:literal.End]).IsValid()
			return jsonString(r.text, literal), literal, ok
		case c == '\\':
			escaped = true
			r.at++
		case c < ' ':
			return "", literal, false
		}
	}
	return "", literal, false
}

// word reads a number, true, false or null.
func (r *plainReader) word(n *Node) bool {
	for r.at < len(r.text) && (isLetterOrDigit(r.text[r.at]) || r.text[r.at] == '-' || r.text[r.at] == '+' || r.text[r.at] == '.') {
		r.at++
	}
	n.Text = r.text[n.Start:r.at]
	literal := hujson.Literal(n.Text)
	n.Kind = jsonKind(literal)
	return literal.IsValid()
}
