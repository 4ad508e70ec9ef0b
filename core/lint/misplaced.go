package lint

import (
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
			var misplaced []config.Member
			for i, m := range members(s.Node) {
				if s.roles[i] == "" && p.client.Field(m.Name) == nil && looksLikeVariable(m.Name) && isScalar(m.Value) {
					misplaced = append(misplaced, m)
				}
			}
			if s.command.text == "" || len(misplaced) == 0 {
				return
			}
			f := Finding{
				Pointer: s.at(misplaced[0].Name), Span: misplaced[0].Key,
				Names: map[string]string{"name": misplaced[0].Name, "want": p.spelling(config.RoleEnv, config.Stdio)},
			}
			if patch, ok := p.moveInto(s, config.RoleEnv, misplaced); ok {
				f.Fix = Fix{Title: "Move it to the variables", Patch: patch}
			}
			p.report(&f, p.dialect(config.Medium))
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
			start := p.startWith(s, rest)
			if patch, ok := p.set(s, config.RoleEnv, variables); ok && len(start) > 0 {
				f.Fix = Fix{Title: "Move it to the variables", Patch: append(start, patch...)}
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
			var misplaced []config.Member
			for i, m := range members(s.Node) {
				if s.roles[i] == "" && p.client.Field(m.Name) == nil && looksLikeHeader(m.Name) && m.Value.Kind == config.String {
					misplaced = append(misplaced, m)
				}
			}
			if s.command.text != "" || s.value(config.RoleURL) == nil || len(misplaced) == 0 {
				return
			}
			f := Finding{
				Pointer: s.at(misplaced[0].Name), Span: misplaced[0].Key,
				Names: map[string]string{"name": misplaced[0].Name, "want": p.spelling(config.RoleHeaders, config.HTTP)},
			}
			if patch, ok := p.moveInto(s, config.RoleHeaders, misplaced); ok {
				f.Fix = Fix{Title: "Move it to the headers", Patch: patch}
			}
			p.report(&f, p.dialect(config.Medium))
		},
	},
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

// startWith makes a command of words or, where there are none, of the first
// argument.
func (p *pass) startWith(s *server, words []string) config.Patch {
	m := s.field(config.RoleCommand)
	switch {
	case m.Value.Kind != config.String:
		return nil
	case len(words) > 0:
		return p.commandPatch(s, m.Name, words)
	case len(s.args) > 0:
		return config.Patch{replace(s.at(m.Name), s.args[0].text), remove(s.args[0].pointer())}
	}
	return nil
}

// moveInto moves keys of an entry into its object of variables or of headers.
func (p *pass) moveInto(s *server, role config.Role, keys []config.Member) (config.Patch, bool) {
	var variables []config.Variable
	var patch config.Patch
	for _, m := range keys {
		variables = append(variables, config.Variable{Name: m.Name, Value: m.Value.Text})
		patch = append(patch, remove(s.at(m.Name)))
	}
	additions, ok := p.set(s, role, variables)
	return append(patch, additions...), ok
}

// set adds variables or headers to an entry. It refuses where one of them is
// set already, or where the client has no object for them.
func (p *pass) set(s *server, role config.Role, variables []config.Variable) (config.Patch, bool) {
	holder := s.field(role)
	var patch config.Patch
	if holder == nil {
		f := p.client.Spelling(role, s.talks())
		if f == nil && p.known() || f != nil && (f.Types&(config.AsMap|config.AsObject) == 0 || strings.Contains(f.Name, ".")) {
			return nil, false
		}
		holder = &config.Member{Name: p.spelling(role, s.talks()), Value: &config.Node{Kind: config.Object}}
		patch = config.Patch{add(s.at(holder.Name), struct{}{})}
	}
	if holder.Value.Kind != config.Object {
		return nil, false
	}
	for _, v := range variables {
		if holder.Value.Get(v.Name) != nil {
			return nil, false
		}
		patch = append(patch, add(s.at(holder.Name, v.Name), v.Value))
	}
	return patch, true
}
