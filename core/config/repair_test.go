package config

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestRepairJSON(t *testing.T) {
	tests := []struct {
		name, broken, want string
		kinds              []MendKind
	}{
		{"windows path that parses", `{"command": "C:\new\test"}`, `{"command": "C:\\new\\test"}`, []MendKind{MendBackslash, MendBackslash}},
		{"path in an option", `{"a": "--dir=C:\temp"}`, `{"a": "--dir=C:\\temp"}`, []MendKind{MendBackslash}},
		{"path with a variable", `{"a": "%APPDATA%\npm"}`, `{"a": "%APPDATA%\\npm"}`, []MendKind{MendBackslash}},
		{"network path", `{"a": "\\nas\backup"}`, `{"a": "\\\\nas\\backup"}`, []MendKind{MendBackslash, MendBackslash, MendBackslash}},
		{"path that ends in a backslash", `{"a": "C:\dir\", "b": "x"}`, `{"a": "C:\\dir\\", "b": "x"}`, nil},
		{"half escaped", `{"a": "C:\\dir\new"}`, `{"a": "C:\\dir\\new"}`, []MendKind{MendBackslash}},
		{"regular expression", `{"a": "^\d+\.js$"}`, `{"a": "^\\d+\\.js$"}`, nil},
		{"real escapes stay", `{"a": "Plan B:\nx\ty \u00e9 \"q\" \/"}`, `{"a": "Plan B:\nx\ty \u00e9 \"q\" \/"}`, nil},
		{"unescaped quotes", `{"a": "say "hello" now", "b": 1}`, `{"a": "say \"hello\" now", "b": 1}`, []MendKind{MendInnerQuote, MendInnerQuote}},
		{"apostrophe", `{'a': 'it's', 'b': 'x "y" z'}`, `{"a": "it's", "b": "x \"y\" z"}`, nil},
		{"escaped apostrophe", `{'a': 'it\'s'}`, `{"a": "it's"}`, nil},
		{"no quotes at all", "{\n  command: npx,\n  args: [-y, some-package@1.2],\n  url: https://example.com/mcp\n}",
			"{\n  \"command\": \"npx\",\n  \"args\": [\"-y\", \"some-package@1.2\"],\n  \"url\": \"https://example.com/mcp\"\n}", nil},
		{"numbers of other languages", `{"a": 0x1F, "b": 1_000, "c": .5, "d": +3}`, `{"a": 31, "b": 1000, "c": 0.5, "d": 3}`, nil},
		{"arrow", `{"a" => 1}`, `{"a" : 1}`, []MendKind{MendEquals}},
		{"comment never closed", "{\n  \"a\": 1, /* one\n  \"b\": 2\n}", "{\n  \"a\": 1, /* one */\n  \"b\": 2\n}", []MendKind{MendUnclosedComment}},
		{"comments after a cut", "{\n  \"a\": 1 // one\n  // two", "{\n  \"a\": 1 // one\n  // two\n}", []MendKind{MendMissingClose}},
		{"missing list bracket", "{\n  \"args\": \"-y\", \"x\"],\n  \"b\": 1\n}", "{\n  \"args\": [\"-y\", \"x\"],\n  \"b\": 1\n}", []MendKind{MendMissingOpen}},
		{"list closed too late", `{"args": ["-y", "x", "env": {"A": "b"}}`, `{"args": ["-y", "x"], "env": {"A": "b"}}`, []MendKind{MendMissingClose}},
		{"missing brace after a name", "{\n  \"github\":\n    \"command\": \"npx\",\n    \"args\": []\n  }\n}", "{\n  \"github\":\n    {\"command\": \"npx\",\n    \"args\": []\n  }\n}", []MendKind{MendMissingOpen}},
		{"server entry alone", "\"command\": \"npx\",\n\"args\": [\"-y\"],", "{\n\"command\": \"npx\",\n\"args\": [\"-y\"]\n}", nil},
		{"opening brace not copied", "\"a\": 1,\n\"b\": {}\n}", "{\n\"a\": 1,\n\"b\": {}\n}", []MendKind{MendMissingOpen}},
		{"language before the brace", "json{\"a\": 1}", "{\"a\": 1}", []MendKind{MendAround}},
		{"quoted mail", "> {\n>  \"a\": 1\n>}", " {\n  \"a\": 1\n}", nil},
		{"two documents", "{\"a\": 1}\n{\"b\": 2}", "{\"a\": 1,\n\"b\": 2}", nil},
		{"key without a value", "{\n  \"a\": ,\n  \"b\": 1\n}", "{\n  \"a\": null,\n  \"b\": 1\n}", []MendKind{MendMissingValue}},
		{"cut in a literal", `{"a": fal`, `{"a": false}`, []MendKind{MendTruncated, MendMissingClose}},
		{"private key over lines", "{\"k\": \"-----BEGIN X-----\nab\n-----END X-----\"}", `{"k": "-----BEGIN X-----\nab\n-----END X-----"}`, nil},
		{"tab in a string", "{\"a\": \"x\ty\",}", "{\"a\": \"x\\ty\"}", nil},
		{"tab after a dot", "{\"a\": \".\tx\",}", "{\"a\": \".\\u0009x\"}", nil},
		{"CRLF", "{\r\n  \"a\": {\r\n    \"b\": 1\r\n  }\r\n", "{\r\n  \"a\": {\r\n    \"b\": 1\r\n  }\r\n}\r\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			got := Repair(test.broken, JSON)
			is.NoErr(got.Err)
			is.Equal(got.Text, test.want)
			if test.kinds != nil {
				var kinds []MendKind
				for _, m := range got.Mends {
					kinds = append(kinds, m.Kind)
				}
				is.Equal(kinds, test.kinds)
			}
		})
	}
}

func TestRepairLeavesWhatIsNoConfig(t *testing.T) {
	for _, text := range []string{
		"", " \n", "hello", "Error: spawn npx ENOENT\n    at ChildProcess._handle.onexit (node:internal/child_process:285:19)",
		"2025-11-15T02:03:04Z [info] [x] Message: {\"method\":\"initialize\"", "MCP error -32000: Connection closed", "npm ERR! code E404",
		"[74702] Using automatically selected port: 3333\n[74698] Process from lockfile is not running", "\x00\x01\x02\x03\x04",
	} {
		if got := Repair(text, JSON); got.Err == nil || got.Text != text {
			t.Errorf("%q became %q", text, got.Text)
		}
	}
}

func TestRepairLeavesWhatIsSound(t *testing.T) {
	texts := slices.Clone(soundConfigs)
	files, _ := filepath.Glob("testdata/samples/*.json*")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(raw))
	}
	texts = append(texts, "{} // no newline", "/* a */ {\"a\": [1, 2] /* b */}\r\n", "\t[\n]\n", `{"a": "\\\\nas\\x", "b": "\ud83d\ude00"}`)
	for _, text := range texts {
		if got := Repair(text, JSONC); got.Text != text || got.Mends != nil || got.Err != nil {
			t.Errorf("%q\nbecame\n%q\n%v %v", text, got.Text, got.Mends, got.Err)
		}
	}
}

// A config that is cut anywhere can be read, and what was there stays.
func TestRepairTruncated(t *testing.T) {
	for _, sound := range soundConfigs {
		for cut := 3; cut < len(sound); cut++ {
			text := sound[:cut]
			got := Repair(text, JSON)
			if got.Err != nil {
				t.Fatalf("%v\n%s", got.Err, text)
			}
			if trimmed := strings.TrimRight(text, " \t\n,\\"); !strings.HasPrefix(got.Text, trimmed) {
				t.Fatalf("cut at %d:\n%s\nbecame\n%s", cut, text, got.Text)
			}
		}
	}
}

func TestRepairKeepsComments(t *testing.T) {
	for n, a := range accidents {
		for i, sound := range soundConfigs {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(i)))
			var remarks []string
			lines := strings.SplitAfter(sound, "\n")
			for j := range lines {
				if j > 0 && rng.IntN(3) == 0 {
					remark := []string{"// mine, \"quoted\" {", "/* it's: [ */", "// x"}[rng.IntN(3)]
					remarks = append(remarks, remark)
					lines[j] = "  " + remark + "\n" + lines[j]
				}
			}
			broken, _, ok := a.do(rng, strings.Join(lines, ""))
			if !ok {
				continue
			}
			got := Repair(broken, JSON)
			for _, remark := range remarks {
				if strings.Count(got.Text, remark) < strings.Count(broken, remark) {
					t.Errorf("%s: %q is lost\n%s\n-----\n%s", a.name, remark, broken, got.Text)
				}
			}
		}
	}
}
