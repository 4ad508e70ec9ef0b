package lint

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

var pathRules = []Rule{
	{
		Code: "MCP4401", Category: "path_not_found", Severity: Warning,
		Title:  "{value|The home folder} is not expanded",
		Why:    "A shell replaces ~ and $HOME. {client|The client} starts programs without one, and most programs then look for a folder of that very name.",
		Remedy: "Write the absolute path{want|}.",
		Before: Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["~/notes"]}}}`},
		After:  Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["/Users/you/notes"]}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasSign) {
				if s.shell && role != config.RoleCwd { // a shell expands its own words, not the folder it starts in
					continue
				}
				if role == config.RoleHeaders || role == config.RoleURL || !homePath(w.text) || slices.Contains(homeExpanders, p.client.ID) || p.expands(w.text, role) {
					continue
				}
				f := Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text[:strings.IndexAny(w.text, `/\`)]}}
				if role == config.RoleCommand {
					f.Severity = Error
				}
				for _, home := range homeReferences {
					if p.client.Expands(home.form, role) == config.Yes {
						f.Names["want"] = " or " + home.text
						f.Fix = Fix{Title: "Write " + home.text, Patch: config.Patch{replace(w.pointer(), home.text+w.text[strings.IndexAny(w.text, `/\`):])}}
						break
					}
				}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4402", Category: "path_not_found", Severity: Note,
		Title:  "The path {value|} is relative",
		Why:    "It is looked for below the folder in which the client starts its servers, which differs from client to client.",
		Remedy: "Write the absolute path, or set the working directory where the client has one.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["./build/index.js"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["/home/you/notes/build/index.js"]}}}`},
		server: func(p *pass, s *server) {
			if s.shell || s.value(config.RoleCwd) != nil || s.runner == "uv" || s.runner == "docker" {
				return
			}
			for role, w := range s.all {
				if (role == config.RoleArgs || role == config.RoleCommand) && relative(w.text) {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}})
					return
				}
			}
		},
	},
	{
		// Repair undoes it; Syntax tells it from a path that did not parse.
		Code: misreadPath, Category: "path_not_found", Severity: Error,
		Title:  "Single backslashes were read as escapes",
		Why:    "A backslash begins an escape: \\t became a tab and \\n a line break in the middle of the path.",
		Remedy: "Double every backslash, or write forward slashes.",
		Before: Example{Format: config.JSON, Text: `{"mcpServers": {"notes": {"command": "node", "args": ["C:\notes\tools.js"]}}}`},
		After:  Example{Format: config.JSON, Text: `{"mcpServers": {"notes": {"command": "node", "args": ["C:\\notes\\tools.js"]}}}`},
	},
	{
		Code: "MCP4404", Category: "path_not_found", Severity: Error,
		Title:  "The path {value|} has lost its backslashes",
		Why:    "After the drive comes a slash. Without any the whole path is one name in the drive's current folder.",
		Remedy: "Write the path again, with doubled backslashes or forward slashes.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["C:Usersyounotesindex.js"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["C:/Users/you/notes/index.js"]}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasColon) {
				t := w.text
				if (role == config.RoleArgs || role == config.RoleCommand || role == config.RoleCwd) && len(t) > 8 && letter(t[0]) && t[1] == ':' &&
					letter(t[2]) && !strings.ContainsAny(t, `/\ `) && strings.Count(t, ":") == 1 {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": t}})
				}
			}
		},
	},
	{
		Code: "MCP4405", Category: "path_not_found", Severity: Warning,
		Title:  "The path {value|} has doubled slashes",
		Why:    "Only backslashes are doubled in a string. A path that begins with two slashes means a network share on Windows, and after a drive they confuse programs.",
		Remedy: "Write single slashes.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "python", "args": ["C://notes//server.py"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "python", "args": ["C:/notes/server.py"]}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasSlash) {
				t := w.text
				wrong := drive(t) && strings.Contains(t, "//") || strings.HasPrefix(t, "//") && strings.Count(t, "//") > 1
				if wrong && (role == config.RoleArgs || role == config.RoleCommand || role == config.RoleCwd) {
					p.report(&Finding{
						Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": t},
						Fix: Fix{Title: "Write single slashes", Patch: config.Patch{replace(w.pointer(), strings.ReplaceAll(t, "//", "/"))}},
					})
				}
			}
		},
	},
	{
		Code: "MCP4406", Category: "path_not_found", Severity: Note,
		Title:  "{value|The path} is how another shell writes a Windows drive",
		Why:    "/c/ belongs to Git Bash and /mnt/c/ to WSL. A program of Windows itself does not know them.",
		Remedy: "On Windows write C:/ and the rest.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["/c/Users/you/notes"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["C:/Users/you/notes"]}}}`},
		server: func(p *pass, s *server) {
			if s.runner == "wsl" || s.runner == "docker" || s.shell || p.options.OS == "macos" || p.options.OS == "linux" {
				return
			}
			for role, w := range s.strings(hasSlash) {
				rest := strings.TrimPrefix(w.text, "/mnt")
				bash := rest == w.text
				if role != config.RoleArgs && role != config.RoleCommand && role != config.RoleCwd || len(rest) < 4 || rest[0] != '/' || !letter(rest[1]) || rest[2] != '/' {
					continue
				}
				if bash && !strings.HasPrefix(rest[2:], "/Users/") && p.options.OS != "windows" {
					continue
				}
				f := Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}}
				if p.options.OS == "windows" {
					f.Severity = Error
				}
				f.Fix = Fix{Title: "Write the drive", Patch: config.Patch{replace(w.pointer(), strings.ToUpper(rest[1:2])+":"+rest[2:])}}
				p.report(&f)
			}
		},
	},
	{
		Code: "MCP4407", Category: "path_not_found", Severity: Error,
		Title:  "{value|The path} belongs to another system",
		Why:    "The config was made on another kind of machine, and there is no such path on this one.",
		Remedy: "Write the path as it is here; what runs in WSL is started with wsl.",
		Before: Example{OS: "windows", File: `C:\Users\you\project\.mcp.json`, Text: `{"mcpServers": {"notes": {"command": "/home/you/.local/bin/notes-mcp"}}}`},
		After:  Example{OS: "windows", Text: `{"mcpServers": {"notes": {"command": "wsl", "args": ["/home/you/.local/bin/notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			if p.options.OS == "" || s.runner == "wsl" || s.runner == "docker" || s.runner == "podman" || s.shell || s.runner == "ssh" {
				return
			}
			for role, w := range s.strings(hasSlash) {
				if role != config.RoleArgs && role != config.RoleCommand && role != config.RoleCwd {
					continue
				}
				unix := strings.HasPrefix(w.text, "/home/") || strings.HasPrefix(w.text, "/Users/") || strings.HasPrefix(w.text, "/usr/") || strings.HasPrefix(w.text, "/opt/")
				if unix && p.options.OS == "windows" || drive(w.text) && p.options.OS != "windows" {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}})
				}
			}
		},
	},
	{
		Code: "MCP4408", Category: "path_not_found", Severity: Note,
		Title:  "The path {value|} is a placeholder",
		Why:    "The example's path was not replaced, and there is no such file.",
		Remedy: "Write the path on your machine.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["/path/to/notes/index.js"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["/home/you/notes/index.js"]}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasSlash | hasAngle) {
				if role == config.RoleURL || role == config.RoleHeaders {
					continue
				}
				if t := strings.ToLower(strings.ReplaceAll(w.text, `\`, "/")); strings.Contains(t, "path/to/") || strings.Contains(t, "/absolute/path") || strings.HasPrefix(t, "<path") {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}})
				}
			}
		},
	},
	{
		Code: "MCP4409", Category: "path_not_found", Severity: Error,
		Title:  "A virtual environment has no bin folder on Windows",
		Why:    "Python keeps the programs of an environment in Scripts there, with .exe at their ends.",
		Remedy: "Write Scripts instead of bin.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "C:/notes/.venv/bin/python", "args": ["C:/notes/server.py"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "C:/notes/.venv/Scripts/python", "args": ["C:/notes/server.py"]}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasSlash) {
				i := strings.Index(strings.ReplaceAll(w.text, `\`, "/"), "venv/bin")
				if i < 0 || !drive(w.text) || role == config.RoleHeaders {
					continue
				}
				p.report(&Finding{
					Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text},
					Fix: Fix{Title: "Write Scripts", Patch: config.Patch{replace(w.pointer(), w.text[:i+5]+"Scripts"+w.text[i+8:])}, Safe: true},
				})
			}
		},
	},
	{
		Code: "MCP4410", Category: "path_not_found", Severity: Note,
		Title:  "The path has a space, and cmd splits at spaces",
		Why:    "What goes through cmd, as every .cmd file does on Windows, may be cut at the space: 'C:\\Program' is not recognized.",
		Remedy: "Use a path without spaces, its short 8.3 name, or start node.exe with the script itself.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "cmd", "args": ["/c", "C:\\Program Files\\nodejs\\npx.cmd", "-y", "notes-mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "cmd", "args": ["/c", "npx", "-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			through := s.program == "cmd" || strings.HasSuffix(strings.ToLower(s.command.text), ".cmd")
			for role, w := range s.strings(hasColon) {
				if through && (role == config.RoleArgs || role == config.RoleCommand) && drive(w.text) && strings.Contains(w.text, " ") {
					f := Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}}
					if p.options.OS == "windows" {
						f.Severity = Warning
					}
					p.report(&f)
				}
			}
		},
	},
}

// looksLikePath tells a path of a file system from other strings.
func looksLikePath(text string) bool {
	return strings.ContainsAny(text, `/\`) && !strings.Contains(text, "://") && !strings.HasPrefix(text, "@")
}

// homePath tells whether a path begins at the home folder as a shell has it.
func homePath(text string) bool {
	for _, home := range []string{"~", "$HOME", "%USERPROFILE%"} {
		if rest, ok := strings.CutPrefix(text, home); ok && rest != "" && (rest[0] == '/' || rest[0] == '\\') {
			return true
		}
	}
	return false
}

// homeReferences are what stands for the home folder where a client knows the
// form.
var homeReferences = []struct{ text, form string }{{"${userHome}", "${userHome}"}, {"${HOME}", "${VAR}"}}

// homeExpanders are clients that replace ~ by themselves.
var homeExpanders = []string{"vscode"}

// expands tells whether the client replaces the first reference of a string.
func (p *pass) expands(text string, role config.Role) bool {
	references := config.References(text)
	return len(references) > 0 && p.client.Expands(references[0].Form, role) == config.Yes
}

// relative tells whether a word is surely the path of a file below some
// folder: it begins with a dot or ends like a script.
func relative(text string) bool {
	if strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, `.\`) || strings.HasPrefix(text, `..\`) {
		return true
	}
	if text == "" || strings.IndexByte(`/\~-$@{%<`, text[0]) >= 0 || drive(text) || strings.Contains(text, "://") || strings.Contains(text, " ") {
		return false
	}
	for _, ext := range []string{".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".jar"} {
		if strings.HasSuffix(text, ext) {
			return true
		}
	}
	return false
}

// drive tells whether a path begins with the letter of a Windows drive.
func drive(text string) bool {
	return len(text) > 2 && letter(text[0]) && text[1] == ':' && (text[2] == '/' || text[2] == '\\')
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
