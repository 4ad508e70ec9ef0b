package config

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestTOMLKeepsQuotes(t *testing.T) {
	tests := []struct{ name, before, value, after string }{
		{"single", `a = 'C:\old' # x`, `C:\new`, `a = 'C:\new' # x`},
		{"double", `a = "old"`, `new`, `a = "new"`},
		{"single, and the value has one", `a = 'old'`, `it's`, `a = "it's"`},
		{"single, and the value has a line end", `a = 'old'`, "x\ny", `a = "x\ny"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			value, err := json.Marshal(tt.value)
			is.NoErr(err)
			after, _, err := Apply(tt.before, TOML, Patch{{Op: "replace", Path: "/a", Value: value}})
			is.NoErr(err)
			is.Equal(after, tt.after)
			doc, err := Parse(after, Options{Format: TOML})
			is.NoErr(err)
			is.Equal(doc.Root.Get("a").Text, tt.value)
		})
	}
}

func TestApplyTOML(t *testing.T) {
	codex := "# mine\nmodel = \"m\" # small\n\n[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"-y\", \"pkg\"] # here\n\n# the second\n[mcp_servers.b]\nurl = \"https://example.com\"\n"
	long := "[s]\nargs = [\n  \"-y\", # yes\n  \"pkg\", # it\n]\n"
	for _, test := range []struct{ name, before, patch, after string }{
		{"empty", codex, `[]`, codex},
		{"replace a value", codex, `[{"op":"replace","path":"/mcp_servers/a/command","value":"/usr/bin/npx"}]`,
			strings.Replace(codex, `"npx"`, `"/usr/bin/npx"`, 1)},
		{"add a key", codex, `[{"op":"add","path":"/mcp_servers/a/cwd","value":"C:\\x"}]`,
			strings.Replace(codex, "# here\n", "# here\ncwd = 'C:\\x'\n", 1)},
		{"add a root key", codex, `[{"op":"add","path":"/n","value":1.5}]`, strings.Replace(codex, "# small\n", "# small\nn = 1.5\n", 1)},
		{"add a server", codex, `[{"op":"add","path":"/mcp_servers/my c","value":{"command":"uvx","env":{"A":"1"}}}]`,
			codex + "\n[mcp_servers.\"my c\"]\ncommand = \"uvx\"\n\n[mcp_servers.\"my c\".env]\nA = \"1\"\n"},
		{"add an argument", codex, `[{"op":"add","path":"/mcp_servers/a/args/1","value":"--x"}]`,
			strings.Replace(codex, `"-y", "pkg"`, `"-y", "--x", "pkg"`, 1)},
		{"append on lines", long, `[{"op":"add","path":"/s/args/-","value":"z"}]`, strings.Replace(long, "# it\n", "# it\n  \"z\",\n", 1)},
		{"insert on lines", long, `[{"op":"add","path":"/s/args/1","value":"z"}]`, strings.Replace(long, "  \"pkg\"", "  \"z\",\n  \"pkg\"", 1)},
		{"remove keeps the comment", codex, `[{"op":"remove","path":"/mcp_servers/a/args"}]`, strings.Replace(codex, "args = [\"-y\", \"pkg\"] # here", "# here", 1)},
		{"remove a server", codex, `[{"op":"remove","path":"/mcp_servers/a"}]`,
			"# mine\nmodel = \"m\" # small\n\n# here\n\n# the second\n[mcp_servers.b]\nurl = \"https://example.com\"\n"},
		{"rename a server", "[s.a]\nx = 1\n[s.a.env]\ny = 2\n", `[{"op":"move","from":"/s/a","path":"/s/c d"}]`, "[s.\"c d\"]\nx = 1\n[s.\"c d\".env]\ny = 2\n"},
		{"rename the root", "[mcpServers.a]\nx = 1\n[mcpServers.b]\ny = 2\n", `[{"op":"move","from":"/mcpServers","path":"/mcp_servers"}]`, "[mcp_servers.a]\nx = 1\n[mcp_servers.b]\ny = 2\n"},
		{"braces habit", "[s.a]\nenv = { A = \"1\" }\n[s.b]\nx = 1\n", `[{"op":"add","path":"/s/b/env","value":{"B":"2"}}]`, "[s.a]\nenv = { A = \"1\" }\n[s.b]\nx = 1\nenv = { B = \"2\" }\n"},
		{"into braces", "env = { A = \"1\" }\n", `[{"op":"add","path":"/env/B","value":true}]`, "env = { A = \"1\", B = true }\n"},
		{"out of braces", "env = { A = \"1\", B = 2 }\n", `[{"op":"remove","path":"/env/A"}]`, "env = { B = 2 }\n"},
		{"crlf", "[a]\r\nx = 1\r\n", `[{"op":"add","path":"/a/y","value":[1]},{"op":"add","path":"/b","value":{"z":1}}]`, "[a]\r\nx = 1\r\ny = [1]\r\n\r\n[b]\r\nz = 1\r\n"},
		{"dotted", "a.b = 1\nc = 2\n", `[{"op":"add","path":"/a/d","value":3}]`, "a.b = 1\na.d = 3\nc = 2\n"},
		{"array of tables", "[[h]]\nn = 1\n\n[[h]]\nn = 2\n", `[{"op":"add","path":"/h/-","value":{"n":3}},{"op":"remove","path":"/h/0"}]`, "[[h]]\nn = 2\n\n[[h]]\nn = 3\n"},
		{"into an implied table", "[a.b]\nx = 1\n", `[{"op":"add","path":"/a/y","value":2}]`, "[a]\ny = 2\n\n[a.b]\nx = 1\n"},
		{"the last member", "[a.b]\nx = 1\n", `[{"op":"remove","path":"/a/b"}]`, "[a]\n"},
		{"move", "[a]\nx = 1\n[b]\ny = 2\n", `[{"op":"move","from":"/a/x","path":"/b/x"}]`, "[a]\n[b]\ny = 2\nx = 1\n"},
		{"date keeps its spelling", "d = 2024-01-02\n", `[{"op":"copy","from":"/d","path":"/e"}]`, "d = 2024-01-02\ne = 2024-01-02\n"},
		{"no newline at the end", "[a]\nx = 1", `[{"op":"add","path":"/a/y","value":2}]`, "[a]\nx = 1\ny = 2"},
		{"empty document", "", `[{"op":"add","path":"/a","value":{"b":1}}]`, "[a]\nb = 1\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			var p Patch
			is.NoErr(json.Unmarshal([]byte(test.patch), &p))
			after, edits, err := applyTOML(test.before, p)
			is.NoErr(err)
			is.Equal(after, test.after)
			again, err := Edited(test.before, edits)
			is.NoErr(err)
			is.Equal(again, after)
		})
	}
}

func TestApplyTOMLRefusesNull(t *testing.T) {
	is := is.New(t)
	_, _, err := applyTOML("a = 1\n", Patch{{Op: "add", Path: "/b", Value: json.RawMessage(`{"c":[null]}`)}})
	is.True(err != nil)
	_, _, err = applyTOML("a = 1\n", Patch{{Op: "replace", Path: "", Value: json.RawMessage(`[]`)}})
	is.True(err != nil)
}

// applyProperty applies random patches to texts and wants the same data that
// plain RFC 6902 gives, and every comment still there.
func applyProperty(t *testing.T, format Format, texts []string, nulls bool, rounds int) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, text := range texts {
		root, err := parseNode(text, format)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for range rounds {
			var patch Patch
			plain := normalAny(root.Value())
			for range 1 + random.IntN(4) {
				op := randomOp(random, plain, nulls)
				next, err := plainApply(plain, op)
				if err != nil {
					continue
				}
				if _, ok := next.(map[string]any); !ok && format == TOML {
					continue
				}
				plain = next
				patch = append(patch, op)
			}
			after, edits, err := Apply(text, format, patch)
			shown, _ := json.Marshal(patch)
			if err != nil {
				t.Fatalf("%v\npatch %s on\n%s", err, shown, text)
			}
			got, err := parseNode(after, format)
			if err != nil || !reflect.DeepEqual(normalAny(got.Value()), plain) {
				want, _ := json.Marshal(plain)
				t.Fatalf("(%v) patch %s on\n%s\ngives\n%s\nwant %s", err, shown, text, after, want)
			}
			if again, err := Edited(text, edits); err != nil || again != after {
				t.Fatalf("the edits do not lead to the text: %v", err)
			}
		}
	}
}

func normalAny(v any) any {
	data, _ := json.Marshal(v)
	var out any
	_ = json.Unmarshal(data, &out)
	return out
}

// plainApply is RFC 6902 on plain data.
func plainApply(doc any, op Op) (any, error) {
	var value any
	switch op.Op {
	case "add", "replace":
		_ = json.Unmarshal(op.Value, &value)
	case "move", "copy":
		found, err := plainGet(doc, op.From)
		if err != nil {
			return nil, err
		}
		value = normalAny(found)
		if op.Op == "move" {
			if strings.HasPrefix(op.Path+"/", op.From+"/") {
				return nil, fmt.Errorf("into itself")
			}
			if doc, err = plainSet(doc, op.From, "remove", nil); err != nil {
				return nil, err
			}
		}
		return plainSet(doc, op.Path, "add", value)
	}
	return plainSet(doc, op.Path, op.Op, value)
}

func plainGet(doc any, pointer string) (any, error) {
	names, _ := SplitPointer(pointer)
	for _, name := range names {
		switch v := doc.(type) {
		case map[string]any:
			next, ok := v[name]
			if !ok {
				return nil, fmt.Errorf("nothing there")
			}
			doc = next
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(v) {
				return nil, fmt.Errorf("nothing there")
			}
			doc = v[i]
		default:
			return nil, fmt.Errorf("nothing there")
		}
	}
	return doc, nil
}

func plainSet(doc any, pointer, op string, value any) (any, error) {
	names, _ := SplitPointer(pointer)
	if len(names) == 0 {
		if op == "remove" {
			return nil, fmt.Errorf("the root stays")
		}
		return value, nil
	}
	name, rest := names[0], Pointer(names[1:]...)
	switch v := doc.(type) {
	case map[string]any:
		copied := map[string]any{}
		for k, e := range v {
			copied[k] = e
		}
		old, exists := v[name]
		switch {
		case len(names) > 1 && exists:
			next, err := plainSet(old, rest, op, value)
			copied[name] = next
			return copied, err
		case len(names) > 1 || op != "add" && !exists:
			return nil, fmt.Errorf("nothing there")
		case op == "remove":
			delete(copied, name)
		default:
			copied[name] = value
		}
		return copied, nil
	case []any:
		i, err := strconv.Atoi(name)
		if name == "-" {
			i, err = len(v), nil
		}
		if err != nil || i > len(v) || i == len(v) && (op != "add" || len(names) > 1) {
			return nil, fmt.Errorf("no such place")
		}
		copied := slices.Clone(v)
		switch {
		case len(names) > 1:
			next, err := plainSet(v[i], rest, op, value)
			copied[i] = next
			return copied, err
		case op == "remove":
			return slices.Delete(copied, i, i+1), nil
		case op == "add":
			return slices.Insert(copied, i, value), nil
		}
		copied[i] = value
		return copied, nil
	}
	return nil, fmt.Errorf("no place")
}

var randomValues = []string{`1`, `"x"`, `"a: b # c"`, `"C:\\new\\x"`, `"it's \"q\""`, `""`, `true`, `2.5`, `[]`, `{}`, `["-y","@scope/p"]`, `{"command":"npx","args":["a",1],"env":{"A":"b"}}`, `[{"a":1},{"b":[{}]}]`, `"line\ntwo\n"`, `[[1],["x, y"]]`, `{"x":{"y":{"z":{}}}}`, `"- a"`, `"@x"`, `" lead"`, `"é“”"`, `"null"`, `"12"`}

func randomOp(random *rand.Rand, doc any, nulls bool) Op {
	var pointers []string
	var walk func(v any, at string)
	walk = func(v any, at string) {
		pointers = append(pointers, at)
		switch v := v.(type) {
		case map[string]any:
			names := make([]string, 0, len(v))
			for name := range v {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				walk(v[name], at+Pointer(name))
			}
		case []any:
			for i := range v {
				walk(v[i], at+"/"+strconv.Itoa(i))
			}
		}
	}
	walk(doc, "")
	any := func() string { return pointers[random.IntN(len(pointers))] }
	fresh := func() string {
		return any() + "/" + []string{"new", "a b", "env", "0", "-", "1", "x.y", "no", "q~1r"}[random.IntN(9)]
	}
	value := randomValues[random.IntN(len(randomValues))]
	if nulls && random.IntN(12) == 0 {
		value = "null"
	}
	switch random.IntN(7) {
	case 0:
		return Op{Op: "remove", Path: any()}
	case 1:
		if path := any(); path != "" {
			return Op{Op: "replace", Path: path, Value: json.RawMessage(value)}
		}
	case 2:
		return Op{Op: "move", From: any(), Path: fresh()}
	case 3:
		return Op{Op: "copy", From: any(), Path: fresh()}
	case 4:
		return Op{Op: "add", Path: any(), Value: json.RawMessage(value)}
	}
	return Op{Op: "add", Path: fresh(), Value: json.RawMessage(value)}
}

func TestApplyTOMLEqualsPlainData(t *testing.T) {
	texts := slices.Clone(tomlConfigs)
	for name, text := range tomlDocuments {
		if name != "unicode" {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	applyProperty(t, TOML, texts, false, 60)
}
