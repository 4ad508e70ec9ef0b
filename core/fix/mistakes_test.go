package fix_test

import (
	"slices"
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
	{name: "a space in a key", client: "gemini-cli", says: "Invalid configuration: missing httpUrl (for Streamable HTTP), url (for SSE), and command (for stdio).", config: `{"mcpServers": {"notes": {"httpUrl ": "https://example.com/mcp"}}}`, code: "MCP4104", mended: `"httpUrl": `},
	{name: "no type in Cline", client: "cline", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp"}}}`, code: "MCP4202", mended: `"type": "streamableHttp"`},
	{name: "no type in LibreChat", client: "librechat", config: "mcpServers:\n  notes:\n    url: https://example.com/mcp\n", code: "MCP4202", mended: "type: streamable-http"},
	{name: "another word for streamable HTTP", client: "cline", config: `{"mcpServers": {"notes": {"type": "streamable-http", "url": "https://example.com/mcp"}}}`, code: "MCP4203", mended: `"streamableHttp"`},
	{name: "no type in Roo Code", client: "roo-code", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp"}}}`, code: "MCP4201", mended: `"type": "streamable-http"`},
	{name: "another table in Codex", client: "codex", file: "/home/you/.codex/config.toml", config: "[mcp.servers.notes]\ncommand = \"x\"\n", code: "MCP4001", mended: "[mcp_servers.notes]"},
	{name: "a camel in Codex", client: "codex", file: "/home/you/.codex/config.toml", config: "[mcpServers.notes]\ncommand = \"x\"\n", code: "MCP4001", mended: "[mcp_servers.notes]"},
	{name: "JSON in TOML", client: "codex", file: "/home/you/.codex/config.toml", config: npx, code: "MCP3071", mended: "[mcp_servers.notes]"},
	{name: "a time limit alone", client: "codex", says: "invalid transport in `mcp_servers.notes`", config: "[mcp_servers.notes]\nstartup_timeout_sec = 60\n", code: "MCP4120"},
	{name: "command and args in opencode", client: "opencode", config: `{"mcp": {"notes": {"type": "local", "command": "npx", "args": ["-y", "notes-mcp"]}}}`, code: "MCP4108", mended: `"command": ["npx", "-y", "notes-mcp"]`},
	{name: "env in opencode", client: "opencode", config: `{"mcp": {"notes": {"type": "local", "command": ["x"], "env": {"A": "b"}}}}`, code: "MCP4101", mended: `"environment": {"A": "b"}`},
	{name: "environment in Claude Code", client: "claude-code", config: `{"mcpServers": {"notes": {"command": "x", "environment": {"A": "b"}}}}`, code: "MCP4101", mended: `"env": {"A": "b"}`},
	{name: "mcpServers in opencode", client: "opencode", file: "opencode.json", config: npx, code: "MCP4001", mended: `"mcp"`},
	{name: "no list of tools", client: "copilot-cli", config: `{"mcpServers": {"notes": {"type": "local", "command": "x", "args": []}}}`, code: "MCP4119", mended: `"tools": ["*"]`},
	{name: "docker with a terminal", client: "cursor", config: `{"mcpServers": {"notes": {"command": "docker", "args": ["run", "-it", "--rm", "example/notes"]}}}`, code: "MCP4091", mended: `"-i"`},
	{name: "docker in the background", client: "cursor", config: `{"mcpServers": {"notes": {"command": "docker", "args": ["run", "-d", "-i", "--rm", "example/notes"]}}}`, code: "MCP4092", mended: `["run", "-i", "--rm"`},
	{name: "npm run prints a banner", client: "cursor", says: "Unexpected token '>', \"> notes@1.0.0 start\" is not valid JSON", config: `{"mcpServers": {"notes": {"command": "npm", "args": ["run", "start"]}}}`, code: "MCP4080", mended: `"--silent"`},
	{name: "an argument with a space", client: "cursor", config: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "https://example.com/mcp", "--header", "Authorization: Bearer abc"]}}}`, code: "MCP4217", mended: `"Authorization:${`},
	{name: "a command line as command", client: "cursor", config: `{"mcpServers": {"notes": {"command": "npx -y notes-mcp"}}}`, code: "MCP4051", mended: `"command": "npx"`},
	{name: "no scheme", client: "cursor", config: `{"mcpServers": {"notes": {"url": "localhost:8008/sse"}}}`, code: "MCP4208", mended: `"http://localhost:8008/sse"`},
	{name: "a transport as command", client: "cursor", says: "Client error for command spawn sse ENOENT", config: `{"mcpServers": {"notes": {"command": "sse", "args": ["http://localhost:8008/sse"]}}}`, code: "MCP4207", mended: `"url": "http://localhost:8008/sse"`},
	{name: "a transport object", client: "cursor", config: `{"mcpServers": {"notes": {"transport": {"type": "http", "url": "https://example.com/mcp", "headers": {"A": "b"}}}}}`, code: "MCP4118", mended: `"headers": {"A": "b"}`},
	{name: "a long name", client: "cursor", config: `{"mcpServers": {"my-very-long-company-atlassian-confluence-server-for-all-of-us": {"command": "x"}}}`, code: "MCP4341"},
	{name: "too many tools", client: "vscode", says: "You may not include more than 128 tools in your request.", config: `{"servers": {"notes": {"command": "x"}}}`, code: "MCP5102"},
	{name: "a nested command in Zed", client: "zed", config: `{"context_servers": {"notes": {"command": {"path": "npx", "args": ["a"]}}}}`, code: "MCP4110", mended: `"command": "npx"`},
	{name: "SSE in Goose", client: "goose", config: "extensions:\n  notes:\n    type: sse\n    name: notes\n    enabled: true\n    uri: https://example.com/sse\n", code: "MCP4211", mended: "type: streamable_http"},
	{name: "a PATH in Goose", client: "goose", config: "extensions:\n  notes:\n    type: stdio\n    name: notes\n    enabled: true\n    cmd: x\n    args: []\n    envs:\n      PATH: /opt/bin\n", code: "MCP4308"},
	{name: "two arguments in one item", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    command: npx\n    args:\n      - -y @scope/server\n", code: "MCP4052", mended: "- -y\n      - \"@scope/server\""},
	{name: "an @ without quotes", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    command: npx\n    args:\n      - -y\n      - @scope/server\n", code: "MCP3063", mended: "\"@scope/server\""},
	{name: "a map in Continue", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  notes:\n    command: npx\n", code: "MCP4005", mended: "- name: notes"},
	{name: "localhost in a container", client: "librechat", config: "mcpServers:\n  notes:\n    type: streamable-http\n    url: http://localhost:3001/mcp\n", code: "MCP4214", mended: "host.docker.internal"},
	{name: "localhost in a container, and the log", client: "librechat", says: "Failed to connect to MCP server: fetch failed", config: "mcpServers:\n  notes:\n    type: streamable-http\n    url: http://localhost:3001/mcp\n", code: "MCP6206", mended: "http://host.docker.internal:3001/mcp"},
	{name: "a domain that is not allowed", client: "librechat", says: `Domain "http://host.docker.internal" is not allowed`, config: "mcpServers:\n  notes:\n    type: streamable-http\n    url: http://host.docker.internal:3001/mcp\n", code: "MCP1590"},
	{name: "a reference in Kiro", client: "kiro", config: `{"mcpServers": {"notes": {"command": "x", "env": {"TOKEN": "${TOKEN}"}}}}`, code: "MCP4309"},
	{name: "milliseconds in Cline", client: "cline", config: `{"mcpServers": {"notes": {"command": "x", "timeout": 60000}}}`, code: "MCP4331", mended: `"timeout": 60}`},
	{name: "seconds in Gemini CLI", client: "gemini-cli", config: `{"mcpServers": {"notes": {"command": "x", "timeout": 60}}}`, code: "MCP4332", mended: `"timeout": 60000`},
	{name: "a path of WSL on Windows", client: "cursor", says: "spawn /home/you/.nvm/versions/node/v22.1.0/bin/node ENOENT", config: `{"mcpServers": {"notes": {"command": "/home/you/.nvm/versions/node/v22.1.0/bin/node", "args": ["server.js"]}}}`, facts: fix.Facts{OS: "windows"}, code: "MCP4407"},
	{name: "APPDATA as it stands", client: "claude-desktop", says: `npm error enoent ENOENT: no such file or directory, lstat 'C:\Users\you\AppData\Local\AnthropicClaude\app-0.7.8\${APPDATA}'`, config: npx, facts: fix.Facts{OS: "windows"}, code: "MCP1406"},
	{name: "npx without -y", client: "cursor", says: "MCP error -32001: Request timed out", config: `{"mcpServers": {"notes": {"command": "npx", "args": ["notes-mcp"]}}}`, code: "MCP2001", mended: `["-y", "notes-mcp"]`},
	{name: "an underscore in Gemini CLI", client: "gemini-cli", config: `{"mcpServers": {"my_server": {"command": "x"}}}`, code: "MCP4343", mended: `"my-server"`},
	{name: "a space in a name of Codex", client: "codex", config: "[mcp_servers.\"my server\"]\ncommand = \"x\"\n", code: "MCP4342", mended: "[mcp_servers.my-server]"},
	{name: "a second object", client: "claude-desktop", config: "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}\n{\"mcpServers\": {\"b\": {\"command\": \"y\"}}}", code: "MCP3018", mended: `"b": {"command": "y"}`},
	{name: "two keys", client: "claude-desktop", config: `{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "y"}}}`, code: "MCP4006", mended: `"a": {"command": "x"},"b": {"command": "y"}`},
	{name: "a token in place of a variable's name", client: "codex", config: "[mcp_servers.notes]\nurl = \"https://example.com/mcp\"\nbearer_token_env_var = \"ghp_0123456789abcdefghijklmnopqrstuvwxyz12\"\n", code: "MCP4117"},
	{name: "a token under a key that is not there", client: "codex", config: "[mcp_servers.notes]\nurl = \"https://example.com/mcp\"\nbearer_token = \"ghp_0123456789abcdefghijklmnopqrstuvwxyz12\"\n", code: "MCP4101"},
	{name: "headers in Codex", client: "codex", config: "[mcp_servers.notes]\nurl = \"https://example.com/mcp\"\nheaders = { A = \"b\" }\n", code: "MCP4101", mended: "http_headers = { A = \"b\" }"},
	{name: "headers in Continue", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    type: streamable-http\n    url: https://example.com/mcp\n    headers:\n      A: b\n", code: "MCP4101", mended: "requestOptions:"},
	{name: "a drive in the style of Unix", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/c/NS/notes"]}}}`, facts: fix.Facts{OS: "windows"}, code: "MCP4406", mended: `"C:/NS/notes"`},
	{name: "settings of Cursor", client: "cursor", file: "/home/you/.config/Cursor/User/settings.json", config: npx, code: "MCP4014"},
	{name: "mcpServers in Zed", client: "zed", file: "/home/you/.config/zed/settings.json", config: npx, code: "MCP4001", mended: `"context_servers"`},
	{name: "a list in Zed", client: "zed", config: `{"context_servers": [{"name": "notes", "command": "notes-mcp", "args": []}]}`, code: "MCP4004", mended: `"notes":`},
	{name: "stdio in opencode", client: "opencode", config: `{"mcp": {"notes": {"type": "stdio", "command": ["notes-mcp"]}}}`, code: "MCP4203", mended: `"type": "local"`},
	{name: "http in opencode", client: "opencode", config: `{"mcp": {"notes": {"type": "http", "url": "https://example.com/mcp"}}}`, code: "MCP4203", mended: `"type": "remote"`},
	{name: "streamable-http in VS Code", client: "vscode", config: `{"servers": {"notes": {"type": "streamable-http", "url": "https://example.com/mcp"}}}`, code: "MCP4203", mended: `"type": "http"`},
	{name: "a foreign reference in VS Code", client: "vscode", config: `{"servers": {"notes": {"command": "x", "env": {"TOKEN": "${TOKEN}"}}}}`, code: "MCP4301", mended: `${env:TOKEN}`},
	{name: "an input that is not declared", client: "vscode", config: `{"servers": {"notes": {"command": "x", "env": {"TOKEN": "${input:token}"}}}}`, code: "MCP4302", mended: `"id": "token"`},
	{name: "http in Roo Code", client: "roo-code", config: `{"mcpServers": {"notes": {"type": "http", "url": "https://example.com/mcp"}}}`, code: "MCP4203", mended: `"streamable-http"`},
	{name: "serverUrl in Cursor", client: "cursor", config: `{"mcpServers": {"notes": {"serverUrl": "https://example.com/mcp"}}}`, code: "MCP4101", mended: `"url"`},
	{name: "serverUrl in Gemini CLI", client: "gemini-cli", config: `{"mcpServers": {"notes": {"serverUrl": "https://example.com/mcp"}}}`, code: "MCP4101", mended: `"url"`},
	{name: "a list of tables in Codex", client: "codex", config: "[[mcp_servers]]\nname = \"notes\"\ncommand = \"notes-mcp\"\n", code: "MCP4004", mended: "[mcp_servers.notes]"},
	{name: "milliseconds in Codex", client: "codex", config: "[mcp_servers.notes]\ncommand = \"x\"\ntool_timeout_sec = 60000\n", code: "MCP4331", mended: "tool_timeout_sec = 60\n"},
	{name: "variables as a list in Codex", client: "codex", config: "[mcp_servers.notes]\ncommand = \"x\"\nenv = [\"KEY=abc\"]\n", code: "MCP4111", mended: `KEY = "abc"`},
	{name: "arguments as a string in Codex", client: "codex", config: "[mcp_servers.notes]\ncommand = \"npx\"\nargs = \"-y notes-mcp\"\n", code: "MCP4106", mended: `["-y", "notes-mcp"]`},
	{name: "env in Goose", client: "goose", config: "extensions:\n  notes:\n    type: stdio\n    name: notes\n    enabled: true\n    cmd: x\n    args: []\n    env:\n      KEY: abc\n", code: "MCP4101", mended: "envs:"},
	{name: "command in Goose", client: "goose", config: "extensions:\n  notes:\n    type: stdio\n    name: notes\n    enabled: true\n    command: x\n    args: []\n", code: "MCP4101", mended: "cmd: x"},
	{name: "mcpServers in Goose", client: "goose", file: "/home/you/.config/goose/config.yaml", config: "mcpServers:\n  notes:\n    type: stdio\n    cmd: x\n    args: []\n", code: "MCP4001", mended: "extensions:"},
	{name: "url in Goose", client: "goose", config: "extensions:\n  notes:\n    type: streamable_http\n    name: notes\n    enabled: true\n    url: https://example.com/mcp\n", code: "MCP4101", mended: "uri: https://example.com/mcp"},
	{name: "milliseconds in Goose", client: "goose", config: "extensions:\n  notes:\n    type: stdio\n    name: notes\n    enabled: true\n    cmd: x\n    args: []\n    timeout: 300000\n", code: "MCP4331", mended: "timeout: 300\n"},
	{name: "an underscore in LibreChat", client: "librechat", file: "librechat.yaml", config: "mcp_servers:\n  notes:\n    command: x\n", code: "MCP4001", mended: "mcpServers:"},
	{name: "seconds in LibreChat", client: "librechat", config: "mcpServers:\n  notes:\n    command: x\n    timeout: 30\n", code: "MCP4332", mended: "timeout: 30000"},
	{name: "a foreign reference in LibreChat", client: "librechat", config: "mcpServers:\n  notes:\n    command: x\n    env:\n      TOKEN: ${env:TOKEN}\n", code: "MCP4301", mended: "${TOKEN}"},
	{name: "a foreign reference in Continue", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    command: x\n    env:\n      TOKEN: ${TOKEN}\n", code: "MCP4301", mended: "${{ secrets.TOKEN }}"},
	{name: "the command as a list in Cline", client: "cline", config: `{"mcpServers": {"notes": {"command": ["npx", "-y", "notes-mcp"]}}}`, code: "MCP4109", mended: `"command": "npx"`},
	{name: "a command line in place of an entry", client: "claude-desktop", config: `{"mcpServers": {"notes": "npx -y notes-mcp"}}`, code: "MCP4012", mended: `"command": "npx"`},
	{name: "a letter left out", client: "claude-desktop", config: `{"mcpServers": {"notes": {"comand": "npx", "args": ["-y", "notes-mcp"]}}}`, code: "MCP4102", mended: `"command": "npx"`},
	{name: "a capital letter", client: "claude-code", config: `{"mcpServers": {"notes": {"Command": "npx", "Args": ["-y", "notes-mcp"]}}}`, code: "MCP4102", mended: `"command": "npx"`},
	{name: "servers in Copilot CLI", client: "copilot-cli", file: "/home/you/.copilot/mcp-config.json", config: `{"servers": {"notes": {"type": "local", "command": "x", "args": [], "tools": ["*"]}}}`, code: "MCP4001", mended: `"mcpServers"`},
	{name: "seconds in Amazon Q", client: "amazon-q", config: `{"mcpServers": {"notes": {"command": "x", "timeout": 30}}}`, code: "MCP4332", mended: `"timeout": 30000`},
	{name: "mcpServers in Crush", client: "crush", file: "crush.json", config: `{"mcpServers": {"notes": {"type": "stdio", "command": "x"}}}`, code: "MCP4001", mended: `"mcp":`},
	{name: "no type in Crush", client: "crush", config: `{"mcp": {"notes": {"url": "https://example.com/mcp"}}}`, code: "MCP4201", mended: `"type": "http"`},
	{name: "a foreign reference in Windsurf", client: "windsurf", config: `{"mcpServers": {"notes": {"command": "x", "env": {"TOKEN": "${TOKEN}"}}}}`, code: "MCP4301", mended: `${env:TOKEN}`},
	{name: "a root in small letters", client: "claude-desktop", file: "claude_desktop_config.json", config: `{"mcpservers": {"notes": {"command": "notes-mcp"}}}`, code: "MCP4001", mended: `"mcpServers"`},
	{name: "a root in the singular", client: "cursor", file: "/home/you/.cursor/mcp.json", config: `{"mcpServer": {"notes": {"command": "notes-mcp"}}}`, code: "MCP4001", mended: `"mcpServers"`},
	{name: "a root in a root of another client", client: "claude-code", file: ".mcp.json", config: `{"mcp": {"mcpServers": {"notes": {"command": "notes-mcp"}}}}`, code: "MCP4001", mended: `{"mcpServers": {"notes"`},
	{name: "a root in an entry", client: "vscode", file: ".vscode/mcp.json", config: `{"servers": {"mine": {"servers": {"notes": {"command": "notes-mcp"}}}}}`, code: "MCP4009", mended: `{"servers": {"notes": {"command": "notes-mcp"}}}`},
	{name: "a variable among the settings", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "NOTES_TOKEN": "abc"}}}`, code: "MCP4312", mended: `"env": {"NOTES_TOKEN": "abc"}`},
	{name: "variables before the command", client: "cursor", config: `{"mcpServers": {"notes": {"command": "NOTES_KEY=abc npx -y notes-mcp"}}}`, code: "MCP4313", mended: `"NOTES_KEY": "abc"`},
	{name: "one tool in place of a list", client: "cline", config: `{"mcpServers": {"notes": {"command": "x", "autoApprove": "search"}}}`, code: "MCP4115", mended: `"autoApprove": ["search"]`},
	{name: "headers as a line", client: "cursor", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp", "headers": "X-Team: docs"}}}`, code: "MCP4114", mended: `"X-Team": "docs"`},
	{name: "a scheme without its colon", client: "cursor", config: `{"mcpServers": {"notes": {"url": "https//example.com/mcp"}}}`, code: "MCP4208", mended: `"https://example.com/mcp"`},
	{name: "an address to listen on", client: "cursor", config: `{"mcpServers": {"notes": {"url": "http://0.0.0.0:8000/mcp"}}}`, code: "MCP4213", mended: `"http://localhost:8000/mcp"`},
	{name: "a list in the list of arguments", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "npx", "args": [["-y", "notes-mcp"]]}}}`, code: "MCP4107", mended: `"args": ["-y", "notes-mcp"]`},
	{name: "variables as pairs of name and value", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "x", "env": [{"name": "KEY", "value": "abc"}]}}}`, code: "MCP4111", mended: `"KEY": "abc"`},
	{name: "a file of Gemini CLI that is not read", client: "gemini-cli", file: "/home/you/.gemini/mcp.json", config: npx, code: "MCP4014"},
	{name: "JSON beside Codex' own file", client: "codex", file: "/home/you/.codex/mcp.json", config: npx, code: "MCP4014"},
	{name: "a file of Windsurf that is not read", client: "windsurf", file: "/home/you/.windsurf/mcp.json", config: npx, code: "MCP4014"},
	{name: "mcpServers in the editor's settings", client: "vscode", file: "/home/you/project/.vscode/settings.json", config: npx, code: "MCP4001"},
	{name: "a dotted root", client: "vscode", file: ".vscode/mcp.json", config: `{"mcp.servers": {"notes": {"command": "notes-mcp"}}}`, code: "MCP4001", mended: `"servers": {"notes"`},
	{name: "streamableHttp in Claude Code", client: "claude-code", config: `{"mcpServers": {"notes": {"type": "streamableHttp", "url": "https://example.com/mcp"}}}`, code: "MCP4203", mended: `"type": "http"`},
	{name: "transport in Claude Code", client: "claude-code", config: `{"mcpServers": {"notes": {"transport": "http", "url": "https://example.com/mcp"}}}`, code: "MCP4204", mended: `"type": "http"`},
	{name: "stdio and a URL", client: "cursor", config: `{"mcpServers": {"notes": {"type": "stdio", "url": "https://example.com/mcp"}}}`, code: "MCP4206"},
	{name: "a flag and its value in one string", client: "cursor", config: `{"mcpServers": {"notes": {"command": "docker", "args": ["run", "-i", "--rm", "-e NOTES_TOKEN", "example/notes"], "env": {"NOTES_TOKEN": "abc"}}}}`, code: "MCP4052", mended: `"-e", "NOTES_TOKEN"`},
	{name: "uv without run", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "uv", "args": ["--directory", "/home/you/notes", "server.py"]}}}`, code: "MCP4075", mended: `"run", "server.py"`},
	{name: "a bare dollar in Claude Code", client: "claude-code", config: `{"mcpServers": {"notes": {"command": "x", "env": {"TOKEN": "$TOKEN"}}}}`, code: "MCP4301", mended: `"${TOKEN}"`},
	{name: "a list as the whole file", client: "claude-desktop", file: "claude_desktop_config.json", config: `[{"name": "notes", "command": "notes-mcp", "args": []}]`, code: "MCP4002", mended: `"mcpServers"`},
	{name: "no name in Continue", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - command: npx\n    args:\n      - -y\n      - notes-mcp\n", code: "MCP4119"},
	{name: "no type in Goose", client: "goose", config: "extensions:\n  notes:\n    name: notes\n    enabled: true\n    cmd: x\n    args: []\n", code: "MCP4201", mended: "type: stdio"},
	{name: "a number as text in Goose", client: "goose", config: "extensions:\n  notes:\n    type: stdio\n    name: notes\n    enabled: true\n    cmd: x\n    args: []\n    timeout: \"300\"\n", code: "MCP4115", mended: "timeout: 300"},
	{name: "no name in Codex", client: "codex", config: "[mcp_servers]\ncommand = \"npx\"\nargs = [\"-y\", \"notes-mcp\"]\n", code: "MCP4008", mended: "my-server"},
	{name: "a camel among Codex' keys", client: "codex", config: "[mcp_servers.notes]\ncommand = \"x\"\nstartupTimeoutSec = 30\n", code: "MCP4102", mended: "startup_timeout_sec = 30"},
	{name: "no type in opencode", client: "opencode", config: `{"mcp": {"notes": {"command": ["npx", "-y", "notes-mcp"]}}}`, code: "MCP4201", mended: `"type": "local"`},
	{name: "cmd in Gemini CLI", client: "gemini-cli", config: `{"mcpServers": {"notes": {"cmd": "npx", "args": ["-y", "notes-mcp"]}}}`, code: "MCP4101", mended: `"command": "npx"`},
	{name: "serverURL in Windsurf", client: "windsurf", config: `{"mcpServers": {"notes": {"serverURL": "https://example.com/mcp"}}}`, code: "MCP4102", mended: `"serverUrl"`},
	{name: "all tools as text", client: "copilot-cli", config: `{"mcpServers": {"notes": {"type": "local", "command": "x", "args": [], "tools": "*"}}}`, code: "MCP4115", mended: `"tools": ["*"]`},
	{name: "milliseconds in Crush", client: "crush", config: `{"mcp": {"notes": {"type": "stdio", "command": "x", "timeout": 60000}}}`, code: "MCP4331", mended: `"timeout": 60}`},
	{name: "http in Continue", client: "continue", config: "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: notes\n    type: http\n    url: https://example.com/mcp\n", code: "MCP4203", mended: "type: streamable-http"},
	{name: "a slip in another client's word", client: "claude-desktop", config: `{"mcpServers": {"notes": {"command": "x", "enviroment": {"KEY": "abc"}}}}`, code: "MCP4102", mended: `"env": {"KEY": "abc"}`},
	{name: "arguments in full", client: "cursor", config: `{"mcpServers": {"notes": {"command": "npx", "arguments": ["-y", "notes-mcp"]}}}`, code: "MCP4102", mended: `"args": ["-y", "notes-mcp"]`},
	{name: "the program under another key", client: "cursor", config: `{"mcpServers": {"notes": {"executable": "npx", "args": ["-y", "notes-mcp"]}}}`, code: "MCP4102", mended: `"command": "npx"`},
	{name: "the address under another key", client: "cursor", config: `{"mcpServers": {"notes": {"endpoint": "https://example.com/mcp"}}}`, code: "MCP4102", mended: `"url": "https://example.com/mcp"`},
	{name: "the address under a long key", client: "cursor", config: `{"mcpServers": {"notes": {"server_url": "https://example.com/mcp"}}}`, code: "MCP4102", mended: `"url": "https://example.com/mcp"`},
	{name: "a header among the settings", client: "cursor", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp", "Authorization": "Bearer abc"}}}`, code: "MCP4314", mended: `"headers": {"Authorization": "Bearer abc"}`},
	{name: "variables beside an address", client: "cursor", config: `{"mcpServers": {"notes": {"url": "https://example.com/mcp", "env": {"Authorization": "Bearer abc"}}}}`, code: "MCP4122", mended: `"headers": {"Authorization": "Bearer abc"}`},
	{name: "a file of Junie that is not read", client: "junie", file: "/home/you/project/.junie/mcp.json", config: npx, code: "MCP4014"},
	{name: "the config of another app", client: "claude-code", file: "/home/you/.claude/claude_desktop_config.json", config: npx, code: "MCP4014"},
	{name: "a reference of the page", client: "librechat", config: "mcpServers:\n  notes:\n    command: x\n    env:\n      TOKEN: $TOKEN\n", code: "MCP4301", mended: "${TOKEN}"},
	{name: "a scheme of its own", client: "cursor", config: `{"mcpServers": {"notes": {"url": "sse://example.com/mcp"}}}`, code: "MCP4208"},
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
			is.True(slices.Contains(codes, m.code)) // the rule that names it
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

// A relative path that the client looks for in a folder of its own is a matter
// of the path; in the folder of the server it is a matter of the build.
func TestRelativePathsAreNoMissingBuild(t *testing.T) {
	for _, test := range []struct{ name, argument, says, code string }{
		{"at the root of the disk", "build/index.js", "Error: Cannot find module '/build/index.js'", "MCP4402"},
		{"where Windows starts programs", "./dist/index.js", `Error: Cannot find module 'C:\Windows\System32\dist\index.js'`, "MCP4402"},
		{"beside the client", "dist/index.js", `Error: Cannot find module 'C:\Users\you\AppData\Local\AnthropicClaude\app-0.9.2\dist\index.js'`, "MCP4402"},
		{"a script of Python", "server.py", "python: can't open file '//server.py': [Errno 2] No such file or directory", "MCP4402"},
		{"in the folder of the server", "build/index.js", "Error: Cannot find module '/Users/you/notes/build/index.js'", "MCP1203"},
		{"a path in full", "/Users/you/notes/build/index.js", "Error: Cannot find module '/Users/you/notes/build/index.js'", "MCP1203"},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			r := core.Examine(core.Input{Text: test.says, Config: `{"mcpServers": {"notes": {"command": "node", "args": ["` + test.argument + `"]}}}`})
			is.Equal(r.Diagnoses[0].Code, test.code)
			is.Equal(r.Diagnoses[0].Severity, core.Error) // the log shows that it matters
		})
	}
}
