package config

// clients is the table behind [Clients]. Its rows stand in clients_*.go,
// grouped by the kind of program.
var clients = []*Client{
	&claudeDesktop, &claudeCode, &cursor, &vsCode, &visualStudio, &copilotCli,
	&copilotCloudAgent, &copilotOtherIdes, &jetbrainsAi, &junie, &windsurf, &zed,
	&cline, &rooCode, &kiloCode, &continueDev, &geminiCli, &codex,
	&opencode, &goose, &lmStudio, &amazonQ, &kiro, &warp,
	&augment, &trae, &qwenCode, &crush, &witsy, &fiveIre,
	&cherryStudio, &librechat, &dockerToolkit, &mcpRemote, &registryRecord, &bundleManifest,
	&antigravity, &generic,
}

// Fields that most clients spell alike.
var (
	theCommand  = Field{Role: RoleCommand, Name: "command", Types: AsString, Only: Stdio}
	theArgs     = Field{Role: RoleArgs, Name: "args", Types: AsList, Only: Stdio}
	theEnv      = Field{Role: RoleEnv, Name: "env", Types: AsMap, Only: Stdio}
	theCwd      = Field{Role: RoleCwd, Name: "cwd", Types: AsString, Only: Stdio}
	theURL      = Field{Role: RoleURL, Name: "url", Types: AsString, Only: HTTP}
	theHeaders  = Field{Role: RoleHeaders, Name: "headers", Types: AsMap, Only: HTTP}
	theOauth    = Field{Role: RoleAuth, Name: "oauth", Types: AsObject, Only: HTTP}
	theDisabled = Field{Role: RoleDisabled, Name: "disabled", Types: AsBool}
	theEnabled  = Field{Role: RoleEnabled, Name: "enabled", Types: AsBool}
)

// generic has the shape that most clients share, and judges nothing. Its
// signatures are those of the SDKs, of Node and of the system, which any
// client's log may have.
var generic = Client{
	ID: "generic", Name: "an unknown client", Certainty: Low,
	Formats: []Format{JSON, JSONC, YAML, TOML},
	Roots:   []Root{{Path: "mcpServers"}},
	Fields: []*Field{
		{Role: RoleType, Name: "type", Types: AsString},
		&theCommand, &theArgs, &theEnv, &theCwd, &theURL, &theHeaders, &theDisabled, &theEnabled,
		{Role: RoleTimeout, Name: "timeout", Types: AsNumber, Certainty: Low},
	},
	Stdio: Words{Words: []string{"stdio"}, Implied: "command"},
	SSE:   Words{Words: []string{"sse"}},
	HTTP:  Words{Words: []string{"http"}},
	Signatures: []Signature{
		{Pattern: "MCP error -32000: Connection closed", Shared: true},
		{Pattern: "MCP error -32001: Request timed out", Shared: true},
		{Pattern: "MCP error -32700", Shared: true},
		{Pattern: `spawn \S+ ENOENT`, Shared: true},
		{Pattern: `spawn \S+ EINVAL`, Shared: true, Certainty: Medium},
		{Pattern: `SSE error: Non-200 status code \(\d{3}\)`, Shared: true},
		{Pattern: "Streamable HTTP error: ", Shared: true},
		{Pattern: "the input device is not a TTY", Shared: true},
		{Pattern: `'[^'\r\n]+' is not recognized as an internal or external command`, Shared: true},
		{Pattern: "(?:Unexpected token|No number after minus sign|Unexpected end of JSON input).*(?:is not valid JSON|in JSON|JSON input)", Shared: true},
		{Pattern: `lstat .*\$\{APPDATA\}`, Shared: true},
		{Pattern: "env: (?:node|python3?|bash): No such file or directory", Shared: true},
		{Pattern: "406 Not Acceptable|HTTP 406", Shared: true, Certainty: Medium},
		{Pattern: "npm (?:ERR!|error) (?:code )?E?404", Shared: true},
		{Pattern: "ModuleNotFoundError: No module named", Shared: true},
	},
}
