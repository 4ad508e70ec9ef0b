package lint

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

// misplacedRules are about variables and headers where the client does not look
// for them.
var misplacedRules = []Rule{
	{
		Code: "MCP4312", Category: "config_shape", Severity: Error,
		Title:  "The variable {name|} is among the settings of the entry",
		Why:    "A client passes on the variables that are in one object of the entry. Beside the command {name|the variable} is a key that it does not know, and the server does not get it.",
		Remedy: "Move it into {want|the object of variables}.",
		Before: Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": [], "NOTES_DIR": "/home/you/notes"}}}`},
		After:  Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": [], "env": {"NOTES_DIR": "/home/you/notes"}}}}`},
		server: func(p *pass, s *server) {
			if s.command.text != "" {
				p.reportMisplaced(s, config.RoleEnv, config.Stdio, "Move it to the variables", func(m config.Member) bool {
					return looksLikeVariable(m.Name) && isScalar(m.Value)
				})
			}
		},
	},
	{
		Code: "MCP4313", Category: "config_shape", Severity: Error,
		Title:  "{name|A variable} is set in front of the command, as in a shell",
		Why:    "Only a shell reads NAME=value as a variable. A client looks for a program of that name and finds none.",
		Remedy: "Put the variable into {want|the object of variables} and begin the command with the program.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "NOTES_DIR=/home/you/notes npx -y notes-mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {"NOTES_DIR": "/home/you/notes"}}}}`},
		server: func(p *pass, s *server) {
			variables, rest := assignments(s.command.text)
			if len(variables) == 0 {
				return
			}
			f := Finding{
				Pointer: s.command.pointer(), Span: s.command.node.Span,
				Names: map[string]string{"name": variables[0].Name, "want": p.spelling(config.RoleEnv, config.Stdio)},
			}
			want := *s.Server
			ok := s.field(config.RoleCommand).Value.Kind == config.String
			for _, v := range variables {
				ok = ok && addVariable(&want.Env, v.Name, v.Value)
			}
			if words := append(rest, s.Args...); ok && len(words) > 0 {
				want.Command, want.Args = words[0], words[1:]
				f.Fix = Fix{Title: "Move it to the variables", Patch: p.doc.Rewrite(s.Server, want)}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4314", Category: "config_shape", Severity: Error,
		Title:  "The header {name|} is among the settings of the entry",
		Why:    "A client sends the headers that are in one object of the entry. Beside the address {name|the header} is a key that it does not know, and the request goes out without it.",
		Remedy: "Move it into {want|the object of headers}.",
		Before: Example{Client: "cursor", Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp", "X-Team": "docs"}}}`},
		After:  Example{Client: "cursor", Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp", "headers": {"X-Team": "docs"}}}}`},
		server: func(p *pass, s *server) {
			if s.command.text == "" && s.value(config.RoleURL) != nil {
				p.reportMisplaced(s, config.RoleHeaders, config.HTTP, "Move it to the headers", func(m config.Member) bool {
					return looksLikeHeader(m.Name) && m.Value.Kind == config.String
				})
			}
		},
	},
}

// reportMisplaced tells of keys that nobody reads and that look like those of a
// role.
func (p *pass) reportMisplaced(s *server, role config.Role, transport config.Transport, title string, looks func(config.Member) bool) {
	var misplaced []config.Member
	for i, m := range members(s.Node) {
		if p.unread(s, i, m) && looks(m) {
			misplaced = append(misplaced, m)
		}
	}
	if len(misplaced) == 0 {
		return
	}
	first := misplaced[0]
	p.report(&Finding{
		Pointer: s.at(first.Name), Span: first.Key,
		Names: map[string]string{"name": first.Name, "want": p.spelling(role, transport)},
		Fix:   Fix{Title: title, Patch: p.moveInto(s, role, misplaced)},
	}, p.dialect(config.Medium))
}

// unread tells that the client knows no such key of an entry, the i-th.
func (p *pass) unread(s *server, i int, m config.Member) bool {
	return s.roles[i] == "" && p.client.Field(m.Name) == nil
}

// looksLikeHeader tells whether a key is spelled as only headers are, such as
// Authorization or X-Api-Key.
func looksLikeHeader(key string) bool {
	first, _, dashed := strings.Cut(key, "-")
	return strings.EqualFold(key, "Authorization") || dashed && first != "" && first[0] >= 'A' && first[0] <= 'Z' && !strings.ContainsAny(key, "_ .:")
}

// looksLikeVariable tells whether a key is spelled as only variables are, such
// as NOTES_TOKEN.
func looksLikeVariable(key string) bool {
	return strings.Contains(key, "_") && variableName(key) && key == strings.ToUpper(key)
}

func isScalar(n *config.Node) bool {
	return n.Kind == config.String || n.Kind == config.Number || n.Kind == config.Bool
}

// assignments takes the variables off the beginning of a command line.
func assignments(line string) (variables []config.Variable, rest []string) {
	if !strings.Contains(line, "=") {
		return nil, nil
	}
	rest = shellWords(line)
	for len(rest) > 0 {
		name, value, ok := strings.Cut(rest[0], "=")
		if !ok || !variableName(name) {
			break
		}
		variables = append(variables, config.Variable{Name: name, Value: value})
		rest = rest[1:]
	}
	return variables, rest
}

// moveInto gives the patch that moves keys of an entry to its variables or its
// headers. It is nil where one of them is set there already, or where the client
// has no place for them.
func (p *pass) moveInto(s *server, role config.Role, keys []config.Member) config.Patch {
	want := *s.Server
	list := &want.Env
	if role == config.RoleHeaders {
		list = &want.Headers
	}
	var patch config.Patch
	for _, m := range keys {
		if !addVariable(list, m.Name, m.Value.Text) {
			return nil
		}
		patch = append(patch, remove(s.at(m.Name)))
	}
	moved := p.doc.Rewrite(s.Server, want)
	if moved == nil {
		return nil
	}
	return append(patch, moved...)
}

// addVariable adds to a list that is shared with the document, which stays.
func addVariable(list *[]config.Variable, name, value string) bool {
	if slices.ContainsFunc(*list, func(v config.Variable) bool { return v.Name == name }) {
		return false
	}
	*list = append(slices.Clip(*list), config.Variable{Name: name, Value: value})
	return true
}
