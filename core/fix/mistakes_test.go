package fix_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/fix"
)

// mistake is one that people make with a client: what they wrote, what the
// client said, which rule names it, and what stands in the file afterwards.
type mistake struct {
	name, client, file string
	says               string // in the log, where the client says anything
	config             string
	code               string
	mended             string // "" where only the user can mend it
	facts              fix.Facts
}

const npx = `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`

var mistakes = []mistake{
	{name: "npx is not on the PATH of a program with windows", client: "claude-desktop", says: "spawn npx ENOENT", config: npx,
		facts: fix.Facts{OS: "macos", Commands: map[string]string{"npx": "/Users/you/.nvm/bin/npx"}},
		code:  "MCP1001", mended: `"command": "/Users/you/.nvm/bin/npx"`},
	{name: "npx on Windows needs a shell", client: "claude-code", says: "Windows requires 'cmd /c' wrapper to execute npx", config: npx,
		facts: fix.Facts{OS: "windows"}, code: "MCP4056", mended: `"command": "cmd", "args": ["/c", "npx", "-y", "notes-mcp"]`},
	{name: "npx on Windows was not found", client: "cursor", says: "spawn npx ENOENT", config: npx,
		facts: fix.Facts{OS: "windows"}, code: "MCP1001", mended: `"command": "cmd", "args": ["/c", "npx", "-y", "notes-mcp"]`},
	{name: "mcpServers in VS Code", client: "vscode", file: ".vscode/mcp.json", config: npx, code: "MCP4001", mended: `"servers": {"notes"`},
	{name: "servers in Claude Code", client: "claude-code", file: ".mcp.json", config: `{"servers": {"notes": {"command": "notes-mcp"}}}`, code: "MCP4001", mended: `"mcpServers": {"notes"`},
	{name: "no wrapper", client: "claude-desktop", file: "claude_desktop_config.json", config: `{"notes": {"command": "notes-mcp", "args": []}}`, code: "MCP4002", mended: `{"mcpServers": {"notes"`},
	{name: "two wrappers", client: "vscode", file: ".vscode/mcp.json", config: `{"mcpServers": {"servers": {"notes": {"command": "notes-mcp"}}}}`, code: "MCP4003", mended: `{"notes"`},
	{name: "the old wrapper in the new file", client: "vscode", file: ".vscode/mcp.json", config: `{"mcp": {"servers": {"notes": {"command": "notes-mcp"}}}}`, code: "MCP4001", mended: `{"servers": {"notes"`},
	{name: "url without type in Claude Code", client: "claude-code", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp"}}}`, code: "MCP4201", mended: `"type": "http"`},
	{name: "a URL in Claude Desktop", client: "claude-desktop", config: `{"mcpServers": {"notes": {"type": "http", "url": "https://example.com/mcp"}}}`, code: "MCP4205", mended: `"mcp-remote"`},
	{name: "settings.json of Claude Code", client: "claude-code", file: "/home/you/.claude/settings.json", config: npx, code: "MCP4014"},
	{name: "a wrong folder of Claude Code", client: "claude-code", file: "/home/you/.claude/.mcp.json", config: npx, code: "MCP4014"},
	{name: "a byte order mark", client: "claude-desktop", config: "\ufeff" + npx, code: "MCP3002", mended: `{"mcpServers"`},
	{name: "a trailing comma", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "npx", "args": ["a",]}}}`, code: "MCP3013", mended: `["a"]`},
	{name: "a comment", client: "claude-desktop", config: "{\"mcpServers\": {\"notes\": {\"command\": \"npx\"}} // note\n}", code: "MCP3052", mended: `"npx"}}`},
	{name: "single backslashes", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "node", "args": ["C:\Users\you\server.js"]}}}`, code: "MCP3036", mended: `C:\\Users\\you\\server.js`},
	{name: "variables that are no strings", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "x", "env": {"PORT": 3000, "DEBUG": true}}}}`, code: "MCP4112", mended: `"3000"`},
	{name: "variables as a list", client: "cline", config: `{"mcpServers": {"notes": {"command": "x", "env": ["KEY=value"]}}}`, code: "MCP4111", mended: `{"KEY":`},
	{name: "the home directory as ~", client: "claude-desktop", says: "ENOENT: no such file or directory, '~/projects'", config: `{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["~/projects"]}}}`,
		facts: fix.Facts{OS: "macos", Paths: map[string]fix.Path{"~": {Exists: true, Near: "/Users/you"}}}, code: "MCP4401", mended: `"/Users/you/projects"`},
	{name: "a foreign reference in Cursor", client: "cursor", config: `{"mcpServers": {"notes": {"command": "x", "env": {"TOKEN": "${TOKEN}"}}}}`, code: "MCP4301", mended: `${env:TOKEN}`},
	{name: "a foreign reference in Claude Code", client: "claude-code", config: `{"mcpServers": {"notes": {"command": "x", "env": {"TOKEN": "${env:TOKEN}"}}}}`, code: "MCP4301", mended: `"${TOKEN}"`},
	{name: "a foreign reference in opencode", client: "opencode", config: `{"mcp": {"notes": {"type": "local", "command": ["x"], "environment": {"TOKEN": "${TOKEN}"}}}}`, code: "MCP4301", mended: `"{env:TOKEN}"`},
	{name: "a reference in Codex", client: "codex", config: "[mcp_servers.notes]\ncommand = \"x\"\n[mcp_servers.notes.env]\nTOKEN = \"${TOKEN}\"\n", code: "MCP4301", mended: "env_vars = [\"TOKEN\"]"},
	{name: "url in Antigravity", client: "antigravity", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp"}}}`, code: "MCP4101", mended: `"serverUrl"`},
	{name: "url for streamable HTTP in Qwen Code", client: "qwen-code", says: "SSE error: Non-200 status code (405)", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp"}}}`, code: "MCP4202", mended: `"httpUrl"`},
	{name: "a space in a key", client: "gemini-cli", says: "Invalid configuration: missing httpUrl (for Streamable HTTP), url (for SSE), and command (for stdio).", config: `{"mcpServers": {"notes": {"httpUrl ": "https://example.com/mcp"}}}`, code: "MCP4", mended: `"httpUrl": `},
	{name: "no type in Cline", client: "cline", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp"}}}`, code: "MCP42", mended: `"type": "streamableHttp"`},
	{name: "no type in LibreChat", client: "librechat", config: "mcpServers:\n  notes:\n    url: https://example.com/mcp\n", code: "MCP42", mended: "type: streamable-http"},
	{name: "another word for streamable HTTP", client: "cline", config: `{"mcpServers": {"notes": {"type": "streamable-http", "url": "https://example.com/mcp"}}}`, code: "MCP42", mended: `"streamableHttp"`},
	{name: "no type in Roo Code", client: "roo-code", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp"}}}`, code: "MCP4201", mended: `"type": "streamable-http"`},
	{name: "another table in Codex", client: "codex", file: "/home/you/.codex/config.toml", config: "[mcp.servers.notes]\ncommand = \"x\"\n", code: "MCP4001", mended: "[mcp_servers.notes]"},
	{name: "a camel in Codex", client: "codex", file: "/home/you/.codex/config.toml", config: "[mcpServers.notes]\ncommand = \"x\"\n", code: "MCP4001", mended: "[mcp_servers.notes]"},
	{name: "JSON in TOML", client: "codex", file: "/home/you/.codex/config.toml", config: npx, code: "MCP30", mended: "[mcp_servers.notes]"},
	{name: "a time limit alone", client: "codex", says: "invalid transport in `mcp_servers.notes`", config: "[mcp_servers.notes]\nstartup_timeout_sec = 60\n", code: "MCP4"},
	{name: "command and args in opencode", client: "opencode", config: `{"mcp": {"notes": {"type": "local", "command": "npx", "args": ["-y", "notes-mcp"]}}}`, code: "MCP4", mended: `"command": ["npx", "-y", "notes-mcp"]`},
	{name: "env in opencode", client: "opencode", config: `{"mcp": {"notes": {"type": "local", "command": ["x"], "env": {"A": "b"}}}}`, code: "MCP4", mended: `"environment": {"A": "b"}`},
	{name: "environment in Claude Code", client: "claude-code", config: `{"mcpServers": {"notes": {"command": "x", "environment": {"A": "b"}}}}`, code: "MCP4", mended: `"env": {"A": "b"}`},
	{name: "mcpServers in opencode", client: "opencode", file: "opencode.json", config: npx, code: "MCP4001", mended: `"mcp"`},
	{name: "no list of tools", client: "copilot-cli", config: `{"mcpServers": {"notes": {"type": "local", "command": "x", "args": []}}}`, code: "MCP4", mended: `"tools": ["*"]`},
	{name: "docker with a terminal", client: "cursor", config: `{"mcpServers": {"notes": {"command": "docker", "args": ["run", "-it", "--rm", "example/notes"]}}}`, code: "MCP4", mended: `"-i"`},
	{name: "docker in the background", client: "cursor", config: `{"mcpServers": {"notes": {"command": "docker", "args": ["run", "-d", "-i", "--rm", "example/notes"]}}}`, code: "MCP4", mended: `["run", "-i", "--rm"`},
	{name: "npm run prints a banner", client: "cursor", says: "Unexpected token '>', \"> notes@1.0.0 start\" is not valid JSON", config: `{"mcpServers": {"notes": {"command": "npm", "args": ["run", "start"]}}}`, code: "MCP", mended: `"--silent"`},
	{name: "an argument with a space", client: "cursor", config: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "https://example.com/mcp", "--header", "Authorization: Bearer abc"]}}}`, code: "MCP4", mended: `"Authorization:${`},
	{name: "a command line as command", client: "cursor", config: `{"mcpServers": {"notes": {"command": "npx -y notes-mcp"}}}`, code: "MCP4051", mended: `"command": "npx"`},
	{name: "no scheme", client: "cursor", config: `{"mcpServers": {"notes": {"url": "localhost:8008/sse"}}}`, code: "MCP4208", mended: `"http://localhost:8008/sse"`},
	{name: "a transport as command", client: "cursor", says: "Client error for command spawn sse ENOENT", config: `{"mcpServers": {"notes": {"command": "sse", "args": ["http://localhost:8008/sse"]}}}`, code: "MCP4", mended: `"url": "http://localhost:8008/sse"`},
	{name: "a transport object", client: "cursor", config: `{"mcpServers": {"notes": {"transport": {"type": "http", "url": "https://example.com/mcp", "headers": {"A": "b"}}}}}`, code: "MCP4", mended: `"headers": {"A": "b"}`},
	{name: "a long name", client: "cursor", config: `{"mcpServers": {"my-very-long-company-atlassian-confluence-server-for-all-of-us": {"command": "x"}}}`, code: "MCP4"},
	{name: "too many tools", client: "vscode", says: "You may not include more than 128 tools in your request.", config: `{"servers": {"notes": {"command": "x"}}}`, code: "MCP"},
	{name: "a nested command in Zed", client: "zed", config: `{"context_servers": {"notes": {"command": {"path": "npx", "args": ["a"]}}}}`, code: "MCP4", mended: `"command": "npx"`},
	{name: "SSE in Goose", client: "goose", config: "extensions:\n  notes:\n    type: sse\n    name: notes\n    enabled: true\n    uri: https://example.com/sse\n", code: "MCP4", mended: "type: streamable_http"},
	{name: "a PATH in Goose", client: "goose", config: "extensions:\n  notes:\n    type: stdio\n    name: notes\n    enabled: true\n    cmd: x\n    args: []\n    envs:\n      PATH: /opt/bin\n", code: "MCP4"},
	{name: "two arguments in one item", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    command: npx\n    args:\n      - -y @scope/server\n", code: "MCP4", mended: "- -y\n      - \"@scope/server\""},
	{name: "an @ without quotes", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    command: npx\n    args:\n      - -y\n      - @scope/server\n", code: "MCP3", mended: "\"@scope/server\""},
	{name: "a map in Continue", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  notes:\n    command: npx\n", code: "MCP4005", mended: "- name: notes"},
	{name: "localhost in a container", client: "librechat", config: "mcpServers:\n  notes:\n    type: streamable-http\n    url: http://localhost:3001/mcp\n", code: "MCP4214", mended: "host.docker.internal"},
	{name: "a domain that is not allowed", client: "librechat", says: `Domain "http://host.docker.internal" is not allowed`, config: "mcpServers:\n  notes:\n    type: streamable-http\n    url: http://host.docker.internal:3001/mcp\n", code: "MCP"},
	{name: "a reference in Kiro", client: "kiro", config: `{"mcpServers": {"notes": {"command": "x", "env": {"TOKEN": "${TOKEN}"}}}}`, code: "MCP4"},
	{name: "milliseconds in Cline", client: "cline", config: `{"mcpServers": {"notes": {"command": "x", "timeout": 60000}}}`, code: "MCP4", mended: `"timeout": 60}`},
	{name: "seconds in Gemini CLI", client: "gemini-cli", config: `{"mcpServers": {"notes": {"command": "x", "timeout": 60}}}`, code: "MCP4", mended: `"timeout": 60000`},
	{name: "a path of WSL on Windows", client: "cursor", says: "spawn /home/you/.nvm/versions/node/v22.1.0/bin/node ENOENT", config: `{"mcpServers": {"notes": {"command": "/home/you/.nvm/versions/node/v22.1.0/bin/node", "args": ["server.js"]}}}`, facts: fix.Facts{OS: "windows"}, code: "MCP"},
	{name: "APPDATA as it stands", client: "claude-desktop", says: `npm error enoent ENOENT: no such file or directory, lstat 'C:\Users\you\AppData\Local\AnthropicClaude\app-0.7.8\${APPDATA}'`, config: npx, facts: fix.Facts{OS: "windows"}, code: "MCP"},
	{name: "npx without -y", client: "cursor", says: "MCP error -32001: Request timed out", config: `{"mcpServers": {"notes": {"command": "npx", "args": ["notes-mcp"]}}}`, code: "MCP", mended: `["-y", "notes-mcp"]`},
	{name: "an underscore in Gemini CLI", client: "gemini-cli", config: `{"mcpServers": {"my_server": {"command": "x"}}}`, code: "MCP4", mended: `"my-server"`},
	{name: "a space in a name of Codex", client: "codex", config: "[mcp_servers.\"my server\"]\ncommand = \"x\"\n", code: "MCP4", mended: "[mcp_servers.my-server]"},
	{name: "a second object", client: "claude-desktop", config: "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}\n{\"mcpServers\": {\"b\": {\"command\": \"y\"}}}", code: "MCP3", mended: `"b": {"command": "y"}`},
	{name: "two keys", client: "claude-desktop", config: `{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "y"}}}`, code: "MCP4006", mended: `"a": {"command": "x"},"b": {"command": "y"}`},
	{name: "a token in place of a variable's name", client: "codex", config: "[mcp_servers.notes]\nurl = \"https://example.com/mcp\"\nbearer_token_env_var = \"ghp_0123456789abcdefghijklmnopqrstuvwxyz12\"\n", code: "MCP4"},
	{name: "a token under a key that is not there", client: "codex", config: "[mcp_servers.notes]\nurl = \"https://example.com/mcp\"\nbearer_token = \"ghp_0123456789abcdefghijklmnopqrstuvwxyz12\"\n", code: "MCP4"},
	{name: "headers in Codex", client: "codex", config: "[mcp_servers.notes]\nurl = \"https://example.com/mcp\"\nheaders = { A = \"b\" }\n", code: "MCP4", mended: "http_headers = { A = \"b\" }"},
	{name: "headers in Continue", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    type: streamable-http\n    url: https://example.com/mcp\n    headers:\n      A: b\n", code: "MCP4", mended: "requestOptions:"},
	{name: "a drive in the style of Unix", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/c/NS/notes"]}}}`, facts: fix.Facts{OS: "windows"}, code: "MCP4", mended: `"C:/NS/notes"`},
	{name: "settings of Cursor", client: "cursor", file: "/home/you/.config/Cursor/User/settings.json", config: npx, code: "MCP4014"},
}

func TestMistakesOfEveryClient(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			is := is.New(t)
			r := core.Examine(core.Input{Text: m.says, Config: m.config, Client: m.client, File: m.file, Facts: m.facts})
			var codes []string
			for _, d := range r.Diagnoses {
				codes = append(codes, d.Code)
			}
			t.Log(codes)
			is.True(strings.Contains(" "+strings.Join(codes, " "), " "+m.code)) // the rule that names it
			if m.mended == "" {
				return
			}
			after := r.Config.Repaired
			offered := strings.Contains(after, m.mended)
			for _, d := range r.Diagnoses {
				for _, f := range d.Fixes {
					if f.Applicable() {
						after, err := f.Apply(r.Config.Repaired, r.Format)
						is.NoErr(err)
						t.Log(d.Code, f.ID, after)
						offered = offered || strings.Contains(after, m.mended)
					}
				}
			}
			is.True(offered) // a mend after which the file has it
		})
	}
}
