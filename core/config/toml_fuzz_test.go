package config

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	gotoml "github.com/pelletier/go-toml/v2"
)

var tomlHostile = []string{
	strings.Repeat("a.", 2000) + "a = 1", "[a]\n[a]\n", "[a]\n[[a]]\n", "[[a]]\n[a]\n", "a = 1\r\nb = 2\n\ufeffc = 3\n",
	"a = \"\\ud800\"", "a = [[[[[", "a = {b = {c = {", "a = '''", "a = \"\"\"\\", "a = 1979-05-27 07:32:00Z", "a = 1e", "= 1", "[", "[[", "[a.", "\x00",
}

// FuzzParseTOML looks for a crash, a wrong range, and a text that two
// libraries read otherwise than we do.
func FuzzParseTOML(f *testing.F) {
	for _, text := range tomlDocuments {
		f.Add(text)
	}
	for _, text := range append(tomlHostile, tomlConfigs...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := parseTOML(text)
		if err != nil {
			return
		}
		checkRanges(t, text, TOML, root)
		var one, two map[string]any
		oneErr, twoErr := toml.Unmarshal([]byte(text), &one), gotoml.Unmarshal([]byte(text), &two)
		if oneErr != nil && twoErr != nil {
			t.Fatalf("both libraries refuse %q: %v, %v", text, oneErr, twoErr)
		}
		if notPlain(one) || notPlain(two) {
			return
		}
		got := normal(root.Value())
		if !(oneErr == nil && reflect.DeepEqual(got, normal(one)) || twoErr == nil && reflect.DeepEqual(got, normal(two))) {
			t.Fatalf("%q: we read %v, the libraries %v and %v", text, got, one, two)
		}
	})
}

// notPlain reports whether a value has a date, or a number without end, for
// which plain data has no word.
func notPlain(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if notPlain(e) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if notPlain(e) {
				return true
			}
		}
	case []map[string]any:
		for _, e := range v {
			if notPlain(e) {
				return true
			}
		}
	case float64:
		return v-v != 0
	case nil, bool, string, int64:
	default:
		return true
	}
	return false
}

// FuzzRepairTOML and FuzzRepairYAML want a text that parses, or an honest
// error; nothing to do for a text that was repaired; and no comment lost.
func FuzzRepairTOML(f *testing.F) {
	for _, text := range append(tomlHostile, tomlConfigs...) {
		f.Add(text)
	}
	for i, slip := range tomlAccidents {
		f.Add(slip.cause(tomlConfigs[i%len(tomlConfigs)], func(int) int { return 0 }))
	}
	f.Fuzz(func(t *testing.T, text string) { checkRepair(t, text, TOML) })
}

func checkRepair(t *testing.T, text string, format Format) {
	if _, utf16 := decode(text); utf16 {
		return
	}
	repaired := Repair(text, format)
	_, err := parseNode(repaired.Text, format)
	if (err == nil) != (repaired.Err == nil) {
		t.Fatalf("%q: repaired to %q, which gives %v; reported %v", text, repaired.Text, err, repaired.Err)
	}
	if err != nil {
		if repaired.Text != text {
			t.Fatalf("%q was changed to %q, which does not parse", text, repaired.Text)
		}
		return
	}
	if again := Repair(repaired.Text, format); again.Text != repaired.Text {
		t.Fatalf("%q: repaired to %q, and that to %q", text, repaired.Text, again.Text)
	}
}

// FuzzApplyTOML and FuzzApplyYAML want what plain data gives, or an error.
func FuzzApplyTOML(f *testing.F) {
	for _, text := range tomlConfigs {
		f.Add(text, "/mcp_servers/x", `{"command":"npx"}`, uint8(0))
		f.Add(text, "/mcp_servers", `null`, uint8(1))
	}
	for _, text := range tomlDocuments {
		f.Add(text, "/a", `"x"`, uint8(2))
		f.Add(text, "/a/b", `[1,{}]`, uint8(0))
		f.Add(text, "/a/0", `[]`, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text, path, value string, kind uint8) { checkApply(t, text, TOML, path, value, kind) })
}

func checkApply(t *testing.T, text string, format Format, path, value string, kind uint8) {
	root, err := parseNode(text, format)
	if err != nil || !json.Valid([]byte(value)) || len(text) > 4096 || !root.uniqueAll() {
		return
	}
	op := Op{Op: []string{"add", "remove", "replace"}[kind%3], Path: path, Value: json.RawMessage(value)}
	after, edits, err := Apply(text, format, Patch{op})
	if err != nil {
		return
	}
	given, err := parseJSON(value)
	if err != nil || !given.uniqueAll() {
		return
	}
	want, err := plainApply(normalAny(root.Value()), op)
	if err != nil {
		t.Fatalf("%+v on %q should be refused: %v", op, text, err)
	}
	got, err := parseNode(after, format)
	if err != nil || !reflect.DeepEqual(normalAny(got.Value()), want) {
		t.Fatalf("%+v on %q gives %q (%v)", op, text, after, err)
	}
	if again, err := Edited(text, edits); err != nil || again != after {
		t.Fatalf("the edits do not lead to the text: %v", err)
	}
}

func (n *Node) uniqueAll() bool {
	if !n.unique() {
		return false
	}
	for _, m := range n.Members {
		if !m.Value.uniqueAll() {
			return false
		}
	}
	for _, e := range n.Elements {
		if !e.uniqueAll() {
			return false
		}
	}
	return true
}
