package schema

import (
	"bytes"
	"encoding/json"

	"mcpmend/core/config"
)

// The types of an [Error].
const (
	Validation    = "validation"     // the arguments do not fit the schema
	InvalidSchema = "invalid_schema" // the schema itself cannot be used
)

// Error is why a call was not valid, complete; [Error.Markdown] makes the
// text of it and shortens it.
type Error struct {
	Type         string          `json:"type"`
	Summary      string          `json:"summary"`
	Issues       []Issue         `json:"issues"`
	Schema       *Documentation  `json:"schema,omitempty"`
	Suggestions  []string        `json:"suggestions"`
	ValidExample json.RawMessage `json:"valid_example,omitempty"`
}

// Error gives the summary.
func (e *Error) Error() string { return e.Summary }

// Issue is one thing to correct. In an error of type [InvalidSchema] Field
// points into the schema, else into the arguments.
type Issue struct {
	Field    string          `json:"field"` // JSON Pointer, of a missing member too
	Problem  string          `json:"problem"`
	Received json.RawMessage `json:"received,omitempty"` // masked and cut; absent for a missing member
	Expected string          `json:"expected"`
	Fix      string          `json:"fix"`
	Patch    config.Patch    `json:"patch,omitempty"` // where the mend is certain

	group suggestionGroup
}

// Documentation is an object schema in words.
type Documentation struct {
	Description string            `json:"description,omitempty"`
	Required    []string          `json:"required"`
	Properties  Properties        `json:"properties"`
	Examples    []json.RawMessage `json:"examples,omitempty"`
}

// Properties is a JSON object whose members keep the order of the schema.
type Properties []Property

// Property is one documented property.
type Property struct {
	Name        string            `json:"-"`
	Type        string            `json:"type"`
	Required    bool              `json:"required,omitempty"`
	Description string            `json:"description,omitempty"`
	Constraints []string          `json:"constraints"`
	Examples    []json.RawMessage `json:"examples"`
	Properties  Properties        `json:"properties,omitempty"` // of an object, or of the objects in an array
}

// MarshalJSON writes the properties as one object.
func (p Properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, property := range p {
		if i > 0 {
			out.WriteByte(',')
		}
		type plain Property // without the methods, so that this does not call itself
		writeString(&out, property.Name)
		out.WriteByte(':')
		member, err := json.Marshal(plain(property))
		if err != nil {
			return nil, err
		}
		out.Write(member)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
