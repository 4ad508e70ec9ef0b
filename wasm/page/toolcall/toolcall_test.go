package toolcall_test

import (
	"encoding/json"
	"testing"

	"github.com/matryer/is"

	"mcpmend/wasm/page/toolcall"
)

const counter = `{"type": "object", "properties": {"count": {"type": "integer"}, "name": {"type": "string"}}, "required": ["count"]}`

// explained is the part of the answer that the tests look at.
type explained struct {
	Tool, Arguments, Repaired, Example string
	Valid, Guessed                     bool
	Error                              *struct{ Type string }
	Places                             []struct{ Start, End int }
}

func explain(t *testing.T, schema, arguments string) explained {
	t.Helper()
	text, err := toolcall.Explain(schema, arguments)
	if err != nil {
		t.Fatal(err)
	}
	var e explained
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// Schemas and arguments in every wrapping that people paste them in.
func TestWrappings(t *testing.T) {
	schemas := map[string]string{
		"schema":        counter,
		"tool":          `{"name": "create", "inputSchema": ` + counter + `}`,
		"snake case":    `{"name": "create", "input_schema": ` + counter + `}`,
		"function":      `{"name": "create", "parameters": ` + counter + `}`,
		"list":          `[{"name": "other", "inputSchema": {"type": "object"}}, {"name": "create", "inputSchema": ` + counter + `}]`,
		"tools":         `{"tools": [{"name": "other", "inputSchema": {}}, {"name": "create", "inputSchema": ` + counter + `}]}`,
		"tools/list":    `{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "create", "inputSchema": ` + counter + `}]}}`,
		"with comments": "// the tool\n" + counter,
	}
	calls := map[string]string{
		"arguments":  `{"count": "3"}`,
		"params":     `{"name": "create", "arguments": {"count": "3"}}`,
		"tools/call": `{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "create", "arguments": {"count": "3"}}}`,
	}
	for schemaName, schema := range schemas {
		for callName, call := range calls {
			t.Run(schemaName+" and "+callName, func(t *testing.T) {
				is := is.New(t)
				e := explain(t, schema, call)
				is.Equal(e.Arguments, `{"count": "3"}`)
				is.Equal(e.Repaired, `{"count": 3}`) // in the caller's layout
				is.Equal(e.Guessed, false)
				is.Equal(len(e.Places), 1)
				is.Equal(call[e.Places[0].Start:e.Places[0].End], `"3"`)
			})
		}
	}
}

func TestWithoutArguments(t *testing.T) {
	is := is.New(t)
	e := explain(t, counter, "  ")
	is.True(e.Valid)
	is.True(e.Error == nil)
	is.True(json.Valid([]byte(e.Example)))
}

// A property that is called like the field of a tool is still a property.
func TestSchemaWithAParameterCalledParameters(t *testing.T) {
	is := is.New(t)
	e := explain(t, `{"type": "object", "properties": {"parameters": {"type": "integer"}}}`, `{"parameters": 1}`)
	is.True(e.Valid)
	is.Equal(e.Tool, "")
}

func TestMissingMemberHasNoPlace(t *testing.T) {
	is := is.New(t)
	e := explain(t, counter, `{"name": "x"}`)
	is.True(!e.Valid)
	is.Equal(e.Places[0].End, 0)
}

func TestNotJSON(t *testing.T) {
	for name, c := range map[string][2]string{"schema": {"{", "{}"}, "arguments": {counter, "{"}, "empty schema": {"", "{}"}} {
		if _, err := toolcall.Explain(c[0], c[1]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add(counter, `{"count": "3"}`)
	f.Add(`{"$ref": "#"}`, `{"arguments": {"arguments": null}, "name": 1}`)
	f.Add(`[null, {"inputSchema": 1}]`, `{"params": {"name": "a", "arguments": "{}"}}`)
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		text, err := toolcall.Explain(schema, arguments)
		if err == nil && !json.Valid([]byte(text)) {
			t.Errorf("not JSON: %s", text)
		}
	})
}
