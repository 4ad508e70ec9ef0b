package triage

// protocolRules: both sides speak, and not the same.
var protocolRules = []Rule{
	{
		Code: "MCP2401", Category: ProtocolMismatch, Severity: Error, Specificity: 90,
		Title:       "Client and server have no protocol version in common",
		Literals:    []string{"protocol version", "protocolversion", "mcp-protocol-version"},
		Pattern:     `(?:unsupported (?:mcp )?protocol ?-?version[^\n]{0,20}?:? ?(?P<version1>\d{4}-\d\d-\d\d)?|protocol version is not supported:? ?(?P<version2>\d{4}-\d\d-\d\d)?|protocol version(?: mismatch| {q}?[\w.-]+{q}? (?:is )?(?:not supported|unsupported))[^\n]{0,40}|(?:incompatible|unknown|invalid|mismatched|bad|wrong) (?:mcp )?protocol ?-?version[^\n]{0,60}|(?:Mcp-Protocol-Version|protocolVersion)[^\n]{0,40}(?:not supported|unsupported|invalid|mismatch|required|missing))`,
		Explanation: "The server does not know the protocol version {version|that the client offers}, or the other way round.",
		Remedy:      "Update the older of the two; for a bridge such as mcp-remote, update the bridge.",
		Example:     "MCP error -32602: Unsupported protocol version",
	},
	{
		Code: "MCP2402", Category: ProtocolMismatch, Severity: Error, Specificity: 87,
		Title:       "A request came before the handshake was done",
		Literals:    []string{"before initialization", "before initialize", "initialize first", "server already initialized", "already initialized", "expect initialized"},
		Pattern:     `(?:received request before initiali[sz]ation(?: was complete)?|(?:before|without) initiali[sz]e\w*|must (?:be )?initiali[sz]ed? first|(?:server )?already initiali[sz]ed|expect(?:ed)? initiali[sz]ed)`,
		Explanation: "One side sends requests before initialize has been answered and acknowledged, or sends initialize twice.",
		Remedy:      "Send initialize, wait for the answer, send notifications/initialized, then the rest; when a client does this, update it.",
		Example:     "Failed to validate request: Received request before initialization was complete",
	},
	{
		Code: "MCP2405", Category: ProtocolMismatch, Severity: Error, Specificity: 52,
		Title:       "The session was not initialised",
		Literals:    []string{"not initialized", "not been initialized", "not yet initialized", "not initialised"},
		Pattern:     `(?:server|session|client|connection)(?: is| has)? not (?:been |yet )?initiali[sz]ed`,
		Explanation: "A request was made on a session whose handshake had not been done, or had failed.",
		Remedy:      "Look for the first error before this one; if there is none, update the client.",
		Example:     "Bad Request: Server not initialized",
	},
	{
		Code: "MCP2403", Category: ProtocolMismatch, Severity: Error, Specificity: 76,
		Title:       "The server does not know the method {method|that was called}",
		Literals:    []string{"-32601", "method not found", "unknown method", "method not supported", "unsupported method", "methodnotfound", "does not support"},
		Pattern:     `(?:-32601[^\n]{0,12}?(?:message{q}?:? ?{q})?(?:: )?Method not found(?::? {q}?(?P<method1>[\w/]+))?|-32601|method not found(?::? {q}?(?P<method2>[a-z]+/[\w/]+))?|(?:unknown|unsupported) method:? {q}?(?P<method3>[\w/]+)|(?:server|client) does not support (?:\w+ )?{q}?(?P<method4>tools|resources|prompts|sampling|logging|completions|roots|elicitation)\b)`,
		Explanation: "The client asked for {method|a method} that the server does not offer. Often it is harmless, when the client only asks out of curiosity.",
		Remedy:      "If tools work, ignore it. If not, update the server: its SDK is older than the client expects.",
		Example:     `{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found: prompts/list"}}`,
	},
	{
		Code: "MCP2404", Category: ProtocolMismatch, Severity: Error, Specificity: 72,
		Title:       "A message does not have the shape that the protocol asks for",
		Literals:    []string{"jsonrpcmessage", "jsonrpc", "unknown message id", "without a reply", "initializeresult", "calltoolresult", "listtoolsresult", "unrecognized_keys", "invalid_union", "invalid request parameters", "-32600", "unexpected message", "unexpected response", "unknown message type", "missing field `", "expectedinitresult", "expected initialize"},
		Pattern:     `(?:validation errors? for (?:JSONRPC\w*|InitializeResult|CallToolResult|ListToolsResult|\w*Result)\b[^\n]{0,60}|input_value='\\n'|unknown message ID[^\n]{0,40}|completed without a reply to request[^\n]{0,40}|{Q}path{Q}: ?\[\s*{Q}(?:jsonrpc|result|protocolVersion|serverInfo|capabilities){Q}|-32600[^\n]{0,20}Invalid Request|invalid request parameters|(?:unexpected|unknown) (?:message|response) (?:type|from|id|for)[^\n]{0,60}|expected (?:initialize|Init)\w* (?:response|result)[^\n]{0,60}|ExpectedInitResult\w*|invalid_union)`,
		Lines:       4,
		Explanation: "One side sent a message that the other could not read as the protocol's.",
		Remedy:      "Update server and client to current SDKs; when testing by hand, send complete JSON-RPC messages.",
		Example:     "1 validation error for JSONRPCMessage",
	},
}
