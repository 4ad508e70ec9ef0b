// Package toolcall is the page's tool-argument mode: out of what was pasted it
// takes a schema and the arguments of a call, and has them explained.
package toolcall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"mcpmend/core/config"
	"mcpmend/core/report"
	"mcpmend/core/schema"
)

// explained is the answer, as the page shows it.
type explained struct {
	Tool      string        `json:"tool"`
	Draft     string        `json:"draft"`
	Arguments string        `json:"arguments"` // as they stand in what was pasted; "" when there are none
	Valid     bool          `json:"valid"`
	Error     *schema.Error `json:"error"`
	Repaired  string        `json:"repaired"` // the corrected call, proven valid; "" when there is none
	Guessed   bool          `json:"guessed"`  // the corrected call has values that were not the caller's
	Example   string        `json:"example"`  // the smallest valid call
	Markdown  string        `json:"markdown"`
	Places    []config.Span `json:"places"` // of the issues, in the pasted arguments; empty where a member is missing
}

// Explain takes a schema, a tool or a tools/list answer, and arguments or a
// tools/call request. Without arguments it documents the schema.
func Explain(schemaText, argumentsText string) (string, error) {
	args, err := findArguments(argumentsText)
	if err != nil {
		return "", fmt.Errorf("the arguments are not JSON: %w", err)
	}
	tool, err := findTool(schemaText, args)
	if err != nil {
		return "", fmt.Errorf("the schema is not JSON: %w", err)
	}
	e := explained{Tool: tool.name, Draft: draft(tool.schema), Arguments: args.text, Places: []config.Span{}}
	compiled, invalid := schema.Compile([]byte(tool.schema), schema.Options{})
	if invalid != nil {
		e.Error, e.Markdown = invalid, invalid.Markdown(true)
		return encode(e), nil
	}
	e.Example = indent(compiled.Example())
	if args.text == "" {
		e.Valid = true
		return encode(e), nil
	}
	result := compiled.Explain(tool.name, []byte(args.text))
	e.Valid, e.Error = result.Valid, result.Error
	if result.Error != nil {
		e.Markdown = result.Error.Markdown(true)
		for _, issue := range result.Error.Issues {
			e.Places = append(e.Places, args.place(issue.Field))
		}
	}
	switch {
	case result.Valid:
	case result.RepairedValid:
		e.Repaired = inPlace(args.text, result)
	case len(result.Example) > 0:
		e.Repaired, e.Guessed = indent(result.Example), true
	}
	return encode(e), nil
}

// inPlace is the repaired call in the caller's own layout, where its patches
// lead to the same data.
func inPlace(text string, result schema.Result) string {
	now := text
	for _, issue := range result.Error.Issues {
		if len(issue.Patch) == 0 {
			continue
		}
		next, _, err := config.Apply(now, config.JSON, issue.Patch)
		if err != nil {
			return indent(result.Repaired)
		}
		now = next
	}
	if !sameJSON([]byte(now), result.Repaired) {
		return indent(result.Repaired)
	}
	return now
}

func sameJSON(a, b []byte) bool {
	return bytes.Equal(canonical(a), canonical(b))
}

// canonical has its keys sorted, because the repaired call is written in the
// order of the schema.
func canonical(text []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil {
		return nil
	}
	out, _ := json.Marshal(v)
	return out
}

func indent(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var out bytes.Buffer
	if json.Indent(&out, raw, "", "  ") != nil {
		return string(raw)
	}
	return out.String()
}

// draft is the dialect that a schema is read in, as people call it.
func draft(text string) string {
	var head struct {
		Schema string `json:"$schema"`
	}
	_ = json.Unmarshal([]byte(text), &head) // a schema that is no object has no dialect of its own
	for _, name := range []string{"draft-04", "draft-06", "draft-07", "2019-09"} {
		if strings.Contains(head.Schema, name) {
			return strings.Replace(name, "draft-0", "draft ", 1)
		}
	}
	return "draft 2020-12"
}

func encode(e explained) string {
	return string(report.IndentedJSON(e))
}
