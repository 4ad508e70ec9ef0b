package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/matryer/is"
	gotoml "github.com/pelletier/go-toml/v2"
)

// tomlDocuments are valid; two libraries are asked for what they mean.
var tomlDocuments = map[string]string{
	"empty":             "",
	"comment only":      "# nothing\n",
	"codex":             "model = \"gpt\"\n\n[mcp_servers.github]\ncommand = \"npx\"\nargs = [\"-y\", \"pkg\"] # here\nstartup_timeout_sec = 2.5\n\n[mcp_servers.github.env]\nTOKEN = 'x\\y'\n\n[mcp_servers.docs]\nurl = \"https://example.com/mcp\"\nenabled = false\n",
	"crlf":              "[a]\r\nb = 1\r\nc = \"\"\"x\r\ny\"\"\"\r\n",
	"dotted":            "a.b.c = 1\na.b.d = 2\n\"x y\".'z.w' = 3\n",
	"inline":            "env = { A = \"1\", B.C = 2, D = [1, { e = 3 }] }\n",
	"arrays over lines": "a = [\n  1, # one\n  2,\n\n  [ 3 ],\n]\n",
	"array of tables":   "[[a]]\nx = 1\n[a.b]\ny = 2\n[[a]]\n[[a.c]]\nz = 3\n",
	"implicit first":    "[a.b.c]\nx = 1\n[a]\ny = 2\n",
	"sub of dotted":     "[fruit]\napple.color = \"red\"\n[fruit.apple.taste]\nsweet = true\n",
	"numbers":           "a = +1\nb = -1_000\nc = 0xDEAD_beef\nd = 0o17\ne = 0b11\nf = 1e3\ng = -0.5E-2\nh = 9_2.1_0\n",
	"strings":           "a = \"\\u00e9\\U0001F600\\t\\\"\\\\\"\nb = '''\n'a''b\\n'''\nc = \"\"\"\\\n   x \\\n\n  y\"\"\"\"\"\nd = ''\ne = \"\"\"\"\"\"\n",
	"bare keys":         "1 = 1\n-a_ = 2\n\"\" = 3\n",
	"spaces":            "[ a . b ]\n c  =  1\n\t[ a.\"d\" ] # x",
	"unicode":           "é = 1",
}

func TestParseTOMLMeansWhatLibrariesSay(t *testing.T) {
	for name, text := range tomlDocuments {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			root, err := parseTOML(text)
			if name == "unicode" {
				is.True(err != nil) // a bare key is ASCII in TOML 1.0
				return
			}
			is.NoErr(err)
			var one, two map[string]any
			is.NoErr(toml.Unmarshal([]byte(text), &one))
			is.NoErr(gotoml.Unmarshal([]byte(text), &two))
			is.Equal(normal(root.Value()), normal(one))
			is.Equal(normal(root.Value()), normal(two))
			checkRanges(t, text, TOML, root)
		})
	}
}

func TestParseTOMLRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		text   string
		offset int
	}{
		"bare value":              {"a = npx\n", 4},
		"no value":                {"a =\n", 3},
		"no equals":               {"a: 1\n", 1},
		"two values":              {"a = 1 2\n", 6},
		"open string":             {"a = \"x\nb = 1\n", 4},
		"open array":              {"a = [1, 2\n", 10},
		"open header":             {"[a\nb = 1\n", 2},
		"table twice":             {"[a]\nx = 1\n[a]\n", 10},
		"key twice":               {"a = 1\na = 2\n", 6},
		"array after table":       {"[a]\n[[a]]\n", 4},
		"table after array":       {"[[a]]\n[a]\n", 6},
		"into an inline table":    {"a = {}\n[a.b]\n", 8},
		"into a value":            {"a = 1\na.b = 2\n", 6},
		"dotted into a table":     {"[a.b]\nx = 1\n[a]\nb.y = 2\n", 16},
		"bad escape":              {`a = "C:\dir"`, 7},
		"float too large":         {"a = 9e999\n", 4},
		"leading zero":            {"a = 012\n", 4},
		"double underscore":       {"a = 1__0\n", 4},
		"underscore in a prefix":  {"a = 0_b0\n", 4},
		"underscore by exponent":  {"a = 1_e5\n", 4},
		"bad date":                {"a = 2024-13-01\n", 4},
		"newline in inline table": {"a = {\nb = 1}\n", 5},
		"comma before brace":      {"a = {b = 1,}\n", 11},
		"control character":       {"a = \"\x01\"\n", 5},
		"not UTF-8":               {"a = \"\xff\"\n", 5},
		"bom in the middle":       {"a = 1\n\ufeffb = 2\n", 6},
		"bare carriage return":    {"a = 1\rb = 2\n", 5},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := parseTOML(test.text)
			syntax, ok := err.(*SyntaxError)
			is.True(ok)
			is.Equal(syntax.Offset, test.offset)
			var other map[string]any
			if !strings.Contains(name, "inline table") && !strings.Contains(name, "brace") { // TOML 1.1 takes these
				is.True(toml.Unmarshal([]byte(test.text), &other) != nil || gotoml.Unmarshal([]byte(test.text), &other) != nil)
			}
		})
	}
}

func TestParseTOMLHoldsItsLimits(t *testing.T) {
	for name, text := range map[string]string{
		"dotted key": strings.Repeat("a.", 1_000_000) + "a = 1",
		"header":     "[" + strings.Repeat("a.", 1_000_000) + "a]",
		"arrays":     "a = " + strings.Repeat("[", 1_000_000),
		"tables":     "a = " + strings.Repeat("{a=", 500_000),
		"size":       strings.Repeat(" ", MaxSize+1),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := parseTOML(text)
			is.True(err != nil)
		})
	}
}

// normal brings plain data of any decoder into one form.
func normal(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return dropNil(out)
}

func dropNil(v any) any {
	if v == nil {
		return map[string]any{}
	}
	return v
}

// checkRanges parses each scalar's own bytes again and wants the same value,
// and wants every child to lie inside its parent where the format nests.
func checkRanges(t *testing.T, text string, format Format, root *Node) {
	t.Helper()
	var walk func(n *Node)
	walk = func(n *Node) {
		if n.Start < 0 || n.End < n.Start || n.End > len(text) {
			t.Fatalf("range %v of %d bytes", n.Span, len(text))
		}
		if n.Kind != Object && n.Kind != Array {
			again, err := scalarAt(text, format, n.Span)
			if err != nil || again.Kind != n.Kind || again.Text != n.Text {
				t.Fatalf("%q at %v reads as %+v (%v), want %+v", text[n.Start:n.End], n.Span, again, err, n)
			}
		}
		for _, m := range n.Members {
			key, err := keyAt(text, format, m.Key)
			if err != nil || key != m.Name {
				t.Fatalf("key %q at %v reads as %q (%v), want %q", text[m.Key.Start:m.Key.End], m.Key, key, err, m.Name)
			}
			walk(m.Value)
		}
		for _, e := range n.Elements {
			walk(e)
		}
	}
	walk(root)
}

func scalarAt(text string, format Format, s Span) (*Node, error) {
	root, err := parseTOML("x = " + text[s.Start:s.End])
	if err != nil {
		return nil, err
	}
	return root.Get("x"), nil
}

func keyAt(text string, format Format, s Span) (string, error) {
	root, err := parseTOML(text[s.Start:s.End] + " = 1")
	if err != nil {
		return "", err
	}
	return root.Members[0].Name, nil
}
