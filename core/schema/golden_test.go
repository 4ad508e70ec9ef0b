package schema

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"
)

var update = flag.Bool("update", false, "write the golden files")

const createUser = `{
  "type": "object",
  "description": "Create a user account.",
  "properties": {
    "username": {"type": "string", "description": "Login name", "minLength": 3, "maxLength": 20, "pattern": "^[a-zA-Z0-9_]+$"},
    "email": {"type": "string", "description": "Where to reach the user", "format": "email"},
    "age": {"type": "integer", "minimum": 18, "maximum": 120},
    "role": {"type": "string", "enum": ["admin", "moderator", "user", "guest"]},
    "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 5, "uniqueItems": true}
  },
  "required": ["username", "email", "age"],
  "additionalProperties": false
}`

const setTemperature = `{
  "type": "object",
  "description": "Set the target temperature.",
  "properties": {
    "temperature": {"type": "number", "exclusiveMinimum": -273.15, "maximum": 1000},
    "unit": {"type": "string", "enum": ["celsius", "fahrenheit", "kelvin"], "default": "celsius"}
  },
  "required": ["temperature"]
}`

// calls are the ones whose whole answer is kept in testdata.
var calls = []struct{ name, tool, schema, arguments string }{
	{"create-user", "create-user", createUser, `{"username": "ab", "email": "not-an-email", "age": 15}`},
	{"set-temperature", "set-temperature", setTemperature, `{"temperature": "hot", "unit": "celsius"}`},
	{"role", "create-user", createUser, `{"username": "octo_user", "email": "you@example.com", "age": 30, "role": "superadmin"}`},
	{"all-at-once", "create-user", createUser, `{"username": "a!", "email": 5, "age": "15", "role": "Admin", "tags": ["a", "a"], "nickname": "octo", "temperature": 20}`},
}

func TestGolden(t *testing.T) {
	for _, call := range calls {
		t.Run(call.name, func(t *testing.T) {
			is := is.New(t)
			s, invalid := Compile([]byte(call.schema), Options{})
			is.True(invalid == nil)
			result := s.Explain(call.tool, []byte(call.arguments))
			var object bytes.Buffer
			encoder := json.NewEncoder(&object)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", "  ")
			is.NoErr(encoder.Encode(result))
			golden(t, call.name+".json", object.String())
			golden(t, call.name+".md", result.Error.Markdown(false))
			golden(t, call.name+".full.md", result.Error.Markdown(true))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	is := is.New(t)
	path := filepath.Join("testdata", name)
	if *update {
		is.NoErr(os.MkdirAll("testdata", 0o755))
		is.NoErr(os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	is.NoErr(err) // run go test -update to make the golden files
	is.Equal(got, string(want))
}
