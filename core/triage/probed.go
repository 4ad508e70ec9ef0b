package triage

// probeRules: what a probe of ours found out by asking the server twice. No
// other program prints these words.
var probeRules = []Rule{
	{
		Code: "MCP2580", Category: TransportMismatch, Severity: Error, Specificity: 97,
		Title:    "The server speaks another HTTP transport than the entry says",
		Literals: []string{"the server answers "},
		Wordings: []string{
			`the server answers (?:(?P<transport1>sse)|streamable (?P<transport2>http)) and not (?:sse|streamable http)`,
		},
		Explanation: "Asked in the way that the entry names, the server refused; asked in the other way, it answered.",
		Remedy:      "Write the client's word for the other transport in the entry, and check the path of the URL.",
		Example:     "Error POSTing to endpoint: the server answers SSE and not streamable HTTP: Bad Request",
	},
}
