package config

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestPlainJSON(t *testing.T) {
	for _, test := range []struct {
		name, text string
		plain      bool
	}{
		{"an entry", `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {}}}}`, true},
		{"white space of every kind", " \t\r\n[ 1 ,\r\n\t2 ] \n", true},
		{"numbers and words", `[0, -1.5e+3, true, false, null]`, true},
		{"escapes", `{"a\u00e9\n": "C:\\Users\\you", "b": "\ud83d\ude00"}`, true},
		{"beyond ASCII", `{"caf` + "é" + `": "` + "\xe9" + `"}`, true},
		{"a key twice", `{"a": 1, "a": {"a": []}}`, true},
		{"as deep as is allowed", strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), true},
		{"a comment", "{\"a\": 1} // last\n", false},
		{"a trailing comma", `{"a": [1,],}`, false},
		{"too deep", strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), false},
		{"nothing", "", false},
		{"a word that JSON has not", `{"a": True}`, false},
		{"a number that JSON has not", `[01]`, false},
		{"an escape that JSON has not", `["C:\Users"]`, false},
		{"a line break in a string", "[\"a\nb\"]", false},
		{"a string without end", `["a`, false},
		{"a comma alone", `[,]`, false},
		{"no comma", `[1 2]`, false},
		{"no colon", `{"a" 1}`, false},
		{"no value", `{"a":}`, false},
		{"a bare key", `{a: 1}`, false},
		{"something after it", `{} {}`, false},
		{"a zero byte after it", "{}\x00", false},
		{"no-break space", "{\u00a0}", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			_, plain := readPlainJSON(test.text)
			is.Equal(plain, test.plain)
			sameAsHuJSON(t, test.text)
		})
	}
}

func FuzzPlainJSON(f *testing.F) {
	seeds(f)
	f.Add(`{"a": ["\u00e9", -0.5e7, null, true], "b": {"c": {}}, "b": []}`)
	f.Fuzz(func(t *testing.T, text string) { sameAsHuJSON(t, text) })
}

// sameAsHuJSON wants what is read as plain JSON to be what hujson reads.
func sameAsHuJSON(t *testing.T, text string) {
	t.Helper()
	got, ok := readPlainJSON(text)
	if !ok {
		return
	}
	want, err := readHuJSON(text)
	if err != nil {
		t.Fatalf("%q is no JSON: %v", text, err)
	}
	var compare func(a, b *Node)
	compare = func(a, b *Node) {
		if a.Kind != b.Kind || a.Span != b.Span || a.Text != b.Text || len(a.Members) != len(b.Members) || len(a.Elements) != len(b.Elements) {
			t.Fatalf("%q: read %+v, want %+v", text, a, b)
		}
		for i, m := range a.Members {
			if m.Name != b.Members[i].Name || m.Key != b.Members[i].Key {
				t.Fatalf("%q: key %+v, want %+v", text, m, b.Members[i])
			}
			compare(m.Value, b.Members[i].Value)
		}
		for i := range a.Elements {
			compare(a.Elements[i], b.Elements[i])
		}
	}
	compare(got, want)
}
