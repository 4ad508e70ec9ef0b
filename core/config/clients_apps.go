package config

// Chat programs and servers.

var lmStudio = Client{
	ID: "lm-studio", Name: "LM Studio", Certainty: Medium,
	Formats: []Format{JSON},
	Places: []Place{
		{Scope: UserScope, Path: "~/.lmstudio/mcp.json"},
		{OS: MacOS, Scope: UserScope, Path: "~/.cache/lm-studio/mcp.json", Certainty: Medium},
	},
	Roots: []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		&theCommand, &theArgs, &theEnv, &theURL, &theHeaders,
	},
	Stdio: Words{Implied: "command"},
	SSE:   Words{Implied: "url"},
	HTTP:  Words{Implied: "url"},
	Logs: []Log{
		{Path: "Developer logs panel, or lms log stream", Kind: UIPath, Certainty: Low},
	},
	Signatures: []Signature{
		{Pattern: `\[Plugin\(mcp/[^)]+\)\] stderr: `},
	},
	AfterEdit: []Step{StepReload},
	How:       "Save the file in the app, or switch the server off and on.",
	Launch:    FromDesktop,
}

var witsy = Client{
	ID: "witsy", Name: "Witsy", Certainty: Low,
	Formats: []Format{JSON},
	Places: []Place{
		{OS: MacOS, Scope: UserScope, Path: "~/Library/Application Support/Witsy/settings.json", Certainty: Medium},
		{OS: Linux, Scope: UserScope, Path: "~/.config/Witsy/settings.json", Certainty: Medium},
		{OS: Windows, Scope: UserScope, Path: `%APPDATA%\Witsy\settings.json`, Certainty: Medium},
	},
	Roots: []Root{{Path: "mcpServers", Certainty: Medium}, {Path: "mcp.servers", Shape: ListShape, Certainty: Medium}},
	Fields: []*Field{
		{Role: RoleName, Name: "name", Types: AsString, Certainty: Low},
		{Role: RoleCommand, Name: "command", Types: AsString, Only: Stdio, Certainty: Medium},
		{Role: RoleArgs, Name: "args", Types: AsList, Only: Stdio, Certainty: Medium},
		{Role: RoleEnv, Name: "env", Types: AsMap, Only: Stdio, Certainty: Medium},
		{Role: RoleCwd, Name: "cwd", Types: AsString, Only: Stdio, Certainty: Medium},
		{Role: RoleType, Name: "type", Types: AsString, Values: []string{"stdio", "sse", "http"}, Certainty: Medium},
		{Role: RoleURL, Name: "url", Types: AsString, Only: HTTP, Certainty: Low},
		{Role: RoleEnabled, Name: "state", Types: AsString, Values: []string{"enabled", "disabled"}, Certainty: Medium},
	},
	Stdio:   Words{Words: []string{"stdio"}},
	SSE:     Words{Words: []string{"sse"}},
	HTTP:    Words{Words: []string{"http"}, Certainty: Low},
	Untyped: Inference{Certainty: Low},
	Signatures: []Signature{
		{Pattern: `Failed to connect to MCP server \S+`, Shared: true, Certainty: Medium},
	},
	Launch: FromDesktop,
}

var fiveIre = Client{
	ID: "5ire", Name: "5ire", Certainty: Medium,
	Formats: []Format{JSON}, Comments: No, TrailingCommas: No,
	Places: []Place{
		{OS: MacOS, Scope: UserScope, Path: "~/Library/Application Support/5ire/mcp.json"},
		{OS: Windows, Scope: UserScope, Path: `%APPDATA%\5ire\mcp.json`},
		{OS: Linux, Scope: UserScope, Path: "~/.config/5ire/mcp.json", Certainty: Low},
	},
	Roots: []Root{{Path: "mcpServers"}, {Path: "servers", Shape: ListShape, Legacy: true}},
	Fields: []*Field{
		{Role: RoleName, Name: "name", Types: AsString},
		{Role: RoleType, Name: "type", Types: AsString, Values: []string{"local", "remote"}},
		&theCommand, &theArgs, &theEnv, &theURL, &theHeaders,
		{Role: RoleOther, Name: "key", Types: AsString},
		{Role: RoleEnabled, Name: "isActive", Types: AsBool},
		{Role: RoleOther, Name: "proxy", Types: AsString, Certainty: Medium},
		{Role: RoleOther, Name: "approvalPolicy", Types: AsString, Values: []string{"never", "always", "once"}},
		{Role: RoleOther, Name: "allowSystemEnv", Types: AsBool, Certainty: Medium},
	},
	Stdio:   Words{Words: []string{"local"}},
	SSE:     Words{Words: []string{"remote"}},
	HTTP:    Words{Words: []string{"remote"}},
	Untyped: Inference{Certainty: Medium},
	Launch:  FromDesktop,
}

var cherryStudio = Client{
	ID: "cherry-studio", Name: "Cherry Studio", Certainty: Medium,
	Formats: []Format{JSON},
	Places: []Place{
		{Scope: UserScope, Path: "in-app store; Settings > MCP > Import JSON", Kind: UIPath, Certainty: Medium},
	},
	Roots: []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		{Role: RoleName, Name: "name", Types: AsString, Certainty: Medium},
		{Role: RoleType, Name: "type", Types: AsString, Values: []string{"stdio", "sse", "streamableHttp", "inMemory"}},
		&theCommand, &theArgs, &theEnv,
		&theURL,
		{Role: RoleURL, Name: "baseUrl", Types: AsString, Only: HTTP},
		&theHeaders,
		{Role: RoleEnabled, Name: "isActive", Types: AsBool},
		{Role: RoleTimeout, Name: "timeout", Types: AsNumber, Unit: Seconds},
		{Role: RoleOther, Name: "registryUrl", Types: AsString},
		{Role: RoleOther, Name: "longRunning", Types: AsBool},
		{Role: RoleExcludeTools, Name: "disabledTools", Types: AsList},
		{Role: RoleDescription, Name: "description", Types: AsString, Certainty: Medium},
	},
	Stdio:   Words{Words: []string{"stdio"}},
	SSE:     Words{Words: []string{"sse"}},
	HTTP:    Words{Words: []string{"streamableHttp"}},
	Untyped: Inference{Certainty: Medium},
	Limits:  Limits{CallSeconds: 60},
	Signatures: []Signature{
		{Pattern: `Error invoking remote method 'mcp:[\w-]+': Error: \[MCP\] Error activating server `},
	},
	AfterEdit: []Step{StepReload},
	How:       "Switch the server off and on in Settings, MCP.",
	Launch:    FromDesktop,
}

var librechat = Client{
	ID: "librechat", Name: "LibreChat",
	Formats: []Format{YAML}, Comments: Yes,
	Places: []Place{
		{Scope: ProjectScope, Path: "librechat.yaml"},
		{Scope: ProjectScope, Path: "$CONFIG_PATH", Kind: EnvPath},
	},
	Roots:  []Root{{Path: "mcpServers"}},
	Beside: []string{"version", "cache", "mcpSettings", "endpoints", "interface", "registration"},
	Fields: []*Field{
		{Role: RoleType, Name: "type", Types: AsString, Values: []string{"stdio", "sse", "websocket", "streamable-http", "http"}},
		&theCommand,
		{Role: RoleArgs, Name: "args", Types: AsList, Only: Stdio, Required: true},
		&theEnv, &theURL, &theHeaders,
		{Role: RoleOther, Name: "stderr", Types: AsString | AsNumber},
		{Role: RoleTimeout, Name: "timeout", Types: AsNumber, Unit: Milliseconds},
		{Role: RoleStartTimeout, Name: "initTimeout", Types: AsNumber, Unit: Milliseconds},
		{Role: RoleOther, Name: "sseReadTimeout", Types: AsNumber, Unit: Milliseconds},
		{Role: RoleDescription, Name: "title", Types: AsString},
		{Role: RoleOther, Name: "iconPath", Types: AsString},
		{Role: RoleOther, Name: "startup", Types: AsBool},
		{Role: RoleOther, Name: "chatMenu", Types: AsBool},
		{Role: RoleOther, Name: "serverInstructions", Types: AsBool | AsString},
		{Role: RoleAuth, Name: "requiresOAuth", Types: AsBool, Only: HTTP},
		&theOauth,
		{Role: RoleAuth, Name: "oauth_headers", Types: AsMap, Only: HTTP},
		{Role: RoleAuth, Name: "apiKey", Types: AsObject, Only: HTTP},
		{Role: RoleAuth, Name: "obo", Types: AsObject, Only: HTTP, Certainty: Medium},
		{Role: RoleOther, Name: "customUserVars", Types: AsObject},
		{Role: RoleOther, Name: "proxy", Types: AsString, Certainty: Medium},
	},
	Stdio:         Words{Words: []string{"stdio"}},
	SSE:           Words{Words: []string{"sse"}},
	HTTP:          Words{Words: []string{"streamable-http", "http"}},
	Untyped:       Inference{Means: SSE},
	Interpolation: Interpolation{Supported: Yes, Syntax: []string{"${VAR}", "{{VAR}}"}, Where: []Role{RoleEnv, RoleURL, RoleHeaders, RoleArgs}},
	Logs: []Log{
		{Path: "logs", Kind: DirPath, Certainty: Medium},
	},
	Signatures: []Signature{
		{Pattern: `\[MCP\]\[[^\]]+\] `},
		{Pattern: `Domain "[^"]+" is not allowed`},
	},
	AfterEdit: []Step{StepRestart},
	How:       "Restart the LibreChat server.",
	Launch:    FromService,
}
