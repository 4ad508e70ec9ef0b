package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// line writes a server the way the tests compare them.
func (s Server) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", s.Name, s.Pointer, s.Transport)
	if s.Command != "" {
		fmt.Fprintf(&b, " %q", append([]string{s.Command}, s.Args...))
	}
	for _, v := range s.Env {
		fmt.Fprintf(&b, " %s=%s", v.Name, v.Value)
	}
	if s.URL != "" {
		b.WriteString(" " + s.URL)
	}
	for _, v := range s.Headers {
		fmt.Fprintf(&b, " %s:%s", v.Name, v.Value)
	}
	if s.Cwd != "" {
		b.WriteString(" in " + s.Cwd)
	}
	if s.Disabled {
		b.WriteString(" off")
	}
	return b.String()
}

func lines(servers []Server) []string {
	var list []string
	for _, s := range servers {
		list = append(list, s.line())
	}
	return list
}

func TestReadServers(t *testing.T) {
	for _, tt := range []struct {
		name, client, text string
		want               []string
	}{
		{"a map", "cursor", `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"], "env": {"K": "v"}}}}`,
			[]string{`a /mcpServers/a stdio ["npx" "-y" "x"] K=v`}},
		{"the order of the text", "claude-code", `{"projects": {"/p": {"mcpServers": {"b": {"command": "x"}}}}, "mcpServers": {"a": {"command": "y"}}}`,
			[]string{`b /projects/~1p/mcpServers/b stdio ["x"]`, `a /mcpServers/a stdio ["y"]`}},
		{"a type without a rule", "claude-code", `{"mcpServers": {"a": {"type": "streamable-http", "url": "https://e"}, "b": {"type": "sse", "url": "https://e"}, "c": {"url": "https://e"}}}`,
			[]string{`a /mcpServers/a http https://e`, `b /mcpServers/b sse https://e`, `c /mcpServers/c http https://e`}},
		{"a URL alone means SSE", "cline", `{"mcpServers": {"a": {"url": "https://e"}, "b": {"transportType": "http", "url": "https://e"}}}`,
			[]string{`a /mcpServers/a sse https://e`, `b /mcpServers/b http https://e`}},
		{"the URL's key decides", "qwen-code", `{"mcpServers": {"a": {"url": "https://e"}, "b": {"httpUrl": "https://e", "command": "x"}}}`,
			[]string{`a /mcpServers/a sse https://e`, `b /mcpServers/b http ["x"] https://e`}},
		{"one array and environment", "opencode", `{"mcp": {"a": {"type": "local", "command": ["npx", "x"], "environment": {"K": "v"}, "env": {"L": "w"}, "enabled": false}}}`,
			[]string{`a /mcp/a stdio ["npx" "x"] K=v off`}},
		{"version 2 of opencode", "opencode", `{"mcp": {"servers": {"a": {"type": "remote", "url": "https://e"}}}}`,
			[]string{`a /mcp/servers/a http https://e`}},
		{"an object for a command", "zed", `{"context_servers": {"a": {"command": {"path": "npx", "args": ["x"], "env": {"K": "v"}}}, "ext": {"settings": {}}}}`,
			[]string{`a /context_servers/a stdio ["npx" "x"] K=v`}},
		{"a list", "continue", `{"mcpServers": [{"name": "a", "command": "npx", "args": ["x"]}, {"name": "b", "url": "https://e", "requestOptions": {"headers": {"H": "v"}}}]}`,
			[]string{`a /mcpServers/0 stdio ["npx" "x"]`, `b /mcpServers/1 http https://e H:v`}},
		{"what is built in is none", "goose", `{"extensions": {"dev": {"type": "builtin", "enabled": true}, "a": {"type": "stdio", "cmd": "npx", "args": ["x"], "envs": {"K": "v"}}, "b": {"type": "streamable_http", "uri": "https://e"}}}`,
			[]string{`a /extensions/a stdio ["npx" "x"] K=v`, `b /extensions/b http https://e`}},
		{"an old file of Kilo", "kilo-code", `{"mcpServers": {"a": {"type": "streamable-http", "url": "https://e", "disabled": true}}}`,
			[]string{`a /mcpServers/a http https://e off`}},
		{"nested headers", "copilot-other-ides", `{"servers": {"a": {"url": "https://e", "requestInit": {"headers": {"H": "v"}}}}}`,
			[]string{`a /servers/a http https://e H:v`}},
		{"another client's root", "vscode", `{"mcpServers": {"a": {"command": "x"}}}`,
			[]string{`a /mcpServers/a stdio ["x"]`}},
		{"a misspelt root", "claude-code", `{"mcp_servers": {"a": {"command": "x"}}}`,
			[]string{`a /mcp_servers/a stdio ["x"]`}},
		{"two wrappers", "vscode", `{"mcp": {"servers": {"a": {"command": "x"}}}}`,
			[]string{`a /mcp/servers/a stdio ["x"]`}},
		{"a wrapper inside", "claude-desktop", `{"mcpServers": {"mcpServers": {"a": {"command": "x"}}}}`,
			[]string{`a /mcpServers/mcpServers/a stdio ["x"]`}},
		{"a server called servers", "cursor", `{"mcpServers": {"servers": {"command": "x"}}}`,
			[]string{`servers /mcpServers/servers stdio ["x"]`}},
		{"a bare map", "generic", `{"a": {"command": "x"}, "b": {"url": "https://e"}}`,
			[]string{`a /a stdio ["x"]`, `b /b http https://e`}},
		{"one entry alone", "generic", `{"command": "npx", "args": ["x"]}`,
			[]string{`  stdio ["npx" "x"]`}},
		{"a bundle", "mcpb-manifest", `{"server": {"mcp_config": {"command": "node", "args": ["x"]}}}`,
			[]string{` /server/mcp_config stdio ["node" "x"]`}},
		{"an unknown spelling still shows", "claude-desktop", `{"mcpServers": {"a": {"type": "http", "url": "https://e"}}}`,
			[]string{`a /mcpServers/a http https://e`}},
		{"what the client drops is not read", "claude-code", `{"mcpServers": {"a": {"command": "x", "environment": {"K": "v"}}}}`,
			[]string{`a /mcpServers/a stdio ["x"]`}},
		{"any spelling for nobody's file", "generic", `{"mcpServers": {"a": {"command": "x", "environment": {"K": "v"}, "isActive": false}}}`,
			[]string{`a /mcpServers/a stdio ["x"] K=v off`}},
		{"variables in a list", "generic", `{"mcpServers": {"a": {"command": "x", "env": ["K=v", "L"]}}}`,
			[]string{`a /mcpServers/a stdio ["x"] K=v`}},
		{"an entry that is none", "cursor", `{"mcpServers": {"a": "npx x", "b": null}}`,
			[]string{`a /mcpServers/a `, `b /mcpServers/b `}},
		{"no config at all", "generic", `{"name": "x", "repository": {"type": "git", "url": "https://e"}}`, nil},
		{"a list at the root", "generic", `[{"name": "a", "command": "x"}]`, []string{`a /0 stdio ["x"]`}},
		{"a scalar", "generic", `"x"`, nil},
		{"names of Docker's registry", "docker-mcp", `{"registry": {"fetch": {"ref": ""}}}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			doc, err := Parse(tt.text, Options{Format: JSON, Client: tt.client})
			is.NoErr(err)
			is.Equal(lines(doc.Servers), tt.want)
			for _, s := range doc.Servers {
				is.Equal(doc.Root.At(s.Pointer), s.Node) // the pointer leads to the entry
			}
		})
	}
}

// Every sample's servers are where the client looks, and are complete.
func TestReadServersOfSamples(t *testing.T) {
	for id, text := range samples(t) {
		c := ClientByID(id)
		if len(c.Fields) == 0 {
			continue
		}
		t.Run(id, func(t *testing.T) {
			is := is.New(t)
			doc, err := Parse(text, Options{Format: c.Formats[0], Client: id})
			is.NoErr(err)
			is.True(len(doc.Servers) > 0)
			for _, s := range doc.Servers {
				is.True((s.Command != "") != (s.URL != "")) // started or reached
				is.True((s.URL != "") == (s.Transport != Stdio))
				for _, m := range s.Node.Members {
					is.True(c.fieldOf(m.Name) != nil) // a key of the client
				}
			}
		})
	}
}
