package lint

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

var commandRules = []Rule{
	{
		Code: "MCP4050", Category: "config_shape", Severity: Error,
		Title:  "The command is empty",
		Why:    "An entry with a command is started as a program, and there is no program with an empty name.",
		Remedy: "Write the program to start, or remove the key where the server has a URL.",
		Before: Example{Text: `{"mcpServers": {"search": {"command": "", "args": ["--stdio"]}}}`},
		After:  Example{Text: `{"mcpServers": {"search": {"command": "search-mcp", "args": ["--stdio"]}}}`},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleCommand)
			if m == nil || m.Value.Kind != config.String || strings.TrimSpace(m.Value.Text) != "" {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span}
			if url := s.value(config.RoleURL); url != nil && url.Text != "" {
				f.Severity = Warning
				f.Fix = Fix{Title: "Remove the empty command", Patch: config.Patch{remove(s.at(m.Name))}, Safe: true}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4051", Category: "config_shape", Severity: Error,
		Title:  "The whole command line is in {key|the command}",
		Why:    "No shell reads this value: the client looks for a program whose very name is the whole line, spaces included.",
		Remedy: "Keep only the program in the command and put every argument into the list of arguments as a string of its own.",
		Before: Example{Text: `{"mcpServers": {"files": {"command": "npx -y @modelcontextprotocol/server-filesystem /home/you"}}}`},
		After:  Example{Text: `{"mcpServers": {"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/you"]}}}`},
		server: func(p *pass, s *server) {
			words := commandLine(s.command.text)
			if len(words) < 2 {
				return
			}
			m := s.field(config.RoleCommand)
			f := Finding{
				Pointer: s.command.pointer(), Span: s.command.node.Span,
				Names: map[string]string{"key": m.Name, "command": words[0], "value": s.command.text},
			}
			if m.Value.Kind == config.String {
				f.Fix = Fix{Title: "Split the command line", Patch: p.commandPatch(s, m.Name, words), Safe: true}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4052", Category: "config_shape", Severity: Error,
		Title:  "Several arguments are in one string",
		Why:    "Every string is passed on as one argument and is not split at its spaces: the program sees a single argument with a space in the middle.",
		Remedy: "Give every argument a string of its own.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y notes-mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: joinedArguments,
	},
	{
		Code: "MCP4053", Category: "config_shape", Severity: Error,
		Title:  "{value|A shell operator} is written where no shell reads it",
		Why:    "Operators such as && and | belong to a shell. Without one they are passed to the program as plain arguments.",
		Remedy: "Name the folder with the client's working directory setting, or put the line into a script and start that.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "cd", "args": ["/home/you/notes", "&&", "node", "index.js"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["/home/you/notes/index.js"]}}}`},
		server: func(p *pass, s *server) {
			if s.shell {
				return
			}
			for i := range s.args {
				w := &s.args[i]
				if len(w.text) <= 4 && slices.Contains([]string{"&&", "||", "|", ">", ">>", "<", ";", "2>&1"}, w.text) {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text}})
					return
				}
			}
		},
	},
	{
		Code: "MCP4054", Category: "path_not_found", Severity: Error,
		Title:  "The path has quotes inside its string",
		Why:    "The outer quotes already mark the string. The inner ones become part of the path, and no such file exists.",
		Remedy: "Remove the inner quotes; a path with spaces needs none.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["\"C:\\Users\\you\\notes\\index.js\""]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "node", "args": ["C:\\Users\\you\\notes\\index.js"]}}}`},
		server: func(p *pass, s *server) {
			if s.shell {
				return
			}
			for role, w := range s.strings(hasQuote) {
				inner, ok := unquoted(w.text)
				if ok && role != config.RoleEnv && role != config.RoleHeaders && (role == config.RoleCommand || looksLikePath(inner)) {
					p.report(&Finding{
						Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text},
						Fix: Fix{Title: "Remove the inner quotes", Patch: config.Patch{replace(w.pointer(), inner)}, Safe: true},
					})
				}
			}
		},
	},
	{
		Code: "MCP4055", Category: "config_shape", Severity: Error,
		Title:  "{value|The runner} is named twice",
		Why:    "The command already is the runner. Named again as the first argument it is taken for the package to run.",
		Remedy: "Remove the first argument.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["npx", "-y", "notes-mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			if len(s.rest) < 2 || s.rest[0].text != s.runner || !isRunner(s.runner) {
				return
			}
			w := s.rest[0]
			p.report(&Finding{
				Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text},
				Fix: Fix{Title: "Remove the second " + s.runner, Patch: config.Patch{remove(w.pointer())}, Safe: true},
			})
		},
	},
	{
		Code: "MCP4056", Category: "config_shape", Severity: Note,
		Title:  "{command|This program} may need cmd /c on Windows",
		Why:    "On Windows {command|the program} is a .cmd file. {client|The client} starts programs without a shell, and Windows then does not find it.",
		Remedy: `On Windows write "cmd" as the command and begin the arguments with "/c" and "{command|npx}".`,
		Before: Example{Client: "claude-code", OS: "windows", Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		After:  Example{Client: "claude-code", OS: "windows", Text: `{"mcpServers": {"notes": {"command": "cmd", "args": ["/c", "npx", "-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			unix := p.options.OS == "linux" || p.options.OS == "macos"
			if unix || p.client.WindowsCmd != config.Yes || !slices.Contains(batchFiles, s.command.text) {
				return
			}
			f := Finding{
				Pointer: s.command.pointer(), Span: s.command.node.Span,
				Names: map[string]string{"command": s.command.text},
			}
			if p.options.OS == "windows" {
				f.Severity = Warning
			}
			// cmd.exe reads its arguments by rules of its own, which would
			// turn these characters into commands.
			odd := func(w word) bool { return strings.ContainsAny(w.text, "&|<>^%!\"()\r\n") }
			if s.argsKey != "" && !slices.ContainsFunc(s.args, odd) && s.value(config.RoleCommand).Kind == config.String {
				f.Fix = Fix{Title: "Start it through cmd /c", Patch: config.Patch{
					replace(s.command.pointer(), "cmd"), add(s.at(s.argsKey, "0"), "/c"), add(s.at(s.argsKey, "1"), s.command.text),
				}}
			}
			p.report(&f, p.dialect(config.High))
		},
	},
	{
		Code: "MCP4057", Category: "command_not_found", Severity: Error,
		Title:  "cmd exists only on Windows",
		Why:    "This entry was written for Windows; on this system there is no program called cmd.",
		Remedy: "Start the program directly, without cmd /c.",
		Before: Example{OS: "macos", File: "/Users/you/project/.mcp.json", Text: `{"mcpServers": {"notes": {"command": "cmd", "args": ["/c", "npx", "-y", "notes-mcp"]}}}`},
		After:  Example{OS: "macos", Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			if p.options.OS != "linux" && p.options.OS != "macos" || s.program != "cmd" {
				return
			}
			f := Finding{Pointer: s.command.pointer(), Span: s.command.node.Span}
			if s.runner != "cmd" && s.value(config.RoleCommand).Kind == config.String {
				f.Fix = Fix{Title: "Start the program directly", Safe: true, Patch: config.Patch{
					replace(s.command.pointer(), s.args[1].text), remove(s.args[1].pointer()), remove(s.args[0].pointer()),
				}}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4058", Category: "config_shape", Severity: Error,
		Title:  "cmd is started without /c",
		Why:    "Without /c the arguments are not run: cmd opens a prompt, prints a banner and waits.",
		Remedy: `Put "/c" before the other arguments.`,
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "cmd", "args": ["npx", "-y", "notes-mcp"]}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "cmd", "args": ["/c", "npx", "-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			if s.program != "cmd" || s.argsKey == "" || len(s.args) == 0 {
				return
			}
			for _, w := range s.args {
				if len(w.text) > 1 && w.text[0] == '/' && strings.ContainsAny(w.text[1:2], "cCkK") {
					return
				}
			}
			p.report(&Finding{
				Pointer: s.args[0].pointer(), Span: s.args[0].node.Span,
				Fix: Fix{Title: "Add /c", Patch: config.Patch{add(s.args[0].pointer(), "/c")}, Safe: true},
			})
		},
	},
	{
		Code: "MCP4059", Category: "command_not_found", Severity: Note,
		Title:  "{command|The program} may not be on the PATH of {client|the client}",
		Why:    "A program that is started from the desktop gets a short PATH, without what a shell profile adds for nvm, fnm, pyenv or ~/.local/bin.",
		Remedy: "Write the absolute path of the program, and set PATH in the entry where it needs others beside it.",
		Before: Example{Client: "claude-desktop", OS: "macos", File: "/Users/you/Library/Application Support/Claude/claude_desktop_config.json", Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		After:  Example{Client: "claude-desktop", OS: "macos", Text: `{"mcpServers": {"notes": {"command": "/opt/homebrew/bin/npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			if p.options.OS != "macos" || p.client.Launch != config.FromDesktop || !slices.Contains(managed, s.command.text) || s.hasPath() {
				return
			}
			p.report(&Finding{Pointer: s.command.pointer(), Span: s.command.node.Span, Names: map[string]string{"command": s.command.text}})
		},
	},
	{
		Code: "MCP4060", Category: "command_not_found", Severity: Note,
		Title:  "{command|The program} needs its runtime on the PATH too",
		Why:    "npx and other scripts of Node begin by looking for node on the PATH, so their own absolute path is not enough where a version manager keeps both.",
		Remedy: "Set PATH in the entry so that it begins with the folder of {command|the program}.",
		Before: Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "/Users/you/.nvm/versions/node/v22.1.0/bin/npx", "args": ["-y", "notes-mcp"]}}}`},
		After:  Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "/Users/you/.nvm/versions/node/v22.1.0/bin/npx", "args": ["-y", "notes-mcp"], "env": {"PATH": "/Users/you/.nvm/versions/node/v22.1.0/bin:/usr/bin:/bin"}}}}`},
		server: func(p *pass, s *server) {
			if s.program == "node" || p.client.Launch != config.FromDesktop || !slices.Contains(batchFiles, s.program) || s.hasPath() {
				return
			}
			for _, manager := range []string{"/.nvm/", "/.fnm/", "/fnm/", "/.volta/", "/.asdf/", "/mise/"} {
				if strings.Contains(s.command.text, manager) {
					p.report(&Finding{Pointer: s.command.pointer(), Span: s.command.node.Span, Names: map[string]string{"command": s.program}})
					return
				}
			}
		},
	},
	{
		Code: "MCP4061", Category: "command_not_found", Severity: Note,
		Title:  "The command is a script without its interpreter",
		Why:    "A script starts by itself only where it is marked executable and names its interpreter in its first line; on Windows it does not start at all.",
		Remedy: "Make the interpreter the command and the script its first argument.",
		Before: Example{Text: `{"mcpServers": {"notes": {"command": "/home/you/notes/server.py"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "python3", "args": ["/home/you/notes/server.py"]}}}`},
		server: func(p *pass, s *server) {
			for _, ext := range []string{".py", ".js", ".mjs", ".cjs", ".ts", ".jar", ".rb"} {
				if strings.HasSuffix(s.command.text, ext) {
					f := Finding{Pointer: s.command.pointer(), Span: s.command.node.Span, Names: map[string]string{"command": s.command.text}}
					if p.options.OS == "windows" {
						f.Severity = Error
					}
					p.report(&f)
				}
			}
		},
	},
}

// batchFiles are programs that Windows has as .cmd files, which are not
// started without a shell.
var batchFiles = []string{"npx", "npm", "pnpm", "pnpx", "yarn", "tsx", "ts-node"}

// managed are programs that people install by a version manager or below the
// home directory.
var managed = []string{"npx", "npm", "pnpm", "pnpx", "yarn", "node", "bun", "bunx", "deno", "uv", "uvx", "pipx", "python", "python3", "tsx"}

// runners are programs that start something else, named in their arguments.
var runners = append([]string{
	"docker", "podman", "java", "dotnet", "go", "cargo", "ruby", "php", "npm exec", "cmd", "bash", "sh", "zsh", "wsl",
	"powershell", "pwsh", "poetry", "pdm", "rye", "conda", "jbang", "dnx", "nix", "sudo", "env", "mcp-proxy", "claude",
}, managed...)

func isRunner(program string) bool { return slices.Contains(runners, program) }

// hasPath tells whether the entry sets PATH.
func (s *server) hasPath() bool {
	return slices.ContainsFunc(s.Env, func(v config.Variable) bool { return strings.EqualFold(v.Name, "PATH") })
}

// commandLine splits what is more than the name of a program. A path may have
// spaces in it, so that only a first word that is known to start something, or
// flags after it, make a command line.
func commandLine(command string) []string {
	command = strings.TrimSpace(command)
	first, rest, ok := strings.Cut(command, " ")
	if !ok {
		return nil
	}
	for _, ext := range []string{".exe ", ".cmd ", ".bat "} {
		if i := strings.Index(strings.ToLower(command), ext); i >= 0 {
			return append([]string{command[:i+4]}, shellWords(command[i+5:])...)
		}
	}
	flags := strings.HasPrefix(strings.TrimLeft(rest, " "), "-")
	if !isRunner(programOf(first)) && (!flags || strings.ContainsAny(first, `/\`)) {
		return nil
	}
	return append([]string{first}, shellWords(rest)...)
}

// shellWords splits at spaces outside quotes. A backslash stays: here it is
// more often part of a Windows path than an escape.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	var quote byte
	open := false
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, open = c, true
		case c == ' ' || c == '\t':
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

// commandPatch writes a command line the way the client wants it: one list, or
// a program and its arguments, before those that are there already.
func (p *pass) commandPatch(s *server, key string, words []string) config.Patch {
	if f := p.client.Spelling(config.RoleCommand, config.Stdio); f != nil && f.Types&config.AsString == 0 {
		for _, a := range s.args {
			words = append(words, a.text)
		}
		patch := config.Patch{replace(s.at(key), words)}
		if m := s.field(config.RoleArgs); m != nil {
			patch = append(patch, remove(s.at(m.Name)))
		}
		return patch
	}
	patch := config.Patch{replace(s.at(key), words[0])}
	if s.argsKey == "" {
		return append(patch, add(s.at(p.spelling(config.RoleArgs, config.Stdio)), words[1:]))
	}
	for i := len(words) - 1; i > 0; i-- {
		patch = append(patch, add(s.at(s.argsKey, "0"), words[i]))
	}
	return patch
}

// joinedArguments finds strings that were meant to be several arguments: a
// flag with its value, or the beginning of a command line.
func joinedArguments(p *pass, s *server) {
	if s.shell && s.runner == s.program {
		return
	}
	var joined []word
	for i, w := range s.rest {
		if w.node.Kind == config.String && joins(s.runner, i, w.text) {
			joined = append(joined, w)
		}
	}
	if len(joined) == 0 {
		return
	}
	var patch config.Patch
	for _, w := range slices.Backward(joined) {
		words := argumentWords(w.text)
		patch = append(patch, replace(w.pointer(), words[0]))
		for _, more := range slices.Backward(words[1:]) {
			patch = append(patch, add(w.next(), more))
		}
	}
	p.report(&Finding{
		Pointer: joined[0].pointer(), Span: joined[0].node.Span, Names: map[string]string{"value": joined[0].text},
		Fix: Fix{Title: "Give every argument its own string", Patch: patch},
	})
}

// subcommands are first arguments that are always followed by others.
var subcommands = []string{"run", "exec", "tool", "mcp", "start", "server", "dlx"}

func joins(runner string, index int, text string) bool {
	first, rest, ok := strings.Cut(strings.TrimSpace(text), " ")
	if !ok || strings.ContainsAny(first, "=:{}<>'\"") || strings.TrimSpace(rest) == "" {
		return false
	}
	if first[0] == '-' {
		return len(first) > 1 && first[1] != ' ' && strings.Trim(first, "-") != ""
	}
	if index > 0 || !isRunner(runner) {
		return index == 0 && runner == "" && slices.Contains(subcommands, first)
	}
	return slices.Contains(subcommands, first)
}

// argumentWords splits a joined argument, but leaves the value of a flag whole
// where it may have spaces of its own, as a header has.
func argumentWords(text string) []string {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, " ")
	if strings.HasPrefix(first, "--") && strings.Contains(rest, ": ") {
		return []string{first, strings.TrimSpace(rest)}
	}
	return shellWords(text)
}

// unquoted takes off the quotes that a string has inside its own.
func unquoted(text string) (string, bool) {
	if len(text) < 3 || text[0] != text[len(text)-1] || text[0] != '"' && text[0] != '\'' {
		return text, false
	}
	inner := text[1 : len(text)-1]
	return inner, !strings.Contains(inner, text[:1])
}
