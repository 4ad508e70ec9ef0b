package toolcall

import (
	"strings"

	"mcpmend/core/config"
)

// call is what was pasted as arguments.
type call struct {
	tool string // the name in a tools/call request, or ""
	text string // the arguments as written, or ""
	node *config.Node
}

// findArguments takes arguments, the params of a call, or a whole request.
func findArguments(text string) (call, error) {
	if strings.TrimSpace(text) == "" {
		return call{}, nil
	}
	root, err := parse(text)
	if err != nil {
		return call{}, err
	}
	c := call{node: root}
	for _, n := range []*config.Node{root.Get("params"), root} {
		if name, arguments := n.Get("name"), n.Get("arguments"); name != nil && name.Kind == config.String && arguments != nil {
			c.tool, c.node = name.Text, arguments
			break
		}
	}
	c.text = text[c.node.Start:c.node.End]
	return c, nil
}

// place is where the value at a pointer stands in what was pasted. A member
// that is missing has none.
func (c call) place(pointer string) config.Span {
	if n := c.node.At(pointer); n != nil {
		return n.Span
	}
	return config.Span{}
}

// tool is what was pasted as schema.
type tool struct {
	name   string
	schema string
	keys   []string // the names of its properties
}

// findTool takes a schema, one tool, a list of tools or a tools/list answer.
// Of several tools it takes the one that the call names, or else the one whose
// properties the arguments fit best.
func findTool(text string, c call) (tool, error) {
	root, err := parse(text)
	if err != nil {
		return tool{}, err
	}
	list := root
	for _, key := range []string{"result", "tools"} {
		if n := list.Get(key); n != nil {
			list = n
		}
	}
	if list.Kind != config.Array {
		list = &config.Node{Kind: config.Array, Elements: []*config.Node{list}}
	}
	best, score := tool{name: c.tool, schema: text[root.Start:root.End]}, -1
	for _, n := range list.Elements {
		t, ok := toolOf(n, text)
		if !ok {
			continue
		}
		if s := t.score(c); s > score {
			best, score = t, s
		}
	}
	return best, nil
}

func toolOf(n *config.Node, text string) (tool, bool) {
	for _, key := range []string{"inputSchema", "input_schema", "parameters"} {
		s := n.Get(key)
		if s == nil || n.Get("type") != nil && n.Get("properties") != nil {
			continue
		}
		t := tool{schema: text[s.Start:s.End]}
		if name := n.Get("name"); name != nil && name.Kind == config.String {
			t.name = name.Text
		}
		if properties := s.Get("properties"); properties != nil {
			for _, m := range properties.Members {
				t.keys = append(t.keys, m.Name)
			}
		}
		return t, true
	}
	return tool{}, false
}

func (t tool) score(c call) int {
	if c.tool != "" && t.name == c.tool {
		return 1 << 20
	}
	if c.node == nil {
		return 0
	}
	fit := 0
	for _, key := range t.keys {
		if c.node.Get(key) != nil {
			fit++
		}
	}
	return fit
}

// parse reads JSON as the config package does, so that sizes and depths are
// bounded the same way and every value has its place.
func parse(text string) (*config.Node, error) {
	document, err := config.Parse(text, config.Options{Format: config.JSON})
	if err != nil {
		return nil, err
	}
	return document.Root, nil
}
