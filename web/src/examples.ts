// Things that really break, to click. They go through the doctor like any paste.

import type { Input } from "./protocol";
import { t } from "./strings";

export interface Example {
  label: string;
  shows: string;
  input?: Partial<Input>;
  /** For the tool-argument view. */
  arguments?: { schema: string; arguments: string };
}

const npx = `2026-11-14T09:12:41.207Z [github] [info] Initializing server...
2026-11-14T09:12:41.219Z [github] [info] Using MCP server command: npx with args and path: {
  args: [ '-y', '@modelcontextprotocol/server-github' ],
  paths: [ '/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/bin' ]
}
2026-11-14T09:12:41.236Z [github] [error] spawn npx ENOENT
2026-11-14T09:12:41.240Z [github] [info] Server transport closed unexpectedly, this is likely due to the process exiting early.
2026-11-14T09:12:41.241Z [github] [error] Server disconnected. For troubleshooting guidance, please visit our debugging documentation

{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "timeout": 120000,
      "env": {
        "GITHUB_PERSONAL_ACCESS_TOKEN": "<YOUR_TOKEN>"
      }
    }
  },
  "globalShortcut": ""
}
`;

const closed = `Could not attach to MCP server sqlite
2026-11-14T11:19:41.480Z [info] Attempting to connect to MCP server sqlite...
2026-11-14T11:19:41.489Z [info] Connected to MCP server sqlite!
2026-11-14T11:22:58.662Z [info] Attempting to connect to MCP server sqlite...
2026-11-14T11:22:58.671Z [info] Connected to MCP server sqlite!
2026-11-14T11:24:10.004Z [error] MCP error -32000: Connection closed
`;

const broken = `Could not load app settings
There was an error reading or parsing claude_desktop_config.json: Expected ',' or '}' after property value in JSON at position 112

{
  "mcpServers": {
    "notes": {
      "command": "uvx",
      "args": ["mcp-obsidian"]
      "env": {
        "OBSIDIAN_HOST": "127.0.0.1"
      }
    }
  }
}
`;

const schema = `{
  "type": "object",
  "properties": {
    "owner":     { "type": "string", "description": "Who the repository belongs to" },
    "repo":      { "type": "string", "description": "Name of the repository" },
    "title":     { "type": "string", "maxLength": 256 },
    "labels":    { "type": "array", "items": { "type": "string" } },
    "milestone": { "type": "integer", "minimum": 1 }
  },
  "required": ["owner", "repo", "title"],
  "additionalProperties": false
}
`;

const call = `{
  "owner": "acme",
  "repository": "site",
  "title": "Login loops after a password reset",
  "labels": "bug",
  "milestone": "5"
}
`;

export const examples: Example[] = [
  { label: t.examples.command, shows: "spawn npx ENOENT", input: { text: npx } },
  { label: t.examples.closed, shows: "MCP error -32000", input: { text: closed } },
  { label: t.examples.syntax, shows: "Expected ',' or '}'", input: { text: broken } },
  { label: t.examples.arguments, shows: "MCP error -32602", arguments: { schema, arguments: call } },
];
