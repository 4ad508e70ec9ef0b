package triage

// sessionRules: a streamable HTTP session that one side no longer knows.
var sessionRules = []Rule{
	{
		Code: "MCP2601", Category: SessionExpired, Severity: Error, Specificity: 91,
		Title:    "The server does not know the session",
		Literals: []string{"session_id", "mcp-session-id", "sessionid", "no transport found", "session ", " session"},
		Wordings: []string{
			`session(?: ID)?(?: {q}?[\[\w-]+\]?{q}?)? (?:was |is )?not found(?: on the server)?`,
			`No valid session ID(?: provided)?[^\n]{0,50}`,
			`(?:invalid|unknown|expired|stale|missing|bad) (?:mcp[- ])?session(?:[ _-]?id)?\b[^\n]{0,20}`,
			`session(?: ID)?(?: \S+)? (?:has been |has |is |was )?(?:expired|terminated|timed out|lost|no longer valid|invalid|closed|not available)`,
			`(?:could not|cannot) find session`,
			`no (?:such|active) session`,
			`session (?:ID )?does not exist`,
			`(?:Mcp-Session-Id|session ID)(?: header)? (?:is )?(?:required|missing|not found)`,
			`No (?:active )?transport (?:found )?for session\w*`,
			`session (?:is |was )?(?:unknown|invalid|gone|not (?:valid|known|recogni[sz]ed|active))\b[^\n]{0,40}`,
		},
		Unless:      `oauth|log-?in session|sign-?in`,
		Explanation: "The server forgot the session: it was restarted, the session was idle for too long, or several workers do not share sessions. Some servers say the same to a request that did not begin with initialize.",
		Remedy:      "Reconnect the server in the client. If it happens at once, run a single worker or turn on sticky or stateless sessions.",
		Example:     `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`,
	},
	{
		Code: "MCP2602", Category: SessionExpired, Severity: Error, Specificity: 70,
		Title:    "The session already has a stream",
		Statuses: []string{"409"},
		Literals: []string{"failed to open sse stream: conflict", "409 conflict", "only one sse stream", "http 409"},
		Wordings: []string{
			`failed to open SSE stream: Conflict`,
			`409 Conflict`,
			`only one SSE stream[^\n]{0,60}`,
			`\(?HTTP 409\)?`,
		},
		Explanation: "The server allows one event stream a session, and believes that the old one is still open.",
		Remedy:      "Reconnect the server, and update it: newer SDKs replace the old stream.",
		Example:     "Streamable HTTP error: Failed to open SSE stream: Conflict",
	},
}
