package config

import (
	"slices"
	"testing"

	"github.com/matryer/is"
)

func TestRewrite(t *testing.T) {
	change := func(f func(*Server)) func(Server) Server {
		return func(s Server) Server {
			s.Args, s.Env = slices.Clone(s.Args), slices.Clone(s.Env)
			f(&s)
			return s
		}
	}
	tests := []struct {
		name, client, before string
		want                 func(Server) Server
		after                string
	}{
		{
			"absolute command", "claude-desktop",
			`{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}}`,
			change(func(s *Server) { s.Command = "/usr/bin/npx" }),
			`{"mcpServers": {"a": {"command": "/usr/bin/npx", "args": ["-y", "x"]}}}`,
		},
		{
			"an argument in front", "claude-desktop",
			`{"mcpServers": {"a": {"command": "npx", "args": ["x", "y"]}}}`,
			change(func(s *Server) { s.Args = append([]string{"-y"}, s.Args...) }),
			`{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x", "y"]}}}`,
		},
		{
			"the whole command in one array", "opencode",
			`{"mcp": {"a": {"type": "local", "command": ["npx", "x"]}}}`,
			change(func(s *Server) { s.Command, s.Args = "cmd", []string{"/c", "npx", "x"} }),
			`{"mcp": {"a": {"type": "local", "command": ["cmd", "/c", "npx", "x"]}}}`,
		},
		{
			"a first variable", "cursor",
			`{"mcpServers": {"a": {"command": "npx"}}}`,
			change(func(s *Server) { s.Env = []Variable{{Name: "PATH", Value: "/bin"}} }),
			`{"mcpServers": {"a": {"command": "npx", "env": {"PATH": "/bin"}}}}`,
		},
		{
			"a variable more, one less", "cursor",
			`{"mcpServers": {"a": {"command": "npx", "env": {"A": "1", "B": "2"}}}}`,
			change(func(s *Server) { s.Env = []Variable{{Name: "A", Value: "1"}, {Name: "C", Value: "3"}} }),
			`{"mcpServers": {"a": {"command": "npx", "env": {"A": "1", "C": "3"}}}}`,
		},
		{
			"transport by its own word", "vscode",
			`{"servers": {"a": {"type": "sse", "url": "http://127.0.0.1:1/sse"}}}`,
			change(func(s *Server) { s.Transport, s.URL = HTTP, "http://127.0.0.1:1/mcp" }),
			`{"servers": {"a": {"type": "http", "url": "http://127.0.0.1:1/mcp"}}}`,
		},
		{
			"nothing to do", "cursor",
			`{"mcpServers": {"a": {"command": "npx"}}}`,
			change(func(*Server) {}),
			`{"mcpServers": {"a": {"command": "npx"}}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			doc, err := Parse(tt.before, Options{Client: tt.client})
			is.NoErr(err)
			want := tt.want(doc.Servers[0])
			after, _, err := Apply(tt.before, doc.Format, doc.Rewrite(&doc.Servers[0], want))
			is.NoErr(err)
			is.Equal(after, tt.after)
			again, err := Parse(after, Options{Client: tt.client})
			is.NoErr(err)
			is.Equal(again.Servers[0].Command, want.Command)
			is.Equal(again.Servers[0].URL, want.URL)
			is.Equal(again.Servers[0].Transport, want.Transport)
		})
	}
}

func TestTimeout(t *testing.T) {
	tests := []struct{ client, text, want string }{
		{"gemini-cli", `{"mcpServers": {"a": {"command": "x"}}}`, `60000`},
		{"cline", `{"mcpServers": {"a": {"command": "x", "timeout": 5}}}`, `60`},
		{"claude-desktop", `{"mcpServers": {"a": {"command": "x"}}}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.client, func(t *testing.T) {
			is := is.New(t)
			doc, err := Parse(tt.text, Options{Client: tt.client})
			is.NoErr(err)
			patch := doc.Timeout(&doc.Servers[0], 60)
			if tt.want == "" {
				is.Equal(len(patch), 0)
				return
			}
			is.Equal(string(patch[0].Value), tt.want)
		})
	}
}
