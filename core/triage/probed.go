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
	{
		Code: "MCP2581", Category: TransportMismatch, Severity: Error, Specificity: 97,
		Title:    "The URL leads on to where it is not followed",
		Literals: []string{" redirects", "a redirect leads ", "not followed to "},
		Wordings: []string{
			`more than \d+ redirects`,
			`a redirect leads (?:from https to http|to \w+)`,
			`not followed to (?P<host>[\w.:-]+): the server sent us`,
		},
		Explanation: "The server answers with another address. One that goes in circles, from https to http, or into a private network is not followed, because your keys would go there too.",
		Remedy:      "Put the final address into the entry; `curl -sIL` on the URL shows every step.",
		Example:     `Post "/mcp": more than 5 redirects`,
	},
	{
		Code: "MCP2582", Category: TLSFailed, Severity: Error, Specificity: 96,
		Title:    "The port does not speak TLS, and the URL begins with https",
		Literals: []string{"does not look like a tls handshake"},
		Wordings: []string{
			`(?:tls: )?first record does not look like a TLS handshake`,
		},
		Explanation: "Something answers there in plain text. A server on your own machine mostly has no certificate; elsewhere the port is the wrong one.",
		Remedy:      "Write http:// for a server on this machine, or the port at which it speaks TLS.",
		Example:     "tls: first record does not look like a TLS handshake",
	},
	{
		Code: "MCP2583", Category: TLSFailed, Severity: Error, Specificity: 97,
		Title:    "The port speaks TLS, and the URL begins with http",
		Literals: []string{"the port speaks tls", "http request to an https server"},
		Wordings: []string{
			`the port speaks TLS, and the address says http`,
			`Client sent an HTTP request to an HTTPS server`,
		},
		Explanation: "Asked in plain text, the server hung up; asked for TLS, it answered.",
		Remedy:      "Write https:// in the entry's \"url\".",
		Example:     "the port speaks TLS, and the address says http",
	},
}
