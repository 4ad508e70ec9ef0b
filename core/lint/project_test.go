package lint

import (
	"testing"

	"github.com/matryer/is"
)

func TestParseSettings(t *testing.T) {
	is := is.New(t)
	s, err := ParseSettings("# ours\nignore = [\"examples/\", \"*.sample.json\"]\n\n[rules]\nMCP4070 = \"off\"\nMCP4421 = \"error\"\n")
	is.NoErr(err)
	is.Equal(s.Rules["MCP4070"], Off)
	is.Equal(s.Rules["MCP4421"], Error)
	is.True(s.Skips("examples/a/mcp.json"))
	is.True(!s.Skips(".mcp.json"))

	_, err = ParseSettings("")
	is.NoErr(err)
}

func TestParseSettingsErrors(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"unknown key":      {"\nrule = {}\n", `line 2: the key "rule" is not known; use ignore and rules`},
		"no code":          {"[rules]\nnpx = \"off\"\n", `line 1: "npx" is not the code of a rule, such as MCP4070`},
		"no severity":      {"[rules]\nMCP4070 = \"never\"\n", `line 1: MCP4070 = "never": use error, warning, note or off`},
		"ignore as string": {"ignore = \"examples/\"\n", "line 1: ignore must be a list of patterns"},
		"bad pattern":      {"ignore = [\"[\"]\n", `line 1: "[" is not a pattern of files`},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := ParseSettings(test.text)
			is.True(err != nil)
			is.Equal(err.Error(), test.want)
		})
	}
}

func TestSkips(t *testing.T) {
	for _, test := range []struct {
		pattern, file string
		want          bool
	}{
		{"examples", "examples/mcp.json", true},
		{"examples/", "docs/examples/mcp.json", true},
		{"*.sample.json", "a/b/x.sample.json", true},
		{"docs/*.json", "docs/mcp.json", true},
		{"docs/*.json", "docs/a/mcp.json", false},
		{"docs/**/mcp.json", "docs/a/b/mcp.json", true},
		{"docs/**/mcp.json", "docs/mcp.json", true},
		{"**/fixtures/**", "a/fixtures/b/c.json", true},
		{"/docs/a", "docs/a/b/mcp.json", true},
		{"docs/a", "other/docs/a/mcp.json", false},
		{"docs/a", `docs\a\mcp.json`, true},
		{"docs/a", "./docs/a/mcp.json", true},
	} {
		t.Run(test.pattern+" "+test.file, func(t *testing.T) {
			is := is.New(t)
			is.Equal(Settings{Ignore: []string{test.pattern}}.Skips(test.file), test.want)
		})
	}
}

func TestFilter(t *testing.T) {
	text := "{\n" +
		"  // mcpmend-ignore MCP4001, MCP4002 because it is a sample\n" +
		"  \"a\": 1,\n" +
		"  \"b\": 2, /* mcpmend-ignore MCP4003 */\n" +
		"  \"c\": \"// mcpmend-ignore MCP4004\"\n" +
		"}\n"
	s := Settings{Rules: map[string]Severity{"MCP4070": Off, "MCP4421": Error}}
	keep := s.Filter(text)
	for _, test := range []struct {
		name, code string
		line       int
		severity   Severity
		want       bool
	}{
		{"hidden from the line before", "MCP4001", 3, Error, false},
		{"the second code of the comment", "MCP4002", 3, Error, false},
		{"another code", "MCP4003", 3, Error, true},
		{"hidden on its own line", "MCP4003", 4, Error, false},
		{"two lines below the comment", "MCP4001", 4, Error, true},
		{"a string is no comment", "MCP4004", 5, Error, true},
		{"switched off", "MCP4070", 5, Off, false},
		{"made graver", "MCP4421", 5, Error, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			severity, ok := keep(test.code, Error, test.line)
			is.Equal(ok, test.want)
			is.Equal(severity, test.severity)
		})
	}
	is := is.New(t)
	_, ok := s.Filter("# mcpmend-ignore MCP4001\n[mcp.servers.a]\n")("MCP4001", Error, 2)
	is.True(!ok) // TOML and YAML have other comments
}

func TestBaseline(t *testing.T) {
	is := is.New(t)
	one := Fingerprint("a/mcp.json", "MCP4001", "notes", `  "mcpServers": {`)
	is.Equal(one, Fingerprint(`a\mcp.json`, "MCP4001", "notes", `"mcpServers":  {`)) // spaces and slashes do not count
	is.True(one != Fingerprint("a/mcp.json", "MCP4001", "time", `"mcpServers": {`))
	b, err := ParseBaseline(`["` + one + `"]`)
	is.NoErr(err)
	is.True(b.Takes(one))
	is.True(!b.Takes(one)) // a second one is new
	_, err = ParseBaseline("{}")
	is.True(err != nil)
}
