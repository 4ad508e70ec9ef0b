package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Every keyword gets a sentence that a person would write.
func TestProblems(t *testing.T) {
	for _, test := range []struct{ name, schema, arguments, field, problem, fix string }{
		{"type", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"many"}`, "/n",
			`"n" must be an integer, and is a string.`, `Provide an integer.`},
		{"types", `{"properties":{"n":{"type":["string","null"]}}}`, `{"n":[]}`, "/n",
			`"n" must be null or a string, and is an array.`, `Provide a string or null.`},
		{"stringified", `{"properties":{"tags":{"type":"array","items":{"type":"string"}}}}`, `{"tags":"[\"a\"]"}`, "/tags",
			`"tags" must be an array, and is a string that contains one as JSON.`, `You sent a string that contains JSON; send the array itself. Provide an array of strings.`},
		{"null", `{"type":"object","properties":{"n":{"type":"string"}}}`, `{"n":null}`, "/n",
			`"n" must be a string, and is null.`, `Leave it out when there is no value. Provide a string.`},
		{"enum", `{"properties":{"role":{"enum":["admin","guest"]}}}`, `{"role":"gest"}`, "/role",
			`"role" is not one of the allowed values.`, `Did you mean "guest"? Use one of: "admin", "guest".`},
		{"const", `{"properties":{"v":{"const":2}}}`, `{"v":1}`, "/v", `"v" must be exactly 2.`, `Provide 2.`},
		{"format", `{"properties":{"when":{"type":"string","format":"date"}}}`, `{"when":"31/01/2026"}`, "/when",
			`"when" is not a date as YYYY-MM-DD.`, `Provide a date as YYYY-MM-DD.`},
		{"pattern", `{"properties":{"id":{"type":"string","pattern":"^\\d+$"}}}`, `{"id":"x"}`, "/id",
			`"id" does not match the pattern ^\d+$.`, `Provide a string matching ^\d+$.`},
		{"lengths and pattern", `{"properties":{"u":{"type":"string","minLength":3,"maxLength":20,"pattern":"^[a-zA-Z0-9_]+$"}}}`, `{"u":"ab"}`, "/u",
			`"u" has 2 characters; at least 3 are needed.`, `Provide a string of 3 to 20 characters matching ^[a-zA-Z0-9_]+$.`},
		{"empty", `{"properties":{"u":{"type":"string","minLength":1}}}`, `{"u":""}`, "/u", `"u" is empty.`, `Provide a non-empty string.`},
		{"range", `{"properties":{"age":{"type":"integer","minimum":18,"maximum":120}}}`, `{"age":1100}`, "/age",
			`"age" is above its maximum of 120.`, `Provide an integer from 18 to 120.`},
		{"exclusive", `{"properties":{"t":{"type":"number","exclusiveMinimum":-273.15,"exclusiveMaximum":1000}}}`, `{"t":1000}`, "/t",
			`"t" must be less than 1000.`, `Provide a number greater than -273.15 and less than 1000.`},
		{"multipleOf", `{"properties":{"n":{"type":"integer","multipleOf":5}}}`, `{"n":7}`, "/n", `"n" is not a multiple of 5.`, `Provide a multiple of 5.`},
		{"unique", `{"properties":{"a":{"type":"array","items":{"type":"string"},"uniqueItems":true}}}`, `{"a":["x","x"]}`, "/a",
			`"a" must have no item twice, and items 0 and 1 are the same.`, `Provide an array of strings, all different.`},
		{"minItems", `{"properties":{"a":{"type":"array","minItems":2}}}`, `{"a":[1]}`, "/a", `"a" has 1 item; at least 2 are needed.`, `Provide an array of at least 2 items.`},
		{"items of an enum", `{"properties":{"a":{"type":"array","minItems":1,"items":{"enum":["x","y"]}}}}`, `{"a":[]}`, "/a",
			`"a" has 0 items; at least 1 is needed.`, `Provide an array of at least 1 item, each one of: "x", "y".`},
		{"items with limits", `{"properties":{"a":{"type":"array","maxItems":2,"items":{"type":"string","minLength":3}}}}`, `{"a":["abc","abc","abc"]}`, "/a",
			`"a" has 3 items; at most 2 are allowed.`, `Provide an array of strings with at most 2 items, each a string of at least 3 characters.`},
		{"required, described at length", `{"properties":{"id":{"type":"string","description":"ID or address (e.g. abc123). Required. More."}},"required":["id"]}`, `{}`, "/id",
			`"id" is required and missing.`, `Add "id": a string. It is described as: ID or address (e.g. abc123).`},
		{"required", `{"properties":{"city":{"type":"string","description":"Name of the city. In English."}},"required":["city"]}`, `{}`, "/city",
			`"city" is required and missing.`, `Add "city": a string. It is described as: Name of the city.`},
		{"unknown", `{"properties":{"city":{}},"additionalProperties":false}`, `{"wind":1}`, "/wind",
			`"wind" is not a property of this tool.`, `Remove "wind". The only property is "city".`},
		{"unknown below", `{"properties":{"at":{"properties":{"x":{}},"additionalProperties":false}}}`, `{"at":{"z":1}}`, "/at/z",
			`"z" is not a property of "at".`, `Remove "z". The only property is "x".`},
		{"renamed", `{"properties":{"profile":{"type":"string"}},"required":["profile"],"additionalProperties":false}`, `{"profiel":"x"}`, "/profiel",
			`"profiel" is not a property of this tool; "profile" is required and missing.`, `Rename "profiel" to "profile".`},
		{"renamed, open", `{"properties":{"profile":{"type":"string"}},"required":["profile"]}`, `{"Profile":"x"}`, "/profile",
			`"profile" is required and missing; "Profile" looks like it.`, `Rename "Profile" to "profile": a string.`},
		{"dependentRequired", `{"dependentRequired":{"card":["address"]}}`, `{"card":1}`, "/address",
			`"address" is required whenever "card" is present.`, `Add "address": a value.`},
		{"dependencies", `{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"card":["address"]}}`, `{"card":1}`, "/address",
			`"address" is required whenever "card" is present.`, `Add "address": a value.`},
		{"dependentSchemas", `{"dependentSchemas":{"card":{"properties":{"zip":{"type":"string"}}}}}`, `{"card":1,"zip":5}`, "/zip",
			`"zip" must be a string, and is a number, because "card" is present.`, `Provide a string.`},
		{"then", `{"if":{"properties":{"kind":{"const":"file"}}},"then":{"required":["path"]}}`, `{"kind":"file"}`, "/path",
			`"path" is required and missing, because "kind" is "file".`, `Add "path": a value.`},
		{"then, described outside", `{"properties":{"kind":{},"path":{"type":"string"}},"allOf":[{"if":{"properties":{"kind":{"const":"file"}}},"then":{"required":["path"]}}]}`, `{"kind":"file"}`, "/path",
			`"path" is required and missing, because "kind" is "file".`, `Add "path": a string.`},
		{"else", `{"if":{"required":["url"]},"else":{"required":["path"]}}`, `{}`, "/path",
			`"path" is required and missing, because "url" is not present.`, `Add "path": a value.`},
		{"propertyNames", `{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"A b":1}`, "/A b",
			`The name "A b" is not allowed for a property of this tool.`, `Rename "A b": use a property name that is a string matching ^[a-z]+$.`},
		{"patternProperties", `{"patternProperties":{"^x-":{"type":"string"}}}`, `{"x-a":1}`, "/x-a", `"x-a" must be a string, and is a number.`, `Provide a string.`},
		{"unevaluatedProperties", `{"allOf":[{"properties":{"city":{}}}],"unevaluatedProperties":false}`, `{"cty":1}`, "/cty",
			`"cty" is not a property of this tool.`, `Rename "cty" to "city".`},
		{"unevaluatedItems", `{"properties":{"p":{"prefixItems":[{}],"unevaluatedItems":false}}}`, `{"p":[1,2]}`, "/p/1",
			`Item 1 of "p" is not allowed: the array ends before it.`, `Remove the item.`},
		{"tuple", `{"properties":{"p":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false}}}`, `{"p":[1,2,3]}`, "/p/2",
			`Item 2 of "p" is not allowed: the array ends before it.`, `Remove the item.`},
		{"additionalItems", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"p":{"items":[{}],"additionalItems":false}}}`, `{"p":[1,2]}`, "/p",
			`"p" has 1 item too many.`, `Remove the last item.`},
		{"contains", `{"properties":{"p":{"type":"array","contains":{"const":"x"}}}}`, `{"p":["y"]}`, "/p", `"p" has no item that is "x".`, `Add an item that is "x".`},
		{"minContains", `{"properties":{"p":{"type":"array","contains":{"const":"x"},"minContains":2}}}`, `{"p":["x"]}`, "/p",
			`"p" must have at least 2 items that are each "x", and has 1.`, `Add an item that is "x".`},
		{"maxContains", `{"properties":{"p":{"type":"array","contains":{"const":"x"},"maxContains":1}}}`, `{"p":["x","x"]}`, "/p",
			`"p" must have at most 1 item that is "x", and has 2.`, `Keep exactly 1 item that is "x"; remove the others like it.`},
		{"not", `{"properties":{"p":{"not":{"type":"string"}}}}`, `{"p":"y"}`, "/p", `"p" must not be a string.`, `Change "p" so that it is not a string.`},
		{"allOf and $ref", `{"$defs":{"p":{"type":"integer","minimum":1}},"properties":{"p":{"allOf":[{"$ref":"#/$defs/p"}]}}}`, `{"p":0}`, "/p",
			`"p" is below its minimum of 1.`, `Provide an integer of at least 1.`},
		{"recursion", `{"$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"}`,
			`{"v":1,"next":{"v":2,"next":{"v":"x"}}}`, "/next/next/v", `"v" must be an integer, and is a string.`, `Provide an integer.`},
		{"two forms at once", `{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":2}`, "",
			`The whole value fits two of the allowed forms at once (numbers 1 and 2) and must fit exactly one.`, `Leave out what belongs to the other form, so that only one fits.`},
		{"false property", `{"properties":{"old":false}}`, `{"old":1}`, "/old", `"old" is not a property of this tool.`, `Remove "old".`},
		{"item", `{"properties":{"a":{"items":{"type":"string"}}}}`, `{"a":["x",5]}`, "/a/1", `Item 1 of "a" must be a string, and is a number.`, `Provide a string.`},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			result := explain(t, test.schema, test.arguments)
			is.True(!result.Valid)
			is.Equal(len(result.Error.Issues), 1)
			issue := result.Error.Issues[0]
			is.Equal(issue.Field, test.field)
			is.Equal(issue.Problem, test.problem)
			is.Equal(issue.Fix, test.fix)
		})
	}
}

func explain(t *testing.T, schema, arguments string) Result {
	t.Helper()
	s, invalid := Compile([]byte(schema), Options{})
	if invalid != nil {
		t.Fatal(invalid.Summary)
	}
	return s.Explain("tool", []byte(arguments))
}

// A union reports the form that was meant.
func TestUnions(t *testing.T) {
	const shapes = `{"properties":{"shape":{"oneOf":[
		{"type":"object","properties":{"kind":{"const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"],"additionalProperties":false},
		{"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"],"additionalProperties":false}]}}}`
	const blocks = `{"properties":{"block":{"anyOf":[
		{"type":"object","properties":{"text":{"type":"string"},"bold":{"type":"boolean"}},"required":["text"]},
		{"type":"object","properties":{"image":{"type":"string"},"width":{"type":"integer"}},"required":["image"]},
		{"type":"null"}]}}}`
	for _, test := range []struct{ name, schema, arguments, field, problem string }{
		{"by discriminator", shapes, `{"shape":{"kind":"square","side":"2 m"}}`, "/shape/side", `"side" must be a number, and is a string.`},
		{"by discriminator, missing", shapes, `{"shape":{"kind":"square","radius":2,"side":1}}`, "/shape/radius", `"radius" is not a property of "shape".`},
		{"unknown discriminator", shapes, `{"shape":{"kind":"sqare","side":2}}`, "/shape/kind", `"kind" is not one of the values that choose a form.`},
		{"by shape", blocks, `{"block":{"image":"a.png","width":"wide"}}`, "/block/width", `"width" must be an integer, and is a string.`},
		{"by type", blocks, `{"block":5}`, "/block", `"block" must be an object or null, and is a number.`},
		{"none meant", blocks, `{"block":{}}`, "/block", `"block" fits none of the 3 forms allowed here.`},
		{"stringified", blocks, `{"block":"{\"text\":\"x\"}"}`, "/block", `"block" must be an object or null, and is a string that contains one as JSON.`},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			result := explain(t, test.schema, test.arguments)
			is.Equal(len(result.Error.Issues), 1)
			is.Equal(result.Error.Issues[0].Field, test.field)
			if !strings.HasPrefix(result.Error.Issues[0].Problem, test.problem) {
				t.Errorf("got %q", result.Error.Issues[0].Problem)
			}
			is.True(result.Example != nil)
		})
	}
}

func TestRepairs(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"n":{"type":"integer","minimum":1},"on":{"type":"boolean"},"list":{"type":"array","items":{"type":"string"}},
		"map":{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false},
		"role":{"enum":["admin","in_progress"]},"day":{"type":"string","format":"date"},"name":{"type":"string"},"either":{"type":["integer","string"]}},
		"additionalProperties":false}`
	for _, test := range []struct{ name, arguments, repaired string }{
		{"number", `{"n":"5"}`, `{"n":5}`},
		{"number that does not fit", `{"n":"0"}`, ``},
		{"not a whole number", `{"n":"5.5"}`, ``},
		{"boolean", `{"on":"True"}`, `{"on":true}`},
		{"yes is a guess", `{"on":"yes"}`, ``},
		{"list as JSON", `{"list":"[\"a\",\"b\"]"}`, `{"list":["a","b"]}`},
		{"list as JSON, twice", `{"list":"\"[\\\"a\\\"]\""}`, `{"list":["a"]}`},
		{"list with wrong items", `{"list":"[1]"}`, `{"list":["1"]}`},
		{"single value", `{"list":"a"}`, `{"list":["a"]}`},
		{"single value of the wrong kind", `{"list":{"a":1}}`, ``},
		{"one value or several", `{"list":"a, b"}`, ``},
		{"object as JSON", `{"map":"{\"n\":\"5\"}"}`, `{"map":{"n":5}}`},
		{"enum by case", `{"role":"Admin"}`, `{"role":"admin"}`},
		{"enum by separator", `{"role":"In Progress"}`, `{"role":"in_progress"}`},
		{"enum with a typo is a guess", `{"role":"admim"}`, ``},
		{"space", `{"day":" 2026-01-31\n"}`, `{"day":"2026-01-31"}`},
		{"number for text", `{"name":42}`, `{"name":"42"}`},
		{"renamed key", `{"nam":"x"}`, `{"name":"x"}`},
		{"renamed key, taken", `{"nam":"x","name":"y"}`, ``},
		{"renamed key and its value", `{"lsit":"[1]","n":"7"}`, `{"list":["1"],"n":7}`},
		{"null", `{"name":null,"n":1}`, `{"n":1}`},
		{"all as a string", `"{\"n\": \"5\"}"`, `{"n":5}`},
		{"large numbers stay", `{"n":9007199254740993,"on":"true"}`, `{"n":9007199254740993,"on":true}`},
		{"either", `{"either":[5]}`, ``},
		{"a hundred at once", `{"list":[` + strings.TrimSuffix(strings.Repeat("1,", 100), ",") + `]}`, `{"list":[` + strings.TrimSuffix(strings.Repeat(`"1",`, 100), ",") + `]}`},
		{"one of two", `{"n":"5","day":"soon"}`, `{"n":5,"day":"soon"}`},
		{"order of the caller", `{"role":"admin","n":"5","day":"2026-01-31"}`, `{"role":"admin","n":5,"day":"2026-01-31"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			result := explain(t, schema, test.arguments)
			is.True(!result.Valid)
			is.Equal(string(result.Repaired), test.repaired)
			is.Equal(result.RepairedValid, test.repaired != "" && test.name != "one of two")
			is.Equal(len(result.Repairs) > 0, test.repaired != "")
			value, err := decode([]byte(test.arguments), maxArgumentBytes, ranks{})
			is.NoErr(err)
			if test.repaired != "" {
				want, err := decode([]byte(test.repaired), maxArgumentBytes, ranks{})
				is.NoErr(err)
				is.True(equal(patched(t, value, result.Error.Issues), want))
			}
		})
	}
}

// The example takes the value that was nearly given.
func TestExampleTakesTheNearValue(t *testing.T) {
	is := is.New(t)
	result := explain(t, createUser, `{"username":"octo_user","email":"you@example.com","age":30,"role":"gest"}`)
	is.Equal(string(result.Example), `{"username":"octo_user","email":"you@example.com","age":30,"role":"guest"}`)
	is.Equal(result.Repaired, nil) // it is a guess all the same
}

// Values are never invented: a missing member stays missing in the repair.
func TestRepairInventsNothing(t *testing.T) {
	is := is.New(t)
	result := explain(t, createUser, `{"username":"octo_user","age":"30"}`)
	is.Equal(string(result.Repaired), `{"username":"octo_user","age":30}`)
	is.True(!result.RepairedValid)
	is.Equal(string(result.Example), `{"username":"octo_user","email":"you@example.com","age":30}`)
}

func TestInvalidSchemas(t *testing.T) {
	for _, test := range []struct{ name, schema, field, problem string }{
		{"text", `{`, "", "is not JSON"},
		{"array", `[]`, "", "A schema is a JSON object, and this is an array."},
		{"null", `null`, "", "A schema is a JSON object, and this is null."},
		{"string", `"x"`, "", "A schema is a JSON object, and this is a string."},
		{"false", `false`, "", "accepts nothing"},
		{"not everything", `{"not":{}}`, "", "excludes everything"},
		{"unknown type", `{"type":"strnig"}`, "/type", "not one of the allowed values"},
		{"draft-04 bound", `{"properties":{"n":{"type":"number","minimum":0,"exclusiveMinimum":true}}}`, "/properties/n/exclusiveMinimum", "must be a number"},
		{"empty enum", `{"type":"object","properties":{"c":{"type":"string","enum":[]}},"required":["c"]}`, "/properties/c", "can have no value"},
		{"crossed bounds", `{"type":"object","properties":{"n":{"type":"integer","minimum":5,"maximum":1}},"required":["n"]}`, "/properties/n", "minimum lies above"},
		{"no alternative", `{"anyOf":[{"not":{}},false]}`, "/anyOf/0", "None of the alternatives"},
		{"pattern", `{"properties":{"p":{"pattern":"("}}}`, "/properties/p/pattern", "is not a regular expression"},
		{"no such definition", `{"properties":{"p":{"$ref":"#/$defs/nope"}}}`, "", "which it does not have"},
		{"no such anchor", `{"properties":{"p":{"$ref":"#nope"}}}`, "", "which it does not have"},
		{"file", `{"$ref":"file:///etc/passwd"}`, "", "never loaded"},
		{"network", `{"$ref":"http://127.0.0.1:1/x"}`, "", "never loaded"},
		{"scheme", `{"$ref":"mem:x"}`, "", "never loaded"},
		{"relative", `{"$ref":"../../etc/passwd"}`, "", "never loaded"},
		{"metaschema of a stranger", `{"$schema":"https://example.com/schema"}`, "", "never loaded"},
		{"huge number", `{"minimum":1e999999999}`, "", "too large"},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			_, err := Compile([]byte(test.schema), Options{})
			is.True(err != nil)
			is.Equal(err.Type, InvalidSchema)
			is.Equal(err.Issues[0].Field, test.field)
			if !strings.Contains(err.Issues[0].Problem, test.problem) {
				t.Errorf("got %q", err.Issues[0].Problem)
			}
			is.True(err.ValidExample == nil)
			is.True(err.Markdown(true) != "")
		})
	}
}

// A schema that something fits is not called impossible.
func TestPossibleSchemas(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","required":["b"],"anyOf":[{"properties":{"b":{"type":"string"}}}],"unevaluatedProperties":false}`,
		`{"type":"object","required":["n"],"properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[{"type":"null"},{"$ref":"#"}]}}}`,
		`{"anyOf":[false,{"type":"object"}]}`,
		`{"enum":[{"a":1}],"type":"object"}`,
		`{"type":["string","integer"],"minimum":5,"maximum":1}`,
		`{"type":"array","items":false}`,
	} {
		s, invalid := Compile([]byte(schema), Options{})
		if invalid != nil {
			t.Errorf("%s: %s", schema, invalid.Summary)
		} else if s.Example() == nil {
			t.Errorf("%s: no example", schema)
		}
	}
}

func TestSelfReference(t *testing.T) {
	is := is.New(t)
	s, err := Compile([]byte(`{"$ref":"#"}`), Options{})
	if err == nil {
		err = s.Explain("tool", []byte(`{}`)).Error
	}
	is.True(err != nil)
	is.Equal(err.Type, InvalidSchema)
}

// Keys come in the order of the schema, also those named like keywords.
func TestExampleKeepsTheOrder(t *testing.T) {
	is := is.New(t)
	s, _ := Compile([]byte(`{"type":"object","description":"Makes a task","required":["title","description","type","id"],"properties":{"title":{"type":"string"},"description":{"type":"string"},"type":{"type":"string"},"id":{"type":"string"}}}`), Options{})
	is.Equal(string(s.Example()), `{"title":"Example title","description":"A short description","type":"default","id":"abc123"}`)
}

func TestUsedAtOnce(t *testing.T) {
	is := is.New(t)
	s, _ := Compile([]byte(createUser), Options{})
	want := string(s.Explain("tool", []byte(calls[3].arguments)).Example)
	got := make(chan string)
	for range 8 {
		go func() { got <- string(s.Explain("tool", []byte(calls[3].arguments)).Example) }()
	}
	for range 8 {
		is.Equal(<-got, want)
	}
}

// The same input gives the same bytes, although the validator walks maps.
func TestSameBytes(t *testing.T) {
	is := is.New(t)
	var first string
	for range 50 {
		result := explain(t, createUser, calls[3].arguments)
		text, err := json.Marshal(result)
		is.NoErr(err)
		if first == "" {
			first = string(text)
		}
		is.Equal(string(text), first)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	is := is.New(t)
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789"
	const schema = `{"type":"object","properties":{"api_token":{"type":"integer"},"note":{"type":"integer"},"auth":{"type":"string"},"n":{"type":"integer"}},"required":["auth"]}`
	for _, arguments := range []string{
		`{"auth":"` + secret + `","api_token":"` + secret + `","note":"use ` + secret + `","n":"x"}`,
		`{"auth":"` + secret + `","n":5}`,
	} {
		result := explain(t, schema, arguments)
		result.Repaired = nil // the caller's own values
		text, err := json.Marshal(result)
		is.NoErr(err)
		is.True(!strings.Contains(string(text), secret))
		if result.Error != nil {
			is.True(!strings.Contains(result.Error.Markdown(true), secret))
		}
	}
}

func TestNearestNames(t *testing.T) {
	known := []string{"create_issue", "list_issues", "get_issue", "search", "delete_repository"}
	for _, test := range []struct {
		name string
		want []string
	}{
		{"createIssue", []string{"create_issue"}},
		{"get_isue", []string{"get_issue"}},
		{"serach", []string{"search"}},
		{"issue", []string{"get_issue", "list_issues", "create_issue"}},
		{"weather", nil},
		{"", nil},
		{strings.Repeat("x", 1000), nil},
	} {
		t.Run(test.name[:min(len(test.name), 20)], func(t *testing.T) {
			is := is.New(t)
			is.Equal(NearestNames(test.name, known), test.want)
		})
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	is := is.New(t)
	var properties, required []string
	for i := range 205 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string","description":%q}`, i, strings.Repeat("word ", 50)))
		required = append(required, fmt.Sprintf(`"p%d"`, i))
	}
	result := explain(t, fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(properties, ","), strings.Join(required, ",")), `{}`)
	is.Equal(len(result.Error.Issues), 205)
	is.Equal(len(result.Error.Schema.Properties), 205)
	short, full := result.Error.Markdown(false), result.Error.Markdown(true)
	is.True(strings.Contains(short, "200 more issues are not shown here"))
	is.True(strings.Contains(full, "165 more properties are not shown here"))
	is.True(len(short) < 8_000)
	is.True(len(full) < 32_000)
}

// What a caller or a server wrote is never read as markup.
func TestMarkdownIsSafe(t *testing.T) {
	is := is.New(t)
	hostile := "![x](https://example.com/?d=) <img src=x> @everyone fixes #1 ``` \n# heading `code` <!-- -->"
	name, err := json.Marshal(hostile)
	is.NoErr(err)
	result := explain(t, fmt.Sprintf(`{"type":"object","description":%s,"properties":{%s:{"type":"integer","description":%s}},"additionalProperties":false}`, name, name, name),
		fmt.Sprintf(`{%s:%s,"other":%s}`, name, name, name))
	text, example, _ := strings.Cut(result.Error.Markdown(true), "## Valid example\n\n")
	is.True(strings.HasPrefix(example, "````json\n")) // a fence longer than what it holds
	for _, line := range strings.Split(text, "\n") {
		outside := withoutCode(line)
		for _, markup := range []string{"](http", "<img", "<!--", "@everyone", "# heading"} {
			if strings.Contains(outside, markup) {
				t.Errorf("%q stands outside code in %q", markup, line)
			}
		}
	}
}

// withoutCode drops the code spans of a line.
func withoutCode(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); {
		if line[i] == '\\' && i+1 < len(line) {
			out.WriteByte(line[i])
			i += 2
			continue
		}
		if line[i] != '`' {
			out.WriteByte(line[i])
			i++
			continue
		}
		run := 0
		for i+run < len(line) && line[i+run] == '`' {
			run++
		}
		fence := strings.Repeat("`", run)
		end := strings.Index(line[i+run:], fence)
		if end < 0 {
			break
		}
		i += run + end + run
	}
	return out.String()
}

func ExampleSchema_Explain() {
	s, _ := Compile([]byte(`{
		"type": "object",
		"properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 14}},
		"required": ["city"]
	}`), Options{})
	result := s.Explain("forecast", []byte(`{"town": "Berlin", "days": "3"}`))
	fmt.Println(result.Error.Summary)
	for _, issue := range result.Error.Issues {
		fmt.Println(issue.Field, issue.Fix)
	}
	fmt.Println(string(result.Repaired))
	fmt.Println(string(result.Example))
	// Output:
	// Tool 'forecast' received invalid arguments. 2 validation errors found.
	// /city Add "city": a string.
	// /days Provide an integer from 1 to 14.
	// {"town":"Berlin","days":3}
	// {"city":"Berlin","days":3,"town":"Berlin"}
}
