package lint

import (
	"slices"
	"strconv"
	"strings"

	"mcpmend/core/config"
)

var rootRules = []Rule{
	{
		Code: "MCP4001", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} looks for servers under {want|another key}, not under {key|this one}",
		Why:    "Clients name the part of the file that holds the servers differently. A key that {client|the client} does not know is ignored or refused, and no server is loaded.",
		Remedy: "Rename {key|the key} to {want|the client's own}.",
		Before: Example{Client: "vscode", Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		After:  Example{Client: "vscode", Text: `{"servers": {"notes": {"command": "notes-mcp"}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			started := func(s config.Server) bool { return s.Command != "" || s.URL != "" }
			if !ok || len(at.path) == 0 || p.ownRoot(at) || p.doubled(at) || !slices.ContainsFunc(p.doc.Servers, started) {
				return
			}
			want, fact := p.wantedRoot(at)
			if want == "" {
				return
			}
			f := Finding{Pointer: at.pointer(), Span: at.key, Names: map[string]string{"key": strings.Join(at.path, "."), "want": want}}
			if target := strings.Split(want, "."); len(target) == 1 && p.doc.Root.Get(want) == nil {
				f.Fix = Fix{Title: "Rename it to " + want, Safe: true, Patch: config.Patch{move(at.pointer(), config.Pointer(want))}}
				if first := p.doc.Root.Get(at.path[0]); len(at.path) == 2 && len(first.Members) == 1 {
					f.Fix.Patch = append(f.Fix.Patch, remove(config.Pointer(at.path[0])))
				}
			}
			p.report(&f, p.dialect(fact))
		},
	},
	{
		Code: "MCP4002", Category: "config_shape", Severity: Note,
		Title:  "The servers are not inside {want|the key that holds them}",
		Why:    "A file needs {want|a key} around its servers. Without it a client finds none, or refuses the file.",
		Remedy: "Put the servers into an object under {want|the client's key}.",
		Before: Example{Client: "claude-code", File: ".mcp.json", Text: `{"notes": {"command": "notes-mcp"}}`},
		After:  Example{Client: "claude-code", File: ".mcp.json", Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			if !ok || len(at.path) > 0 || p.ownRoot(at) {
				return
			}
			want, fact := p.wantedRoot(at)
			if want == "" {
				want = "mcpServers"
			}
			f := Finding{Span: at.node.Span, Names: map[string]string{"want": want}}
			if len(p.doc.Servers) > 0 {
				f.Span = p.doc.Servers[0].Key
			}
			if p.options.File != "" {
				f.Severity = Error
			}
			json := p.doc.Format == config.JSON || p.doc.Format == config.JSONC
			if named := len(p.doc.Servers) > 0 && p.doc.Servers[0].Pointer != ""; json && named && !strings.Contains(want, ".") {
				f.Fix = Fix{Title: "Put them under " + want, Safe: true, Edits: []config.Edit{
					{Start: at.node.Start, End: at.node.Start, Insert: `{"` + want + `": `, Why: "the key around the servers"},
					{Start: at.node.End, End: at.node.End, Insert: "}"},
				}}
			}
			p.report(&f, p.dialect(fact))
		},
	},
	{
		Code: "MCP4003", Category: "config_shape", Severity: Error,
		Title:  "The servers are one level too deep, under {key|a second key}",
		Why:    "Two keys around the servers come from pasting one whole config into another. The client sees one server called {key|like the key}, or none.",
		Remedy: "Remove the inner level.",
		Before: Example{Client: "claude-desktop", Text: `{"mcpServers": {"mcpServers": {"notes": {"command": "notes-mcp"}}}}`},
		After:  Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			if !ok || !p.doubled(at) {
				return
			}
			inner := at.path[len(at.path)-1]
			f := Finding{Pointer: at.pointer(), Span: at.key, Names: map[string]string{"key": inner}}
			if at.node.Kind == config.Object {
				f.Fix = Fix{Title: "Remove the inner level", Patch: lift(at.pointer(), "", at.node), Safe: true}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4004", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} wants an object of servers, not a list",
		Why:    "The name of a server is its key. A list has no keys, and the file is refused.",
		Remedy: "Write an object with the name of each server as key.",
		Before: Example{Client: "claude-desktop", Text: `{"mcpServers": [{"name": "notes", "command": "notes-mcp"}]}`},
		After:  Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			if !ok || at.node.Kind != config.Array || len(at.path) == 0 || p.takes(at, config.ListShape) || !p.known() && p.doc.Format == config.YAML {
				return
			}
			f := Finding{Pointer: at.pointer(), Span: at.node.Span}
			if object, ok := listToObject(at.node); ok {
				f.Fix = Fix{Title: "Make it an object", Patch: config.Patch{{Op: "replace", Path: at.pointer(), Value: object}}}
			}
			p.report(&f, p.options.Certainty)
		},
	},
	{
		Code: "MCP4005", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} wants a list of servers, not an object",
		Why:    "Every item of the list has the server's name in a key of its own. An object does not match the client's schema.",
		Remedy: "Write a list whose items begin with the name.",
		Before: Example{Client: "continue", Format: config.YAML, Text: "name: My config\nversion: 0.0.1\nschema: v1\nmcpServers:\n  notes:\n    command: notes-mcp\n"},
		After:  Example{Client: "continue", Format: config.YAML, Text: "name: My config\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    command: notes-mcp\n"},
		document: func(p *pass) {
			at, ok := p.holder()
			if !ok || at.node.Kind != config.Object || len(at.path) == 0 || !p.takes(at, config.ListShape) || p.takes(at, config.MapShape) {
				return
			}
			f := Finding{Pointer: at.pointer(), Span: at.key}
			if !slices.ContainsFunc(at.node.Members, func(m config.Member) bool { return m.Value.Kind != config.Object }) {
				f.Fix = Fix{Title: "Make it a list", Patch: config.Patch{{Op: "replace", Path: at.pointer(), Value: objectToList(at.node)}}}
			}
			p.report(&f, p.dialect(config.High))
		},
	},
	{
		Code: "MCP4006", Category: "config_shape", Severity: Error,
		Title:  "{key|The key of the servers} is there twice",
		Why:    "Of two equal keys the last one counts: the servers under the first are lost without a word.",
		Remedy: "Put all servers under one key.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}, "mcpServers": {"time": {"command": "time-mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}, "time": {"command": "time-mcp"}}}`},
		document: func(p *pass) {
			seen := map[string]int{}
			for i, m := range members(p.doc.Root) {
				first, again := seen[m.Name]
				seen[m.Name] = i
				if !again || m.Value.Kind != config.Object || !anyRoot(m.Name) {
					continue
				}
				f := Finding{Pointer: config.Pointer(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name}}
				if edit, ok := p.merge(p.doc.Root.Members[first].Value, m); ok && first == i-1 {
					f.Fix = Fix{Title: "Merge the two", Edits: []config.Edit{edit}}
				}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4007", Category: "config_shape", Severity: Error,
		Title:  "Two servers have the same name",
		Why:    "Of two equal keys the last one counts: the first server is not there for the client.",
		Remedy: "Rename one of them.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}, "notes": {"command": "time-mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}, "notes-2": {"command": "time-mcp"}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			if !ok || at.node.Kind != config.Object || len(at.path) == 0 {
				return
			}
			seen := make(map[string]int, len(at.node.Members))
			for _, m := range at.node.Members {
				seen[m.Name]++
				if seen[m.Name] < 2 {
					continue
				}
				f := Finding{Server: m.Name, Pointer: at.pointer() + config.Pointer(m.Name), Span: m.Key, Names: map[string]string{"server": m.Name}}
				name := "-" + strconv.Itoa(seen[m.Name])
				if _, taken := seen[m.Name+name]; !taken && strings.HasSuffix(p.doc.Text[m.Key.Start:m.Key.End], `"`) {
					f.Fix = Fix{Title: "Rename the second", Edits: []config.Edit{{Start: m.Key.End - 1, End: m.Key.End - 1, Insert: name, Why: "a name of its own"}}}
				}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4008", Category: "config_shape", Severity: Error,
		Title:  "The server has no name: its settings are right under {key|the key of all servers}",
		Why:    "Under {key|that key} come the names of servers, and under each name its settings. Here {value|a setting} is taken for a server's name.",
		Remedy: "Put the settings into an object under the server's name.",
		Before: Example{Text: `{"mcpServers": {"command": "notes-mcp", "args": ["--read"]}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["--read"]}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			if !ok || len(at.path) == 0 || !p.tooShallow(at.node) || p.takes(at, config.EntryShape) {
				return
			}
			m := at.node.Members[0]
			p.report(&Finding{
				Pointer: at.pointer(), Span: m.Key, Names: map[string]string{"key": strings.Join(at.path, "."), "value": m.Name},
				Fix: Fix{Title: "Name it my-server", Patch: config.Patch{replace(at.pointer(), map[string]any{"my-server": at.node.Value()})}},
			})
		},
	},
	{
		Code: "MCP4009", Category: "config_shape", Severity: Error,
		Title:  "The entry {server|} holds servers instead of settings",
		Why:    "Servers cannot be grouped: under a server's name come its command or its URL, not more servers.",
		Remedy: "Move the inner servers up beside it.",
		Before: Example{Text: `{"mcpServers": {"mine": {"notes": {"command": "notes-mcp"}, "time": {"command": "time-mcp"}}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}, "time": {"command": "time-mcp"}}}`},
		server: func(p *pass, s *server) {
			if s.Node == nil || s.Node.Kind != config.Object || len(s.Node.Members) == 0 || s.Pointer == "" {
				return
			}
			inner, below := s.Node, ""
			if m := s.Node.Members[0]; len(s.Node.Members) == 1 && m.Value.Kind == config.Object && p.grouped(m.Value) {
				inner, below = m.Value, config.Pointer(m.Name) // with a key of all servers once more between
			} else if !p.grouped(inner) {
				return
			}
			f := Finding{}
			holder := p.doc.Root.At(parent(s.Pointer))
			taken := func(m config.Member) bool { return p.names()[m.Name] && m.Name != s.Name }
			if holder.Kind == config.Object && !slices.ContainsFunc(inner.Members, taken) {
				f.Fix = Fix{Title: "Move them up", Patch: lift(s.Pointer, below, inner)}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4010", Category: "config_shape", Severity: Error,
		Title:  "A server is beside {want|the key of all servers}, not in it",
		Why:    "The client reads servers only under {want|that key}. A brace was closed too early, or the entry was pasted at the end of the file.",
		Remedy: "Move the entry into {want|that key}.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}, "time": {"command": "time-mcp", "args": []}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}, "time": {"command": "time-mcp", "args": []}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			if !ok || len(at.path) != 1 || at.node.Kind != config.Object {
				return
			}
			for _, m := range p.doc.Root.Members {
				if m.Name == at.path[0] || slices.Contains(p.client.Beside, m.Name) || anyRoot(m.Name) || !p.surelyEntry(m.Value) {
					continue
				}
				f := Finding{Server: m.Name, Pointer: config.Pointer(m.Name), Span: m.Key, Names: map[string]string{"server": m.Name, "want": at.path[0]}}
				if at.node.Get(m.Name) == nil {
					f.Fix = Fix{Title: "Move it in", Patch: config.Patch{move(config.Pointer(m.Name), at.pointer()+config.Pointer(m.Name))}, Safe: true}
				}
				p.report(&f, p.options.Certainty)
			}
		},
	},
	{
		Code: "MCP4012", Category: "config_shape", Severity: Error,
		Title:  "The entry {server|} is not an object",
		Why:    "An entry has keys such as command and args, or a URL. A plain value is refused, in some clients with the whole file.",
		Remedy: "Write an object with the command and its arguments.",
		Before: Example{Text: `{"mcpServers": {"notes": "npx -y notes-mcp"}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			if s.Node == nil || s.Node.Kind == config.Object || p.roleOf(s.Name) != "" || strings.HasPrefix(strings.TrimSpace(s.Node.Text), "{") {
				return
			}
			f := Finding{Pointer: s.Pointer, Span: s.Node.Span}
			words := shellWords(s.Node.Text)
			if s.Node.Kind == config.String && len(words) > 0 && isRunner(programOf(words[0])) {
				f.Fix = Fix{Title: "Make it an object", Patch: config.Patch{replace(s.Pointer, map[string]any{
					p.spelling(config.RoleCommand, config.Stdio): words[0], p.spelling(config.RoleArgs, config.Stdio): words[1:],
				})}}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4013", Category: "config_shape", Severity: Note,
		Title:  "There are no servers in this file",
		Why:    "The key is there and nothing is in it.",
		Remedy: "Add a server, or look whether the client reads another file.",
		Before: Example{Text: `{"mcpServers": {}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		document: func(p *pass) {
			if len(p.doc.Servers) > 0 {
				return
			}
			for _, m := range members(p.doc.Root) {
				if anyRoot(m.Name) && len(m.Value.Members)+len(m.Value.Elements) == 0 {
					p.report(&Finding{Pointer: config.Pointer(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name}})
					return
				}
			}
		},
	},
	{
		Code: "MCP4014", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} does not read servers from this file",
		Why:    "The file belongs to the client, but holds other settings; servers in it are silently ignored.",
		Remedy: "Move the servers to {want|the client's file for servers}.",
		Before: Example{Client: "claude-code", File: "/home/you/.claude/settings.json", Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		After:  Example{Client: "claude-code", File: "/home/you/project/.mcp.json", Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			files := p.client.Files(config.OS(p.options.OS))
			if !ok || p.options.File == "" || len(files) == 0 {
				return
			}
			f := Finding{Pointer: at.pointer(), Span: at.span(), Names: map[string]string{"want": oneOf(files)}}
			switch place := p.client.PlaceOf(p.options.File); {
			case place != nil && place.Unread:
				p.report(&f, place.Certainty)
			case place == nil && p.inOwnFolder():
				f.Severity = Warning
				p.report(&f, p.dialect(config.Medium))
			}
		},
	},
	{
		Code: "MCP4015", Category: "config_shape", Severity: Note, Clients: []string{"claude-desktop"},
		Title:  "{client|The app} from the Microsoft Store reads another file",
		Why:    "That edition has a copy of the folder of its own, below AppData\\Local\\Packages. What is changed here does not reach it.",
		Remedy: "Where a change has no effect, open the file from the app's developer settings.",
		Before: Example{Client: "claude-desktop", OS: "windows", File: `C:\Users\you\AppData\Roaming\Claude\claude_desktop_config.json`, Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		After:  Example{Client: "claude-desktop", OS: "macos", File: "/Users/you/Library/Application Support/Claude/claude_desktop_config.json", Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		document: func(p *pass) {
			at, ok := p.holder()
			if ok && strings.HasSuffix(strings.ToLower(strings.ReplaceAll(p.options.File, `\`, "/")), movedFile) {
				p.report(&Finding{Pointer: at.pointer(), Span: at.span()})
			}
		},
	},
}

// movedFile is where the app's classic edition on Windows keeps its config.
const movedFile = "/appdata/roaming/claude/claude_desktop_config.json"

// inOwnFolder tells whether the file is in a hidden folder of the client: one
// that has its name, or that the table knows.
func (p *pass) inOwnFolder() bool {
	folder := func(path string) string {
		parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
		if len(parts) < 2 || !strings.HasPrefix(parts[len(parts)-2], ".") {
			return ""
		}
		return parts[len(parts)-2]
	}
	own := folder(p.options.File)
	return own == "."+p.client.ID || own != "" && slices.ContainsFunc(p.client.Places, func(at config.Place) bool { return folder(at.Path) == own })
}

// oneOf writes a choice: a, b or c.
func oneOf(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
