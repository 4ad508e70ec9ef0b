package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"go.yaml.in/yaml/v3"
)

// yamlDocuments are valid; yaml.v3 is asked for what they mean.
var yamlDocuments = map[string]string{
	"empty":             "",
	"comment only":      "# nothing\n",
	"goose":             "extensions:\n  github:\n    type: stdio\n    cmd: npx\n    args: [-y, \"@scope/pkg\"]\n    envs:\n      TOKEN: 'it''s'\n    timeout: 300\n    enabled: true\n",
	"continue":          "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n- name: a\n  command: npx\n  args:\n  - -y\n  - \"@scope/pkg\" # scoped\n- name: b\n  url: https://example.com/mcp?x=1#y\n",
	"librechat":         "version: 1.2.1\nmcpServers:\n  fs:\n    command: npx\n    args:\n      - -y\n      - pkg\n    timeout: 60000\n    headers:\n      Authorization: \"Bearer ${TOKEN}\"\n  everything:\n    url: http://localhost:3001/sse\n",
	"crlf":              "a:\r\n  - b\r\n  - c: |\r\n      x\r\n      y\r\nd: 'e\r\n  f'\r\n",
	"flow":              "{a: [1, 2,], \"b\":c, 'd': {e: f, g}, h: [i: j, k]}\n",
	"flow over lines":   "a: [\n  b, # one\n  c\n]\nd: {\n  e: f,\n  }\n",
	"plain folds":       "a: one\n  two\n\n  three\nb: x\n",
	"quoted folds":      "a: \"one\n  two\\\n  three\\n\n\n  four\"\nb: 'x\n\n  y'\n",
	"literal at end":    "a:\n  b: |\n    {\n      x\n    }",
	"literal":           "a: |\n  one\n   two\n\n  three\n\nb: |-\n  x\nc: |+\n  y\n\nd: z\n",
	"folded":            "a: >\n  one\n  two\n\n  three\n   more\n   more\n  four\nb: >-\n  x\n  y\n",
	"indent indicator":  "a: |2\n    x\n  y\nb:\n  - |1\n    z\n",
	"empty values":      "a:\nb: ~\nc:\n  - \n  -\nd: null\n",
	"nested lists":      "- - a\n  - b\n- - c\n-\n  - d\n",
	"list of maps":      "- a: 1\n  b: 2\n-   c: 3\n    d:\n    - e\n",
	"explicit keys":     "? a\n: b\n? c\n",
	"anchors":           "base: &b\n  x: 1\n  y: [1, 2]\nuse: *b\nlist: &l [a, *b]\nagain: *l\nscalar: &s text\nt: *s\n&k key: v\n",
	"merge":             "base: &b {x: 1, y: 2}\nother: &o\n  z: 3\nuse:\n  <<: *b\n  x: 9\nboth:\n  <<: [*b, *o]\n  w: 1\n",
	"tags":              "a: !!str 1\nb: !!int \"3\"\nc: !custom text\nd: !!map {x: 1}\ne: !!seq\n- 1\n",
	"numbers":           "a: 1\nb: -2\nc: +3\nd: 0x1F\ne: 0o17\nf: 1_000\ng: .5\nh: 6.\ni: 1e3\nj: 12e-2\nk: 1.2.3\nl: 0.0.1\nm: 1:30\nn: .1_\no: -.1_0\n",
	"words":             "a: yes\nb: No\nc: on\nd: True\ne: FALSE\nf: Null\ng: nil\n",
	"plain specials":    "a: -y\nb: a:b\nc: a#b\nd: http://x/y:z\ne: ?x\nf: --flag=a,b\ng: C:\\dir\\new\nh: a \"b\" 'c'\ni: x]y}\n",
	"comments":          "# a\na: # b\n  # c\n  b: c # d\n# e\n\n  # f\n  d: e\n",
	"document":          "%YAML 1.1\n---\na: 1\n...\n",
	"two documents":     "a: 1\n---\nb: 2\n",
	"json":              "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"npx\", \"args\": [\"-y\"]}\n  }\n}\n",
	"unicode":           "é: ü\n\"\\u00e9\\x41\": \"\\U0001F600\"\n日本: [語, 'ß']\n",
	"keys":              "\"a b\": 1\n'c: d': 2\ne f: 3\n? g\n: 4\n",
	"scalar document":   "just text\n",
	"deep then shallow": "a:\n    b:\n      c: 1\n    d: 2\ne:\n f: 3\n",
	"seq at key column": "a:\n- 1\n- 2\nb:\n- c:\n  - 3\n  d: 4\n",
	"tabs after colon":  "a:\t1\nb: x\t# y\n",
}

func TestParseYAMLMeansWhatYAMLv3Says(t *testing.T) {
	for name, text := range yamlDocuments {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			root, err := parseYAML(text)
			is.NoErr(err)
			want, err := refereeYAML(text)
			is.NoErr(err)
			is.Equal(normal(root.Value()), normal(want))
			checkYAMLRanges(t, text, root)
		})
	}
}

// refereeYAML gives what yaml.v3 makes of a text, in our terms.
func refereeYAML(text string) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 {
		return nil, nil
	}
	budget := 200_000
	return refereeValue(doc.Content[0], &budget)
}

var errReferee = errors.New("the referee does not judge this")

func refereeValue(n *yaml.Node, budget *int) (any, error) {
	if *budget--; *budget < 0 {
		return nil, errReferee
	}
	switch n.Kind {
	case yaml.AliasNode:
		return refereeValue(n.Alias, budget)
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			v, err := refereeValue(c, budget)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		object, merged := map[string]any{}, map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			for key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			v, err := refereeValue(n.Content[i+1], budget)
			if err != nil {
				return nil, err
			}
			if key.Kind != yaml.ScalarNode {
				return nil, errReferee
			}
			if key.Tag == "!!merge" {
				list, ok := v.([]any)
				if !ok {
					list = []any{v}
				}
				for _, each := range list {
					m, ok := each.(map[string]any)
					if !ok {
						return nil, errReferee
					}
					for k, v := range m {
						if _, ok := merged[k]; !ok {
							merged[k] = v
						}
					}
				}
				continue
			}
			object[key.Value] = v
		}
		for k, v := range merged {
			if _, ok := object[k]; !ok {
				object[k] = v
			}
		}
		return object, nil
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	case "!!int", "!!float":
		var f float64
		if err := n.Decode(&f); err != nil || f-f != 0 {
			return n.Value, nil
		}
		return f, nil
	}
	return n.Value, nil
}

func TestParseYAMLRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		text   string
		offset int
	}{
		"reserved @":          {"a: @scope/pkg\n", 3},
		"reserved `":          {"- `x`\n", 2},
		"percent":             {"a: %x\n", 3},
		"unknown alias":       {"a: *.js\n", 3},
		"alias to nothing":    {"a: *b\n", 3},
		"tab":                 {"a:\n\tb: 1\n", 3},
		"colon in a value":    {"a: b: c\n", 4},
		"too deep":            {"a: 1\n  b: 2\n", 8},
		"no colon":            {"a: 1\nb\nc: 2\n", 5},
		"key:value":           {"a: 1\nb:2\n", 5},
		"open bracket":        {"a: [1, 2\nb: 3\n", 7},
		"open quote":          {"a: \"x\nb: 1\n", 3},
		"text after a quote":  {"a: \"x\" y\n", 7},
		"list in a map":       {"a: 1\n- b\n", 5},
		"list on key's line":  {"a: - b\n", 3},
		"bad escape":          {`a: "C:\dir"`, 6},
		"uneven":              {"a:\n  b: 1\n c: 2\n", 11},
		"self alias":          {"a: &a {b: *a}\n", 10},
		"self alias in block": {"a: &a\n  b: *a\n", 11},
		"self merge":          {"a: &a\n  <<: *a\n", 12},
		"control":             {"a: \x01\n", 3},
		"no UTF-8":            {"a: \xff\n", 3},
		"double comma":        {"[a,,b]\n", 3},
		"long key":            {strings.Repeat("k", 1100) + ": 1\n", 0},
		"colon on a new line": {"{a\n: b}\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := parseYAML(test.text)
			syntax, ok := err.(*SyntaxError)
			is.True(ok)
			is.Equal(syntax.Offset, test.offset)
			if !strings.HasPrefix(name, "self") {
				_, err = refereeYAML(test.text)
				is.True(err != nil)
			}
		})
	}
}

func TestParseYAMLHoldsItsLimits(t *testing.T) {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 10; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	var nested, chain strings.Builder
	for i := range 2000 {
		nested.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	chain.WriteString("- &a0 [x]\n")
	for i := range 5000 {
		fmt.Fprintf(&chain, "- &a%d [*a%d]\n", i+1, i)
	}
	for name, text := range map[string]string{
		"aliases of aliases": bomb,
		"long anchor":        "a: &a " + strings.Repeat("x", 100_000) + "\nb: [" + strings.Repeat("*a,", 2000) + "]\n",
		"chain of aliases":   chain.String(),
		"nested maps":        nested.String(),
		"nested brackets":    strings.Repeat("[", 1_000_000),
		"nested braces":      strings.Repeat("{a: ", 500_000),
		"nested dashes":      strings.Repeat("- ", 500_000),
		"nested keys":        strings.Repeat("? ", 500_000),
		"size":               strings.Repeat(" ", MaxSize+1),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := parseYAML(text)
			is.True(err != nil)
		})
	}
}

func TestParseYAMLKeepsDuplicateKeys(t *testing.T) {
	is := is.New(t)
	root, err := parseYAML("a: 1\nb: 2\na: 3\n")
	is.NoErr(err)
	is.Equal(len(root.Members), 3)
	is.Equal(root.Members[2].Key, Span{10, 11})
}

// checkYAMLRanges cuts the text off after each scalar outside brackets and
// reads the scalar's own bytes elsewhere, and wants the same value.
func checkYAMLRanges(t *testing.T, text string, root *Node) {
	t.Helper()
	doc, err := readYAML(text)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[*yamlNode]bool{}
	var walk func(y *yamlNode)
	walk = func(y *yamlNode) {
		if y.Start < 0 || y.End < y.Start || y.End > len(text) || y.start > y.Start {
			t.Fatalf("range %v of %d bytes", y.Span, len(text))
		}
		for _, pair := range y.pairs {
			if pair.colon >= 0 && text[pair.colon] != ':' {
				t.Fatalf("no colon at %d", pair.colon)
			}
			keys[pair.key] = true
			walk(pair.key)
			walk(pair.value)
		}
		for _, item := range y.items {
			if item.dash >= 0 && text[item.dash] != '-' {
				t.Fatalf("no dash at %d", item.dash)
			}
			walk(item.value)
		}
		piece := text[y.Start:y.End]
		switch y.style {
		case yamlPlain, yamlSingle, yamlDouble:
			if y.tag != "" {
				return
			}
			if keys[y] {
				again, err := parseYAML(piece + ": 1")
				if err != nil { // a key of several lines, or inside brackets
					again, err = parseYAML("{? " + piece + " : 1}")
				}
				if err != nil || again.Members[0].Name != y.name() {
					t.Fatalf("in %q: the key %q reads as %+v (%v), want %q", text, piece, again, err, y.name())
				}
				return
			}
			again, err := parseYAML("- " + strings.ReplaceAll(piece, "\n", "\n  "))
			if err != nil || len(again.Elements) != 1 || again.Elements[0].Text != y.text || again.Elements[0].Kind != y.kind {
				t.Fatalf("in %q: %q reads as %+v (%v), want %q", text, piece, again, err, y.text)
			}
		case yamlLiteral, yamlFolded:
			again, err := readYAML(text[:y.End] + "\n")
			if err != nil {
				t.Fatalf("in %q: cut after %q: %v", text, piece, err)
			}
			if last := lastScalar(again.top); strings.TrimRight(last.text, "\n") != strings.TrimRight(y.text, "\n") || last.Start != y.Start {
				t.Fatalf("in %q: %q reads as %q, want %q", text, piece, last.text, y.text)
			}
		case yamlFlow:
			if strings.IndexByte("[{", piece[0]) < 0 || strings.IndexByte("]}", piece[len(piece)-1]) < 0 {
				t.Fatalf("%q is no collection", piece)
			}
		}
	}
	walk(doc.top)
}

func lastScalar(y *yamlNode) *yamlNode {
	switch {
	case len(y.items) > 0:
		return lastScalar(y.items[len(y.items)-1].value)
	case len(y.pairs) > 0:
		last := y.pairs[len(y.pairs)-1]
		if last.value.style == yamlEmpty && last.value.End <= last.key.End {
			return lastScalar(last.key)
		}
		return lastScalar(last.value)
	}
	return y
}
