package lint

import (
	"encoding/json"
	"slices"
	"strings"

	"mcpmend/core/config"
)

var envRules = []Rule{
	{
		Code: "MCP4301", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} does not replace {value|the reference}",
		Why:    "Clients write references to variables differently, and some have none. What a client does not know is passed on unchanged, so the server gets the reference itself instead of the value.",
		Remedy: "Write {want|the value itself, or use the client's own way to pass on a variable}.",
		Before: Example{Client: "opencode", Text: `{"mcp": {"notes": {"type": "local", "command": ["notes-mcp"], "environment": {"NOTES_TOKEN": "${NOTES_TOKEN}"}}}}`},
		After:  Example{Client: "opencode", Text: `{"mcp": {"notes": {"type": "local", "command": ["notes-mcp"], "environment": {"NOTES_TOKEN": "{env:NOTES_TOKEN}"}}}}`},
		server: foreignReferences,
	},
	{
		Code: "MCP4302", Category: "config_shape", Severity: Error,
		Title:  "The input {name|} is not declared",
		Why:    "${input:…} refers to an entry of the list of inputs in the same file, by its id. Without it the client cannot ask for the value.",
		Remedy: "Add an input with {name?the id %|that id}, or write its id as it is declared.",
		Before: Example{Client: "vscode", Text: `{"servers": {"notes": {"command": "notes-mcp", "env": {"NOTES_TOKEN": "${input:token}"}}}}`},
		After:  Example{Client: "vscode", Text: `{"inputs": [{"type": "promptString", "id": "token", "description": "Token", "password": true}], "servers": {"notes": {"command": "notes-mcp", "env": {"NOTES_TOKEN": "${input:token}"}}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasSign) {
				if p.client.Expands(inputForm, role) != config.Yes {
					continue
				}
				for _, r := range config.References(w.text) {
					if r.Form == inputForm && !p.declared(r.Name) {
						p.report(&Finding{
							Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"name": r.Name},
							Fix: Fix{Title: "Declare the input", Patch: p.declare(r.Name)},
						})
					}
				}
			}
		},
	},
	{
		Code: "MCP4303", Category: "config_shape", Severity: Error,
		Title:  "A reference is inside the default of another",
		Why:    "The expansion ends at the first closing brace: what follows it stays in the value.",
		Remedy: "Write a default without a reference, or set the variable.",
		Before: Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["${NOTES_DIR:-${HOME}/notes}"]}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["${NOTES_DIR:-/home/you/notes}"]}}}`},
		server: func(p *pass, s *server) {
			if s.shell {
				return
			}
			for _, w := range s.strings(hasSign) {
				i := strings.Index(w.text, ":-${")
				if i < 1 || !strings.Contains(w.text[:i], "${") {
					continue
				}
				f := Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}}
				// The default alone is what the author sees while the variable is not set.
				outer := strings.LastIndex(w.text[:i], "${")
				if inner := strings.Index(w.text[i:], "}"); inner > 0 {
					if end := strings.Index(w.text[i+inner+1:], "}"); end >= 0 {
						end += i + inner + 1
						f.Fix = Fix{Title: "Write the default alone", Patch: config.Patch{replace(w.pointer(), w.text[:outer]+w.text[i+2:end]+w.text[end+1:])}}
					}
				}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4304", Category: "missing_env_var", Severity: Note,
		Title:  "{name|A value} still has its placeholder",
		Why:    "The example's text was not replaced, and the server takes it for the real value.",
		Remedy: "Put in your own value.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_TOKEN": "YOUR_API_KEY"}}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_TOKEN": "${NOTES_TOKEN}"}}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.all {
				if role != config.RoleCommand && role != config.RoleCwd && placeholder(w.text) {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"name": w.name}})
				}
			}
		},
	},
	{
		Code: "MCP4305", Category: "missing_env_var", Severity: Note,
		Title:  "The variable {name|} is empty",
		Why:    "Most servers treat an empty key or token as one that is not set.",
		Remedy: "Set it, or remove it where the server can do without.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_TOKEN": ""}}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.all {
				if role == config.RoleEnv && w.text == "" && secretName(w.name) {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"name": w.name}})
				}
			}
		},
	},
	{
		Code: "MCP4306", Category: "config_shape", Severity: Error,
		Title:  "{name|A key} cannot be the name of a variable",
		Why:    "The name of a variable has no spaces and no equals sign; what follows export or = belongs elsewhere.",
		Remedy: "Write the name as key and the value as its string.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"export NOTES_DIR": "/home/you"}}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_DIR": "/home/you"}}}}`},
		server: func(p *pass, s *server) {
			env := s.field(config.RoleEnv)
			if env == nil {
				return
			}
			for _, v := range env.Value.Members {
				if v.Name != "" && !strings.ContainsAny(v.Name, " =\t\r\n") {
					continue
				}
				f := Finding{Pointer: s.at(env.Name, v.Name), Span: v.Key, Names: map[string]string{"name": v.Name}}
				clean := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(v.Name), "export "))
				if variableName(clean) && env.Value.Get(clean) == nil {
					f.Fix = Fix{Title: "Rename it to " + clean, Patch: config.Patch{move(s.at(env.Name, v.Name), s.at(env.Name, clean))}, Safe: true}
				}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4307", Category: "command_not_found", Severity: Note,
		Title:  "PATH leaves out the system's own folders",
		Why:    "In most clients the value replaces the PATH. Without /usr/bin and /bin a server does not even find env or sh.",
		Remedy: "Add :/usr/bin:/bin to its end.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {"PATH": "/home/you/.nvm/versions/node/v22.1.0/bin"}}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {"PATH": "/home/you/.nvm/versions/node/v22.1.0/bin:/usr/bin:/bin"}}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasSlash) {
				unix := strings.HasPrefix(w.text, "/")
				if role != config.RoleEnv || w.name != "PATH" || !unix || len(config.References(w.text)) > 0 {
					continue
				}
				if folders := strings.Split(w.text, ":"); !slices.Contains(folders, "/usr/bin") && !slices.Contains(folders, "/bin") {
					p.report(&Finding{
						Pointer: w.pointer(), Span: w.node.Span,
						Fix: Fix{Title: "Add the system's folders", Patch: config.Patch{replace(w.pointer(), strings.TrimSuffix(w.text, ":")+":/usr/bin:/bin")}, Safe: true},
					})
				}
			}
		},
	},
	{
		Code: "MCP4308", Category: "config_shape", Severity: Warning, Clients: []string{"goose"},
		Title:  "{client|The client} does not let an extension set {name|this variable}",
		Why:    "Variables that decide which program is started are skipped.",
		Remedy: "Set GOOSE_SEARCH_PATHS in the config's top level instead.",
		Before: Example{Client: "goose", Format: config.YAML, Text: "extensions:\n  notes:\n    type: stdio\n    name: notes\n    cmd: notes-mcp\n    args: []\n    enabled: true\n    timeout: 300\n    envs:\n      PATH: /home/you/bin:/usr/bin:/bin\n"},
		After:  Example{Client: "goose", Format: config.YAML, Text: "GOOSE_SEARCH_PATHS:\n  - /home/you/bin\nextensions:\n  notes:\n    type: stdio\n    name: notes\n    cmd: notes-mcp\n    args: []\n    enabled: true\n    timeout: 300\n"},
		server: func(p *pass, s *server) {
			for role, w := range s.all {
				name := w.name
				if role == config.RoleEnv && slices.Contains([]string{"PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PYTHONPATH", "NODE_OPTIONS"}, name) {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"name": name}})
				}
			}
		},
	},
	{
		Code: "MCP4309", Category: "missing_env_var", Severity: Note, Clients: []string{"kiro"},
		Title:  "{client|The client} replaces {name|a variable} only once it is approved",
		Why:    "Until the name is in the setting \"Mcp Approved Env Vars\" the server gets the reference itself.",
		Remedy: "Add {name|the name} to that setting.",
		Before: Example{Client: "kiro", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": [], "env": {"NOTES_TOKEN": "${NOTES_TOKEN}"}}}}`},
		After:  Example{Client: "kiro", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": [], "env": {"NOTES_DIR": "/home/you"}}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasSign) {
				for _, r := range config.References(w.text) {
					if p.client.Expands(r.Form, role) == config.Yes {
						p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"name": r.Name}})
					}
				}
			}
		},
	},
	{
		Code: "MCP4310", Category: "path_not_found", Severity: Note, Clients: []string{"claude-desktop", "roo-code"},
		Title:  "npm may look for a folder called ${APPDATA}",
		Why:    "{client|The client} does not pass APPDATA to its servers on Windows, and npm then takes the reference for a folder's name.",
		Remedy: "Set APPDATA in the entry to the full path of AppData\\Roaming.",
		Before: Example{Client: "claude-desktop", OS: "windows", File: `C:\Users\you\AppData\Roaming\Claude\claude_desktop_config.json`, Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		After:  Example{Client: "claude-desktop", OS: "windows", Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {"APPDATA": "C:\\Users\\you\\AppData\\Roaming"}}}}`},
		server: func(p *pass, s *server) {
			set := slices.ContainsFunc(s.Env, func(v config.Variable) bool { return strings.EqualFold(v.Name, "APPDATA") })
			if p.options.OS == "windows" && s.runner == "npx" && !set {
				p.report(&Finding{Pointer: s.command.pointer(), Span: s.command.node.Span})
			}
		},
	},
	{
		Code: "MCP4311", Category: "config_shape", Severity: Warning,
		Title:  "The value of {name|a variable} has quotes inside its string",
		Why:    "The outer quotes already mark the string. The inner ones become part of the value.",
		Remedy: "Remove the inner quotes.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_DIR": "\"/home/you/notes\""}}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_DIR": "/home/you/notes"}}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasQuote) {
				if inner, ok := unquoted(w.text); ok && (role == config.RoleEnv || role == config.RoleHeaders) {
					p.report(&Finding{
						Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"name": w.name},
						Fix: Fix{Title: "Remove the inner quotes", Patch: config.Patch{replace(w.pointer(), inner)}},
					})
				}
			}
		},
	},
}

const inputForm = "${input:ID}"

// foreignReferences finds references that the client hands on as they stand.
func foreignReferences(p *pass, s *server) {
	if p.client.Interpolation.Supported == config.Unknown {
		return
	}
	for role, w := range s.strings(hasSign) {
		if role == config.RoleArgs && (s.shell || s.bridge() != nil) {
			continue // mcp-remote replaces ${VAR} in headers by itself
		}
		if strings.Contains(w.text, ":-${") || homePath(w.text) {
			continue // they have rules of their own
		}
		for _, r := range config.References(w.text) {
			if p.client.Expands(r.Form, role) != config.No || !meansVariable(w.text, r) {
				continue
			}
			p.reportReference(w, role, r)
			break
		}
	}
}

// meansVariable tells whether what looks like a reference was meant as one:
// a dollar sign alone is also a part of passwords and patterns, and a double
// brace one of templates.
func meansVariable(text string, r config.Reference) bool {
	switch r.Form {
	case "$VAR":
		alone := r.Start == 0 && (r.End == len(text) || text[r.End] == '/')
		return alone && r.Name == strings.ToUpper(r.Name) && len(r.Name) > 1
	case "${VAR}", "${VAR:-default}", "${env:VAR}", "{env:VAR}", inputForm, "%VAR%":
		return true
	}
	return false
}

func (p *pass) reportReference(w *word, role config.Role, r config.Reference) {
	in := p.client.Interpolation
	f := Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text[r.Start:r.End], "name": r.Name}}
	if role == config.RoleArgs || role == config.RoleCommand || role == config.RoleCwd || in.Certainty != config.High {
		f.Severity = Warning
	}
	for _, form := range in.Syntax {
		if strings.Contains(form, "VAR") && r.Form != inputForm && p.client.Expands(form, role) == config.Yes {
			own := strings.Replace(form, "VAR", r.Name, 1)
			f.Names["want"] = own
			f.Fix = Fix{Title: "Write " + own, Safe: true, Patch: config.Patch{
				replace(w.pointer(), w.text[:r.Start]+own+w.text[r.End:]),
			}}
			break
		}
	}
	p.report(&f, p.dialect(in.Certainty))
}

// declare adds an input that the client asks the user for.
func (p *pass) declare(id string) config.Patch {
	quoted := string(raw(id))
	input := json.RawMessage(`{"type":"promptString","id":` + quoted + `,"description":` + quoted + `,"password":true}`)
	switch inputs := p.doc.Root.Get("inputs"); {
	case inputs == nil:
		return config.Patch{add("/inputs", []json.RawMessage{input})}
	case inputs.Kind == config.Array:
		return config.Patch{add("/inputs/-", input)}
	}
	return nil
}

// declared tells whether the document has an input of that id.
func (p *pass) declared(id string) bool {
	inputs := p.doc.Root.Get("inputs")
	if inputs == nil {
		return false
	}
	return slices.ContainsFunc(inputs.Elements, func(n *config.Node) bool {
		v := n.Get("id")
		return v != nil && v.Text == id
	})
}

var underscored = strings.NewReplacer("-", "_", " ", "_")

// placeholder tells whether a value was left as an example had it.
func placeholder(text string) bool {
	if len(text) > 120 || len(text) < 3 || strings.IndexByte("@/.$", text[0]) >= 0 || text[0] == '-' && !strings.Contains(text, "=") {
		return false
	}
	_, value, ok := strings.Cut(text, "=") // as in --api-key=YOUR_KEY
	if !ok || strings.Contains(text, "://") {
		value = text
	}
	value = strings.TrimPrefix(value, "Bearer ")
	upper := strings.ToUpper(underscored.Replace(value))
	switch {
	case strings.HasPrefix(value, "<") && strings.HasSuffix(value, ">"):
		return true
	case strings.HasPrefix(upper, "YOUR_"), strings.HasPrefix(upper, "MY_API_"), strings.HasPrefix(upper, "INSERT_"), strings.HasPrefix(upper, "REPLACE_"):
		return true
	case strings.HasSuffix(upper, "_HERE"), upper == "CHANGEME", upper == "CHANGE_ME", upper == "TODO":
		return true
	}
	return len(value) > 3 && strings.Trim(strings.ToLower(value), "x") == ""
}

// secretName tells whether a variable of that name holds something without
// which a server cannot sign in.
func secretName(name string) bool {
	upper := strings.ToUpper(name)
	for _, part := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PAT"} {
		if upper == part || strings.HasSuffix(upper, "_"+part) || strings.HasSuffix(upper, "-"+part) {
			return true
		}
	}
	return false
}
