// Package schema says what is wrong with the arguments of a tool call, in a
// way that lets a model or a person correct them in one go.
//
// [Compile] reads a tool's inputSchema once; [Schema.Explain] then checks
// arguments against it. Where they fail, the [Result] has every issue with
// what was received, what was expected and how to fix it, the arguments after
// all mends that need no guess, and an example that has been proven valid and
// keeps what the caller got right. [Error.Markdown] is the text of it.
// [LintTool] tells which clients and model APIs will refuse a tool's schema.
//
// Schemas come from servers and are not trusted: no reference is ever loaded
// from disk or network, and size, depth, the expanded graph of references,
// the steps of every pattern and the work of every validation are bounded.
// A bound is counted, never timed, so that it is the same on every platform.
//
// The validator compiles its metaschemas when the program starts, some tens
// of milliseconds: keep this package out of programs that need not validate.
package schema

import (
	"encoding/json"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Options of [Compile].
type Options struct {
	// Draft is the dialect of a schema that has no $schema: "draft2020-12",
	// which is what "" means, or "draft7".
	Draft string
}

// Schema is a compiled schema. Its methods may be called from several
// goroutines; they take turns.
type Schema struct {
	mu       sync.Mutex
	root     *jsonschema.Schema
	byPlace  map[string]*jsonschema.Schema
	rank     ranks // property names in the order of the document
	meter    *meter
	names    []placedObject // objects seen by propertyNames in the last validation
	describe func() Documentation
	example  func() json.RawMessage
}

// Result is the answer to one call.
type Result struct {
	Valid bool `json:"valid"`
	// Error is nil for valid arguments.
	Error *Error `json:"error"`
	// Example is a call that has been proven valid, the corrected call where
	// that is possible; empty when none could be proven.
	Example json.RawMessage `json:"valid_example,omitempty"`
	// Repaired is the arguments after the mends that need no guess, in the
	// caller's own values, unmasked; empty when there was none.
	Repaired json.RawMessage `json:"repaired,omitempty"`
	// RepairedValid reports whether the mends were enough.
	RepairedValid bool `json:"repaired_valid,omitempty"`
	// Repairs lists the mends.
	Repairs []Repair `json:"repairs,omitempty"`
}

// Repair is one mend that needed no guess.
type Repair struct {
	Field string `json:"field"` // JSON Pointer
	What  string `json:"what"`  // such as: read the string "5" as the number 5
}

// Documentation gives the schema in words, for [Error.Schema] and for a call
// that asks for nothing else.
func (s *Schema) Documentation() Documentation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.describe()
}

// Example gives a call that has been proven valid, made of the required
// properties, or nil when none could be proven.
func (s *Schema) Example() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.example()
}
