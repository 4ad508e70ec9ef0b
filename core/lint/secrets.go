package lint

import (
	"strings"

	"mcpmend/core/config"
)

var secretRules = []Rule{
	{
		Code: "MCP4421", Category: "config_shape", Severity: Note,
		Title:  "{name|A value} is a secret in plain text",
		Why:    "Everyone who can read the file, its backups and its history can read the secret.",
		Remedy: "Refer to a variable where {client|the client} can, and keep the file out of version control.",
		Before: Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_TOKEN": "n0t-A-r3al-t0k3n-0f-any0ne"}}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_TOKEN": "${NOTES_TOKEN}"}}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.all {
				if (role == config.RoleEnv || role == config.RoleHeaders) && !hasReference(w.text) && len(config.Secrets(w.name, w.text)) > 0 && !placeholder(w.text) {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"name": w.name}})
				}
			}
		},
	},
	{
		Code: "MCP4422", Category: "config_shape", Severity: Note,
		Title:  "A secret is where other programs can see it",
		Why:    "The arguments of a process are shown to every user of the machine, and addresses are written into logs.",
		Remedy: "Pass the secret in a variable or a header, where the server can take it from there.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["--token", "n0t-A-r3al-t0k3n-0f-any0ne"]}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_TOKEN": "${NOTES_TOKEN}"}}}}`},
		server: func(p *pass, s *server) {
			for i, w := range s.args {
				flag := ""
				if i > 0 && strings.HasPrefix(s.args[i-1].text, "--") {
					flag = strings.TrimLeft(s.args[i-1].text, "-")
				}
				if mayHoldSecret(w.text) && len(config.Secrets(flag, w.text)) > 0 && !placeholder(w.text) {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span})
				}
			}
			if m := s.field(config.RoleURL); m != nil && m.Value.Kind == config.String && len(config.Secrets("", m.Value.Text)) > 0 {
				p.report(&Finding{Pointer: s.at(m.Name), Span: m.Value.Span})
			}
		},
	},
}

// mayHoldSecret tells arguments that are surely none, such as paths, packages
// and plain flags, from the rest.
func mayHoldSecret(text string) bool {
	return len(text) > 5 && strings.IndexByte("@/.", text[0]) < 0 && (text[0] != '-' || strings.Contains(text, "="))
}

// hasReference tells whether a value is taken from elsewhere, at least in part.
func hasReference(text string) bool {
	return strings.HasPrefix(text, "$") || strings.HasPrefix(text, "{") || strings.Contains(text, "${")
}
