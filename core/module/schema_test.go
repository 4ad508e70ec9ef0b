package module

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// answerSchema is the schema that authors of modules are given.
func answerSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	schema, err := c.Compile("../../docs/fix-module.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestSchemaAgreesWithTheCheck: what the schema refuses is refused, and what is
// accepted fits the schema.
func TestSchemaAgreesWithTheCheck(t *testing.T) {
	schema := answerSchema(t)
	fix := func(members string) string { return `{"abi":1,"fixes":[{"id":"a","title":"t",` + members + `}]}` }
	tests := map[string]struct {
		answer   string
		fits     bool
		accepted bool
	}{
		"nothing":           {`{"abi":1,"fixes":[]}`, true, true},
		"an instruction":    {fix(`"description":"d","help_url":"https://example.com/a","env_var_hint":"A_B","requires_user_action":true,"confidence":0.5`), true, true},
		"a patch":           {fix(`"patch":[{"op":"replace","path":"/mcpServers/db/args/2","value":"x{{secret:1}}"}]`), true, true},
		"another server":    {fix(`"patch":[{"op":"replace","path":"/mcpServers/other/args/0","value":"x"}]`), true, false}, // beyond a schema
		"wrong ABI":         {`{"abi":2,"fixes":[]}`, false, false},
		"no fixes":          {`{"abi":1}`, false, false},
		"says it is safe":   {fix(`"safety":"safe"`), false, false},
		"no title":          {`{"abi":1,"fixes":[{"id":"a","title":""}]}`, false, false},
		"odd id":            {`{"abi":1,"fixes":[{"id":"A b","title":"t"}]}`, false, false},
		"sure of itself":    {fix(`"confidence":1.5`), false, false},
		"two lines":         {`{"abi":1,"fixes":[{"id":"a","title":"t\nu"}]}`, false, false},
		"escape sequence":   {`{"abi":1,"fixes":[{"id":"a","title":"\u001b[1m"}]}`, false, false},
		"invisible":         {`{"abi":1,"fixes":[{"id":"a","title":"a\u200bb"}]}`, false, false},
		"secret in a title": {`{"abi":1,"fixes":[{"id":"a","title":"{{secret:1}}"}]}`, false, false},
		"secret in a path":  {fix(`"patch":[{"op":"add","path":"/mcpServers/db/env/{{secret:1}}","value":"x"}]`), false, false},
		"plain http":        {fix(`"help_url":"http://example.com"`), false, false},
		"odd operation":     {fix(`"patch":[{"op":"run","path":"/mcpServers/db/args/0"}]`), false, false},
		"many fixes":        {`{"abi":1,"fixes":[` + strings.Repeat(`{"id":"a","title":"t"},`, 20) + `{"id":"a","title":"t"}]}`, false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(test.answer))
			is.NoErr(err)
			is.Equal(schema.Validate(value) == nil, test.fits)
			_, err = testCall(t).Accept([]byte(test.answer), "pack")
			is.Equal(err == nil, test.accepted)
		})
	}
}

func TestBundledAnswersFitTheSchema(t *testing.T) {
	schema := answerSchema(t)
	files, err := filepath.Glob("../../wasm/packs/testdata/answers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no answers", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
