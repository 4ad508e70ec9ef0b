package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"mcpmend/core/config"
)

// mutation is one way in which a model gets a call wrong.
type mutation struct {
	name    string
	certain bool // the mend needs no guess
	// apply changes a member of the arguments; ok is false where it has
	// nothing to change. at names the place that is wrong afterwards.
	apply func(v *view, object map[string]any, name string, sub *view) (at string, ok bool)
}

var mutations = []mutation{
	{"drop a required member", false, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		if !slices.Contains(v.required, name) {
			return "", false
		}
		delete(object, name)
		return name, true
	}},
	{"swap two letters of a name", true, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		closed := slices.ContainsFunc(v.sources, func(source *jsonschema.Schema) bool { return source.AdditionalProperties == false })
		if len(name) < 4 || name[len(name)-1] == name[len(name)-2] || !closed && !slices.Contains(v.required, name) {
			return "", false
		}
		wrong := name[:len(name)-2] + name[len(name)-1:] + name[len(name)-2:len(name)-1]
		if slices.Contains(v.declared(nil), wrong) || certainName(wrong, v.declared(nil)) != name {
			return "", false
		}
		object[wrong] = object[name]
		delete(object, name)
		return wrong, true
	}},
	{"number as a string", true, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		value, ok := object[name].(json.Number)
		if !ok || sub.types&stringType != 0 {
			return "", false
		}
		object[name] = value.String()
		return name, true
	}},
	{"boolean as a string", true, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		value, ok := object[name].(bool)
		if !ok || sub.types&stringType != 0 {
			return "", false
		}
		object[name] = fmt.Sprint(value)
		return name, true
	}},
	{"stringified", true, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		if typeOf(object[name])&(arrayType|objectType) == 0 || sub.types&stringType != 0 {
			return "", false
		}
		object[name] = string(encode(object[name], nil))
		return name, true
	}},
	{"a word for a number", false, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		if _, ok := object[name].(json.Number); !ok || sub.types&stringType != 0 {
			return "", false
		}
		object[name] = "a lot"
		return name, true
	}},
	{"enum in capitals", true, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		text, ok := object[name].(string)
		if !ok || !sub.enumerated || strings.ToUpper(text) == text {
			return "", false
		}
		if _, unique := meantValue(text, sub.enum); !unique || slices.Contains(sub.enum, any(strings.ToUpper(text))) {
			return "", false
		}
		object[name] = strings.ToUpper(text)
		return name, true
	}},
	{"enum that is none", false, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		if _, ok := object[name].(string); !ok || !sub.enumerated {
			return "", false
		}
		object[name] = "superadmin"
		return name, true
	}},
	{"out of range", false, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		if _, ok := object[name].(json.Number); !ok || sub.upper == nil {
			return "", false
		}
		object[name] = number(numberLiteral(sub.upper.value) + "000001")
		if strings.Contains(numberLiteral(sub.upper.value), ".") || sub.upper.value.Sign() <= 0 {
			return "", false
		}
		return name, true
	}},
	{"null for an optional member", true, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		if slices.Contains(v.required, name) || sub.types&nullType != 0 || sub.types == anyType {
			return "", false
		}
		object[name] = nil
		return name, true
	}},
	{"an object where none fits", false, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		object[name] = map[string]any{"__nope": true}
		return name, true
	}},
	{"a single value for a list", true, func(v *view, object map[string]any, name string, sub *view) (string, bool) {
		list, ok := object[name].([]any)
		if !ok || len(list) != 1 || sub.types != arrayType {
			return "", false
		}
		if text, isText := list[0].(string); isText && strings.ContainsAny(text, ",;\n[{\"") || typeOf(list[0]) == arrayType || list[0] == nil {
			return "", false
		}
		object[name] = list[0]
		return name, true
	}},
}

func TestMutations(t *testing.T) {
	t.Run("own", func(t *testing.T) {
		mutate(t, []json.RawMessage{json.RawMessage(createUser), json.RawMessage(setTemperature)})
	})
	t.Run("real", func(t *testing.T) {
		var schemas []json.RawMessage
		for i, tool := range realTools(t) {
			if i%8 == 0 {
				schemas = append(schemas, tool.InputSchema)
			}
		}
		mutate(t, schemas)
	})
}

// spot is an object somewhere in the arguments, with what applies to it.
type spot struct {
	at     []string
	object map[string]any
	view   *view
}

// spots finds the objects of a value whose schema leaves no alternatives.
func spots(value any, v *view, at []string) []spot {
	var out []spot
	if len(v.choices) > 0 || len(at) > 6 {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		out = append(out, spot{slices.Clone(at), value, v})
		for _, name := range sorted(nil, value) {
			if subs, allowed := v.property(name); allowed && len(subs) > 0 {
				out = append(out, spots(value[name], merge(subs...), append(at, name))...)
			}
		}
	case []any:
		for i, item := range value {
			if subs, allowed := v.item(i); allowed && len(subs) > 0 {
				out = append(out, spots(item, merge(subs...), append(at, strconv.Itoa(i)))...)
			}
		}
	}
	return out
}

func mutate(t *testing.T, schemas []json.RawMessage) {
	is := is.New(t)
	total, certain, mended := 0, 0, 0
	for _, text := range schemas {
		s, invalid := Compile(text, Options{})
		if invalid != nil {
			continue
		}
		g := newGenerator(s)
		g.generous = true
		start, ok := g.value([]*jsonschema.Schema{s.root}, place{}, nil)
		if !ok {
			continue
		}
		for _, spot := range spots(start, merge(s.root), nil) {
			for _, name := range sorted(s.rank, spot.object) {
				subs, _ := spot.view.property(name)
				for _, m := range mutations {
					wrong := clone(spot.object)
					at, applies := m.apply(spot.view, wrong, name, merge(subs...))
					arguments := change(start, spot.at, false, wrong)
					if !applies || s.validate(s.root, arguments) == nil {
						continue
					}
					total++
					result := s.Explain("tool", encode(arguments, s.rank))
					judge(t, m, arguments, append(slices.Clone(spot.at), at), result)
					if !m.certain {
						continue
					}
					certain++
					if result.RepairedValid && s.Explain("", result.Repaired).Valid && s.validate(s.root, patched(t, arguments, result.Error.Issues)) == nil {
						mended++
					} else if testing.Verbose() {
						t.Logf("%s: not mended: %s: %+v", m.name, encode(arguments, nil), result.Error.Issues)
					}
				}
			}
		}
	}
	t.Logf("%d mutations; %d of %d with a certain mend are valid after it", total, mended, certain)
	is.True(certain > 0)
	is.True(mended*100 >= certain*95)
}

// judge checks that the place, the name and what was received are told.
func judge(t *testing.T, m mutation, arguments any, at []string, result Result) {
	t.Helper()
	field, name := config.Pointer(at...), at[len(at)-1]
	found := slices.IndexFunc(result.Error.Issues, func(issue Issue) bool {
		return issue.Field == field || strings.HasPrefix(issue.Field, field+"/") || strings.Contains(issue.Problem, quoted(name))
	})
	if found < 0 {
		t.Errorf("%s: %s is not named in %s: %+v", m.name, field, encode(arguments, nil), result.Error.Issues)
		return
	}
	issue := result.Error.Issues[found]
	if _, present := lookUp(arguments, at); present && issue.Field == field && len(issue.Received) == 0 {
		t.Errorf("%s: what was received at %s is not shown", m.name, field)
	}
	if !strings.Contains(issue.Problem+issue.Fix, name) && !strings.Contains(issue.Field, field) {
		t.Errorf("%s: %s is not named in the text: %+v", m.name, name, issue)
	}
	if result.Example == nil {
		t.Errorf("%s: no example for %s", m.name, encode(arguments, nil))
	}
}

// patched carries out the patches of the issues, as a client would.
func patched(t *testing.T, value any, issues []Issue) any {
	t.Helper()
	for _, issue := range issues {
		for _, op := range issue.Patch {
			at, err := config.SplitPointer(op.Path)
			if err != nil {
				t.Fatal(err)
			}
			switch op.Op {
			case "replace":
				with, err := decode(op.Value, maxArgumentBytes, ranks{})
				if err != nil {
					t.Fatal(err)
				}
				value = change(value, at, false, with)
			case "remove":
				value = change(value, at, true, nil)
			case "move":
				from, _ := config.SplitPointer(op.From)
				value = mend{at: from, to: at}.apply(value)
			default:
				t.Fatalf("unexpected operation %q", op.Op)
			}
		}
	}
	return value
}

// A member that is wrong inside one form of a union is named, not the union.
func TestWrongBranch(t *testing.T) {
	is := is.New(t)
	total := 0
	for _, tool := range realTools(t) {
		s, invalid := Compile(tool.InputSchema, Options{})
		if invalid != nil {
			continue
		}
		start, _ := s.generate(nil)
		call, ok := start.(map[string]any)
		if !ok {
			continue
		}
		root := merge(s.root)
		for _, name := range root.declared(s.rank) {
			subs, _ := root.property(name)
			union, list := merge(subs...), false
			if items, _ := union.item(0); union.types == arrayType && len(items) > 0 {
				union, list = merge(items...), true
			}
			for _, form := range forms(union) {
				object, ok := form(s, name)
				if !ok {
					continue
				}
				for _, key := range sorted(s.rank, object) {
					wrong := clone(object)
					wrong[key] = map[string]any{"__nope": true}
					bad := clone(call)
					bad[name] = wrong
					if list {
						bad[name] = []any{wrong}
					}
					result := s.Explain("tool", encode(bad, s.rank))
					if result.Valid {
						continue
					}
					total++
					if !slices.ContainsFunc(result.Error.Issues, func(issue Issue) bool { return slices.Contains(splitField(issue.Field), key) }) {
						t.Errorf("%s %s: %s is not named: %+v", tool.Server, tool.Tool, key, result.Error.Issues)
					}
				}
			}
		}
	}
	t.Logf("%d members wrong in one form of a union", total)
	is.True(total > 0)
}

// forms gives for each object form of a union the way to make one.
func forms(v *view) (out []func(*Schema, string) (map[string]any, bool)) {
	if len(v.choices) == 0 {
		return nil
	}
	for _, a := range v.choices[0].alternatives {
		out = append(out, func(s *Schema, name string) (map[string]any, bool) {
			value, _ := newGenerator(s).value(a.all, place{name, 1}, nil)
			object, ok := value.(map[string]any)
			return object, ok && len(object) > 1
		})
	}
	return out
}
