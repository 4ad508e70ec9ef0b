package lint

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

var runnerRules = []Rule{
	{
		Code: "MCP4070", Category: "timeout", Severity: Note,
		Title:  "npx is started without -y",
		Why:    "Some versions of npx ask before they download a package, and nobody sees the question: the start hangs until the client gives up.",
		Remedy: `Put "-y" before the package.`,
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["notes-mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			i, ok := s.target("npx", npxFlags)
			if !ok || s.saysYes() {
				return
			}
			p.report(&Finding{
				Pointer: s.rest[i].pointer(), Span: s.rest[i].node.Span,
				Fix: Fix{Title: "Add -y", Patch: config.Patch{add(s.rest[0].pointer(), "-y")}, Safe: true},
			})
		},
	},
	{
		Code: "MCP4071", Category: "config_shape", Severity: Warning,
		Title:  "-y comes after the package, so npx does not see it",
		Why:    "npx passes everything after the package on to the package: its own question stays unanswered and the server gets a flag it may not know.",
		Remedy: `Put "-y" before the package.`,
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["notes-mcp", "-y"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			target, ok := s.target("npx", npxFlags)
			if !ok || s.saysYes() {
				return
			}
			for _, w := range s.rest[target+1:] {
				if w.text == "-y" || w.text == "--yes" {
					p.report(&Finding{
						Pointer: w.pointer(), Span: w.node.Span,
						Fix: Fix{Title: "Move -y before the package", Patch: config.Patch{move(w.pointer(), s.rest[0].pointer())}, Safe: true},
					})
					return
				}
			}
		},
	},
	{
		Code: "MCP4072", Category: "config_shape", Severity: Error,
		Title:  "The package has a backslash before its @",
		Why:    "Some documents show \\@ so that the @ is not read as markup. Where the backslash was copied along, npx looks for a folder of that name.",
		Remedy: "Remove the backslash.",
		Before: Example{Text: `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "\\@upstash/context7-mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@upstash/context7-mcp"]}}}`},
		server: func(p *pass, s *server) {
			for _, w := range s.rest {
				if strings.HasPrefix(w.text, `\@`) {
					p.report(&Finding{
						Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text},
						Fix: Fix{Title: "Remove the backslash", Patch: config.Patch{replace(w.pointer(), w.text[1:])}, Safe: true},
					})
				}
			}
		},
	},
	{
		Code: "MCP4073", Category: "package_not_found", Severity: Error,
		Title:  "{package|This} is a package of npm, and uvx takes those of Python",
		Why:    "A name that begins with @ and a scope exists only in npm's registry.",
		Remedy: "Start it with npx -y.",
		Before: Example{Text: `{"mcpServers": {"docs": {"command": "uvx", "args": ["@upstash/context7-mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@upstash/context7-mcp"]}}}`},
		server: func(p *pass, s *server) {
			i, ok := s.target("uvx", uvFlags)
			if !ok || !strings.HasPrefix(s.rest[i].text, "@") || !strings.Contains(s.rest[i].text, "/") {
				return
			}
			f := Finding{Pointer: s.rest[i].pointer(), Span: s.rest[i].node.Span, Names: map[string]string{"package": s.rest[i].text}}
			if s.command.text == "uvx" && i == 0 {
				f.Fix = Fix{Title: "Start it with npx", Patch: config.Patch{replace(s.command.pointer(), "npx"), add(s.rest[0].pointer(), "-y")}}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4074", Category: "package_not_found", Severity: Warning,
		Title:  "{package|This} is a package of Python, and npx takes those of npm",
		Why:    "The project publishes this server for Python. What npm has under the name, if anything, is something else.",
		Remedy: "Start it with uvx.",
		Before: Example{Text: `{"mcpServers": {"fetch": {"command": "npx", "args": ["-y", "mcp-server-fetch"]}}}`},
		After:  Example{Text: `{"mcpServers": {"fetch": {"command": "uvx", "args": ["mcp-server-fetch"]}}}`},
		server: func(p *pass, s *server) {
			i, ok := s.target("npx", npxFlags)
			if !ok || !slices.Contains(pythonServers, s.rest[i].text) {
				return
			}
			f := Finding{Pointer: s.rest[i].pointer(), Span: s.rest[i].node.Span, Names: map[string]string{"package": s.rest[i].text}}
			if s.command.text == "npx" {
				patch := config.Patch{replace(s.command.pointer(), "uvx")}
				for _, w := range slices.Backward(s.rest[:i]) {
					patch = append(patch, remove(w.pointer()))
				}
				f.Fix = Fix{Title: "Start it with uvx", Patch: patch}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4075", Category: "config_shape", Severity: Error,
		Title:  "uv is not told to run anything",
		Why:    "uv has many commands and expects one of them first. Without the word run it takes the script for a command of its own and refuses it.",
		Remedy: `Put "run" before the script, after flags such as --directory.`,
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "uv", "args": ["--directory", "/home/you/notes", "server.py"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "uv", "args": ["--directory", "/home/you/notes", "run", "server.py"]}}}`},
		server: func(p *pass, s *server) {
			i, ok := s.target("uv", uvFlags)
			if !ok || slices.Contains(uvCommands, s.rest[i].text) || strings.ContainsAny(s.rest[i].text, " ${") {
				return
			}
			p.report(&Finding{
				Pointer: s.rest[i].pointer(), Span: s.rest[i].node.Span, Names: map[string]string{"value": s.rest[i].text},
				Fix: Fix{Title: "Add run", Patch: config.Patch{add(s.rest[i].pointer(), "run")}},
			})
		},
	},
	{
		Code: "MCP4076", Category: "config_shape", Severity: Error,
		Title:  "uvx does not know {value|this argument}",
		Why:    "uvx is short for uv tool run: it needs neither the word run nor a yes, and takes what comes first for the package.",
		Remedy: "Remove the argument.",
		Before: Example{Text: `{"mcpServers": {"fetch": {"command": "uvx", "args": ["-y", "mcp-server-fetch"]}}}`},
		After:  Example{Text: `{"mcpServers": {"fetch": {"command": "uvx", "args": ["mcp-server-fetch"]}}}`},
		server: func(p *pass, s *server) {
			if s.runner != "uvx" || len(s.rest) < 2 || !slices.Contains([]string{"-y", "--yes", "run", "tool"}, s.rest[0].text) {
				return
			}
			p.report(&Finding{
				Pointer: s.rest[0].pointer(), Span: s.rest[0].node.Span, Names: map[string]string{"value": s.rest[0].text},
				Fix: Fix{Title: "Remove " + s.rest[0].text, Patch: config.Patch{remove(s.rest[0].pointer())}, Safe: true},
			})
		},
	},
	{
		Code: "MCP4077", Category: "path_not_found", Severity: Error,
		Title:  "--directory names a file",
		Why:    "uv changes into that folder before it starts anything, and a script is not a folder.",
		Remedy: `Give the folder after --directory, and the script after "run".`,
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "uv", "args": ["--directory", "/home/you/notes/server.py", "run", "server.py"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "uv", "args": ["--directory", "/home/you/notes", "run", "server.py"]}}}`},
		server: func(p *pass, s *server) {
			for i, w := range s.rest {
				if i > 0 && s.runner == "uv" && s.rest[i-1].text == "--directory" && strings.HasSuffix(w.text, ".py") {
					f := Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}}
					if slash := strings.LastIndexAny(w.text, `/\`); slash > 0 {
						f.Fix = Fix{Title: "Name the folder", Patch: config.Patch{replace(w.pointer(), w.text[:slash])}}
					}
					p.report(&f)
				}
			}
		},
	},
	{
		Code: "MCP4078", Category: "module_missing", Severity: Error,
		Title:  "python -m is given a file",
		Why:    "After -m comes the name of a module, with dots and without .py. A file cannot be found by its path that way.",
		Remedy: "Remove -m, or write the module's name.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "python3", "args": ["-m", "/home/you/notes/server.py"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "python3", "args": ["/home/you/notes/server.py"]}}}`},
		server: func(p *pass, s *server) {
			if !strings.HasPrefix(s.runner, "python") && s.runner != "py" {
				return
			}
			for i, w := range s.rest {
				if i > 0 && s.rest[i-1].text == "-m" && strings.HasSuffix(w.text, ".py") {
					p.report(&Finding{
						Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text},
						Fix: Fix{Title: "Remove -m", Patch: config.Patch{remove(s.rest[i-1].pointer())}},
					})
				}
			}
		},
	},
	{
		Code: "MCP4079", Category: "config_shape", Severity: Error,
		Title:  "node is given a package, and it runs files",
		Why:    "node takes the path of a script. Packages are found and run by npx.",
		Remedy: "Start the package with npx -y.",
		Before: Example{Text: `{"mcpServers": {"docs": {"command": "node", "args": ["-y", "@upstash/context7-mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@upstash/context7-mcp"]}}}`},
		server: func(p *pass, s *server) {
			if s.runner != "node" || len(s.rest) == 0 {
				return
			}
			first := s.rest[0]
			yes := first.text == "-y" || first.text == "--yes"
			scoped := strings.HasPrefix(first.text, "@") && strings.Count(first.text, "/") == 1 && !strings.HasSuffix(first.text, "js")
			if !yes && !scoped {
				return
			}
			f := Finding{Pointer: first.pointer(), Span: first.node.Span, Names: map[string]string{"value": first.text}}
			if s.command.text == "node" {
				f.Fix = Fix{Title: "Start it with npx", Patch: config.Patch{replace(s.command.pointer(), "npx")}}
				if !yes {
					f.Fix.Patch = append(f.Fix.Patch, add(first.pointer(), "-y"))
				}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4080", Category: "stdout_pollution", Severity: Warning,
		Title:  "{runner|npm} prints a banner where the client reads messages",
		Why:    "Before a script starts, {runner|npm} prints its name and its command on standard output. The client takes those lines for broken messages.",
		Remedy: `Put "--silent" first, or start the program behind the script directly.`,
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npm", "args": ["run", "start", "--prefix", "/home/you/notes"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npm", "args": ["--silent", "run", "start", "--prefix", "/home/you/notes"]}}}`},
		server: func(p *pass, s *server) {
			if !slices.Contains([]string{"npm", "pnpm", "yarn"}, s.runner) {
				return
			}
			runs := -1
			for i, w := range s.rest {
				switch w.text {
				case "-s", "--silent", "-q", "--quiet", "--loglevel=silent", "exec", "dlx":
					return
				case "run", "run-script", "start":
					if runs < 0 {
						runs = i
					}
				}
			}
			if runs < 0 {
				return
			}
			w := s.rest[runs]
			p.report(&Finding{
				Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"runner": s.runner},
				Fix: Fix{Title: "Add --silent", Patch: config.Patch{add(s.rest[0].pointer(), "--silent")}, Safe: true},
			})
		},
	},
	{
		Code: "MCP4081", Category: "config_shape", Severity: Warning,
		Title:  "{runner|The program} is not told what to start",
		Why:    "{runner|It} runs a package or a script that is named in its arguments. Without one it prints its help, or takes the client's messages for a program to run.",
		Remedy: "Add the package or the script to the arguments, as the server's documentation has it.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			if !slices.Contains(starters, s.runner) || p.elsewhere(s) {
				return
			}
			for _, w := range s.rest {
				if !slices.Contains(goAhead, w.text) {
					return
				}
			}
			f := Finding{Pointer: s.command.pointer(), Span: s.command.node.Span, Names: map[string]string{"runner": s.runner}}
			if p.options.File != "" {
				f.Severity = Error // in a paste the rest may have been left out
			}
			p.report(&f)
		},
	},
}

// starters do nothing by themselves; goAhead are flags that tell them how.
var (
	starters = []string{"npx", "bunx", "uvx", "node", "python", "python3"}
	goAhead  = []string{"-y", "--yes", "-q", "--quiet", "--silent", "-u"}
)

// elsewhere tells that arguments of the entry may stand where they are not read:
// in something else than a list, or under a key that is not known.
func (p *pass) elsewhere(s *server) bool {
	for i, m := range members(s.Node) {
		if s.roles[i] == config.RoleArgs && m.Value.Kind != config.Array || p.unread(s, i, m) {
			return true
		}
	}
	return false
}

// Flags that take the next word as their value, for each runner.
var (
	npxFlags = []string{"-p", "--package", "-c", "--call", "-w", "--workspace", "--registry", "--prefix", "--cache", "--node-options"}
	uvFlags  = []string{
		"--directory", "--project", "--from", "--with", "--with-editable", "--python", "-p", "--index", "--index-url",
		"--extra-index-url", "--env-file", "--cache-dir", "--config-file", "-i", "--extra", "--group", "--with-requirements", "-w",
		"--default-index", "--index-strategy", "--prerelease", "--refresh-package", "--color", "--allow-insecure-host", "--link-mode",
	}
	uvCommands = []string{
		"run", "tool", "x", "init", "add", "remove", "sync", "lock", "export", "tree", "python", "pip", "venv", "build",
		"publish", "cache", "self", "version", "help", "auth", "format",
	}
	pythonServers = []string{"mcp-server-fetch", "mcp-server-git", "mcp-server-time", "mcp-server-sqlite"}
)

// target finds what the runner, where it is this one, is to run: its first
// argument that is neither a flag nor the value of one.
func (s *server) target(runner string, withValue []string) (int, bool) {
	if s.runner != runner {
		return 0, false
	}
	for i := 0; i < len(s.rest); i++ {
		text := s.rest[i].text
		switch {
		case text == "" || text[0] != '-':
			return i, true
		case slices.Contains(withValue, text):
			i++
		}
	}
	return 0, false
}

// saysYes tells whether npx is told to go ahead, before the package.
func (s *server) saysYes() bool {
	target, ok := s.target("npx", npxFlags)
	if !ok {
		target = len(s.rest)
	}
	return slices.ContainsFunc(s.rest[:target], func(w word) bool {
		return strings.HasPrefix(w.text, "--yes") || w.text == "--no-install" || w.text == "--offline" || w.text == "-c" || w.text == "--call" ||
			len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-' && strings.Contains(w.text, "y")
	})
}
