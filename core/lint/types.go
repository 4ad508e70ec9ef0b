package lint

import (
	"slices"
	"strconv"
	"strings"

	"mcpmend/core/config"
)

var typeRules = []Rule{
	{
		Code: "MCP4106", Category: "config_shape", Severity: Error,
		Title:  "{key|The arguments} must be a list",
		Why:    "Every argument is a string of its own in a list. One string, or anything else, is refused or passed on letter by letter.",
		Remedy: "Write a list with one string for each argument.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": "-y notes-mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleArgs)
			if m == nil || m.Value.Kind == config.Array || m.Value.Kind == config.Null || p.accepts(m.Name, m.Value) {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name}}
			if m.Value.Kind == config.String {
				words := shellWords(m.Value.Text)
				if !strings.Contains(m.Value.Text, " ") && strings.Contains(m.Value.Text, ",") {
					words = strings.Split(m.Value.Text, ",")
				}
				f.Fix = Fix{Title: "Make it a list", Patch: config.Patch{replace(s.at(m.Name), words)}}
			} else if m.Value.Kind == config.Bool { // it holds no argument to keep
				f.Fix = Fix{Title: "Make it an empty list", Patch: config.Patch{replace(s.at(m.Name), []string{})}}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4107", Category: "config_shape", Severity: Error,
		Title:  "An argument is not a string",
		Why:    "Every argument is a string, a number too. Clients that check their config refuse the entry.",
		Remedy: "Write each argument as a string of its own, in quotes.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["--port", 8080]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["--port", "8080"]}}}`},
		server: func(p *pass, s *server) {
			for _, w := range s.args {
				if w.node.Kind == config.String {
					continue
				}
				f := Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}}
				switch w.node.Kind {
				case config.Number, config.Bool:
					f.Fix = Fix{Title: "Put it into quotes", Patch: config.Patch{replace(w.pointer(), w.text)}, Safe: true}
				case config.Array:
					f.Fix = Fix{Title: "Make one list of them", Patch: flattened(w)}
				}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4108", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} wants the command as one list",
		Why:    "Here the program and its arguments are one list, without a key for the arguments.",
		Remedy: "Write the program and its arguments as one list in {key|the command}.",
		Before: Example{Client: "opencode", Text: `{"mcp": {"notes": {"type": "local", "command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		After:  Example{Client: "opencode", Text: `{"mcp": {"notes": {"type": "local", "command": ["npx", "-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleCommand)
			want := p.client.Spelling(config.RoleCommand, config.Stdio)
			if m == nil || m.Value.Kind != config.String || want == nil || want.Types&config.AsString != 0 || m.Value.Text == "" {
				return
			}
			words := commandLine(m.Value.Text)
			if len(words) == 0 {
				words = []string{m.Value.Text}
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name}}
			f.Fix = Fix{Title: "Make it one list", Patch: p.commandPatch(s, m.Name, words), Safe: true}
			p.report(&f, p.dialect(want.Certainty))
		},
	},
	{
		Code: "MCP4109", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} wants the command as a string",
		Why:    "A list is refused, or joined by commas into the name of a program that does not exist.",
		Remedy: "Put only the program into {key|the command} and the rest into the list of arguments.",
		Before: Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": ["npx", "-y", "notes-mcp"]}}}`},
		After:  Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleCommand)
			if m == nil || m.Value.Kind != config.Array || p.accepts(m.Name, m.Value) {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name}}
			if s.command.text != "" && !slices.ContainsFunc(m.Value.Elements, func(e *config.Node) bool { return e.Kind != config.String }) {
				f.Fix = Fix{Title: "Split it into command and arguments", Patch: s.splitList(p, m), Safe: true}
			}
			if !p.known() {
				f.Severity = Warning
				f.Sure = 0.8
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4110", Category: "config_shape", Severity: Error,
		Title:  "The command is an object",
		Why:    "Older versions of one editor nested the program and its arguments there. {client|Clients} want a string.",
		Remedy: "Write the program as the command, and arguments and variables beside it.",
		Before: Example{Client: "cherry-studio", Text: `{"mcpServers": {"notes": {"command": {"path": "npx", "args": ["-y", "notes-mcp"]}}}}`},
		After:  Example{Client: "cherry-studio", Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: commandObject,
	},
	{
		Code: "MCP4111", Category: "config_shape", Severity: Error,
		Title:  "{key|The variables} must be an object of names and values",
		Why:    "A list or a string is not read; some clients then refuse the whole file.",
		Remedy: "Write an object with the name of each variable as key and its value as string.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": ["NOTES_DIR=/home/you"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_DIR": "/home/you"}}}}`},
		server: func(p *pass, s *server) { p.mustBeObject(s, config.RoleEnv, "=") },
	},
	{
		Code: "MCP4112", Category: "config_shape", Severity: Error,
		Title:  "The variable {name|} is not a string",
		Why:    "Variables of a process are strings. Clients that check their config refuse a number, a boolean or a list.",
		Remedy: "Put the value into quotes.",
		Before: Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"PORT": 3000}}}}`},
		After:  Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"PORT": "3000"}}}}`},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleEnv)
			if m == nil || m.Value.Kind != config.Object || p.accepts(m.Name, m.Value) {
				return
			}
			for _, v := range m.Value.Members {
				misplaced := p.roleOf(v.Name) != "" && p.client.Field(v.Name) != nil
				if v.Value.Kind == config.String || misplaced {
					continue
				}
				at := s.at(m.Name, v.Name)
				f := Finding{Pointer: at, Span: v.Value.Span, Names: map[string]string{"name": v.Name}}
				switch v.Value.Kind {
				case config.Number, config.Bool:
					f.Fix = Fix{Title: "Put it into quotes", Patch: config.Patch{replace(at, v.Value.Text)}, Safe: true}
				case config.Null:
					f.Fix = Fix{Title: "Remove the variable", Patch: config.Patch{remove(at)}}
				}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4113", Category: "config_shape", Severity: Error,
		Title:  "{key|The address} must be a string",
		Why:    "A server has one address.",
		Remedy: "Write the address as a string.",
		Before: Example{Text: `{"mcpServers": {"notes": {"url": ["https://notes.example.com/mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleURL)
			if m == nil || m.Value.Kind == config.String || m.Value.Kind == config.Null {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name}}
			if list := m.Value.Elements; len(list) == 1 && list[0].Kind == config.String {
				f.Fix = Fix{Title: "Make it a string", Patch: config.Patch{replace(s.at(m.Name), list[0].Text)}, Safe: true}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4114", Category: "config_shape", Severity: Error,
		Title:  "{key|The headers} must be an object of names and values",
		Why:    "A list of lines, as curl takes them, is not read, and the request goes out without them.",
		Remedy: "Write an object with the name of each header as key.",
		Before: Example{Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp", "headers": ["X-Team: docs"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp", "headers": {"X-Team": "docs"}}}}`},
		server: func(p *pass, s *server) { p.mustBeObject(s, config.RoleHeaders, ":") },
	},
	{
		Code: "MCP4115", Category: "config_shape", Severity: Warning,
		Title:  "{key|The value} is of the wrong type",
		Why:    "{client|The client} expects something else there and drops the key or refuses the entry.",
		Remedy: "Write {key|it} as {want|the client documents it}.",
		Before: Example{Client: "cline", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "disabled": "false"}}}`},
		After:  Example{Client: "cline", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "disabled": false}}}`},
		server: func(p *pass, s *server) {
			for i, m := range members(s.Node) {
				f := p.client.Field(m.Name)
				own := slices.Contains(essential, s.roles[i]) || s.roles[i] == config.RoleType
				if own || f == nil || f.Effect >= config.Ignored || f.Types == 0 || f.Types.Accepts(m.Value) || m.Value.Kind == config.Null {
					continue
				}
				found := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name, "want": typeWords(f.Types)}}
				if value, ok := plainer(m.Value, f.Types); ok {
					found.Fix = Fix{Title: "Write it as " + typeWords(f.Types), Patch: config.Patch{replace(s.at(m.Name), value)}, Safe: true}
				}
				p.report(&found, p.dialect(f.Certainty))
			}
		},
	},
	{
		Code: "MCP4116", Category: "config_shape", Severity: Error,
		Title:  "{key|A setting} is among the variables",
		Why:    "Everything there becomes a variable of the process. {key|The setting} is one of the entry and belongs one level up.",
		Remedy: "Move {key|it} out of the variables, beside the command.",
		Before: Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.search]\ncommand = \"search-mcp\"\n\n[mcp_servers.search.env]\nenv_vars = [\"SEARCH_KEY\"]\n"},
		After:  Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.search]\ncommand = \"search-mcp\"\nenv_vars = [\"SEARCH_KEY\"]\n"},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleEnv)
			if m == nil {
				return
			}
			for _, v := range m.Value.Members {
				f := p.client.Field(v.Name)
				if f == nil || v.Value.Kind == config.String || !f.Types.Accepts(v.Value) || s.get(v.Name) != nil {
					continue
				}
				p.report(&Finding{
					Pointer: s.at(m.Name, v.Name), Span: v.Key, Names: map[string]string{"key": v.Name},
					Fix: Fix{Title: "Move it up", Patch: config.Patch{move(s.at(m.Name, v.Name), s.at(v.Name))}},
				}, p.dialect(f.Certainty))
			}
		},
	},
	{
		Code: "MCP4117", Category: "config_shape", Severity: Error,
		Title:  "{key|This key} takes the name of a variable, not the token",
		Why:    "The client looks for a variable of that name and finds none; the token itself is now in the file.",
		Remedy: "Put the token into a variable of the environment and write that variable's name here. A token that was shared should be replaced.",
		Before: Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.notes]\nurl = \"https://notes.example.com/mcp\"\nbearer_token_env_var = \"tok-0123-4567\"\n"},
		After:  Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.notes]\nurl = \"https://notes.example.com/mcp\"\nbearer_token_env_var = \"NOTES_TOKEN\"\n"},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleBearerVariable)
			if m == nil || m.Value.Kind != config.String || variableName(m.Value.Text) && !tokenLike(m.Value.Text) {
				return
			}
			p.report(&Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name}})
		},
	},
}

// usual are the types that every client takes where the table does not say
// otherwise.
var usual = map[config.Role]config.Types{
	config.RoleCommand: config.AsString,
	config.RoleArgs:    config.AsList,
	config.RoleEnv:     config.AsMap,
	config.RoleURL:     config.AsString,
	config.RoleHeaders: config.AsMap,
}

// accepts tells whether the client takes a value for a key.
func (p *pass) accepts(key string, value *config.Node) bool {
	f := p.client.Field(key)
	if f == nil || f.Types == 0 {
		f = p.client.Spelling(p.roleOf(key), config.Stdio)
	}
	if f == nil || f.Types == 0 {
		return usual[p.roleOf(key)].Accepts(value)
	}
	return f.Types.Accepts(value)
}

// splitList turns a command that is a list into a program and its arguments,
// before those that are there already.
func (s *server) splitList(p *pass, m *config.Member) config.Patch {
	rest := []string{}
	for _, w := range s.args {
		rest = append(rest, w.text)
	}
	patch := config.Patch{replace(s.at(m.Name), s.command.text)}
	args := s.field(config.RoleArgs)
	if args == nil {
		return append(patch, add(s.at(p.spelling(config.RoleArgs, config.Stdio)), rest))
	}
	for _, text := range slices.Backward(rest) {
		patch = append(patch, add(s.at(args.Name, "0"), text))
	}
	return patch
}

func commandObject(p *pass, s *server) {
	m := s.field(config.RoleCommand)
	if m == nil || m.Value.Kind != config.Object {
		return
	}
	f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name}}
	if field := p.client.Field(m.Name); field != nil && field.Types.Accepts(m.Value) {
		f.Severity = Note
	}
	for _, key := range []string{"path", "exec", "command", "program"} {
		program := m.Value.Get(key)
		if program == nil || program.Kind != config.String {
			continue
		}
		// The program's key is renamed by way of the entry, because a value
		// cannot be moved onto the object that holds it.
		var patch config.Patch
		for _, inner := range m.Value.Members {
			if inner.Name != key && p.roleOf(inner.Name) != "" && s.get(inner.Name) == nil {
				patch = append(patch, move(s.at(m.Name, inner.Name), s.at(inner.Name)))
			}
		}
		f.Fix = Fix{Title: "Write the command as a string", Patch: append(patch, replace(s.at(m.Name), program.Text))}
		break
	}
	p.report(&f)
}

// mustBeObject reports variables or headers that are a list or a string, and
// makes an object of lines that have a name and a value.
func (p *pass) mustBeObject(s *server, role config.Role, sign string) {
	m := s.field(role)
	if m == nil || m.Value.Kind == config.Object || m.Value.Kind == config.Null || p.accepts(m.Name, m.Value) {
		return
	}
	f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name}}
	lines := m.Value.Elements
	if m.Value.Kind == config.String {
		lines = []*config.Node{m.Value}
	}
	if pairs, ok := pairsOf(lines, sign); ok && (m.Value.Kind == config.Array || len(pairs) > 0) {
		f.Fix = Fix{Title: "Make it an object", Patch: config.Patch{replace(s.at(m.Name), pairs)}, Safe: true}
	}
	p.report(&f)
}

// pairsOf reads lines such as NAME=value, or objects with a name and a value.
func pairsOf(lines []*config.Node, sign string) (map[string]string, bool) {
	pairs := make(map[string]string, len(lines))
	for _, line := range lines {
		name, value, ok := strings.Cut(line.Text, sign)
		if n, v := line.Get("name"), line.Get("value"); n != nil && v != nil {
			name, value, ok = n.Text, v.Text, true
		}
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \"'") || pairs[name] != "" {
			return nil, false
		}
		pairs[name] = strings.TrimSpace(value)
	}
	return pairs, true
}

// typeWords names a set of types for a person.
func typeWords(t config.Types) string {
	var words []string
	for _, kind := range []struct {
		types config.Types
		word  string
	}{
		{config.AsString, "a string"}, {config.AsNumber, "a number"}, {config.AsBool, "true or false"},
		{config.AsList | config.AsArray, "a list"}, {config.AsMap | config.AsObject, "an object"},
	} {
		if t&kind.types != 0 {
			words = append(words, kind.word)
		}
	}
	return strings.Join(words, " or ")
}

// plainer reads a quoted number or boolean as what it was meant to be.
func plainer(n *config.Node, t config.Types) (any, bool) {
	if n.Kind != config.String {
		return nil, false
	}
	if t&config.AsBool != 0 && (n.Text == "true" || n.Text == "false") {
		return n.Text == "true", true
	}
	if i, err := strconv.Atoi(n.Text); err == nil && t&config.AsNumber != 0 {
		return i, true
	}
	if t&(config.AsList|config.AsArray) != 0 && n.Text != "" {
		return []string{n.Text}, true
	}
	return nil, false
}

// flattened puts the strings of a list in the place that the list has among
// the arguments. It gives nothing where the list holds anything else.
func flattened(w word) config.Patch {
	patch := config.Patch{remove(w.pointer())}
	for _, e := range slices.Backward(w.node.Elements) {
		if e.Kind != config.String {
			return nil
		}
		patch = append(patch, add(w.pointer(), e.Text))
	}
	return patch
}

// tokenLike tells a token from the name of a variable: names are in capitals
// by custom, tokens mix letters and digits.
func tokenLike(text string) bool {
	digits := strings.ContainsAny(text, "0123456789")
	return len(text) >= 20 && digits && text != strings.ToUpper(text)
}
