package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// doubled is a chain of definitions that each refer twice to the next.
func doubled(levels int) string {
	var definitions []string
	for i := range levels {
		definitions = append(definitions, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	definitions = append(definitions, fmt.Sprintf(`"d%d":{"type":"string"}`, levels))
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s}}`, strings.Join(definitions, ","))
}

// Nothing that a server sends may take long, whatever becomes of it.
func TestHostileSchemasEndSoon(t *testing.T) {
	deepValue := strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)
	for _, test := range []struct{ name, schema, arguments string }{
		{"doubled references", doubled(22), `{}`},
		{"doubled references along the value", `{"$ref":"#/$defs/n","$defs":{"n":{"properties":{"a":{"allOf":[{"$ref":"#/$defs/n"},{"$ref":"#/$defs/n"}]}}}}}`, deepValue},
		{"refers to itself", `{"$ref":"#"}`, `{}`},
		{"refers to itself in allOf", `{"allOf":[{"$ref":"#"}]}`, `{}`},
		{"nested plus", `{"properties":{"p":{"pattern":"^(a+)+$"}}}`, `{"p":"` + strings.Repeat("a", 40) + `!"}`},
		{"nested plus in look-ahead", `{"properties":{"p":{"pattern":"^(?=(a+)+$)"}}}`, `{"p":"` + strings.Repeat("a", 40) + `!"}`},
		{"back-reference", `{"properties":{"p":{"pattern":"^(a*)*\\1*b$"}}}`, `{"p":"` + strings.Repeat("a", 40) + `"}`},
		{"many brackets", `{"pattern":"` + strings.Repeat("(", 500_000) + `"}`, `{}`},
		{"nested counts", `{"properties":{"p":{"pattern":"(((a{1000}){1000}){1000}){1000}"}}}`, `{"p":"` + strings.Repeat("a", 5000) + `"}`},
		{"long enum", `{"properties":{"p":{"enum":[` + strings.TrimSuffix(strings.Repeat(`1,`, 200_000), ",") + `]}}}`, `{"p":2}`},
		{"huge minLength", `{"properties":{"p":{"type":"string","minLength":1e18}},"required":["p"]}`, `{}`},
		{"huge minItems", `{"properties":{"p":{"type":"array","minItems":1000000000}},"required":["p"]}`, `{}`},
		{"tiny multipleOf", `{"properties":{"p":{"type":"number","multipleOf":1e-300}},"required":["p"]}`, `{"p":0.5}`},
		{"many patternProperties", `{"patternProperties":{` + manyPatterns(2000) + `}}`, `{"a":1,"b":2}`},
		{"__proto__", `{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__"]}`, `{"__proto__":1}`},
		{"quoted three times", `{"type":"object"}`, `"\"\\\"{}\\\"\""`},
		{"deep arguments", `{"type":"object"}`, strings.Repeat("[", 100_000)},
		{"huge number", `{"properties":{"p":{"type":"integer"}}}`, `{"p":1e999999999}`},
		{"many branches", `{"properties":{"p":{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"type":"object","properties":{"k":{"const":1}},"required":["k"]},`, 500), ",") + `]}}}`, `{"p":{"k":2}}`},
		{"recursion in every property", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{` + manyProperties(200) + `}}}}`, `{"p1":1}`},
		{"recursion in every branch", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"p":{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/n"},`, 100), ",") + `]}}}}}`, `{"p":1}`},
		{"all types require each other", everyTypeNeedsAll(12), `{}`},
		{"ten thousand wrong items", `{"properties":{"p":{"type":"array","items":{"type":"integer","minimum":1}}}}`, `{"p":[` + strings.TrimSuffix(strings.Repeat(`0,`, 10_000), ",") + `]}`},
		{"many choices", `{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"anyOf":[{"required":["a"]},{"required":["b"]},{"required":["c"]}]},`, 30), ",") + `],"not":{"anyOf":[{"required":["a"]},{"required":["b"]},{"required":["c"]}]}}`, `{}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			from := time.Now()
			s, invalid := Compile([]byte(test.schema), Options{})
			if invalid == nil {
				result := s.Explain("tool", []byte(test.arguments))
				if result.Error != nil {
					result.Error.Markdown(true)
				}
			}
			// The promise is 100 ms on a machine of its own; what is not bounded
			// takes minutes.
			if took := time.Since(from); took > 30*time.Second {
				t.Errorf("took %v", took)
			} else {
				t.Logf("took %v", took)
			}
		})
	}
}

func manyPatterns(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`"^(a+)+%d$":{}`, i))
	}
	return strings.Join(out, ",")
}

func manyProperties(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/n"}`, i))
	}
	return strings.Join(out, ",")
}

func everyTypeNeedsAll(n int) string {
	var definitions []string
	for i := range n {
		var properties, required []string
		for j := range n {
			properties = append(properties, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/t%d"}`, j, j))
			required = append(required, fmt.Sprintf(`"p%d"`, j))
		}
		definitions = append(definitions, fmt.Sprintf(`"t%d":{"type":"object","properties":{%s},"required":[%s]}`, i, strings.Join(properties, ","), strings.Join(required, ",")))
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/t0","$defs":{%s}}`, strings.Join(definitions, ","))
}

func TestOverBudgetIsSaid(t *testing.T) {
	is := is.New(t)
	_, invalid := Compile([]byte(doubled(22)), Options{})
	is.True(invalid != nil)
	is.True(strings.Contains(invalid.Summary, "expand to more than 100000"))
	s, invalid := Compile([]byte(`{"properties":{"p":{"pattern":"^(?=(a+)+$)"}}}`), Options{})
	is.True(invalid == nil)
	result := s.Explain("tool", []byte(`{"p":"`+strings.Repeat("a", 40)+`!"}`))
	is.True(!result.Valid)
	is.Equal(result.Error.Type, InvalidSchema)
	is.True(strings.Contains(result.Error.Summary, "more work"))
}

// A reference to a file is refused even if the file is there and is a schema.
func TestNoFileIsRead(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "schema.json")
	is.NoErr(os.WriteFile(path, []byte(`{"type":"string"}`), 0o600))
	for _, reference := range []string{"file://" + path, path} {
		_, invalid := Compile([]byte(fmt.Sprintf(`{"properties":{"p":{"$ref":%q}}}`, reference)), Options{})
		is.True(invalid != nil)
		is.Equal(invalid.Type, InvalidSchema)
	}
}

// Large arguments that are honest are checked, not refused.
func TestLargeArguments(t *testing.T) {
	is := is.New(t)
	rows := strings.TrimSuffix(strings.Repeat(`["a",1,true,null],`, 20_000), ",")
	result := explain(t, `{"properties":{"rows":{"type":"array","items":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"}]}}}}}`, `{"rows":[`+rows+`]}`)
	is.True(result.Valid)
}

func TestLongTextIsChecked(t *testing.T) {
	is := is.New(t)
	text := strings.Repeat("word ", 100_000)
	result := explain(t, `{"properties":{"t":{"type":"string","pattern":"^(\\w+\\s?)+$"}}}`, `{"t":"`+text+`"}`)
	is.True(result.Valid)
}

// propertyNames errors of the validator carry a location that later steps
// overwrite; ours must not.
func TestPropertyNamesKeepTheirPlace(t *testing.T) {
	is := is.New(t)
	result := explain(t, `{"properties":{"list":{"items":{"type":"object","propertyNames":{"maxLength":3}}}}}`, `{"list":[{"first":1},{"b":1},{"third":1}]}`)
	var fields []string
	for _, issue := range result.Error.Issues {
		fields = append(fields, issue.Field)
	}
	is.Equal(fields, []string{"/list/0/first", "/list/2/third"})
}
