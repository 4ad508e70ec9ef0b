package triage

// timeoutRules and closedRules are what a client sees of a failure whose
// cause is elsewhere; they answer alone only when nothing else was said.
var timeoutRules = []Rule{
	{
		Code: "MCP2001", Category: Timeout, Severity: Error, Role: Symptom, Specificity: 66,
		Title:       "The server did not answer in time",
		Literals:    []string{"timed out", "-32001", "timeouterror", "timed_out", "did not respond within", "readtimeout", "deadline exceeded", "deadline_exceeded", "request timeout", "timeout of", "respond within", "gateway timeout", "gateway time-out", "timeoutexception", "timeout after", "timeout waiting", "took too long", "took over", "timeout exceeded", "not respond in time", "timeout expired", "connection timeout", "http 504", "超时", "タイムアウト", "524", "522", "a timeout occurred", "timeout reached", "timeout for", "timeout error", "timeout while", "due to timeout"},
		Pattern:     `(?:MCP error -32001: [^\n]{0,60}(?:timed? ?out|timeout)[^\n]{0,20}|(?:MCP client|server|request|operation|connection|tool|call|initiali[sz]ation|startup|handshake|discovery)[^\n]{0,100}? (?:timed out|timeout)(?: after (?P<seconds1>[\d.]+ ?\w+))?|did not respond within (?P<seconds2>[\d.]+ ?\w+)?|(?:fail\w* to )?respond within[^\n]{0,40}|(?:httpx\.|httpcore\.|requests\.exceptions\.|asyncio\.|concurrent\.futures\.)?_?(?:ReadTimeout|TimeoutError|TimeoutException)\b[^\n]{0,80}|timeout of (?P<seconds3>\d+ ?ms) exceeded|(?:context )?deadline exceeded|DEADLINE_EXCEEDED|504 Gateway Time-?out|HTTP 504|(?:HTTP )?52[24](?::|\))[^\n]{0,60}|A timeout occurred|timed out(?: (?:after|waiting)[^\n]{0,60})?|(?:timeout|took too long|took over) (?:after|waiting|for|expired|exceeded)?[^\n]{0,40}|request timeout|\btimeout (?:reached|error|while|for)|(?:aborted|cancell?ed|failed) due to (?:a )?timeout|-32001|连接超时|请求超时|超时|タイムアウト)`,
		Explanation: "The server was started and said nothing before the client's patience ended. A first start through npx or uvx downloads; a server that waits for a backend, or that speaks another transport, never answers.",
		Remedy:      "Run the command once in a terminal so that everything is downloaded, then raise the client's timeout if it still takes long.",
		Example:     "McpError: MCP error -32001: Request timed out",
	},
	{
		Code: "MCP2002", Category: Timeout, Severity: Error, Role: Symptom, Specificity: 45,
		Title:       "The client waits for the server's first answer",
		Literals:    []string{"waiting for server to respond", "waiting for initialize", "still waiting", "still connecting", "stuck on", "hangs"},
		Pattern:     `Waiting for server to respond to .?initialize.? request|still (?:waiting|connecting)[^\n]{0,60}`,
		Explanation: "The process runs and does not answer initialize.",
		Remedy:      "Run the command in a terminal: a server on stdio must wait silently. If it prints a URL, it is an HTTP server and the entry needs \"url\".",
		Example:     "2026-01-01 10:00:05.015 [info] Waiting for server to respond to `initialize` request...",
	},
}

var closedRules = []Rule{
	{
		Code: "MCP2101", Category: ConnectionClosed, Severity: Error, Role: Symptom, Specificity: 60,
		Title:       "The server closed the connection and nothing says why",
		Literals:    []string{"connection closed", "-32000", "transport closed", "server disconnected", "client closed", "exited before responding", "brokenresourceerror", "closedresourceerror", "brokenpipe", "broken pipe", "epipe", "process exited", "exited with code", "exit code", "exited early", "exited with status", "stopped unexpectedly", "connection lost", "quit before initialization", "stream ended", "server exited", "process terminated", "connection was closed", "has been closed", "closed unexpectedly", "terminated unexpectedly", "transport error", "channel closed", "process has exited", "exited with exit status", "连接已关闭", "连接关闭", "sse error: undefined", "not connected", "crashed or disconnected", "failed to reconnect", "was disconnected", "lost connection", "connection dropped", "\" disconnected", " disconnected"},
		Pattern:     `(?:Error calling tool {q}(?P<tool>[\w.-]+){q}: MCP error -32000: Connection closed|MCP error -32000:?\s*Connection closed|Server transport closed unexpectedly(?:, this is likely due to the process exiting early)?|connection closed(?:: initialize response)?|transport (?:is )?closed|Server disconnected|(?:Error in MCP: )?Client closed|Server exited before responding to .?initialize.? request|(?:anyio\.)?(?:BrokenResourceError|ClosedResourceError)|BrokenPipeError|broken pipe|\bEPIPE\b|process quit before initialization|(?:process|server|child)(?: \S+)? (?:has )?(?:exited|quit|terminated|stopped)(?: unexpectedly| early)?(?: with)?(?: (?:exit )?(?:code|status):? (?P<status1>-?\d+))?|exited with (?:code|status):? (?P<status2>-?\d+)|exit code:? (?P<status3>-?\d+)|connection (?:was |has been )?(?:closed|lost)|stream ended|(?:closed|terminated) unexpectedly|-32000|channel closed|SSE error: undefined|crashed or disconnected|failed to reconnect|(?:was|got) disconnected|lost connection|connection dropped|server {q}?[\w-]+{q}? disconnected|Error: Not connected|连接已?关闭)`,
		Explanation: "The server's process ended, and the text shows only that it did.",
		Remedy:      "Run the server's command in a terminal and read what it prints, or open the client's log of that server.",
		Example:     "MCP error -32000: Connection closed",
	},
	{
		Code: "MCP2102", Category: ConnectionClosed, Severity: Error, Role: Symptom, Specificity: 58,
		Title:       "The other side cut the connection",
		Literals:    []string{"econnreset", "socket hang up", "connection reset", "incomplete chunked read", "remoteprotocolerror", "typeerror: terminated", "peer closed", "other side closed", "server closed", "sse stream disconnected", "unexpected eof", "und_err_socket", "premature close", "without sending a response", "connection aborted", "connection terminated", "10054", "eof"},
		Pattern:     `(?:ECONNRESET|socket hang up|connection reset(?: by peer)?|incomplete chunked read|RemoteProtocolError: [^\n]{0,100}|SSE stream disconnected(?:: TypeError: terminated)?|TypeError: terminated|peer closed connection[^\n]{0,60}|other side closed|server closed the connection|unexpected EOF|UND_ERR_SOCKET|premature close|disconnected without sending a response|connection (?:aborted|terminated)|WinError 10054|: EOF$)`,
		Explanation: "A connection that stood was cut by the server or by something between.",
		Remedy:      "Look at the server's own log for that moment; behind a proxy check its idle timeout for event streams.",
		Example:     "Error: SSE stream disconnected: TypeError: terminated",
	},
}
