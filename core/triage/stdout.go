package triage

// stdoutRules: something other than JSON-RPC came over stdout.
var stdoutRules = []Rule{
	{
		Code: "MCP2301", Category: StdoutPollution, Severity: Error, Specificity: 74,
		Title:       "The server prints something on stdout that is not a message",
		Literals:    []string{"is not valid json", "not valid json", "in json at position", "no number after minus sign", "unexpected end of json", "unexpected non-whitespace", "expected property name", "invalid json", "unexpected token", "expected ',' or ']'", "expecting value: line", "was expecting (json", "root-level values", "invalid json:"},
		Pattern:     `(?:Unexpected token {q}?(?P<token>[^\n]{1,12}?){q}?(?:, ?{q}(?P<fragment>[^\n]{0,40}?){q}?(?:\.\.\.)?|\.\.\.)? ?{q}?\s?(?:\.{3})? ?is not valid JSON|Unexpected token \S{1,6} in JSON at position \d+|No number after minus sign in JSON[^\n]{0,40}|Unexpected end of JSON input|Unexpected\s?non-whitespace character after JSON[^\n]{0,40}|Expected (?:property name|double-quoted|',' or)[^\n]{0,60}JSON[^\n]{0,40}|JSONDecodeError: [^\n]{0,80}|Expecting value: line \d+ column \d+|Unrecognized token {Q}\w*{Q}: was expecting \(JSON[^\n]{0,40}|Unexpected character [^\n]{1,30}: Expected space separating root-level values|is not valid JSON|invalid json)`,
		Explanation: "On stdio every line of stdout must be a JSON-RPC message. A banner, a log line or a library's greeting breaks the client's parser.",
		Remedy:      "Make the server log to stderr, or find its quiet flag; do not start it through `npm run`, which prints a header.",
		Example:     `MCP weather: Unexpected token 'S', "Server sta"... is not valid JSON`,
	},
	{
		Code: "MCP2302", Category: StdoutPollution, Severity: Error, Specificity: 88,
		Title:       "A line on stdout is no message of the protocol",
		Literals:    []string{"failed to parse message", "invalid json-rpc message", "failed to parse jsonrpc", "failed to parse json-rpc", "non-json", "not json-rpc", "ignoring non-json", "parse error", "parsing message", "could not parse", "received non-json", "invalid message", "received invalid json", "unable to parse", "failed to deserialize", "injecting env", "error parsing json", "parse jsonrpc", "stdout", "inbound message for line", "decode message", "decoding message", "parsing json-rpc", "malformed message"},
		Unless:      `/messages/?\?session`,
		Pattern:     `(?:failed to parse (?:message|JSON-?RPC message)(?: from server)?:? ?{q}?(?P<fragment1>[^\n]{0,80})|invalid JSON-RPC message: ?(?P<fragment2>[^\n]{0,80})|malformed message from|(?:received |ignoring )?non-JSON (?:line|message|output|data|text)[^\n]{0,80}|(?:error|failed|could not|unable)(?: to)? (?:pars|decod)(?:e|ing) (?:the )?(?:server(?:'s)? )?(?:message|response|stdout|output|line|JSONRPC|JSON-RPC)[^\n]{0,80}|processing inbound message for line: [^\n]{0,80}|injecting env \(\d+\) from|(?:writ|print|log|output)\w* (?:\w+ ){0,6}to stdout[^\n]{0,60}|stdout (?:is )?(?:polluted|contaminat\w+|corrupt\w*)[^\n]{0,40}|(?:pollut|corrupt|contaminat)\w+ (?:the )?(?:stdout|stdio|JSON-?RPC)[^\n]{0,40})`,
		Explanation: "The client read a line that is not JSON-RPC. The line itself is shown in the message.",
		Remedy:      "Silence that output or send it to stderr; look for the server's log level or quiet setting.",
		Example:     `[warning] Failed to parse message: "Weather server listening"`,
	},
}
