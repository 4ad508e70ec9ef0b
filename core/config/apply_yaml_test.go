package config

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestApplyYAML(t *testing.T) {
	goose := "# mine\nextensions:\n  a: # first\n    cmd: npx\n    args:\n      - -y # yes\n      - \"@scope/p\"\n    enabled: true # on\n  # second\n  b:\n    uri: https://example.com\n"
	for _, test := range []struct{ name, before, patch, after string }{
		{"empty", goose, `[]`, goose},
		{"replace a value", goose, `[{"op":"replace","path":"/extensions/a/cmd","value":"/usr/bin/npx"}]`, strings.Replace(goose, "cmd: npx", "cmd: /usr/bin/npx", 1)},
		{"replace needs quotes", goose, `[{"op":"replace","path":"/extensions/a/cmd","value":"@x: y"}]`, strings.Replace(goose, "cmd: npx", `cmd: "@x: y"`, 1)},
		{"add a key", goose, `[{"op":"add","path":"/extensions/a/envs","value":{"A":"1","B":"x"}}]`, strings.Replace(goose, "# on\n", "# on\n    envs:\n      A: \"1\"\n      B: x\n", 1)},
		{"add a server", goose, `[{"op":"add","path":"/extensions/c","value":{"cmd":"uvx","args":["a"]}}]`, goose + "  c:\n    cmd: uvx\n    args:\n      - a\n"},
		{"add an item", goose, `[{"op":"add","path":"/extensions/a/args/1","value":"z"}]`, strings.Replace(goose, "      - \"@", "      - z\n      - \"@", 1)},
		{"append an item", goose, `[{"op":"add","path":"/extensions/a/args/-","value":"z"}]`, strings.Replace(goose, "/p\"\n", "/p\"\n      - z\n", 1)},
		{"remove an item", goose, `[{"op":"remove","path":"/extensions/a/args/1"}]`, strings.Replace(goose, "      - \"@scope/p\"\n", "", 1)},
		{"remove keeps the comment", goose, `[{"op":"remove","path":"/extensions/a/enabled"}]`, strings.Replace(goose, "enabled: true # on", "# on", 1)},
		{"remove a server", goose, `[{"op":"remove","path":"/extensions/b"}]`, "# mine\nextensions:\n  a: # first\n    cmd: npx\n    args:\n      - -y # yes\n      - \"@scope/p\"\n    enabled: true # on\n  # second\n"},
		{"rename", goose, `[{"op":"move","from":"/extensions/a","path":"/extensions/c"}]`, strings.Replace(goose, "  a: #", "  c: #", 1)},
		{"under a comment", goose, `[{"op":"replace","path":"/extensions/a","value":"x"}]`, "# mine\nextensions:\n  a: x # first # on\n  # second\n  b:\n    uri: https://example.com\n"},
		{"flow list", "args: [-y, pkg] # x\n", `[{"op":"add","path":"/args/-","value":"@z"}]`, "args: [-y, pkg, \"@z\"] # x\n"},
		{"flow map", "env: {A: 1}\n", `[{"op":"add","path":"/env/B","value":"c, d"},{"op":"remove","path":"/env/A"}]`, "env: {B: \"c, d\"}\n"},
		{"empty flow opens", "s:\n    a: {}\n    b:\n        c: 1\n", `[{"op":"add","path":"/s/a/x","value":1}]`, "s:\n    a:\n        x: 1\n    b:\n        c: 1\n"},
		{"list at the key's column", "l:\n- name: a\n  x: 1\n- name: b\n", `[{"op":"add","path":"/l/-","value":{"name":"c","args":["z"]}}]`, "l:\n- name: a\n  x: 1\n- name: b\n- name: c\n  args:\n  - z\n"},
		{"first key of an item", "l:\n  - name: a\n    x: 1\n", `[{"op":"remove","path":"/l/0/name"}]`, "l:\n  - x: 1\n"},
		{"crlf", "a:\r\n  b: 1\r\n", `[{"op":"add","path":"/a/c","value":["x"]}]`, "a:\r\n  b: 1\r\n  c:\r\n    - x\r\n"},
		{"single quotes", "a: 'x y'\nb: 'z'\n", `[{"op":"add","path":"/c","value":"@q"}]`, "a: 'x y'\nb: 'z'\nc: '@q'\n"},
		{"the last member", "a:\n  b: 1\nc: 2\n", `[{"op":"remove","path":"/a/b"}]`, "a: {}\nc: 2\n"},
		{"the last item", "a:\n  - b\nc: 2\n", `[{"op":"remove","path":"/a/0"}]`, "a: []\nc: 2\n"},
		{"no newline at the end", "a: 1", `[{"op":"add","path":"/b","value":2}]`, "a: 1\nb: 2"},
		{"empty document", "", `[{"op":"add","path":"","value":{"b":[1]}}]`, "b:\n  - 1\n"},
		{"null", "a:\nb: 1\n", `[{"op":"replace","path":"/a","value":"x"}]`, "a: x\nb: 1\n"},
		{"behind an alias", "a: &a {x: 1}\nb: *a\n", `[{"op":"replace","path":"/b/x","value":2}]`, "a: &a {x: 1}\nb:\n  x: 2\n"},
		{"over a merge key", "a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n", `[{"op":"add","path":"/b/z","value":3}]`, "a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n  z: 3\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			var p Patch
			is.NoErr(json.Unmarshal([]byte(test.patch), &p))
			after, edits, err := applyYAML(test.before, p)
			is.NoErr(err)
			is.Equal(after, test.after)
			again, err := Edited(test.before, edits)
			is.NoErr(err)
			is.Equal(again, after)
		})
	}
}

func TestApplyYAMLEqualsPlainData(t *testing.T) {
	texts := slices.Clone(yamlConfigs)
	for _, text := range yamlDocuments {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	applyProperty(t, YAML, texts, true, 60)
}
