package config

// What is no client of its own but stands in people's files.

var dockerToolkit = Client{
	ID: "docker-mcp", Name: "Docker MCP Toolkit", Certainty: Medium,
	Formats: []Format{YAML}, Comments: Yes,
	Places: []Place{
		{Scope: UserScope, Path: "~/.docker/mcp/registry.yaml"},
		{Scope: UserScope, Path: "~/.docker/mcp/config.yaml"},
		{Scope: UserScope, Path: "~/.docker/mcp/tools.yaml"},
		{Scope: UserScope, Path: "~/.docker/mcp/catalogs/docker-mcp.yaml"},
	},
	Roots: []Root{{Path: "registry"}},
	Stdio: Words{Words: []string{"stdio"}},
	SSE:   Words{Words: []string{"sse"}},
	HTTP:  Words{Words: []string{"streaming"}},
	Logs: []Log{
		{Path: "stderr of the gateway, with --verbose", Kind: UIPath, Certainty: Medium},
	},
}

var mcpRemote = Client{
	ID: "mcp-remote", Name: "mcp-remote",
	Places: []Place{
		{Scope: UserScope, Path: "~/.mcp-auth", Kind: DirPath},
		{Scope: UserScope, Path: "$MCP_REMOTE_CONFIG_DIR", Kind: EnvPath},
	},
	Stdio:         Words{Implied: "command"},
	SSE:           Words{Words: []string{"sse-first", "sse-only"}},
	HTTP:          Words{Words: []string{"http-first", "http-only"}},
	Interpolation: Interpolation{Supported: Yes, Syntax: []string{"${VAR}"}, Where: []Role{RoleHeaders}},
	Logs: []Log{
		{Path: "~/.mcp-auth/*_debug.log", Kind: GlobPath},
	},
	Signatures: []Signature{
		{Pattern: `(?m)^\[\d+\] (?:Using transport strategy|Connecting to remote server|Using automatically selected callback port|Please authorize this client)`, Certainty: Medium},
	},
}

var registryRecord = Client{
	ID: "mcp-registry-server-json", Name: "registry server.json",
	Formats: []Format{JSON}, Comments: No, TrailingCommas: No,
	Places: []Place{
		{Scope: ProjectScope, Path: "server.json"},
	},
	Roots:         []Root{{Path: "packages", Shape: ListShape}, {Path: "remotes", Shape: ListShape}},
	Beside:        []string{"$schema", "name", "description", "version", "repository", "websiteUrl", "_meta"},
	Stdio:         Words{Words: []string{"stdio"}},
	SSE:           Words{Words: []string{"sse"}},
	HTTP:          Words{Words: []string{"streamable-http"}},
	Interpolation: Interpolation{Supported: Yes, Syntax: []string{"{VAR}"}, Where: []Role{RoleEnv, RoleURL}},
}
