package lint

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

// bridgeRules are about mcp-remote, the program that lets a client without HTTP
// talk to a remote server.
var bridgeRules = []Rule{
	{
		Code: "MCP4216", Category: "transport_mismatch", Severity: Error,
		Title:  "mcp-remote refuses plain http:// to another machine",
		Why:    "It sends tokens along, and so accepts http:// only for localhost unless it is told otherwise.",
		Remedy: "Use the https:// address of the server.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "http://notes.example.com/mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "https://notes.example.com/mcp"]}}}`},
		server: func(p *pass, s *server) {
			rest := s.bridge()
			if slices.ContainsFunc(rest, func(w word) bool { return w.text == "--allow-http" }) {
				return
			}
			if len(rest) > 0 && strings.HasPrefix(rest[0].text, "http://") && !local(host(rest[0].text)) {
				p.report(&Finding{Pointer: rest[0].pointer(), Span: rest[0].node.Span})
			}
		},
	},
	{
		Code: "MCP4217", Category: "config_shape", Severity: Note,
		Title:  "The header has a space that may be lost",
		Why:    "Some clients, and cmd on Windows, split an argument at its spaces, so only half of the header is sent.",
		Remedy: "Write the header without a space after its colon and take the value from a variable of the entry, as in Authorization:${AUTH_HEADER}.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "https://notes.example.com/mcp", "--header", "X-Team: docs"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "https://notes.example.com/mcp", "--header", "X-Team:docs"]}}}`},
		server: func(p *pass, s *server) {
			rest := s.bridge()
			for i, w := range rest {
				name, value, ok := strings.Cut(w.text, ": ")
				if i == 0 || rest[i-1].text != "--header" || !ok {
					continue
				}
				f := Finding{Pointer: w.pointer(), Span: w.node.Span}
				if p.options.OS == "windows" {
					f.Severity = Warning
				}
				if !strings.Contains(value, " ") {
					f.Fix = Fix{Title: "Remove the space", Patch: config.Patch{replace(w.pointer(), name+":"+value)}, Safe: true}
				}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4218", Category: "config_shape", Severity: Error,
		Title:  "mcp-remote is not given an address",
		Why:    "Its first argument is the whole URL of the server, with http:// or https://.",
		Remedy: "Write the URL right after mcp-remote.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "notes.example.com/mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "https://notes.example.com/mcp"]}}}`},
		server: func(p *pass, s *server) {
			rest := s.bridge()
			if rest == nil || slices.ContainsFunc(rest, func(w word) bool { return strings.Contains(w.text, "://") || strings.ContainsAny(w.text, "$%{<") }) {
				return
			}
			f := Finding{Pointer: s.args[len(s.args)-1].pointer(), Span: s.args[len(s.args)-1].node.Span}
			if len(rest) > 0 && strings.Contains(rest[0].text, ".") {
				f.Fix = Fix{Title: "Add https://", Patch: config.Patch{replace(rest[0].pointer(), "https://"+rest[0].text)}}
			}
			p.report(&f)
		},
	},
}

// bridge gives the arguments after mcp-remote, or nil where it is not used.
func (s *server) bridge() []word {
	for i, w := range s.rest {
		if w.text == "mcp-remote" || strings.HasPrefix(w.text, "mcp-remote@") {
			return s.rest[i+1:]
		}
	}
	return nil
}
