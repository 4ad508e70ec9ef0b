package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// pastes are configs as people paste them, each with what its writer meant.
// Unlike the accidents, which are made by rule, every one was written by hand.
var pastes = []struct {
	name   string
	format Format // as Repair recognises it
	broken string
	want   string // as JSON
}{
	{"VS Code: no comma after the inputs, curly quotes in one of them", JSON, `{
  "inputs": [
    {"type": "promptString", "id": “token”, "password": true}
  ]
  "servers": {
    "notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {"TOKEN": "${input:token}"}}
  }
}`, `{"inputs": [{"type": "promptString", "id": "token", "password": true}], "servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {"TOKEN": "${input:token}"}}}}`},
	{"a # in a value and a # that begins a comment", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "notes-mcp", # installed by brew
      "env": {
        "COLOR": "#ff8800",
        "CHANNEL": "#general" # where it posts
      }
    }
  }
}`, `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"COLOR": "#ff8800", "CHANNEL": "#general"}}}}`},
	{"a quote missing before the comma of a list", JSON, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y, "notes-mcp"]}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"a quote missing at the end of a list", JSON, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp]}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"a URL without its last quote and comma", JSON, `{
  "mcpServers": {
    "notes": {
      "type": "http",
      "url": "https://example.com/mcp
      "headers": {"X-Team": "docs"}
    }
  }
}`, `{"mcpServers": {"notes": {"type": "http", "url": "https://example.com/mcp", "headers": {"X-Team": "docs"}}}}`},
	{"braces around the arguments", JSON, `{"mcpServers": {"notes": {"command": "npx", "args": {"-y", "notes-mcp"}}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"parentheses around the arguments", JSON, `{"mcpServers": {"notes": {"command": "npx", "args": ("-y", "notes-mcp"), "env": {}}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {}}}}`},
	{"a dictionary of Python", JSON, `{'mcpServers': {'notes': {'command': 'uvx', 'args': ['notes-mcp', '--root', '/home/you/it\'s mine'], 'env': None, 'disabled': False,},},}`,
		`{"mcpServers": {"notes": {"command": "uvx", "args": ["notes-mcp", "--root", "/home/you/it's mine"], "env": null, "disabled": false}}}`},
	{"an object of JavaScript with template strings", JSON, "export default {\n  mcpServers: {\n    notes: {\n      command: `npx`,\n      args: [`-y`, `notes-mcp`],\n      timeout: 60_000,\n    },\n  },\n};\n",
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "timeout": 60000}}}`},
	{"a config inside a string, quotes and all", JSON, `"{\"mcpServers\": {\"notes\": {\"command\": \"npx\", \"args\": [\"-y\", \"notes-mcp\"]}}}"`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"escaped quotes without the string around them", JSON, `{\"mcpServers\": {\"notes\": {\"command\": \"npx\", \"args\": [\"-y\", \"notes-mcp\"]}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"quotes as a web page writes them", JSON, `{
  &quot;mcpServers&quot;: {
    &quot;notes&quot;: {
      &quot;command&quot;: &quot;npx&quot;,
      &quot;args&quot;: [&quot;-y&quot;, &quot;notes-mcp&quot;]
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"a here-document", JSON, "cat > ~/.cursor/mcp.json <<'EOF'\n{\n  \"mcpServers\": {\n    \"notes\": {\"command\": \"notes-mcp\"},\n  }\n}\nEOF\n",
		`{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
	{"lines of a diff", JSON, `+{
+  "mcpServers": {
+    "notes": {
+      "command": "npx",
+      "args": ["-y", "notes-mcp"]
+    }
+  }
+}
`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"line numbers", JSON, `1 {
2   "mcpServers": {
3     "notes": {
4       "command": "npx",
5       "args": ["-y", "notes-mcp"]
6     }
7   }
8 }
`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"line numbers and bars", JSON, ` 1 | {
 2 |   "mcpServers": {
 3 |     "notes": {
 4 |       "command": "npx"
 5 |       "args": ["-y", "notes-mcp"]
 6 |     }
 7 |   }
 8 | }
`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"a quoted mail that lost a comma", JSON, "> {\n>   \"mcpServers\": {\n>     \"notes\": {\n>       \"command\": \"npx\"\n>       \"args\": [\"-y\", \"notes-mcp\"]\n>     }\n>   }\n> }\n",
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"no brace after a name, all in one line", JSON, `{"mcpServers": {"notes": "command": "npx", "args": ["-y", "notes-mcp"]}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"doubled quotes", JSON, `{"mcpServers": {"notes": {"command": ""npx"", "args": [""-y"", "notes-mcp"]}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"one quote too many", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "npx"",
      "args": ["-y", "notes-mcp"]
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"a key without its second quote", JSON, `{
  "mcpServers": {
    "notes": {
      "command: "npx",
      "args: ["-y", "notes-mcp"]
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"the colon inside the quotes", JSON, `{
  "mcpServers": {
    "notes": {
      "command:" "npx",
      "args:" ["-y", "notes-mcp"]
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"commas inside the quotes", JSON, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y," "notes-mcp," "--read"]}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp", "--read"]}}}`},
	{"dots for what was left out", JSON, `{
  "mcpServers": {
    ...
    "notes": {
      "command": "npx",
      "args": ["-y", "notes-mcp"]
    },
    ...
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"wide punctuation of an input method", JSON, `{
  “mcpServers”：{
    “notes”：{
      “command”：“npx”，
      “args”：［“-y”，“notes-mcp”］
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"quotes of other languages", JSON, `{
  „mcpServers“: {
    «notes»: {
      „command“: »npx«,
      "args": [‚-y‘, "notes-mcp"]
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Windows line ends, a comma too few and one too many", JSON, "{\r\n  \"mcpServers\": {\r\n    \"notes\": {\r\n      \"command\": \"npx\"\r\n      \"args\": [\"-y\", \"notes-mcp\",]\r\n    }\r\n  }\r\n}\r\n",
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"a list that is not closed before the next key", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "npx",
      "args": ["-y", "notes-mcp"
      "env": {"NOTES_DIR": "/home/you/notes"}
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {"NOTES_DIR": "/home/you/notes"}}}}`},
	{"the first of three servers is not closed", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "notes-mcp",
      "args": []
    "time": {
      "command": "time-mcp"
    },
    "files": {
      "command": "files-mcp"
    }
  }
}`, `{"mcpServers": {"notes": {"command": "notes-mcp", "args": []}, "time": {"command": "time-mcp"}, "files": {"command": "files-mcp"}}}`},
	{"a brace too many after the first of two servers", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "notes-mcp"
    }
    },
    "time": {
      "command": "time-mcp"
    }
  }
}`, `{"mcpServers": {"notes": {"command": "notes-mcp"}, "time": {"command": "time-mcp"}}}`},
	{"another sort of bracket at the end of a list", JSON, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"), "disabled": FALSE}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "disabled": false}}}`},
	{"values without quotes", JSON, `{"mcpServers": {"notes": {"command": npx, "args": [-y, notes-mcp, --port, 8080], "env": {"KEY": abc123-def}}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp", "--port", 8080], "env": {"KEY": "abc123-def"}}}}`},
	{"variables as in a shell", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "notes-mcp",
      "env": {
        NOTES_KEY=abc123
        NOTES_DIR=/home/you/notes
      }
    }
  }
}`, `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"NOTES_KEY": "abc123", "NOTES_DIR": "/home/you/notes"}}}}`},
	{"a comment of a web page", JSON, `{
  <!-- my servers -->
  "mcpServers": {
    "notes": {"command": "notes-mcp"}
  }
}`, `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
	{"doubled braces of a template", JSON, `{{
  "mcpServers": {
    "notes": {"command": "notes-mcp"}
  }
}}`, `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
	{"what a terminal showed", JSON, `you@laptop:~$ cat ~/.cursor/mcp.json
{
  "mcpServers": {
    "notes": {"command": "notes-mcp" "args": []}
  }
}
you@laptop:~$ `, `{"mcpServers": {"notes": {"command": "notes-mcp", "args": []}}}`},
	{"a quoted Windows path in quotes", JSON, `{"mcpServers": {"notes": {"command": ""C:\Program Files\nodejs\node.exe"", "args": ["C:\Users\you\notes\build\index.js"]}}}`,
		`{"mcpServers": {"notes": {"command": "C:\\Program Files\\nodejs\\node.exe", "args": ["C:\\Users\\you\\notes\\build\\index.js"]}}}`},
	{"no commas in a list of one line", JSON, `{"mcpServers": {"notes": {"command": "docker", "args": ["run" "-i" "--rm" "example/notes:[latest]"]}}`,
		`{"mcpServers": {"notes": {"command": "docker", "args": ["run", "-i", "--rm", "example/notes:[latest]"]}}}`},
	{"a fence, prose, curly quotes and a cut", JSON, "Sure, use this:\n\n```json\n{\n  “mcpServers”: {\n    “notes”: {\n      “command”: “npx”\n      “args”: [“-y”, “notes-mcp”]\n    }\n",
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},

	{"Codex: a header that is not closed", TOML, "[mcp_servers.notes\ncommand = \"npx\"\nargs = [\"-y\", \"notes-mcp\"]\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: colons", TOML, "[mcp_servers.notes]\ncommand: \"npx\"\nargs: [\"-y\", \"notes-mcp\"]\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: curly quotes and a list without commas", TOML, "[mcp_servers.notes]\ncommand = “npx”\nargs = [\n  “-y”\n  “notes-mcp”\n]\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: a Windows path", TOML, "[mcp_servers.notes]\ncommand = \"node\"\nargs = [\"C:\\Users\\you\\notes\\build\\index.js\"]\n",
		`{"mcp_servers": {"notes": {"command": "node", "args": ["C:\\Users\\you\\notes\\build\\index.js"]}}}`},
	{"Codex: no quotes, a comma at the end of a line", TOML, "[mcp_servers.notes]\ncommand = npx,\nargs = [-y, notes-mcp]\nenabled = True\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "enabled": true}}}`},
	{"Codex: a list that is not closed", TOML, "[mcp_servers.notes]\ncommand = \"npx\"\nargs = [\"-y\", \"notes-mcp\"\nstartup_timeout_sec = 30\n\n[mcp_servers.time]\ncommand = \"time-mcp\"\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "startup_timeout_sec": 30}, "time": {"command": "time-mcp"}}}`},
	{"Codex: variables as an object of JSON over lines", TOML, "[mcp_servers.notes]\ncommand = \"notes-mcp\"\nenv = {\n  \"NOTES_KEY\": \"abc\",\n  \"NOTES_DIR\": \"/home/you/notes\",\n}\n",
		`{"mcp_servers": {"notes": {"command": "notes-mcp", "env": {"NOTES_KEY": "abc", "NOTES_DIR": "/home/you/notes"}}}}`},
	{"Codex: semicolons in a table, one of them too many", TOML, "[mcp_servers.notes]\ncommand = \"notes-mcp\"\nenv = { NOTES_KEY = \"abc\"; NOTES_DIR = \"/home/you/notes\"; }\n",
		`{"mcp_servers": {"notes": {"command": "notes-mcp", "env": {"NOTES_KEY": "abc", "NOTES_DIR": "/home/you/notes"}}}}`},
	{"Codex: a table that comes twice", TOML, "[mcp_servers.notes]\ncommand = \"notes-mcp\"\n\n[mcp_servers.time]\ncommand = \"time-mcp\"\n\n[mcp_servers.notes]\nargs = [\"--read\"]\n",
		`{"mcp_servers": {"notes": {"command": "notes-mcp", "args": ["--read"]}, "time": {"command": "time-mcp"}}}`},
	{"Codex: a fence, a comment of another format and a quote too few", TOML, "```toml\n[mcp_servers.notes]\n// for my notes\ncommand = \"npx\nargs = [\"-y\", \"notes-mcp\"]\n```\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: a space in a name", TOML, "[mcp_servers.my notes]\ncommand = \"notes-mcp\"\n\n[mcp_servers.my notes.env]\nNOTES_KEY = abc\n",
		`{"mcp_servers": {"my notes": {"command": "notes-mcp", "env": {"NOTES_KEY": "abc"}}}}`},

	{"Continue: tabs", YAML, "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n\t- name: notes\n\t  command: npx\n\t  args:\n\t\t- -y\n\t\t- notes-mcp\n",
		`{"name": "mine", "version": "0.0.1", "schema": "v1", "mcpServers": [{"name": "notes", "command": "npx", "args": ["-y", "notes-mcp"]}]}`},
	{"LibreChat: no space after the colon", YAML, "mcpServers:\n  notes:\n    type: stdio\n    command:npx\n    args:\n      - -y\n      - @scope/notes\n",
		`{"mcpServers": {"notes": {"type": "stdio", "command": "npx", "args": ["-y", "@scope/notes"]}}}`},
	{"Goose: curly quotes, one of them missing", YAML, "extensions:\n  notes:\n    type: stdio\n    cmd: “npx”\n    args: [“-y”, “notes-mcp”]\n    description: “My notes\n    enabled: true\n",
		`{"extensions": {"notes": {"type": "stdio", "cmd": "npx", "args": ["-y", "notes-mcp"], "description": "My notes", "enabled": true}}}`},
	{"LibreChat: a key that is one space too far in", YAML, "mcpServers:\n  notes:\n    type: stdio\n     command: npx\n    args:\n      - -y\n      - notes-mcp\n",
		`{"mcpServers": {"notes": {"type": "stdio", "command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Continue: an @ in a list of one line that is not closed", YAML, "mcpServers:\n  - name: notes\n    command: npx\n    args: [-y, @scope/notes\n    env:\n      NOTES_DIR: /home/you/notes\n",
		`{"mcpServers": [{"name": "notes", "command": "npx", "args": ["-y", "@scope/notes"], "env": {"NOTES_DIR": "/home/you/notes"}}]}`},
	{"Goose: a colon in a sentence", YAML, "extensions:\n  notes:\n    type: stdio\n    description: Notes: search and write\n    cmd: notes-mcp\n",
		`{"extensions": {"notes": {"type": "stdio", "description": "Notes: search and write", "cmd": "notes-mcp"}}}`},
	{"LibreChat: prose, a fence and a comment of another format", YAML, "This is what I have:\n\n```yaml\nmcpServers:\n  // local one\n  notes:\n    type: stdio\n    command: notes-mcp\n```\n\nAny ideas?\n",
		`{"mcpServers": {"notes": {"type": "stdio", "command": "notes-mcp"}}}`},
	{"Goose: variables as in a shell", YAML, "extensions:\n  notes:\n    type: stdio\n    cmd: notes-mcp\n    envs:\n      NOTES_KEY=abc123\n      NOTES_DIR=/home/you/notes\n",
		`{"extensions": {"notes": {"type": "stdio", "cmd": "notes-mcp", "envs": {"NOTES_KEY": "abc123", "NOTES_DIR": "/home/you/notes"}}}}`},
	{"LibreChat: Windows paths", YAML, "mcpServers:\n  notes:\n    type: stdio\n    command: \"C:\\Users\\you\\node.exe\"\n    args:\n      - %APPDATA%\\npm\\notes.js\n",
		`{"mcpServers": {"notes": {"type": "stdio", "command": "C:\\Users\\you\\node.exe", "args": ["%APPDATA%\\npm\\notes.js"]}}}`},
	{"Continue: no space after a dash, spaces that do not break", YAML, "mcpServers:\n  - name: notes\n\u00a0\u00a0\u00a0\u00a0command: npx\n    args:\n      -\"-y\"\n      -\"notes-mcp\"\n",
		`{"mcpServers": [{"name": "notes", "command": "npx", "args": ["-y", "notes-mcp"]}]}`},
	{"a comma in place of a colon", JSON, `{"mcpServers": {"notes": {"command", "npx", "args": ["-y", "notes-mcp"]}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"a period in place of a comma", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "npx".
      "args": ["-y", "notes-mcp"]
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"quotes around a list", JSON, `{"mcpServers": {"notes": {"command": "npx", "args": "["-y", "notes-mcp"]", "env": {}}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {}}}}`},
	{"quotes around an object", JSON, `{"mcpServers": {"notes": {"command": "npx", "args": [], "env": "{"KEY": "abc"}"}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": [], "env": {"KEY": "abc"}}}}`},
	{"the name of the file as a comment", JSON, `// ~/.cursor/mcp.json
{
  "mcpServers": {
    "notes": {"command": "notes-mcp",}
  }
}`, `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
	{"a remark in brackets", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "npx", (must be on the PATH)
      "args": ["-y", "notes-mcp"]
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"an arrow that points at a line", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "npx",   <-- here it fails
      "args": ["-y", "notes-mcp"]
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"stars around a value", JSON, `{"mcpServers": {"notes": {"command": **"npx"**, "args": ["-y", "notes-mcp"]}}}`,
		`{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"an inner object that is closed twice", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "notes-mcp",
      "env": {
        "KEY": "abc"
      }}
    },
    "time": {
      "command": "time-mcp"
    }
  }
}`, `{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"KEY": "abc"}}, "time": {"command": "time-mcp"}}}`},
	{"two servers with no comma, both cut short", JSON, `{
  "mcpServers": {
    "notes": {
      "command": "notes-mcp"
    }
    "time": {
      "command": "time-mcp",
      "args": ["--utc"`, `{"mcpServers": {"notes": {"command": "notes-mcp"}, "time": {"command": "time-mcp", "args": ["--utc"]}}}`},
	{"a bearer token with a quote too few", JSON, `{
  "servers": {
    "notes": {
      "type": "http",
      "url": "https://example.com/mcp",
      "headers": {
        "Authorization": "Bearer abc.def-123
      }
    }
  }
}`, `{"servers": {"notes": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer abc.def-123"}}}}`},
	{"commas at the beginning of lines", JSON, `{
  "mcpServers": {
    "notes": {
        "command": "npx"
      , "args": ["-y", "notes-mcp"]
      , "env": {}
      ,
    }
  }
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "env": {}}}}`},
	{"single quotes with an apostrophe inside", JSON, `{'mcpServers': {'notes': {'command': 'notes-mcp', 'args': ['--title', 'You're here']}}}`,
		`{"mcpServers": {"notes": {"command": "notes-mcp", "args": ["--title", "You're here"]}}}`},
	{"the servers of a page in single quotes and bare keys", JSON, `mcpServers: {
  notes: {
    command: 'npx',
    args: ['-y', 'notes-mcp'],
  },
}`, `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"a fragment of an entry with its comma", JSON, `"notes": {
  "command": "npx",
  "args": ["-y", "notes-mcp"]
},`, `{"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}`},
	{"Windows paths, single quotes and no comma", JSON, `{'mcpServers': {'notes': {'command': 'C:\Program Files\nodejs\npx.cmd' 'args': ['-y', 'notes-mcp']}}}`,
		`{"mcpServers": {"notes": {"command": "C:\\Program Files\\nodejs\\npx.cmd", "args": ["-y", "notes-mcp"]}}}`},

	{"Codex: a header with a space before it and quotes of a page", TOML, "  [mcp_servers.notes]\n  command = ‘npx’\n  args = [‘-y’, ‘notes-mcp’]\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: an object of JSON for a header", TOML, "mcp_servers.notes = {\n  command: \"npx\",\n  args: [\"-y\", \"notes-mcp\"]\n}\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: line numbers", TOML, "1 [mcp_servers.notes]\n2 command = \"npx\"\n3 args = [\"-y\", \"notes-mcp\"]\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: lines of a diff", TOML, "+[mcp_servers.notes]\n+command = \"npx\"\n+args = [\"-y\", \"notes-mcp\"]\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: doubled quotes", TOML, "[mcp_servers.notes]\ncommand = \"\"npx\"\"\nargs = [\"-y\", \"notes-mcp\"\"]\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
	{"Codex: keys without a sign", TOML, "[mcp_servers.notes]\ncommand \"npx\"\nargs [\"-y\", \"notes-mcp\"]\n",
		`{"mcp_servers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},

	{"LibreChat: braces and commas of JSON", YAML, "mcpServers:\n  notes: {\n    \"type\": \"stdio\",\n    \"command\": \"npx\",\n    \"args\": [\"-y\", \"@scope/notes\"],\n  }\n",
		`{"mcpServers": {"notes": {"type": "stdio", "command": "npx", "args": ["-y", "@scope/notes"]}}}`},
	{"Goose: equals signs", YAML, "extensions:\n  notes:\n    type = stdio\n    cmd = notes-mcp\n    enabled = true\n",
		`{"extensions": {"notes": {"type": "stdio", "cmd": "notes-mcp", "enabled": true}}}`},
	{"LibreChat: line numbers and bars", YAML, "1 | mcpServers:\n2 |   notes:\n3 |     type: stdio\n4 |     command: notes-mcp\n",
		`{"mcpServers": {"notes": {"type": "stdio", "command": "notes-mcp"}}}`},
	{"Goose: a comma after each value", YAML, "extensions:\n  notes:\n    type: stdio,\n    cmd: \"notes-mcp\",\n    enabled: true,\n",
		`{"extensions": {"notes": {"type": "stdio", "cmd": "notes-mcp", "enabled": true}}}`},
	{"LibreChat: a key without its colon", YAML, "mcpServers:\n  notes\n    type: stdio\n    command: notes-mcp\n",
		`{"mcpServers": {"notes": {"type": "stdio", "command": "notes-mcp"}}}`},
	{"Continue: a quote too many", YAML, "mcpServers:\n  - name: notes\n    command: \"npx\"\"\n    args: [\"-y\", \"notes-mcp\"]\n",
		`{"mcpServers": [{"name": "notes", "command": "npx", "args": ["-y", "notes-mcp"]}]}`},
}

func TestRepairPastes(t *testing.T) {
	for _, test := range pastes {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			got := Repair(test.broken, "")
			is.NoErr(got.Err)
			is.Equal(strings.TrimSuffix(string(got.Format), "c"), string(test.format)) // the format
			t.Log(got.Text)
			root, err := parseNode(got.Text, got.Format)
			is.NoErr(err)
			have, err := json.Marshal(root.Value())
			is.NoErr(err)
			var want any
			is.NoErr(json.Unmarshal([]byte(test.want), &want))
			meant, err := json.Marshal(want)
			is.NoErr(err)
			is.Equal(string(have), string(meant))
		})
	}
}
