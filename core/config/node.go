package config

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Get gives the value of a key, or nil where n is no object or has no such
// key. Of duplicates the last counts, as it does for every client.
func (n *Node) Get(name string) *Node {
	if i := n.index(name); i >= 0 {
		return n.Members[i].Value
	}
	return nil
}

// index gives the place of the last member of that name, or -1.
func (n *Node) index(name string) int {
	if n == nil || n.Kind != Object {
		return -1
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// At gives the value at an RFC 6901 pointer below n, or nil.
func (n *Node) At(pointer string) *Node {
	names, err := SplitPointer(pointer)
	if err != nil {
		return nil
	}
	for _, name := range names {
		if n = n.child(name); n == nil {
			return nil
		}
	}
	return n
}

func (n *Node) child(name string) *Node {
	if n == nil || n.Kind != Array {
		return n.Get(name)
	}
	if i, ok := arrayIndex(name); ok && i < len(n.Elements) {
		return n.Elements[i]
	}
	return nil
}

// Value gives n as plain data: nil, bool, json.Number, string, []any or
// map[string]any. Of duplicate keys the last counts.
func (n *Node) Value() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Number:
		return plainNumber(n.Text)
	case String:
		return n.Text
	case Array:
		list := make([]any, len(n.Elements))
		for i, e := range n.Elements {
			list[i] = e.Value()
		}
		return list
	case Object:
		object := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			object[m.Name] = m.Value.Value()
		}
		return object
	}
	return nil
}

// Equal reports whether two nodes hold the same data, however they are written.
func (n *Node) Equal(other *Node) bool { return SameData(n.Value(), other.Value()) }

// SameData compares what Value gives, as reflect.DeepEqual would; the page does
// without that.
func SameData(a, b any) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, SameData)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, SameData)
	}
	return a == b
}

// plainNumber keeps a literal that JSON knows and rewrites those of TOML and
// YAML (0x1f, 1_000, .5). What JSON has no number for, such as inf, stays text.
func plainNumber(literal string) any {
	if json.Valid([]byte(literal)) {
		return json.Number(literal)
	}
	digits := strings.ReplaceAll(literal, "_", "")
	if i, err := strconv.ParseInt(strings.TrimPrefix(digits, "+"), 0, 64); err == nil {
		return json.Number(strconv.FormatInt(i, 10))
	}
	if f, err := strconv.ParseFloat(digits, 64); err == nil && f-f == 0 {
		return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return literal
}
