package schema

import (
	"testing"

	"github.com/matryer/is"
)

// An example is a whole call within every constraint: it is checked like any
// other before it is shown.
func TestExamplesAreProven(t *testing.T) {
	for _, test := range []struct{ name, schema string }{
		{"a user", createUser},
		{"a temperature", setTemperature},
		{"strings", `{"type":"object","properties":{"a":{"type":"string","minLength":40,"maxLength":41},"b":{"type":"string","pattern":"^[A-Z]{2}-\\d{3}$"}},"required":["a","b"]}`},
		{"formats", `{"type":"object","properties":{"a":{"type":"string","format":"date-time"},"b":{"type":"string","format":"uuid"},"c":{"type":"string","format":"email"},"d":{"type":"string","format":"ipv6"},"e":{"type":"string","format":"uri"}},"required":["a","b","c","d","e"]}`},
		{"numbers", `{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":7,"multipleOf":5},"b":{"type":"number","minimum":0.1,"maximum":0.2}},"required":["a","b"]}`},
		{"lists", `{"type":"object","properties":{"a":{"type":"array","items":{"enum":["x","y","z"]},"minItems":3,"uniqueItems":true}},"required":["a"]}`},
		{"alternatives", `{"type":"object","properties":{"a":{"oneOf":[{"type":"string","maxLength":2},{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}]}},"required":["a"]}`},
		{"one depends on another", `{"type":"object","properties":{"card":{"type":"string"},"address":{"type":"string"}},"required":["card"],"dependentRequired":{"card":["address"]}}`},
		{"a tree", `{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"required":["root"],"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["name"]}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			s, invalid := Compile([]byte(test.schema), Options{})
			is.True(invalid == nil)
			example := s.Example()
			t.Logf("%s", example)
			is.True(example != nil)
			is.True(s.Explain("tool", example).Valid)
			// A wrong call is answered with one that is right.
			answer := s.Explain("tool", []byte(`{"a": {"no": "such"}, "root": 5, "card": []}`))
			is.True(!answer.Valid)
			is.True(s.Explain("tool", answer.Example).Valid)
		})
	}
}
