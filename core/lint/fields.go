package lint

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

var fieldRules = []Rule{
	{
		Code: "MCP4101", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} does not read {key|this key}; its name for it is {want|another}",
		Why:    "Clients spell the same setting differently. {client|This one} drops or refuses a key that it does not know, and the server runs without what it says.",
		Remedy: "Rename the key to {want|the client's own}.",
		Before: Example{Client: "opencode", Text: `{"mcp": {"notes": {"type": "local", "command": ["notes-mcp"], "env": {"NOTES_DIR": "/home/you/notes"}}}}`},
		After:  Example{Client: "opencode", Text: `{"mcp": {"notes": {"type": "local", "command": ["notes-mcp"], "environment": {"NOTES_DIR": "/home/you/notes"}}}}`},
		server: foreignKeys,
	},
	{
		Code: "MCP4102", Category: "config_shape", Severity: Warning,
		Title:  "{key|This key} is not known; {want|another} is",
		Why:    "A misspelt key is silently dropped by most clients and refused by the others.",
		Remedy: "Rename it to {want|the known key}, or remove it.",
		Before: Example{Text: `{"mcpServers": {"notes": {"comand": "notes-mcp", "args": []}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": []}}}`},
		server: misspeltKeys,
	},
	{
		Code: "MCP4103", Category: "config_shape", Severity: Note,
		Title:  "{client|The client} has no {key|such key}",
		Why:    "The key comes from another client. It does nothing here, or an editor marks it as not allowed.",
		Remedy: "Remove the key; where it matters, look for the setting in the client itself.",
		Before: Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.notes]\ntype = \"stdio\"\ncommand = \"notes-mcp\"\n"},
		After:  Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.notes]\ncommand = \"notes-mcp\"\n"},
		server: uselessKeys,
	},
	{
		Code: "MCP4104", Category: "config_shape", Severity: Error,
		Title:  "The key {want|} has a space or an invisible character at its end",
		Why:    "Keys are compared letter by letter, so a key with a space is another key, which nobody reads.",
		Remedy: "Type the key again without it.",
		Before: Example{Text: `{"mcpServers": {"notes": {"url ": "https://notes.example.com/mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			for i, m := range members(s.Node) {
				clean := unblanked(m.Name)
				if clean == m.Name || p.roleOf(clean) == "" || s.get(clean) != nil {
					continue
				}
				p.report(&Finding{
					Pointer: s.at(s.Node.Members[i].Name), Span: m.Key, Names: map[string]string{"key": m.Name, "want": clean},
					Fix: Fix{Title: "Rename the key", Patch: config.Patch{move(s.at(m.Name), s.at(clean))}, Safe: true},
				})
			}
		},
	},
	{
		Code: "MCP4105", Category: "config_shape", Severity: Warning,
		Title:  "The key {key|of this entry} is there twice",
		Why:    "Of two equal keys the last one counts; what the first one says is lost without a word.",
		Remedy: "Keep one of them.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["--read"], "args": ["--write"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["--read", "--write"]}}}`},
		server: func(p *pass, s *server) {
			p.duplicates(s.Node)
			if env := s.field(config.RoleEnv); env != nil {
				p.duplicates(env.Value, env.Name)
			}
		},
	},
	{
		Code: "MCP4118", Category: "config_shape", Severity: Error,
		Title:  "{key|An object} holds what belongs to the entry itself",
		Why:    "Clients read the command, the address and what goes with them as keys of the entry, not one level below.",
		Remedy: "Move the keys out of {key|the object} into the entry.",
		Before: Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"transport": {"type": "http", "url": "https://notes.example.com/mcp"}}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"type": "http", "url": "https://notes.example.com/mcp"}}}`},
		server: nestedSettings,
	},
	{
		Code: "MCP4119", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} requires {key|a key} in every entry",
		Why:    "An entry without {key|it} does not match the client's schema and is refused, in some versions together with all others.",
		Remedy: "Add {key|the key}.",
		Before: Example{Client: "copilot-cli", Text: `{"mcpServers": {"notes": {"type": "local", "command": "notes-mcp", "args": []}}}`},
		After:  Example{Client: "copilot-cli", Text: `{"mcpServers": {"notes": {"type": "local", "command": "notes-mcp", "args": [], "tools": ["*"]}}}`},
		server: func(p *pass, s *server) {
			if !s.starts() {
				return
			}
			for _, f := range p.client.Fields {
				if !f.Required || f.Role == config.RoleType || !s.wants(f) || s.field(f.Role) != nil || s.get(f.Name) != nil {
					continue
				}
				found := Finding{Names: map[string]string{"key": f.Name}}
				if value, ok := requiredValue(f); ok {
					found.Fix = Fix{Title: "Add " + f.Name, Patch: config.Patch{add(s.at(f.Name), value)}}
				}
				p.report(&found, p.dialect(f.Certainty))
			}
		},
	},
	{
		Code: "MCP4120", Category: "config_shape", Severity: Error,
		Title:  "The entry {server|} has neither a command nor a URL",
		Why:    "A client needs a program to start or an address to call; without either the entry, and in some clients the whole file, is refused.",
		Remedy: "Add the command or the URL, or remove the entry.",
		Before: Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.figma]\nstartup_timeout_sec = 60\n"},
		After:  Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.figma]\nurl = \"https://mcp.figma.com/mcp\"\nstartup_timeout_sec = 60\n"},
		server: func(p *pass, s *server) {
			if s.Node == nil || s.Node.Kind != config.Object || s.Pointer == "" || s.starts() {
				return
			}
			for _, m := range s.Node.Members {
				f := p.client.Field(m.Name)
				other := f != nil && f.Role == config.RoleOther
				inside := m.Value.Kind == config.Object && (p.entryLike(m.Value) || p.grouped(m.Value))
				if other || inside || p.roleOf(unblanked(m.Name)) == config.RoleURL || p.nearest(m.Name) != "" {
					return // another rule says more, or the client has a kind of entry of its own
				}
			}
			if kind := s.value(config.RoleType); kind != nil && transports[strings.ToLower(kind.Text)] == "" {
				return
			}
			p.report(&Finding{}, p.options.Certainty)
		},
	},
	{
		Code: "MCP4121", Category: "config_shape", Severity: Warning,
		Title:  "The entry {server|} has both a command and a URL",
		Why:    "One starts a program, the other calls an address. Clients pick one of them, not all the same one, and some refuse the entry.",
		Remedy: "Keep the one that is meant.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			url := s.field(config.RoleURL)
			if url == nil || url.Value.Text == "" || s.command.text == "" {
				return
			}
			p.report(&Finding{Pointer: s.at(url.Name), Span: url.Key, Names: map[string]string{"key": url.Name}})
		},
	},
	{
		Code: "MCP4122", Category: "config_shape", Severity: Note,
		Title:  "{key|This key} has no effect on this kind of server",
		Why:    "Variables are given to a program that the client starts, headers are sent to an address that it calls; beside the other they do nothing.",
		Remedy: "Remove the key, or configure the server itself.",
		Before: Example{Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp", "env": {"NOTES_DIR": "/home/you"}}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			role := config.RoleHeaders
			if s.command.text == "" && s.value(config.RoleURL) != nil {
				role = config.RoleEnv
			} else if s.command.text == "" || s.value(config.RoleURL) != nil {
				return
			}
			m := s.field(role)
			if m == nil || len(m.Value.Members) == 0 {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name}}
			want := p.client.Spelling(config.RoleHeaders, config.HTTP)
			headers := !slices.ContainsFunc(m.Value.Members, func(v config.Member) bool { return !looksLikeHeader(v.Name) })
			if role == config.RoleEnv && headers && want != nil && s.value(config.RoleHeaders) == nil {
				f.Fix = Fix{Title: "Make them headers", Patch: s.moveTo(m.Name, want.Name)}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4123", Category: "config_shape", Severity: Note,
		Title:  "The server {server|} is switched off",
		Why:    "The entry itself says so; the client does not start it.",
		Remedy: "Switch it on where it is wanted.",
		Before: Example{Client: "cline", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "disabled": true}}}`},
		After:  Example{Client: "cline", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "disabled": false}}}`},
		server: func(p *pass, s *server) {
			for _, off := range offWords {
				m := s.field(off.role)
				if m == nil || m.Value.Kind != config.Bool || m.Value.Text != off.text {
					continue
				}
				if f := p.client.Field(m.Name); f != nil && f.Effect == config.Ignored {
					continue
				}
				p.report(&Finding{
					Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name},
					Fix: Fix{Title: "Switch it on", Patch: config.Patch{replace(s.at(m.Name), off.text == "false")}},
				})
			}
		},
	},
}

// offWords are what a field says that switches a server off.
var offWords = []struct {
	role config.Role
	text string
}{{config.RoleDisabled, "true"}, {config.RoleEnabled, "false"}}

// essential roles decide whether a server works at all.
var essential = []config.Role{config.RoleCommand, config.RoleArgs, config.RoleEnv, config.RoleURL, config.RoleHeaders}

// foreignKeys finds keys that have a meaning which this client spells
// otherwise.
func foreignKeys(p *pass, s *server) {
	for i, m := range members(s.Node) {
		role := s.roles[i]
		have := p.client.Field(m.Name)
		if role == "" || role == config.RoleType || role == config.RoleName || have != nil && have.Effect < config.Ignored || len(p.client.Fields) == 0 {
			continue
		}
		want := p.client.Spelling(role, s.talks())
		if want == nil || want.Name == m.Name || s.get(want.Name) != nil {
			continue
		}
		fact := config.Medium
		if have != nil {
			fact = have.Certainty
		}
		f := Finding{Pointer: s.at(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name, "want": want.Name}}
		if !slices.Contains(essential, role) || s.reads(role) {
			f.Severity = Warning
		}
		if have == nil && p.client.UnknownKeys == config.Read && !(role == config.RoleURL || role == config.RoleCommand) {
			f.Severity = Warning // what it does with keys it does not know is not known
		}
		if want.Types.Accepts(m.Value) && want.Unit == p.unitOf(m.Name) {
			f.Fix = Fix{Title: "Rename it to " + want.Name, Patch: s.moveTo(m.Name, want.Name), Safe: true}
		}
		p.report(&f, p.dialect(fact))
	}
}

// moveTo moves a key to another place in the entry, which may be a path
// through an object that is not there yet.
func (s *server) moveTo(from, to string) config.Patch {
	names := strings.Split(to, ".")
	var patch config.Patch
	at := s.Node
	for i, name := range names[:len(names)-1] {
		if at = at.Get(name); at == nil {
			patch = append(patch, add(s.at(names[:i+1]...), struct{}{}))
		}
	}
	return append(patch, move(s.at(from), s.at(names...)))
}

func misspeltKeys(p *pass, s *server) {
	for i, m := range members(s.Node) {
		if s.roles[i] != "" || p.client.Field(m.Name) != nil || unblanked(m.Name) != m.Name {
			continue
		}
		want := p.nearest(m.Name)
		if want == "" || s.get(want) != nil {
			continue
		}
		if f := p.client.Field(want); f != nil && f.Types != 0 && !f.Types.Accepts(m.Value) && !isScalar(m.Value) {
			continue // something else of a like name
		}
		f := Finding{
			Pointer: s.at(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name, "want": want},
			Fix: Fix{Title: "Rename it to " + want, Patch: config.Patch{move(s.at(m.Name), s.at(want))}},
		}
		if role := p.roleOf(want); slices.Contains(essential, role) && s.field(role) == nil {
			f.Severity = Error
		}
		p.report(&f)
	}
}

func uselessKeys(p *pass, s *server) {
	for i, m := range members(s.Node) {
		have := p.client.Field(m.Name)
		role := s.roles[i]
		if role == config.RoleName || role == config.RoleDescription || role == config.RoleURL || role == config.RoleHeaders && have == nil || len(p.client.Fields) == 0 {
			continue
		}
		dropped := have != nil && have.Effect >= config.Ignored
		if !dropped && (have != nil || role == "" || p.client.UnknownKeys == config.Read) {
			continue
		}
		if want := p.client.Spelling(role, s.talks()); want != nil && role != config.RoleOther || m.Value.Kind == config.Object && m.Value.Get("url") != nil {
			continue // another rule says what to write instead
		}
		fact := config.Medium
		f := Finding{
			Pointer: s.at(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name},
			Fix: Fix{Title: "Remove " + m.Name, Patch: config.Patch{remove(s.at(m.Name))}},
		}
		if dropped {
			fact = have.Certainty
			if have.Effect == config.Refused {
				f.Severity = Error
			} else if fact == config.High {
				f.Severity = Warning
			}
		}
		if p.client.UnknownKeys == config.Refused && have == nil {
			f.Severity = Warning
		}
		p.report(&f, p.dialect(fact))
	}
}

// nestedSettings finds an object below an entry that has the address, or the
// command where the entry itself has neither.
func nestedSettings(p *pass, s *server) {
	for _, m := range members(s.Node) {
		url := m.Value.Get("url")
		remote := url != nil && url.Kind == config.String && (m.Value.Get("type") != nil || m.Value.Get("headers") != nil)
		local := m.Value.Kind == config.Object && p.entryLike(m.Value) && !s.starts() && !p.grouped(s.Node)
		if !remote && !local {
			continue
		}
		if f := p.client.Field(m.Name); f != nil && f.Effect < config.Ignored {
			continue
		}
		f := Finding{Pointer: s.at(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name}}
		if s.command.node == nil && s.value(config.RoleURL) == nil {
			for _, inner := range m.Value.Members {
				if s.get(inner.Name) == nil || inner.Name == m.Name {
					f.Fix.Patch = append(f.Fix.Patch, move(s.at(m.Name, inner.Name), s.at(inner.Name)))
				}
			}
			f.Fix.Title = "Move them up"
			f.Fix.Patch = append(f.Fix.Patch, remove(s.at(m.Name)))
		} else { // the entry says by itself how the server is started
			f.Fix = Fix{Title: "Leave it out", Patch: config.Patch{remove(s.at(m.Name))}}
		}
		p.report(&f)
	}
}

// members gives the members of an object, and nothing of anything else.
func members(n *config.Node) []config.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// duplicates reports keys that are there more than once in the entry, or in the
// object that it has under a key.
func (p *pass) duplicates(n *config.Node, below ...string) {
	if n == nil || !mayRepeat(n.Members) {
		return
	}
	seen := make(map[string]int, len(n.Members))
	for i, m := range n.Members {
		first, again := seen[m.Name]
		seen[m.Name] = i
		if !again {
			continue
		}
		f := Finding{Pointer: p.current.at(append(below, m.Name)...), Span: m.Key, Names: map[string]string{"key": m.Name}}
		if edit, ok := p.cut(n, first); ok {
			f.Fix = Fix{Title: "Remove the first one, which does not count", Edits: []config.Edit{edit}}
		}
		p.report(&f)
	}
}

// mayRepeat passes over small objects whose keys all differ, which most do.
func mayRepeat(members []config.Member) bool {
	if len(members) > 16 {
		return true
	}
	for i := range members {
		for _, m := range members[:i] {
			if m.Name == members[i].Name {
				return true
			}
		}
	}
	return false
}

// cut removes a member that is not the last of an object from the text. A
// patch cannot: its pointer means the last of equal keys.
func (p *pass) cut(n *config.Node, index int) (config.Edit, bool) {
	if p.doc.Format != config.JSON && p.doc.Format != config.JSONC {
		return config.Edit{}, false
	}
	from, to := n.Members[index].Key.Start, n.Members[index+1].Key.Start
	after := p.doc.Text[n.Members[index].Value.End:to]
	return config.Edit{Start: from, End: to, Why: "the key comes again further down"}, strings.Trim(after, ", \t\r\n") == ""
}

// starts tells whether the entry says how to reach the server.
func (s *server) starts() bool {
	return s.value(config.RoleCommand) != nil || s.value(config.RoleURL) != nil
}

// talks is the transport as far as the keys of the entry show it.
func (s *server) talks() config.Transport {
	if s.value(config.RoleCommand) == nil && s.value(config.RoleURL) != nil {
		return config.HTTP
	}
	return config.Stdio
}

// wants tells whether a field has a meaning for this entry.
func (s *server) wants(f *config.Field) bool {
	return f.Only == "" || f.Only == s.talks()
}

// requiredValue is what a required field may be set to without asking.
func requiredValue(f *config.Field) (any, bool) {
	switch {
	case f.Role == config.RoleArgs:
		return []string{}, true
	case f.Role == config.RoleIncludeTools && f.Types&(config.AsList|config.AsArray) != 0:
		return []string{"*"}, true
	}
	return nil, false
}

// unitOf gives the unit that other clients have for a key.
func (p *pass) unitOf(key string) config.Unit {
	if f := p.client.Field(key); f != nil {
		return f.Unit
	}
	return ""
}
