package config

// Editors.

var cursor = Client{
	ID: "cursor", Name: "Cursor",
	Formats: []Format{JSON},
	Places: []Place{
		{Scope: ProjectScope, Path: ".cursor/mcp.json"},
		{Scope: UserScope, Path: "~/.cursor/mcp.json"},
		{Scope: UserScope, Path: "~/.cursor/settings.json", Unread: true, Certainty: Medium},
		{Scope: ProjectScope, Path: ".cursor/settings.json", Unread: true, Certainty: Medium},
		{Scope: ProjectScope, Path: ".cursor/mcp-configs/mcp-servers.json", Unread: true, Certainty: Medium},
		{OS: MacOS, Scope: UserScope, Path: "~/Library/Application Support/Cursor/User/settings.json", Unread: true, Certainty: Medium},
		{OS: Linux, Scope: UserScope, Path: "~/.config/Cursor/User/settings.json", Unread: true, Certainty: Medium},
		{OS: Windows, Scope: UserScope, Path: `%APPDATA%\Cursor\User\settings.json`, Unread: true, Certainty: Medium},
	},
	Roots: []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		{Role: RoleType, Name: "type", Types: AsString, Values: []string{"stdio"}},
		&theCommand, &theArgs, &theEnv,
		{Role: RoleEnvFile, Name: "envFile", Types: AsString, Only: Stdio},
		&theURL, &theHeaders,
		{Role: RoleAuth, Name: "auth", Types: AsObject, Only: HTTP},
		{Role: RoleCwd, Name: "cwd", Types: AsString, Only: Stdio, Effect: Ignored, Certainty: Low},
		{Role: RoleDisabled, Name: "disabled", Types: AsBool, Effect: Ignored, Certainty: Medium},
	},
	Stdio:         Words{Words: []string{"stdio"}, Implied: "command"},
	SSE:           Words{Implied: "url"},
	HTTP:          Words{Implied: "url"},
	Interpolation: Interpolation{Supported: Yes, Syntax: []string{"${env:VAR}", "${userHome}", "${workspaceFolder}", "${workspaceFolderBasename}", "${pathSeparator}", "${/}"}, Where: []Role{RoleCommand, RoleArgs, RoleEnv, RoleURL, RoleHeaders}},
	Limits:        Limits{ServerAndTool: 60, ManyTools: 80},
	Logs: []Log{
		{Path: "Output panel, MCP Logs", Kind: UIPath},
	},
	Signatures: []Signature{
		{Pattern: `(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[(?:info|error|warning)\] \S{1,12}: (?:Handling \w+ action|getOrCreateClient|Client error|Error in MCP)`},
		{Pattern: "Client error for command "},
		{Pattern: `getOrCreateClient for stdio server\.\s+process\.platform: (\w+) isElectron: `},
		{Pattern: "Starting new stdio process with command: "},
		{Pattern: "Error in MCP: Client closed"},
		{Pattern: "Client closed for command"},
		{Pattern: "Failed to reload client: "},
		{Pattern: "Handling ListOfferings action"},
		{Pattern: `Combined server and tool name length \(\d+\) exceeds 60 characters`},
		{Pattern: "Some tools have naming issues and may be filtered out"},
	},
	AfterEdit: []Step{StepReload},
	How:       "Switch the server off and on in the MCP settings, or restart Cursor.",
	Launch:    FromDesktop, WindowsCmd: Yes,
}

var windsurf = Client{
	ID: "windsurf", Name: "Windsurf",
	Formats: []Format{JSON},
	Places: []Place{
		{Scope: UserScope, Path: "~/.codeium/windsurf/mcp_config.json"},
		{Scope: UserScope, Path: "~/.codeium/mcp_config.json", Certainty: Medium},
		{OS: MacOS, Scope: UserScope, Path: "~/.config/devin/mcp_config.json", Certainty: Medium},
		{OS: Windows, Scope: UserScope, Path: `%APPDATA%\devin\mcp_config.json`, Certainty: Medium},
	},
	Roots: []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		&theCommand, &theArgs, &theEnv,
		{Role: RoleURL, Name: "serverUrl", Types: AsString, Only: HTTP},
		{Role: RoleURL, Name: "url", Types: AsString, Only: HTTP, Certainty: Medium},
		&theHeaders,
		{Role: RoleDisabled, Name: "disabled", Types: AsBool, Certainty: Medium},
		{Role: RoleExcludeTools, Name: "disabledTools", Types: AsList, Certainty: Medium},
	},
	Stdio:         Words{Implied: "command"},
	SSE:           Words{Implied: "serverUrl"},
	HTTP:          Words{Implied: "serverUrl"},
	Interpolation: Interpolation{Supported: Yes, Syntax: []string{"${env:VAR}", "${file:PATH}"}, Where: []Role{RoleCommand, RoleArgs, RoleEnv, RoleURL, RoleHeaders}},
	Limits:        Limits{Tools: 100},
	Logs: []Log{
		{Path: "Output panel, or the Cascade panel", Kind: UIPath, Certainty: Low},
	},
	Signatures: []Signature{
		{Pattern: `exa\.language_server_pb\.LanguageServerService/`},
		{Pattern: "failed to create mcp stdio client: failed to start command: "},
		{Pattern: "failed to start mcp sse client:"},
	},
	AfterEdit: []Step{StepReload},
	How:       "Refresh the servers in the Cascade panel.",
	Launch:    FromDesktop,
}

var zed = Client{
	ID: "zed", Name: "Zed",
	Formats: []Format{JSONC}, Comments: Yes, TrailingCommas: Yes,
	Places: []Place{
		{OS: MacOS, Scope: UserScope, Path: "~/.config/zed/settings.json"},
		{OS: Linux, Scope: UserScope, Path: "~/.config/zed/settings.json"},
		{OS: Windows, Scope: UserScope, Path: `%APPDATA%\Zed\settings.json`},
		{Scope: ProjectScope, Path: ".zed/settings.json"},
	},
	Roots:  []Root{{Path: "context_servers"}},
	Beside: []string{"context_server_timeout", "agent", "assistant", "vim_mode", "buffer_font_size"},
	Fields: []*Field{
		{Role: RoleCommand, Name: "command", Types: AsString | AsObject, Only: Stdio},
		&theArgs, &theEnv, &theURL, &theHeaders,
		{Role: RoleTimeout, Name: "timeout", Types: AsNumber, Unit: Seconds},
		&theEnabled,
		{Role: RoleOther, Name: "remote", Types: AsBool},
		&theOauth,
		{Role: RoleProvided, Name: "settings", Types: AsObject},
		{Role: RoleOther, Name: "source", Types: AsString, Values: []string{"custom", "extension"}, Effect: Deprecated},
	},
	Stdio:         Words{Implied: "command"},
	HTTP:          Words{Implied: "url"},
	Interpolation: Interpolation{Supported: No, Certainty: Medium},
	Limits:        Limits{CallSeconds: 60},
	Logs: []Log{
		{OS: MacOS, Path: "~/Library/Logs/Zed/Zed.log"},
		{OS: Linux, Path: "~/.local/share/zed/logs/Zed.log"},
		{OS: Windows, Path: `%LOCALAPPDATA%\Zed\logs\Zed.log`},
	},
	Signatures: []Signature{
		{Pattern: `\[(?:project::context_server_store|context_server::client|context_server)\]`},
		{Pattern: "context server failed to start: "},
		{Pattern: `cancelled csp request task for "\w+" id \d+ which took over \d+s`},
		{Pattern: "Context server request timeout"},
		{Pattern: "failed to write to context server's stdin"},
		{Pattern: "unsupported MCP url scheme"},
	},
	AfterEdit: []Step{StepNone},
	How:       "Zed starts the server again when the settings are saved.",
	Launch:    FromDesktop,
}

var jetbrainsAi = Client{
	ID: "jetbrains-ai", Name: "JetBrains AI Assistant", Certainty: Medium,
	Formats: []Format{JSON},
	Places: []Place{
		{Scope: UserScope, Path: "Settings | Tools | AI Assistant | Model Context Protocol (MCP)", Kind: UIPath},
		{Scope: ProjectScope, Path: ".air/mcp.json", Certainty: Medium},
		{Scope: ProjectScope, Path: ".mcp.json", Certainty: Medium},
	},
	Roots: []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		&theCommand, &theArgs,
		{Role: RoleEnv, Name: "env", Types: AsMap, Only: Stdio, Certainty: Medium},
		&theURL,
	},
	Stdio:     Words{Implied: "command"},
	HTTP:      Words{Implied: "url"},
	AfterEdit: []Step{StepReload},
	How:       "Apply the change in Settings, Tools, AI Assistant, Model Context Protocol.",
	Launch:    FromDesktop,
}

var junie = Client{
	ID: "junie", Name: "JetBrains Junie", Certainty: Medium,
	Formats: []Format{JSON},
	Places: []Place{
		{Scope: UserScope, Path: "~/.junie/mcp/mcp.json", Certainty: Medium},
		{Scope: ProjectScope, Path: ".junie/mcp/mcp.json", Certainty: Medium},
		{Scope: ProjectScope, Path: ".junie/mcp.json", Unread: true, Certainty: Medium},
	},
	Roots: []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		{Role: RoleCommand, Name: "command", Types: AsString, Only: Stdio, Certainty: Medium},
		{Role: RoleArgs, Name: "args", Types: AsList, Only: Stdio, Certainty: Medium},
		{Role: RoleEnv, Name: "env", Types: AsMap, Only: Stdio, Certainty: Medium},
		{Role: RoleURL, Name: "url", Types: AsString, Only: HTTP, Certainty: Medium},
		{Role: RoleHeaders, Name: "headers", Types: AsMap, Only: HTTP, Certainty: Medium},
	},
	Stdio:  Words{Implied: "command"},
	HTTP:   Words{Implied: "url"},
	Launch: FromDesktop,
}

var kiro = Client{
	ID: "kiro", Name: "Kiro", Certainty: Medium,
	Formats: []Format{JSON},
	Places: []Place{
		{Scope: UserScope, Path: "~/.kiro/settings/mcp.json"},
		{Scope: ProjectScope, Path: ".kiro/settings/mcp.json"},
	},
	Roots: []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		&theCommand,
		{Role: RoleArgs, Name: "args", Types: AsList, Only: Stdio, Required: true},
		&theEnv, &theURL, &theHeaders, &theDisabled,
		{Role: RoleAllowTools, Name: "autoApprove", Types: AsList},
		{Role: RoleExcludeTools, Name: "disabledTools", Types: AsList},
	},
	Stdio:         Words{Implied: "command"},
	SSE:           Words{Implied: "url"},
	HTTP:          Words{Implied: "url"},
	Interpolation: Interpolation{Supported: Yes, Syntax: []string{"${VAR}"}, Where: []Role{RoleEnv, RoleHeaders}, Certainty: Medium},
	Logs: []Log{
		{Path: "Output panel, Kiro - MCP Logs", Kind: UIPath, Certainty: Medium},
	},
	Signatures: []Signature{
		{Pattern: "failed to retrieve MCP settings", Certainty: Medium},
	},
	AfterEdit: []Step{StepNone},
	How:       `Kiro connects again when the file is saved; variables must be in the setting "Mcp Approved Env Vars".`,
	Launch:    FromDesktop,
}

var trae = Client{
	ID: "trae", Name: "Trae", Certainty: Low,
	Formats: []Format{JSON, YAML},
	Places: []Place{
		{Scope: ProjectScope, Path: ".trae/mcp.json", Certainty: Medium},
		{OS: MacOS, Scope: UserScope, Path: "~/Library/Application Support/Trae/User/mcp.json", Certainty: Low},
		{OS: Windows, Scope: UserScope, Path: `%APPDATA%\Trae\User\mcp.json`, Certainty: Low},
		{Scope: ProjectScope, Path: "trae_cli.yaml", Certainty: Medium},
	},
	Roots: []Root{{Path: "mcpServers", Format: JSON}, {Path: "mcpServers", Shape: ListShape, Format: YAML, Certainty: Low}},
	Fields: []*Field{
		{Role: RoleCommand, Name: "command", Types: AsString, Only: Stdio, Certainty: Medium},
		{Role: RoleArgs, Name: "args", Types: AsList, Only: Stdio, Certainty: Medium},
		{Role: RoleEnv, Name: "env", Types: AsMap, Only: Stdio, Certainty: Medium},
		{Role: RoleURL, Name: "url", Types: AsString, Only: HTTP, Certainty: Medium},
		{Role: RoleHeaders, Name: "headers", Types: AsMap, Only: HTTP, Certainty: Medium},
		{Role: RoleOther, Name: "fromGalleryId", Types: AsString, Certainty: Low},
		{Role: RoleTimeout, Name: "timeout", Types: AsString, Unit: Seconds, Certainty: Low},
	},
	Stdio:     Words{Words: []string{"stdio"}, Implied: "command"},
	SSE:       Words{Words: []string{"sse"}, Implied: "url"},
	HTTP:      Words{Implied: "url"},
	Limits:    Limits{Tools: 40, Certainty: Medium},
	AfterEdit: []Step{StepReload, StepApprove},
	How:       "Switch Project MCP on in the settings, then refresh the server.",
	Launch:    FromDesktop,
}

var antigravity = Client{
	ID: "antigravity", Name: "Google Antigravity", Certainty: Medium,
	Formats: []Format{JSON}, BOM: No,
	Places: []Place{
		{Scope: UserScope, Path: "~/.gemini/config/mcp_config.json", Certainty: Medium},
		{Scope: UserScope, Path: "~/.gemini/antigravity/mcp_config.json", Certainty: Medium},
		{Scope: ProjectScope, Path: ".agents/mcp_config.json", Certainty: Low},
	},
	Roots: []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		{Role: RoleCommand, Name: "command", Types: AsString, Only: Stdio, Certainty: Medium},
		{Role: RoleArgs, Name: "args", Types: AsList, Only: Stdio, Certainty: Medium},
		{Role: RoleEnv, Name: "env", Types: AsMap, Only: Stdio, Certainty: Medium},
		{Role: RoleURL, Name: "serverUrl", Types: AsString, Only: HTTP, Certainty: Medium},
		{Role: RoleHeaders, Name: "headers", Types: AsMap, Only: HTTP, Certainty: Medium},
	},
	Stdio:  Words{Implied: "command"},
	HTTP:   Words{Implied: "serverUrl"},
	Launch: FromDesktop,
}
