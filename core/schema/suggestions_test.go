package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// A wrong call is answered with one suggestion for each kind of mistake, which
// names the arguments that it is about, and a general one.
func TestSuggestionsByKind(t *testing.T) {
	const tool = `{
		"type": "object",
		"properties": {
			"city": {"type": "string"},
			"days": {"type": "integer", "minimum": 1, "maximum": 14},
			"unit": {"enum": ["celsius", "fahrenheit"]},
			"from": {"type": "string", "format": "date"},
			"note": {"type": "string"}
		},
		"required": ["city"],
		"additionalProperties": false
	}`
	for _, test := range []struct {
		kind, arguments string
		begins, names   string
	}{
		{"missing", `{}`, "Add ", `"city"`},
		{"type", `{"city": "Berlin", "note": 5}`, "Check the JSON types", `"note"`},
		{"format", `{"city": "Berlin", "from": "tomorrow"}`, "Check formats and patterns", `"from"`},
		{"range", `{"city": "Berlin", "days": 15}`, "Keep numbers, lengths and counts within their limits", `"days"`},
		{"enum", `{"city": "Berlin", "unit": "kelvin"}`, "Use the listed values exactly as written", `"unit"`},
		{"unknown", `{"city": "Berlin", "wind": 1}`, "Rename or remove", `"wind"`},
	} {
		t.Run(test.kind, func(t *testing.T) {
			is := is.New(t)
			suggestions := explain(t, tool, test.arguments).Error.Suggestions
			t.Logf("%q", suggestions)
			is.True(slices.ContainsFunc(suggestions, func(s string) bool {
				return strings.HasPrefix(s, test.begins) && strings.Contains(s, test.names)
			}))
		})
	}
	t.Run("general", func(t *testing.T) {
		is := is.New(t)
		suggestions := explain(t, tool, `{"days": 15, "unit": "kelvin"}`).Error.Suggestions
		t.Logf("%q", suggestions)
		is.Equal(len(suggestions), 4) // missing, range, enum, and all in one call
		is.True(strings.Contains(suggestions[3], "in one call"))
	})
}
