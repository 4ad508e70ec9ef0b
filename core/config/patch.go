package config

import "encoding/json"

// Op is one operation of an RFC 6902 patch against a document as plain data,
// whatever its format.
type Op struct {
	Op    string          `json:"op"` // add, remove, replace, move, copy, test
	Path  string          `json:"path"`
	From  string          `json:"from,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`
}

// Patch is a list of operations, carried out in order or not at all.
type Patch []Op
