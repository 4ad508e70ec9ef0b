package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestParseRanges(t *testing.T) {
	is := is.New(t)
	text := "{\r\n  // servers\n  \"mcpServers\": {\n    \"a\\u0062\": {\"command\": \"x\\n\", \"args\": [1, true, null,],},\n  },\n} // end"
	doc, err := Parse(text, Options{Format: JSONC})
	is.NoErr(err)
	m := doc.Root.Get("mcpServers").Members[0]
	is.Equal(m.Name, "ab")
	is.Equal(text[m.Key.Start:m.Key.End], `"a\u0062"`)
	command := m.Value.Get("command")
	is.Equal(command.Text, "x\n")
	is.Equal(text[command.Start:command.End], `"x\n"`)
	is.Equal(text[m.Value.Get("args").Start:m.Value.Get("args").End], "[1, true, null,]")
	is.Equal(doc.Root.At("/mcpServers/ab/args/0").Text, "1")
	is.Equal(doc.Root.At("/mcpServers/ab/args/3"), (*Node)(nil))
	is.Equal(len(doc.Servers), 1)
}

func TestParseKeepsDuplicates(t *testing.T) {
	is := is.New(t)
	doc, err := Parse(`{"mcpServers":{"a":{},"a":{"command":"x"}},"MCPServers":{},"mcpServers":{"b":{}}}`, Options{})
	is.NoErr(err)
	is.Equal(len(doc.Root.Members), 3)
	is.Equal(len(doc.Root.Members[0].Value.Members), 2)
	is.True(doc.Root.Get("mcpServers").Get("b") != nil) // the last counts
}

func TestParseErrorPointsAtThePlace(t *testing.T) {
	tests := []struct {
		name, text string
		offset     int
	}{
		{"missing comma", "{\n  \"a\": 1\n  \"b\": 2\n}", 13},
		{"after multi-byte characters", "{\"ä\": 1 x}", 9},
		{"end of text", "{\"a\": 1", 7},
		{"unclosed comment", "{} /* x", 3},
		{"empty", "", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			_, err := Parse(test.text, Options{Format: JSON})
			var syntax *SyntaxError
			is.True(errors.As(err, &syntax))
			is.Equal(syntax.Offset, test.offset)
		})
	}
}

// hostile are texts that have ended programs like this one. They must be
// answered, whatever the answer.
func hostile() map[string]string {
	return map[string]string{
		"deep array":            strings.Repeat("[", 616000),
		"deep object":           strings.Repeat(`{"a":`, 200000) + "1" + strings.Repeat("}", 200000),
		"deep, half closed":     strings.Repeat("[", 900) + strings.Repeat("}", 900),
		"duplicate root":        `{"mcpServers":{},"mcpServers":{}}`,
		"key with NUL":          `{"comma\u0000nd": 1}`,
		"long s":                `{"commandſ": 1}`,
		"lone surrogate":        `{"a": "\ud800"}`,
		"UTF-16":                "\xff\xfe{\x00}\x00",
		"UTF-16, odd length":    "\xff\xfe{\x00}",
		"spaces":                strings.Repeat(" ", 1<<20),
		"open comment":          `{"a": 1 /*`,
		"open comments":         strings.Repeat("/*", 1<<19),
		"long line comment":     "//" + strings.Repeat("x", 1<<20),
		"numbers":               `{"a": 1e999, "b": -0, "c": ` + strings.Repeat("9", 400) + `}`,
		"odd names":             `{"": 1, "__proto__": 2, "../../x": 3, "a/b~1c~0": 4}`,
		"long name":             `{"` + strings.Repeat("n", 1<<20) + `": 1}`,
		"open quote":            `{"a": "` + strings.Repeat("x", 1<<20),
		"quotes":                strings.Repeat(`"`, 1<<18),
		"single quotes":         strings.Repeat(`'`, 1<<18),
		"quotes and letters":    strings.Repeat(`"a`, 1<<17),
		"backslashes":           `{"a": "` + strings.Repeat(`\`, 1<<18),
		"escaped quotes":        `{"a": "` + strings.Repeat(`\"`, 1<<17),
		"commas":                "[" + strings.Repeat(",", 1<<18),
		"colons":                "{" + strings.Repeat(":", 1<<18),
		"words":                 "{" + strings.Repeat("a ", 1<<17),
		"one word":              "{" + strings.Repeat("a", 1<<18),
		"brackets":              strings.Repeat("[]", 1<<17),
		"mixed brackets":        strings.Repeat("[}", 1<<17),
		"closers":               strings.Repeat("}", 1<<18),
		"hashes":                "{" + strings.Repeat("#", 1<<18),
		"hash lines":            "{" + strings.Repeat("#\n", 1<<17),
		"objects on one line":   strings.Repeat(`{"a":1} `, 1<<15),
		"smart quotes":          "{" + strings.Repeat("“", 1<<16),
		"invisible":             strings.Repeat("\u200b", 1<<16),
		"control":               strings.Repeat("\x00", 1<<16),
		"not UTF-8":             strings.Repeat("\xff", 1<<16),
		"fences":                strings.Repeat("```\n", 1<<16),
		"tokens":                strings.Repeat("sk-", 1<<17),
		"dashes":                strings.Repeat("a-", 1<<17),
		"names without values":  strings.Repeat(`token='\'`, 1<<15),
		"private keys":          strings.Repeat(`PRIVATE KEY-----"`, 1<<14),
		"addresses":             strings.Repeat("a://b:c@", 1<<15),
		"percent":               strings.Repeat("%2", 1<<17),
		"newlines in strings":   `{"a": "` + strings.Repeat("x\n", 1<<16) + `"}`,
		"doubled quotes":        "{" + strings.Repeat(`""a`, 1<<16),
		"quotes by the dozen":   `{"a": "` + strings.Repeat(`x""`, 1<<16),
		"page comments":         "{" + strings.Repeat("<!--", 1<<16),
		"closed page comments":  "{" + strings.Repeat("<!---->", 1<<15),
		"dots":                  "{" + strings.Repeat("...,", 1<<16),
		"dotted lines":          "{" + strings.Repeat("...\n", 1<<16),
		"parentheses":           `{"args": ` + strings.Repeat(`("a",`, 900),
		"lists in braces":       strings.Repeat(`{"args": {"a", `, 900),
		"lines of a diff":       strings.Repeat("+{\n", 1<<10) + strings.Repeat("+\"a\n", 1<<15),
		"wide signs":            "{" + strings.Repeat("：", 1<<16),
		"wide colons":           "{" + strings.Repeat("\"a\"：1，", 1<<14),
		"entities":              "{" + strings.Repeat("&quot;a&quot;", 1<<15),
		"a string of quotes":    `"{` + strings.Repeat(`\"`, 1<<17) + `"`,
		"colons in quotes":      "{" + strings.Repeat(`"a:" "b," `, 1<<14),
		"lines of opened lists": strings.Repeat("\"a\": [\n", 1<<12),
	}
}

func TestHostileTexts(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			_, parseErr := Parse(text, Options{Format: JSON})
			if strings.HasPrefix(name, "deep") && parseErr == nil {
				t.Error("read in spite of its depth")
			}
			got := Repair(text, JSON)
			if got.Err == nil {
				if _, err := parseJSON(got.Text); err != nil {
					t.Errorf("repaired into something that does not parse: %v", err)
				}
			}
			_, _, _ = Apply(text, JSON, Patch{{Op: "add", Path: "/x", Value: []byte("1")}})
			if once := Mask(text); Mask(once) != once {
				t.Error("masking twice is not masking once")
			}
		})
	}
}

func TestParseRefusesWhatIsTooLarge(t *testing.T) {
	is := is.New(t)
	_, err := Parse(strings.Repeat(" ", MaxSize+1), Options{})
	is.True(err != nil)
	is.True(strings.Contains(err.Error(), "4 MiB"))
	is.True(Repair(strings.Repeat("[", MaxSize+1), JSON).Err != nil)
}

func TestFormatOf(t *testing.T) {
	tests := []struct {
		text, file string
		want       Format
	}{
		{`{"a": 1}`, "", JSON}, {"", "x/settings.jsonc", JSONC}, {"", `C:\x\Config.TOML`, TOML}, {"", "a.yml", YAML},
		{"[mcp_servers.github]\ncommand = \"npx\"", "", TOML}, {"[[a.b]]", "", TOML}, {"[mcp_servers.\"a b\"]", "", TOML},
		{"model = \"x\"\n[a]", "", TOML}, {"# note\ncommand = 1", "", TOML},
		{"mcpServers:\n  github:\n    command: npx", "", YAML}, {"---\na: 1", "", YAML}, {"- a\n- b", "", YAML},
		{"mcpServers: {\n", "", JSON}, {`"mcpServers": {`, "", JSON}, {"[1, 2]", "", JSON}, {`["a"]`, "", JSON}, {"[true]", "", JSON},
		{"```yaml\na: 1\n```", "", YAML}, {"```toml\n", "", TOML}, {"json\nCopy\n{", "", JSON}, {"“a”: 1", "", JSON},
		{"// x\n{}", "", JSON}, {"\ufeff{}", "", JSON}, {"", "", JSON},
	}
	for _, test := range tests {
		if got := formatOf(test.text, test.file); got != test.want {
			t.Errorf("%q %q: %s, want %s", test.text, test.file, got, test.want)
		}
	}
}

func TestPointer(t *testing.T) {
	is := is.New(t)
	is.Equal(Pointer("a/b", "~", ""), "/a~1b/~0/")
	names, err := SplitPointer("/a~1b/~0/~01/")
	is.NoErr(err)
	is.Equal(names, []string{"a/b", "~", "~1", ""})
	_, err = SplitPointer("a")
	is.True(err != nil)
}

func TestDecode(t *testing.T) {
	is := is.New(t)
	for _, text := range []string{"\xff\xfe{\x00}\x00", "\xfe\xff\x00{\x00}", "{\x00}\x00", "\x00{\x00}"} {
		plain, ok := decode(text)
		is.True(ok)
		is.Equal(plain, "{}")
	}
	plain, ok := decode("\xff\xfe=\xd8\x00\xde") // a pair of surrogates
	is.True(ok)
	is.Equal(plain, "😀")
	_, ok = decode(`{"a": 1}`)
	is.True(!ok)

	broken := "\xff\xfe"
	for _, c := range []byte("{\"a\": 1,,\r\n}") {
		broken += string([]byte{c, 0})
	}
	got := Repair(broken, JSON)
	is.NoErr(got.Err)
	is.Equal(got.Text, "{\"a\": 1\r\n}")
	is.Equal(got.Mends[0].Kind, MendUTF16)
	again, err := Edited(broken, []Edit{got.Mends[0].Edit})
	is.NoErr(err)
	is.Equal(again, got.Text)
}

func TestStrict(t *testing.T) {
	is := is.New(t)
	text := "// top\n{\n  \"a\": 1, // one\n  /* two */ \"b\": [1, /* x */ 2,],\n  // three\n  \"url\": \"http://x//y\", // last\n}\n"
	var edits []Edit
	for _, m := range Strict(text) {
		edits = append(edits, m.Edit)
	}
	plain, err := Edited(text, edits)
	is.NoErr(err)
	is.Equal(plain, "{\n  \"a\": 1,\n   \"b\": [1,  2],\n  \"url\": \"http://x//y\"\n}\n")
	is.Equal(len(Strict(plain)), 0)
}
