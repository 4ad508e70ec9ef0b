package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestApplyJSON(t *testing.T) {
	tests := []struct {
		name, before, patch, after string
	}{
		{"empty patch", "{\r\n\t\"a\" : 1 , // x\r\n}", `[]`, "{\r\n\t\"a\" : 1 , // x\r\n}"},
		{"replace a string", `{"a": "x", "b": 2} // end`, `[{"op":"replace","path":"/a","value":"y"}]`, `{"a": "y", "b": 2} // end`},
		{"replace by the same", `{"a": 1.0e0 }`, `[{"op":"replace","path":"/a","value":1.0e0}]`, `{"a": 1.0e0 }`},
		{"one argument of a list", "{\n  \"args\": [\n    \"-y\", // yes\n    \"pkg\"\n  ]\n}",
			`[{"op":"replace","path":"/args","value":["-y","pkg@2"]}]`,
			"{\n  \"args\": [\n    \"-y\", // yes\n    \"pkg@2\"\n  ]\n}"},
		{"append a member", "{\n  \"a\": 1\n}\n", `[{"op":"add","path":"/b","value":{"c":["x","y"],"d":{}}}]`,
			"{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\"x\", \"y\"],\n    \"d\": {}\n  }\n}\n"},
		{"trailing comma habit", "{\n\t\"a\": 1,\n}\n", `[{"op":"add","path":"/b","value":2}]`, "{\n\t\"a\": 1,\n\t\"b\": 2,\n}\n"},
		{"remark after the last", "{\n  \"a\": 1 // one\n}\n", `[{"op":"add","path":"/b","value":2}]`, "{\n  \"a\": 1, // one\n  \"b\": 2\n}\n"},
		{"remark after the last comma", "{\n  \"a\": 1, // one\n}\n", `[{"op":"add","path":"/b","value":2}]`, "{\n  \"a\": 1, // one\n  \"b\": 2,\n}\n"},
		{"tabs and CRLF", "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}\r\n", `[{"op":"add","path":"/a/c","value":{"d":1}}]`,
			"{\r\n\t\"a\": {\r\n\t\t\"b\": 1,\r\n\t\t\"c\": {\r\n\t\t\t\"d\": 1\r\n\t\t}\r\n\t}\r\n}\r\n"},
		{"CRLF remark", "{\r\n  \"a\": 1 // one\r\n}\r\n", `[{"op":"add","path":"/b","value":2}]`, "{\r\n  \"a\": 1, // one\r\n  \"b\": 2\r\n}\r\n"},
		{"into an empty object", "{\n    \"a\": {}\n}", `[{"op":"add","path":"/a/b","value":"x"}]`, "{\n    \"a\": {\n        \"b\": \"x\"\n    }\n}"},
		{"into an empty document", "{}\n", `[{"op":"add","path":"/mcpServers","value":{}}]`, "{\n  \"mcpServers\": {}\n}\n"},
		{"into an object of comments", "{\n  // none yet\n}\n", `[{"op":"add","path":"/a","value":1}]`, "{\n  // none yet\n  \"a\": 1\n}\n"},
		{"compact document", `{"a":1,"b":[1,2]}`, `[{"op":"add","path":"/c","value":{"d":[1,2]}}]`, `{"a":1,"b":[1,2],"c":{"d":[1,2]}}`},
		{"one-line document", `{"a": 1}`, `[{"op":"add","path":"/c","value":{"d":[1,2]}}]`, `{"a": 1, "c": {"d": [1, 2]}}`},
		{"append to a one-line list", "{\n  \"args\": [\"-y\", \"x\"]\n}", `[{"op":"add","path":"/args/-","value":"z"}]`, "{\n  \"args\": [\"-y\", \"x\", \"z\"]\n}"},
		{"insert at the front", "{\n  \"args\": [\"x\"]\n}", `[{"op":"add","path":"/args/0","value":"-y"}]`, "{\n  \"args\": [\"-y\", \"x\"]\n}"},
		{"insert at the front, lines", "[\n  \"x\"\n]", `[{"op":"add","path":"/0","value":"-y"}]`, "[\n  \"-y\",\n  \"x\"\n]"},
		{"multi-line list habit", "{\n  \"args\": [\n    \"x\"\n  ]\n}", `[{"op":"add","path":"/b","value":["y"]}]`, "{\n  \"args\": [\n    \"x\"\n  ],\n  \"b\": [\n    \"y\"\n  ]\n}"},
		{"remove the first", "{\n  \"a\": 1,\n  \"b\": 2\n}", `[{"op":"remove","path":"/a"}]`, "{\n  \"b\": 2\n}"},
		{"remove the last", "{\n  \"a\": 1,\n  \"b\": 2\n}", `[{"op":"remove","path":"/b"}]`, "{\n  \"a\": 1\n}"},
		{"remove the last, trailing comma", "{\n  \"a\": 1,\n  \"b\": 2,\n}", `[{"op":"remove","path":"/b"}]`, "{\n  \"a\": 1,\n}"},
		{"remove the only one", "{\n  \"a\": 1\n}", `[{"op":"remove","path":"/a"}]`, "{}"},
		{"remove keeps comments", "{\n  // first\n  \"a\": 1, // one\n  // second\n  \"b\": 2 // two\n}", `[{"op":"remove","path":"/b"}]`, "{\n  // first\n  \"a\": 1 // one\n  // second\n   // two\n}"},
		{"remove from one line", `{"a": 1, "b": 2, "c": 3}`, `[{"op":"remove","path":"/b"}]`, `{"a": 1, "c": 3}`},
		{"remove an element", `["a", "b", "c"]`, `[{"op":"remove","path":"/2"}]`, `["a", "b"]`},
		{"rename by move", "{\n  \"servers\": { /* mine */\n    \"a\": 1\n  }\n}", `[{"op":"move","from":"/servers","path":"/mcpServers"}]`,
			"{\n  \"mcpServers\": { /* mine */\n    \"a\": 1\n  }\n}"},
		{"rename keeps the place", `{"a": 1, "b": 2}`, `[{"op":"move","from":"/a","path":"/c"}]`, `{"c": 1, "b": 2}`},
		{"move over another", `{"a": 1, "b": 2}`, `[{"op":"move","from":"/a","path":"/b"}]`, `{"b": 1}`},
		{"move within a list", `["a", "b", "c"]`, `[{"op":"move","from":"/0","path":"/2"}]`, `["b", "c", "a"]`},
		{"move deeper", "{\n  \"a\": {\n    \"x\": 1 // one\n  },\n  \"b\": {}\n}", `[{"op":"move","from":"/a","path":"/b/c"}]`,
			"{\n  \"b\": {\n    \"c\": {\n      \"x\": 1 // one\n    }\n  }\n}"},
		{"copy", "{\n  \"a\": {\n    \"x\": 1\n  }\n}", `[{"op":"copy","from":"/a","path":"/b"}]`,
			"{\n  \"a\": {\n    \"x\": 1\n  },\n  \"b\": {\n    \"x\": 1\n  }\n}"},
		{"test passes", `{"a": [1, 2]}`, `[{"op":"test","path":"/a","value":[1,2]},{"op":"remove","path":"/a/0"}]`, `{"a": [2]}`},
		{"odd names", `{"a/b": {"~": 1}}`, `[{"op":"replace","path":"/a~1b/~0","value":2}]`, `{"a/b": {"~": 2}}`},
		{"last duplicate counts", `{"a": 1, "a": 2}`, `[{"op":"replace","path":"/a","value":3}]`, `{"a": 1, "a": 3}`},
		{"root", `{"a": 1} `, `[{"op":"replace","path":"","value":[1]}]`, `[1] `},
		{"two steps", "{\n  \"a\": 1\n}", `[{"op":"add","path":"/b","value":{}},{"op":"add","path":"/b/c","value":true}]`, "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": true\n  }\n}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			var p Patch
			is.NoErr(json.Unmarshal([]byte(test.patch), &p))
			after, edits, err := Apply(test.before, JSONC, p)
			is.NoErr(err)
			is.Equal(after, test.after)
			again, err := Edited(test.before, edits)
			is.NoErr(err)
			is.Equal(again, after) // the edits are those of the original
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	tests := []struct{ name, patch, want string }{
		{"missing", `[{"op":"remove","path":"/x"}]`, "nothing to remove"},
		{"replace missing", `[{"op":"replace","path":"/x","value":1}]`, "nothing to replace"},
		{"no parent", `[{"op":"add","path":"/x/y","value":1}]`, "no object or array"},
		{"inside a string", `[{"op":"add","path":"/a/y","value":1}]`, "no object or array"},
		{"beyond the list", `[{"op":"add","path":"/l/5","value":1}]`, "not a place"},
		{"odd index", `[{"op":"add","path":"/l/01","value":1}]`, "not a place"},
		{"failing test", `[{"op":"test","path":"/a","value":"z"}]`, "not the expected"},
		{"unknown", `[{"op":"frob","path":"/a"}]`, "not an operation"},
		{"into itself", `[{"op":"move","from":"/o","path":"/o/p"}]`, "into itself"},
		{"bad pointer", `[{"op":"remove","path":"a"}]`, "slash"},
		{"no value", `[{"op":"add","path":"/z"}]`, "value"},
		{"root", `[{"op":"remove","path":""}]`, "nothing to remove"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			var p Patch
			is.NoErr(json.Unmarshal([]byte(test.patch), &p))
			_, _, err := Apply(`{"a": "x", "l": [1], "o": {}}`, JSON, p)
			is.True(err != nil)
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want …%s…", err, test.want)
			}
		})
	}
}
