package schema

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// shared opens a file of the reference data, which only some machines have.
func shared(t testing.TB, elements ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "schemas"}, elements...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the reference schemas are not here: ", err)
	}
	return path
}

type realTool struct {
	Server      string          `json:"server"`
	Tool        string          `json:"tool"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

func realTools(t testing.TB) []realTool {
	return readLines[realTool](t, shared(t, "tool-schemas.jsonl"))
}

func readLines[T any](t testing.TB, path string) []T {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

// Every real schema that compiles gets a proven example, and its strings mean
// something.
func TestRealSchemasGetExamples(t *testing.T) {
	is := is.New(t)
	invalid, texts, dull := 0, 0, 0
	tools := realTools(t)
	for _, tool := range tools {
		s, err := Compile(tool.InputSchema, Options{})
		if err != nil {
			invalid++
			is.Equal(err.Type, InvalidSchema)
			is.True(len(err.Issues) > 0 && err.ValidExample == nil)
			continue
		}
		example := s.Example()
		if example == nil {
			t.Errorf("%s %s: no example", tool.Server, tool.Tool)
			continue
		}
		if !s.Explain("", example).Valid {
			t.Errorf("%s %s: the example is not valid: %s", tool.Server, tool.Tool, example)
		}
		var value any
		is.NoErr(json.Unmarshal(example, &value))
		eachString(value, func(text string) {
			texts++
			if isDull(text) && !strings.Contains(string(tool.InputSchema), text) {
				dull++
			}
		})
	}
	t.Logf("%d schemas, %d cannot be used; %d of %d strings are dull", len(tools), invalid, dull, texts)
	is.True(invalid*100 <= len(tools))
	is.True(dull*100 < texts*5)
}

func eachString(value any, visit func(string)) {
	switch value := value.(type) {
	case string:
		visit(value)
	case []any:
		for _, item := range value {
			eachString(item, visit)
		}
	case map[string]any:
		for _, member := range value {
			eachString(member, visit)
		}
	}
}

// isDull reports whether a text says nothing about what belongs there: empty,
// the bare name of a type, or the filler of a pattern.
func isDull(text string) bool {
	plain := strings.Trim(strings.ToLower(text), " -_0123456789")
	return slices.Contains([]string{"", "string", "text", "value", "example", "example text", "foo", "bar"}, plain) && !strings.ContainsAny(text, "0123456789")
}

type suiteGroup struct {
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Tests       []struct {
		Data  json.RawMessage `json:"data"`
		Valid bool            `json:"valid"`
	} `json:"tests"`
}

// selfContained leaves out what needs other documents.
func (g suiteGroup) selfContained() bool {
	text := string(g.Schema)
	if strings.Contains(text, "localhost") {
		return false
	}
	return !regexp.MustCompile(`"\$(ref|dynamicRef)":\s*"https?://json-schema.org`).MatchString(text)
}

func TestSuiteGetsExamplesAndVerdicts(t *testing.T) {
	for _, draft := range []string{"draft2020-12", "draft7"} {
		t.Run(draft, func(t *testing.T) {
			is := is.New(t)
			files, err := filepath.Glob(shared(t, "suite", draft) + "/*.json")
			is.NoErr(err)
			satisfiable, proven, ofType := 0, 0, 0
			for _, file := range files {
				if name := filepath.Base(file); name == "refRemote.json" || name == "vocabulary.json" {
					continue
				}
				text, err := os.ReadFile(file)
				is.NoErr(err)
				var groups []suiteGroup
				is.NoErr(json.Unmarshal(text, &groups))
				for _, group := range groups {
					canBe := slices.ContainsFunc(group.Tests, func(test struct {
						Data  json.RawMessage `json:"data"`
						Valid bool            `json:"valid"`
					}) bool {
						return test.Valid
					})
					if !canBe || !group.selfContained() {
						continue
					}
					satisfiable++
					s, invalid := Compile(group.Schema, Options{Draft: draft})
					if invalid != nil {
						t.Logf("%s: %s: %s", filepath.Base(file), group.Description, invalid.Summary)
						continue
					}
					if filepath.Base(file) != "format.json" { // formats are asserted here
						for _, test := range group.Tests {
							if got := s.Explain("", test.Data).Valid; got != test.Valid {
								t.Errorf("%s: %s: %s: got %v", filepath.Base(file), group.Description, test.Data, got)
							}
						}
					}
					example := s.Example()
					if example == nil {
						t.Logf("%s: %s: no example", filepath.Base(file), group.Description)
						continue
					}
					proven++
					if impliedType(group.Schema, example) {
						ofType++
					}
				}
			}
			t.Logf("%d groups, %d with an example, %d of the implied type", satisfiable, proven, ofType)
			is.True(proven*100 >= satisfiable*96)
			is.True(ofType*100 >= satisfiable*92)
		})
	}
}

// impliedType reports whether an example has a type that the keywords of the
// schema speak of.
func impliedType(schema, example json.RawMessage) bool {
	var keywords map[string]any
	if json.Unmarshal(schema, &keywords) != nil {
		return true
	}
	implies := map[string]typeSet{"properties": objectType, "required": objectType, "items": arrayType, "contains": arrayType,
		"minLength": stringType, "pattern": stringType, "minimum": numberType, "multipleOf": numberType}
	var wanted typeSet
	for keyword := range keywords {
		wanted |= implies[keyword]
	}
	value, err := decode(example, maxArgumentBytes, ranks{})
	return err == nil && (wanted == 0 || wanted&typeOf(value) != 0)
}

type badCall struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Schema   json.RawMessage `json:"schema"`
	Instance json.RawMessage `json:"instance"`
	At       string          `json:"at"`
	Draft    string          `json:"draft"`
}

func TestBadArguments(t *testing.T) {
	is := is.New(t)
	for _, call := range readLines[badCall](t, shared(t, "bad-arguments.jsonl")) {
		s, invalid := Compile(call.Schema, Options{Draft: call.Draft})
		is.True(invalid == nil)
		result := s.Explain("tool", call.Instance)
		if result.Valid {
			t.Errorf("%s: taken for valid", call.ID)
			continue
		}
		named := slices.IndexFunc(result.Error.Issues, func(issue Issue) bool {
			return issue.Field == call.At || strings.HasPrefix(issue.Field, call.At+"/")
		})
		if named < 0 {
			t.Errorf("%s: %s is not named: %+v", call.ID, call.At, result.Error.Issues)
			continue
		}
		value, err := decode(call.Instance, maxArgumentBytes, ranks{})
		is.NoErr(err)
		tokens := strings.Split(call.At, "/")[1:]
		issue := result.Error.Issues[named]
		if received, present := lookUp(value, tokens); present && issue.Field == call.At && len(issue.Received) == 0 {
			t.Errorf("%s: %v is not shown", call.ID, received)
		}
		if result.Example == nil {
			t.Errorf("%s: no example", call.ID)
		}
		for _, text := range []string{result.Error.Markdown(false), result.Error.Markdown(true)} {
			if !strings.Contains(text, tokens[len(tokens)-1]) {
				t.Errorf("%s: the text does not name %s", call.ID, call.At)
			}
		}
	}
}

func TestSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	var explained, generated []time.Duration
	for _, tool := range realTools(t) {
		s, invalid := Compile(tool.InputSchema, Options{})
		if invalid != nil {
			continue
		}
		from := time.Now()
		s.generate(nil)
		generated = append(generated, time.Since(from))
		s.Documentation() // once for each schema, as it is in use
		from = time.Now()
		s.Explain(tool.Tool, []byte(`{"unknown_member": [1, 2, 3]}`))
		explained = append(explained, time.Since(from))
	}
	at := func(times []time.Duration, share float64) time.Duration {
		slices.Sort(times)
		return times[int(float64(len(times)-1)*share)]
	}
	t.Logf("explain: median %v, p95 %v; example: median %v, p95 %v", at(explained, 0.5), at(explained, 0.95), at(generated, 0.5), at(generated, 0.95))
	is := is.New(t)
	// Ten times the target: another process may have the machine.
	is.True(at(explained, 0.5) < 10*time.Millisecond)
	is.True(at(generated, 0.5) < 2500*time.Microsecond)
}
