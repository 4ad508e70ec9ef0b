package triage

// transportRules: stdio, SSE and streamable HTTP taken for one another.
var transportRules = []Rule{
	{
		Code: "MCP2501", Category: TransportMismatch, Severity: Error, Specificity: 80,
		Title:       "The URL does not speak the transport that the client uses (HTTP {status|404})",
		Literals:    []string{"non-200 status code", "status sending message", "404 not found from", "405", "status code: 404", "http 404", "http 405", "http 406", "status 404", "status 405", "404 page not found", "(404)", "invalid status code 404", "server returned 404", "404 (not found)", "error posting to endpoint", "404 not found", "method not allowed", "406", "415", "code: 404", "bad request from post", "message: 404", "http/1.1', 40", "post /", "get /", "http 307", "http 308", "temporary redirect", "permanent redirect"},
		Pattern:     `(?:Non-200 status code \((?P<status1>40[0456]|415|30[1278])\)|(?P<status2>40[456]) status sending message[^\n]{0,120}|(?P<status3>40[45])(?: Not Found| Method Not Allowed)? from (?:GET|POST) \S+|(?:HTTP(?: status)?(?: code)?:?|status(?:[ _]?code)?{q}:?|code:?|returned|error:?|\() ?{q}?(?P<status4>40[456]|415)\b(?:[)\s:,"']|$)[^\n]{0,40}|(?P<status5>405) Method Not Allowed|(?P<status6>406) Not Acceptable|(?P<status8>400) Bad Request from (?:GET|POST) \S+|Cannot (?:GET|POST) /\S*|Method not allowed|message: (?P<status9>404)\b|(?:GET|POST|DELETE) /\S* (?:HTTP/1\.1" )?(?P<status11>40[456])\b|HTTP (?P<status12>30[78])\b|(?P<status13>30[78]) (?:Temporary|Permanent) Redirect|b'HTTP/1\.1', (?P<status10>40[456])|(?P<status7>404) (?:Not Found|page not found))`,
		Explanation: "Something answers at that address, but not at that path or not in that way: an SSE client at a streamable HTTP endpoint, a POST where only GET is served, a path that does not exist.",
		Remedy:      "Take the URL from the server's documentation: /mcp is usually streamable HTTP (\"type\": \"http\"), /sse the older SSE.",
		Example:     "SSE error: Non-200 status code (404)",
	},
	{
		Code: "MCP2502", Category: TransportMismatch, Severity: Error, Specificity: 76,
		Title:       "The answer is not of the kind that the transport asks for",
		Literals:    []string{"content type", "content-type", "text/event-stream", "must accept", "not acceptable", "<!doctype", "expected sse", "html instead of", "instead of json", "got html"},
		Unless:      `<meta|HTTP 52\d`,
		Pattern:     `(?:unexpected content[- ]type:?[^\n]{0,100}|invalid content[- ]type[^\n]{0,100}|content[- ]type[^\n]{0,40}(?:text/html|not supported|mismatch|unsupported|got|expected|is not)[^\n]{0,60}|(?:must|should|client must) accept (?:both )?[^\n]{0,80}(?:event-stream|application/json)[^\n]{0,40}|not acceptable[^\n]{0,100}event-stream[^\n]{0,40}|(?:returned|received|got|sent) (?:an? )?HTML[^\n]{0,30}(?:instead|not JSON|page)|expected (?:response to have )?(?:Content-Type )?{q}?text/event-stream[^\n]{0,60}|Unexpected token {q}?<{q}?, ?{q}<(?:!DOCTYPE|html)[^\n]{0,40})`,
		Explanation: "The client expected an event stream or JSON-RPC and got something else, such as a web page.",
		Remedy:      "Check the URL's path and the entry's transport word against the server's documentation.",
		Example:     `Not Acceptable: Client must accept both application/json and text/event-stream`,
	},
	{
		Code: "MCP2503", Category: TransportMismatch, Severity: Error, Specificity: 88,
		Title:       "The server does not accept this Host or Origin",
		Literals:    []string{"invalid host header", "invalid origin", "host header", "origin not allowed", "dns rebinding", "misdirected", "421", "cors"},
		Pattern:     `(?:invalid (?:host|origin)(?: header)?:? ?(?P<host>[\w.:-]+)?|host (?:header )?(?:not allowed|is not allowed)|origin (?:header )?(?:is )?not allowed|DNS rebinding[^\n]{0,60}|421 Misdirected Request|(?:HTTP )?421 [^\n]{0,40}host|blocked by CORS policy)`,
		Explanation: "The server protects itself against foreign web pages and knows only certain host names. It is not about credentials.",
		Remedy:      "Use the host name that the server expects, usually localhost, or add {host|yours} to its allowed hosts.",
		Example:     "Error POSTing to endpoint (HTTP 403): Invalid Host header: 127.0.0.1:3000",
	},
	{
		Code: "MCP2504", Category: TransportMismatch, Severity: Error, Specificity: 84,
		Title:       "An HTTP server was started where the client wants stdio",
		Literals:    []string{"running on http", "listening on http", "server running at http", "server listening on", "uvicorn running on", "running on sse", "listening on port", "available at http", "started on port", "sse server", "streamable http", "server started at http", "running at http"},
		Pattern:     `(?:(?:MCP )?server[^\n]{0,60} (?:running|listening|available|started)[^\n]{0,30}(?P<url1>https?://[^\s"']{1,120})|Uvicorn running on (?P<url2>https?://[^\s"']{1,120})|(?:running|listening) on (?:HTTP|SSE)[^\n]{0,20}|(?:running|listening) (?:on|at) (?P<url3>https?://[^\s"']{1,120})|(?:HTTP|SSE) server (?:listening|running|started)[^\n]{0,60}|listening on port (?P<port>\d{2,5}))`,
		Role:        Symptom,
		Explanation: "The program serves HTTP and prints its address; a client on stdio waits for messages that never come.",
		Remedy:      "Either give the server its stdio flag, or make the entry a remote one with \"url\": \"{url|the address it prints}\".",
		Example:     "Weather MCP Server running on HTTP at http://localhost:3000/mcp",
	},
	{
		Code: "MCP2505", Category: TransportMismatch, Severity: Error, Specificity: 92,
		Title:       "The transport is not one that this side knows",
		Literals:    []string{"fall back to legacy sse", "falling-back-to-alternate", "sse is unsupported", "unsupported transport", "unknown transport", "invalid transport", "missing sessionid", "missing endpoint", "endpoint event", "no endpoint", "transport not supported", "only supports stdio", "does not support sse", "transport strategy", "unsupported mcp url scheme", "sessionid parameter", "failed to open sse stream", "sse transport", "message endpoint"},
		Pattern:     `(?:will attempt to fall back to legacy SSE|SSE is unsupported[^\n]{0,60}|unsupported transport(?: type)?:? ?{q}?(?P<transport>[\w-]*)|missing session_?id (?:query )?parameter|missing (?:MCP )?session ID for SSE|(?:missing|no) endpoint(?: event| URL)?[^\n]{0,60}|(?:transport|SSE) (?:is )?not supported|only supports? stdio|does not support (?:SSE|streamable HTTP|HTTP transport|stdio)|unsupported MCP url scheme|failed to wait for the message endpoint|failed to open SSE stream: (?:not found|method not allowed|bad request|not acceptable)[^\n]{0,40})`,
		Explanation: "Client and server were set to different transports.",
		Remedy:      "Make both the same: \"http\" for streamable HTTP (path /mcp), \"sse\" for the older one (path /sse), or stdio.",
		Example:     "Missing sessionId parameter",
	},
}
