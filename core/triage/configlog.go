package triage

// configSyntaxRules and configShapeRules: what a client prints about its own
// config file. The file itself, when given, is lint's to judge.
var configSyntaxRules = []Rule{
	{
		Code: "MCP3501", Category: ConfigSyntax, Severity: Error, Specificity: 90,
		Unless:      `JSON-?RPC|message`,
		Title:       "The client cannot parse its config file",
		Literals:    []string{"parsing claude_desktop_config", "mcp config is not a valid json", "settings.json:", "invalid json in", "failed to parse", "mcp.json", "config.json", "invalid yaml", "parseyaml", "toml parse error", "bad indentation", "error parsing", "failed to load config", "invalid toml", "jsondecodeerror", "could not parse", "not a valid json", "syntax error in", "unable to parse", "invalid configuration file", "yamlexception", "invalid character", "parse error at", ".toml", "config file", "configuration file", "malformed json", "invalid json configuration", "invalid settings", "missing escaped value", "invalid escape", "expected newline", "unterminated string", "unclosed", "bad escaped character", "bad control character", "invalid \\escape", "scannererror", "parsererror", "mapping values are not", "mcp config", "in config"},
		Pattern:     `(?:error reading or parsing claude_desktop_config[.,]json:? ?(?:Unexpected|Expected|Bad|Invalid|No number|SyntaxError)[^\n]{0,100}|(?:MCP )?config is not (?:a )?valid JSON|(?:error|failed|unable|could not)[^\n]{0,20}(?:read|load|pars)\w* [^\n]{0,20}config[^\n]{0,20}: (?:Expected|Unexpected|Bad|Invalid|No number|SyntaxError|trailing)|Error in \S*(?:settings|mcp)\.json: ?(?P<detail1>[^\n]{0,120})|Invalid JSON in [^\n]{0,100}|Invalid YAML[^\n]{0,100}|ParseYaml\w*: [^\n]{0,80}|bad indentation of a mapping entry[^\n]{0,20}|TOML parse error[^\n]{0,80}|invalid TOML[^\n]{0,80}|(?:failed to|could not|unable to|error) (?:load|pars(?:e|ing)|read)[^\n]{0,60}(?:mcp|settings|config)[\w-]*\.(?:jsonc?|toml|ya?ml)[^\n]{0,100}(?:expected|unexpected|invalid|syntax|token|position|column|not valid|duplicate|key)[^\n]{0,60}|(?:mcp|settings|config)[\w-]*\.(?:jsonc?|toml|ya?ml)[^\n]{0,60}(?:is not valid JSON|Unexpected token|JSON at position|Expected (?:property|double|',')|syntax error|not valid JSON|SyntaxError|parse error|ParseError|JSONDecodeError)[^\n]{0,60}|invalid character [^\n]{1,20} (?:looking for|after|in)[^\n]{0,60}|Invalid (?:or malformed JSON|JSON configuration)|duplicate key[^\n]{0,60}|missing escaped value, expected[^\n]{0,60}|bad (?:escaped|control) character[^\n]{0,60}|invalid \\\\?escape[^\n]{0,40}|invalid escape (?:sequence|character|code)[^\n]{0,60}|expected newline[^\n]{0,60}|(?:unterminated|unclosed) (?:string|array|object|table|quote)[^\n]{0,40}|(?:ScannerError|ParserError): |mapping values are not allowed|while parsing a (?:block mapping|flow)[^\n]{0,40})`,
		Lines:       1,
		Explanation: "The file has a slip in its notation: a comma, a quote, a bracket, a comment where none is allowed, or an invisible character before the first brace. Clients then load no server at all.",
		Remedy:      "Paste the file itself here: the place and the mend will be shown. The message gives line and column.",
		Example:     "Error in /home/you/.gemini/settings.json: Expected double-quoted property name in JSON at position 26 (line 3 column 3)",
	},
	{
		Code: "MCP3502", Category: ConfigSyntax, Severity: Error, Specificity: 58,
		Title:       "The config file could not be loaded",
		Literals:    []string{"failed to load config", "could not load config", "unable to load config", "error loading config", "failed to read config", "json.parse:"},
		Pattern:     `(?:failed to|could not|unable to) (?:load|read) (?:the )?config\w*[^\n]{0,80}|error loading config\w*[^\n]{0,80}|JSON\.parse: [^\n]{0,80}`,
		Explanation: "The program stopped at its config file and does not say where in it.",
		Remedy:      "Paste the file itself: the place and the mend will be shown.",
		Example:     "Failed to load config: [object Object]",
	},
}

var configShapeRules = []Rule{
	{
		Code: "MCP4501", Category: ConfigShape, Severity: Error, Specificity: 91,
		Title:       "The entry {server|in question} does not have the shape that {client|the client} wants",
		Literals:    []string{"does not adhere to mcp server", "not valid mcp server configurations", "invalid mcp server config", "schema error", "invalid mcp settings", "must have either 'command'", "invalid configuration", "configuration is invalid", "must explicitly specify 'type'", "server type must be", "cannot mix 'stdio'", "must include either", "without type", "unrecognized key", "expected struct", "is not supported for stdio", "is not supported for streamable_http", "unsupported mcp type", "requires a non-empty", "cannot unmarshal", "invalid server name", "invalid mcp server name", "command: required", "no servers added", "stdioserverparameters", "missing httpurl", "invalid type:", "missing field", "unknown field", "cmd /c' wrapper", "no mcpservers", "mcpservers", "invalid transport", "unknown key", "failed to read configuration", "property is not allowed", "must contain", "invalid config", "incorrect configuration", "unmarshal config", "environment variable format", "unknown variant", "must be an array", "must be an object", "provide a command to run", "args=[\"-", "unconvertible type", "expected type '", "server type", "must have a command", "must have either", "command or url", "command is missing", "property command", "at mcpservers", "type is required", "must be an array of", "unsupported field", "server entry", "missing \"", "unknown field", "unsupported key", "must be one of"},
		Unless:      `invalid_union|unionErrors|JSONRPC|for tool`,
		Pattern:     `(?:mcpServers(?:\.(?P<server1>[^:\s]+))?: (?:Does not adhere to MCP server configuration schema|[^\n]{0,80})|does not adhere to MCP server configuration schema|not valid MCP server configurations and were skipped: ?(?P<server2>[\w-]+)?|Invalid MCP server config(?:uration)?(?: for {q}?(?P<server3>[\w-]+))?|schema error[^\n]{0,60}no servers were loaded|Server {q}?(?P<server4>[\w-]+){q}? must have either {q}command|Invalid configuration: (?:\w+: Required|missing httpUrl|: Invalid input)[^\n]{0,60}|Invalid configuration in \S+|Error in: mcpServers\.(?P<server5>\S+)|configuration is invalid at[^\n]{0,80}|must explicitly specify 'type'[^\n]{0,60}|server type must be[^\n]{0,60}|cannot mix 'stdio'[^\n]{0,60}|must include either 'command'[^\n]{0,40}|Ignoring MCP config entry without type|Unrecognized key(?:\(s\) in object)?: ?{q}(?P<key1>\w+)|expected struct|\w+ is not supported for (?:stdio|streamable_http)|unsupported mcp type:? ?\S*|requires a non-empty {q}?\w+{q}? field|cannot unmarshal \w+ into Go[^\n]{0,80}|invalid (?:mcp )?server name[^\n]{0,60}|command: Required|StdioServerParameters[^\n]{0,40}|Windows requires 'cmd /c' wrapper[^\n]{0,40}|(?:no|missing) {q}?mcpServers{q}?[^\n]{0,40}|invalid type: \w+[^\n]{0,40}expected[^\n]{0,40}|missing field .(?:command|url|type|transport).|unknown field .\w+.|in .mcp_servers[^\n]{0,40}|Failed to read configuration from[^\n]{0,80}|invalid transport$|property \S{0,30} ?is not allowed|config(?:uration)?(?: file)? must contain {q}mcpServers[^\n]{0,40}|invalid config: [^\n]{0,60}|ZodError: mcpServers\.[^\n]{0,80}|incorrect configuration format|failed to unmarshal config|Invalid (?:MCP )?server entry|missing {Q}(?:command|url|type|args){Q}|(?:unsupported|unknown|unrecognized|ignoring) (?:\w+ )?(?:field|key) {q}?(?P<key2>\w+)|{q}?type{q}? must be one of|(?:unknown|unsupported|invalid) server type[^\n]{0,10}|must have (?:a|either|either a) {q}?(?:command|url){q}?|(?:needs|requires|either) (?:a )?{q}?command{q}? or {q}?url|property {q}?(?:command|url|type|args){q}? is (?:missing|required|not allowed)|received \w+ at {q}?mcpServers|{q}?args{q}? must be an array|Invalid environment variable format[^\n]{0,60}|expected type {q}\w+{q}, got unconvertible[^\n]{0,60}|unknown variant .[\w-]+., expected[^\n]{0,60}|\S+ must be an? (?:array|object|string|list|map) in \S+|Provide a command to run with .(?:uvx|npx)[^\n]{0,20}|args=\["-[\w-]+ [^"\n]+"\])`,
		Explanation: "The file parses, but a key, a type or its place is not what {client|the client} expects.",
		Remedy:      "Paste the config here for the exact place. Typical: a url entry without \"type\", the wrong word for streamable HTTP, args as one string, the wrong root key.",
		Example:     "└ [Error] mcpServers.weather: Does not adhere to MCP server configuration schema",
	},
	{
		Code: "MCP4502", Category: ConfigShape, Severity: Error, Specificity: 90,
		Title:       "A value in the config has the wrong type",
		Literals:    []string{"could not load app settings", "claude_desktop_config", "invalid_type", "\"mcpservers\""},
		Pattern:     `(?:error reading or parsing claude_desktop_config[.,]json:? ?\[|{Q}path{Q}: ?\[\s*{Q}mcpServers{Q})`,
		Lines:       10,
		Explanation: "The client checked the file and found a value of another type than it takes: every env value and every argument must be a string.",
		Remedy:      "Put quotes around numbers and booleans in \"env\" and \"args\"; write lists as one string.",
		Example:     "There was an error reading or parsing claude_desktop_config.json: [\n {\n \"code\": \"invalid_type\",",
	},
	{
		Code: "MCP4504", Category: ConfigShape, Severity: Error, Specificity: 88,
		Title:       "The server does not take {argument|one of the arguments} in \"args\"",
		Literals:    []string{"unknown option", "unrecognized argument", "unrecognized option", "unknown argument", "unknown flag", "invalid choice", "unexpected argument", "flag provided but not defined", "can be specified at a time", "flag has been removed", "unknown transport", "no such option", "invalid value for", "unknown command line", "option has been removed", "mutually exclusive", "cannot be used together"},
		Pattern:     `(?:(?:unknown|unrecognized|unexpected) (?:option|arguments?|flag|transport|command line \w+):? ?{q}?(?P<argument1>-{0,2}[\w-]*)|invalid choice: ?{q}?(?P<argument2>[\w-]*)|flag provided but not defined: ?(?P<argument3>-[\w-]+)|The (?P<argument4>--[\w-]+) (?:flag|option) has been removed|no such option:? ?(?P<argument5>-{1,2}[\w-]+)|invalid value for {q}?(?P<argument6>-{1,2}[\w-]+)|[^\n]{0,60} can be specified at a time|mutually exclusive|cannot be used together)`,
		Unless:      `keyword argument`,
		Explanation: "The program was started and stopped at its own command line: {argument|an argument} is not one that it knows.",
		Remedy:      "Compare \"args\" with the server's documentation for the version in use, and correct or drop {argument|it}.",
		Example:     "error: unknown option '--verbos'",
	},
	{
		Code: "MCP4505", Category: ConfigShape, Severity: Error, Specificity: 30,
		Title:       "The program printed its help in place of starting",
		Literals:    []string{"usage:"},
		Pattern:     `^\s*usage:\s*\n\s*\S+ \[[^\n]{0,80}|^\s*usage: \S+ \[[^\n]{0,100}`,
		Lines:       1,
		Explanation: "A command-line program shows its usage when it was not told what to do.",
		Remedy:      "Add the subcommand or argument that starts the MCP server to \"args\".",
		Example:     "Usage:\n  weather [command] [options]",
	},
	{
		Code: "MCP4503", Category: ConfigShape, Severity: Error, Specificity: 84,
		Title:       "Docker was told to use a terminal that is not there",
		Literals:    []string{"input device is not a tty", "no current-context is set"},
		Pattern:     `the input device is not a TTY|no current-context is set[^\n]{0,60}`,
		Explanation: "-t asks for a terminal, and a client gives a server none.",
		Remedy:      "Use \"-i\" without \"-t\" in \"args\": docker run -i --rm IMAGE.",
		Example:     "the input device is not a TTY",
	},
}
