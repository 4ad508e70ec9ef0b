package schema

import (
	"encoding/json"
	"testing"
)

// FuzzExplain takes any text as schema and any as arguments. Whatever they
// are, there is an answer, an example is valid, a repair is what its patches
// give, and the bytes are the same each time.
func FuzzExplain(f *testing.F) {
	for _, seed := range []struct{ schema, arguments string }{
		{createUser, calls[0].arguments}, {createUser, calls[3].arguments}, {setTemperature, calls[1].arguments},
		{`{"$ref":"#"}`, `{}`}, {`{"not":{}}`, `1`}, {`true`, `null`}, {`{"type":"strnig"}`, `{}`}, {`{"enum":[]}`, `{}`},
		{`{"properties":{"p":{"pattern":"^(?!x)(a+)+$","minLength":3}},"required":["p"]}`, `{"p":"aaaaaaaaaaaaaaaaaaaaaaaaa!"}`},
		{`{"$defs":{"n":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}},"$ref":"#/$defs/n"}`, `{"a":[1]}`},
		{`{"oneOf":[{"properties":{"k":{"const":"a"}}},{"properties":{"k":{"const":"b"}}}],"unevaluatedProperties":false}`, `{"k":"c","x":"[1]"}`},
		{`{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"else":false,"dependentSchemas":{"a":{"minProperties":2}}}`, `{"a":1}`},
		{`{"prefixItems":[{"type":"integer"}],"items":false,"contains":{"minimum":5},"minContains":2,"uniqueItems":true}`, `["5",5]`},
		{`{"multipleOf":1e-300,"maximum":1e300,"exclusiveMinimum":0}`, `1e400`},
		{doubled(8), `"x"`}, {`{"$id":"a","$anchor":"b","$dynamicRef":"#b"}`, `"{\"a\":\"[\\\"b\\\"]\"}"`},
		{`{"propertyNames":{"enum":["a"]},"additionalProperties":{"type":"integer"}}`, `{"A":"5"}`},
	} {
		f.Add([]byte(seed.schema), []byte(seed.arguments), false)
		f.Add([]byte(seed.schema), []byte(seed.arguments), true)
	}
	f.Fuzz(func(t *testing.T, schema, arguments []byte, old bool) {
		options := Options{}
		if old {
			options.Draft = "draft7"
		}
		s, invalid := Compile(schema, options)
		if invalid != nil {
			if invalid.Type != InvalidSchema || len(invalid.Issues) == 0 || invalid.ValidExample != nil {
				t.Fatalf("%s: %+v", schema, invalid)
			}
			invalid.Markdown(true)
			return
		}
		if example := s.Example(); example != nil && !s.Explain("", example).Valid {
			t.Fatalf("%s: the example %s is not valid", schema, example)
		}
		result := s.Explain("tool", arguments)
		if result.Valid != (result.Error == nil) || result.Valid != s.Accepts(arguments) {
			t.Fatalf("%s, %s: %+v", schema, arguments, result)
		}
		if result.Valid && len(result.Repairs) > 0 {
			t.Fatalf("%s: valid arguments were changed: %s", schema, arguments)
		}
		if result.Example != nil && !s.Explain("", result.Example).Valid {
			t.Fatalf("%s, %s: the example %s is not valid", schema, arguments, result.Example)
		}
		if result.RepairedValid && !s.Explain("", result.Repaired).Valid {
			t.Fatalf("%s, %s: the repair %s is not valid", schema, arguments, result.Repaired)
		}
		first, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		if result.Error != nil {
			result.Error.Markdown(true)
			if value, err := decode(arguments, maxArgumentBytes, ranks{}); err == nil && len(result.Repairs) > 0 {
				want, _ := decode(result.Repaired, maxArgumentBytes, ranks{})
				if !equal(patched(t, value, result.Error.Issues), want) {
					t.Fatalf("%s, %s: the patches do not give %s", schema, arguments, result.Repaired)
				}
			}
		}
		if second, _ := json.Marshal(s.Explain("tool", arguments)); string(first) != string(second) {
			t.Fatalf("%s, %s: two answers:\n%s\n%s", schema, arguments, first, second)
		}
	})
}
