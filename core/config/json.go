package config

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// parseJSON reads JSON with or without comments and trailing commas.
func parseJSON(text string) (*Node, error) {
	if root, ok := readPlainJSON(text); ok {
		return root, nil
	}
	return readHuJSON(text)
}

func readHuJSON(text string) (*Node, error) {
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	// hujson wants every line comment to end with a newline, the last too.
	value, err := hujson.Parse(append([]byte(text), '\n'))
	if err != nil {
		return nil, jsonSyntaxError(text, err)
	}
	root := &Node{}
	root.readJSON(text, &value)
	return root, nil
}

// jsonSyntaxError recovers the offset from hujson's line and column, which
// counts bytes: its error type carries neither.
func jsonSyntaxError(text string, err error) *SyntaxError {
	line, column, ok := hujsonPosition(err.Error())
	if !ok {
		return &SyntaxError{Msg: err.Error()}
	}
	offset := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(text[offset:], '\n')
		if next < 0 {
			offset = len(text)
			break
		}
		offset += next + 1
	}
	msg := err
	if inner := errors.Unwrap(err); inner != nil {
		msg = inner
	}
	return &SyntaxError{Offset: min(offset+column-1, len(text)), Msg: msg.Error()}
}

// hujsonPosition reads "hujson: line 1, column 2: …".
func hujsonPosition(message string) (line, column int, ok bool) {
	message = strings.TrimPrefix(message, "hujson: line ")
	lineText, rest, _ := strings.Cut(message, ", column ")
	columnText, _, _ := strings.Cut(rest, ":")
	line, lineErr := strconv.Atoi(lineText)
	column, columnErr := strconv.Atoi(columnText)
	return line, column, lineErr == nil && columnErr == nil
}

// readJSON fills a node. What it holds is made in one piece: a large config has
// more values than anything else.
func (n *Node) readJSON(text string, v *hujson.Value) {
	n.Span = Span{v.StartOffset, v.EndOffset}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Object
		n.Members = make([]Member, len(value.Members))
		nodes := make([]Node, len(value.Members))
		for i := range value.Members {
			m := &value.Members[i]
			key := Span{m.Name.StartOffset, m.Name.EndOffset}
			n.Members[i] = Member{Name: jsonString(text, key), Key: key, Value: &nodes[i]}
			nodes[i].readJSON(text, &m.Value)
		}
	case *hujson.Array:
		n.Kind = Array
		n.Elements = make([]*Node, len(value.Elements))
		nodes := make([]Node, len(value.Elements))
		for i := range value.Elements {
			n.Elements[i] = &nodes[i]
			nodes[i].readJSON(text, &value.Elements[i])
		}
	case hujson.Literal:
		n.Kind = jsonKind(value)
		n.Text = text[n.Start:n.End]
		if n.Kind == String {
			n.Text = jsonString(text, n.Span)
		}
	}
}

func jsonKind(literal hujson.Literal) Kind {
	switch literal.Kind() {
	case '"':
		return String
	case '0':
		return Number
	case 't', 'f':
		return Bool
	}
	return Null
}

// jsonString decodes a string literal; most have no escape and share the
// memory of the text.
func jsonString(text string, s Span) string {
	inner := text[s.Start+1 : s.End-1]
	if strings.IndexByte(inner, '\\') < 0 && utf8.ValidString(inner) {
		return inner
	}
	return hujson.Literal(text[s.Start:s.End]).String()
}
