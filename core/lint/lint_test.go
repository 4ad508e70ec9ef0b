package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

// check parses a config and gives the codes of what is found, with servers.
func check(t *testing.T, client, text string, o Options) []string {
	t.Helper()
	doc, err := config.Parse(text, config.Options{Client: client, File: o.File})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, f := range Check(doc, o) {
		if f.Severity != Note {
			codes = append(codes, strings.TrimSuffix(f.Rule.Code+" "+string(f.Severity)+" "+f.Server, " "))
		}
	}
	return codes
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, client, text string
		options            Options
		want               string // what is found beyond notes
	}{
		{name: "a URL without a type is refused", client: "claude-code",
			text: `{"mcpServers": {"a": {"url": "https://a.example.com/mcp"}}}`, want: "MCP4201 error a"},
		{name: "taken for SSE", client: "cline",
			text: `{"mcpServers": {"a": {"url": "https://a.example.com/mcp"}}}`, want: "MCP4202 warning a"},
		{name: "and fine", client: "cursor",
			text: `{"mcpServers": {"a": {"url": "https://a.example.com/mcp"}}}`},
		{name: "not for a program", client: "claude-desktop",
			text: `{"mcpServers": {"a": {"url": "https://a.example.com/mcp"}}}`, want: "MCP4205 error a"},
		{name: "a client that is only guessed makes no error", client: "claude-code",
			text:    `{"mcpServers": {"a": {"url": "https://a.example.com/mcp"}}}`,
			options: Options{Certainty: config.Low}, want: "MCP4201 warning a"},
		{name: "a path with spaces is no command line",
			text: `{"mcpServers": {"a": {"command": "C:\\Program Files\\a\\a.exe", "args": []}}}`},
		{name: "a path with spaces and arguments is one",
			text: `{"mcpServers": {"a": {"command": "C:\\Program Files\\nodejs\\npx.cmd -y a-mcp"}}}`, want: "MCP4051 error a"},
		{name: "an argument may have spaces",
			text: `{"mcpServers": {"a": {"command": "a-mcp", "args": ["--title", "my own notes", "/home/you/My Notes"]}}}`},
		{name: "a shell splits by itself",
			text: `{"mcpServers": {"a": {"command": "bash", "args": ["-lc", "cd /srv && npx -y a-mcp $TOKEN"]}}}`},
		{name: "each server by itself",
			text: `{"mcpServers": {"a": {"command": "npx -y a-mcp"}, "b": {"command": "b-mcp"}, "c": {"command": "docker", "args": ["run", "-it", "c"]}}}`,
			want: "MCP4051 error a, MCP4091 error c"},
		{name: "docker without run is left alone",
			text: `{"mcpServers": {"a": {"command": "docker", "args": ["mcp", "gateway", "run"]}}}`},
		{name: "flags joined to their values",
			text: `{"mcpServers": {"a": {"command": "docker", "args": ["run", "--rm", "-i", "--network=host", "-v=/a:/b", "--env=A=1", "img"]}}}`},
		{name: "a dollar sign in a password", client: "cursor",
			text: `{"mcpServers": {"a": {"command": "a-mcp", "env": {"A_NOTE": "pa$sWORD", "B": "cost $5"}}}}`},
		{name: "mcp-remote replaces references by itself", client: "cursor",
			text: `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "mcp-remote", "https://a.example.com/mcp", "--header", "Authorization:${AUTH}"], "env": {"AUTH": "Bearer x"}}}}`},
		{name: "two mistakes in one entry", client: "opencode",
			text: `{"mcp": {"a": {"type": "stdio", "command": "npx", "args": ["-y", "a-mcp"], "env": {"A": "1"}}}}`,
			want: "MCP4203 error a, MCP4108 error a, MCP4101 error a"},
		{name: "other settings of a settings file", client: "zed",
			text: `{"theme": "One", "context_servers": {"a": {"command": "a-mcp", "args": []}}, "terminal": {"shell": {"program": "zsh"}}}`},
		{name: "a prototype's name", text: `{"mcpServers": {"__proto__": {"command": "a-mcp"}, "constructor": {"command": "b-mcp"}}}`},
		{name: "an invisible character in the command",
			text: "{\"mcpServers\": {\"a\": {\"command\": \"npx\u200b\", \"args\": [\"-y\", \"a-mcp\"]}}}", want: "MCP4140 error a"},
		{name: "the windows of another machine", options: Options{OS: "linux"},
			text: `{"mcpServers": {"a": {"command": "C:\\a\\a.exe"}}}`, want: "MCP4407 error a"},
		{name: "nothing at all", text: `{}`},
		{name: "not an object", text: `[1, "x", null]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(strings.Join(check(t, test.client, test.text, test.options), ", "), test.want)
		})
	}
}

// TestFixesStayInTheirServer holds that no patch reaches into another server.
func TestFixesStayInTheirServer(t *testing.T) {
	is := is.New(t)
	for _, r := range Rules() {
		_, findings := look(t, r.Before)
		for _, f := range findings {
			for _, op := range f.Fix.Patch {
				if f.Server != "" && r.server != nil && r.Code != "MCP4009" && !strings.HasPrefix(r.Code, "MCP434") {
					// An input that the server refers to belongs to no other server.
					declares := strings.HasPrefix(op.Path, "/inputs")
					is.True(f.Pointer == "" || declares || strings.HasPrefix(op.Path+"/", serverPart(f.Pointer)+"/")) // the patch stays inside
				}
			}
		}
	}
}

// serverPart is the pointer of the entry that a finding of the examples is in:
// a root and a name.
func serverPart(pointer string) string {
	names := strings.SplitN(pointer, "/", 4)
	return strings.Join(names[:min(3, len(names))], "/")
}

// TestHostile holds that names and values of any kind are only data.
// Of one and the same mistake no endless list is made, and other rules go on.
func TestAlike(t *testing.T) {
	is := is.New(t)
	var text strings.Builder
	text.WriteString(`{"mcpServers": {`)
	for i := range 5000 {
		fmt.Fprintf(&text, `"s%d": {"command": "npx"}, `, i)
	}
	text.WriteString(`"last": {"command": ""}}}`)
	counts := map[string]int{}
	for _, found := range check(t, "", text.String(), Options{}) {
		counts[found[:len("MCP4081")]]++
	}
	is.True(counts["MCP4081"] >= maxAlike && counts["MCP4081"] < maxAlike+32) // entries are looked at by the 32
	is.Equal(counts["MCP4050"], 1)
}

func TestHostile(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for name, text := range map[string]string{
		"a name of a megabyte":     `{"mcpServers": {"` + long + `": {"command": "npx", "args": [` + strings.Repeat(`1,`, 1<<17) + `1]}}}`,
		"a command of a megabyte":  `{"mcpServers": {"a": {"command": "npx ` + strings.Repeat("x ", 1<<19) + `"}}}`,
		"a variable of a megabyte": `{"mcpServers": {"a": {"command": "npx", "env": {"` + long + `": 1}}}}`,
		"many wrong arguments":     `{"mcpServers": {"a": {"command": "docker", "args": ["run", ` + strings.Repeat(`"-e", "A", `, 1<<16) + `"x"]}}}`,
		"many unknown keys":        `{"mcpServers": {"a": {` + strings.Repeat(`"comand": 1, `, 1<<16) + `"b": 2}}}`,
		"control characters":       `{"mcpServers": {"\u0000\u001b[2J": {"command": "\u0000", "args": ["\u202e\r\n"], "url": "\u0007"}}}`,
		"many root keys":           `{` + strings.Repeat(`"mcpServers": {}, `, 1<<15) + `"x": 1}`,
		"references without end":   `{"mcpServers": {"a": {"command": "x", "args": ["` + strings.Repeat("${", 1<<18) + `"]}}}`,
		"deep values":              `{"mcpServers": {"a": ` + strings.Repeat(`{"a": `, 900) + `1` + strings.Repeat(`}`, 900) + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			doc, err := config.Parse(text, config.Options{Format: config.JSON})
			is.NoErr(err)
			size := 0
			for _, f := range Check(doc, Options{}) {
				size += len(f.Pointer)
			}
			is.True(size < 64<<20) // what is found is not many times what was given
		})
	}
}

func FuzzCheck(f *testing.F) {
	for _, r := range Rules() {
		f.Add(r.Before.Text, r.Before.Client, r.Before.OS)
	}
	f.Fuzz(func(t *testing.T, text, client, os string) {
		repaired := config.Repair(text, "")
		doc, err := config.Parse(repaired.Text, config.Options{Client: client, Format: repaired.Format})
		if err != nil {
			return
		}
		for _, found := range Syntax(repaired, doc.Client, Options{OS: os}) {
			if found.Span.Start > found.Span.End || found.Span.Start > len(text) {
				t.Errorf("%s points at %v of %d bytes", found.Rule.Code, found.Span, len(text))
			}
		}
		for _, found := range Check(doc, Options{OS: os}) {
			if found.Span.Start > found.Span.End || found.Span.End > len(doc.Text) {
				t.Errorf("%s points at %v of %d bytes", found.Rule.Code, found.Span, len(doc.Text))
			}
			if _, err := config.Edited(doc.Text, found.Fix.Edits); err != nil {
				t.Errorf("%s: the edits %v cannot be made: %v", found.Rule.Code, found.Fix.Edits, err)
			}
			if len(found.Fix.Patch) == 0 {
				continue
			}
			if _, _, err := config.Apply(doc.Text, doc.Format, found.Fix.Patch); err != nil {
				t.Errorf("%s: the patch %v cannot be applied: %v", found.Rule.Code, found.Fix.Patch, err)
			}
		}
	})
}
