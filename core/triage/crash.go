package triage

// crashRules: the server's own exception. They stand back behind every rule
// that knows what an exception means.
var crashRules = []Rule{
	{
		Code: "MCP1901", Category: ServerCrash, Severity: Error, Specificity: 88,
		Title: "The server ran out of memory",
		Literals: []string{
			"heap out of", "out of memory", "memoryerror", "outofmemory", "oomkilled", "reached heap limit", "fatal error:",
		},
		Wordings: []string{
			`FATAL ERROR: [^\n]{0,100}(?:heap|memory)[^\n]{0,40}`,
			`JavaScript heap out of\s+memory`,
			`heap out of memory`,
			`java\.lang\.OutOfMemoryError`,
			`^\s*MemoryError`,
			`OOMKilled`,
			`fatal error: (?:runtime: )?out of memory`,
		},
		Lines:       1,
		Explanation: "The process needed more memory than it may have and was ended.",
		Remedy:      "Give it more (for Node: \"env\": {\"NODE_OPTIONS\": \"--max-old-space-size=8192\"}) or less to do.",
		Example:     "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
	},
	{
		Code: "MCP1902", Category: ServerCrash, Severity: Error, Specificity: 70,
		Title: "The server crashed",
		Literals: []string{
			"panic:", "panicked at", "segmentation fault", "sigsegv", "core dumped", "sigabrt", "sigbus", "stack overflow",
			"exit code 139", "abort trap", "access violation", "0xc0000005", "3221225477", "signal 11", "bus error",
			"killed: 9", "sigkill", "signal: killed", "with code 139",
		},
		Lines:  1,
		Unless: `timed out|invalid_auth|connection refused|no such host`,
		Wordings: []string{
			`(?:^|[\s\[("'])(?:panic: [^\n]{0,160}|thread '[^'\n]*' (?:\(\d+\) )?panicked at [^\n]{0,160}|segmentation fault(?: \(core dumped\))?|SIGSEGV|SIGABRT|SIGBUS|core dumped|abort trap|bus error|access violation|killed: 9|SIGKILL|signal: killed|0xC0000005|3221225477|exit(?:ed with)? code 139|stack overflow)`,
		},
		Explanation: "The server's program ended by a fault of its own.",
		Remedy:      "Report it to the server's authors with these lines; meanwhile try another version of the server.",
		Example:     "panic: runtime error: invalid memory address or nil pointer dereference",
	},
	{
		Code: "MCP1903", Category: ServerCrash, Severity: Error, Specificity: 36,
		Title: "The server stopped with {error|an error} of its own",
		Literals: []string{
			"error: ", "exception: ", "exception in thread", "exception:", "error:", "exception [", "error [", "panic: ",
			"exit: ",
		},
		Unless: `McpError|McpException|ToolError\b|HTTPStatusError|fetch failed|TypeError: terminated|ExceptionGroup|JsonParseException|SseError|StreamableHTTPError|TaskGroup|TimeoutError|ReadTimeout|ConnectError|BrokenResourceError|ClosedResourceError|failed to initialize|ZodError|ValidationError|validation error for|ScannerError|ParserError|DNSError|BrokenPipeError|RemoteProtocolError|NameResolutionError|ConnectionRefusedError|cannot load library`,
		Wordings: []string{
			`(?:^|[\s|.])(?P<error>(?:[a-z_]\w*\.)*(?-i:[A-Z]\w*(?:Error|Exception|Exit|Panic)))(?: \[\w+\])?: (?:[^\n]{1,160})`,
		},
		Explanation: "The server's code ended with {error|an exception} that none of the more exact rules knows.",
		Remedy:      "Read the line above: it is the server's own words. Try another version of the server, and report it with these lines.",
		Example:     "weather.StationError: the station sent nonsense",
	},
	{
		Code: "MCP1907", Category: ServerCrash, Severity: Error, Specificity: 60,
		Title: "The server stumbles over its own code ({error|an exception})",
		Literals: []string{
			"error: ", "exception: ", "cannot read propert", "has no attribute", "nullpointerexception",
			"nullreferenceexception",
		},
		Unless: `fetch failed|terminated|is not iterable|McpError`,
		Wordings: []string{
			`(?:^|[\s|.])(?P<error>TypeError|AttributeError|ReferenceError|NameError|IndexError|UnboundLocalError|AssertionError|NotImplementedError|RecursionError|NullPointerException|NullReferenceException|ArgumentException|InvalidOperationException|ClassCastException|IllegalStateException|RangeError): [^\n]{1,160}`,
			`NullPointerException`,
			`NullReferenceException`,
			`Cannot read propert(?:y|ies) [^\n]{0,80}`,
			`object has no attribute {Q}\w+`,
		},
		Explanation: "{error|The exception} is of the kind that a fault in the program raises, not one in your settings. Often a dependency was updated and the server was not.",
		Remedy:      "Try the version before, or the next one, and report it to the server's authors.",
		Example:     "TypeError: Weather.__init__() got an unexpected keyword argument 'description'",
	},
	{
		Code: "MCP1904", Category: ServerCrash, Severity: Error, Specificity: 30,
		Title: "The server failed inside",
		Literals: []string{
			"-32603", "internal server error", "http 500", "status code (500)", "status: 500", "500 internal", "status 500",
			"internal error", "unhandled exception", "unhandledpromiserejection", "uncaught exception",
			"unhandled promise rejection", "unhandled rejection", "triggeruncaughtexception", "fatal error", "status code",
			"status_code", "statuscode", "\"status\"", "unhandledexception", "unhandledrejection",
		},
		Wordings: []string{
			`MCP error -32603(?:: [^\n]{0,120})?`,
			`-32603`,
			`internal (?:server )?error`,
			`\(?HTTP (?:status )?500\)?`,
			`Non-200 status code \(500\)`,
			`status(?:[ _]?code)?{q}:? ?500`,
			`500 internal server error`,
			`unhandled ?(?:exception|(?:promise ?)?rejection)`,
			`triggerUncaughtException`,
			`uncaught exception[^\n]{0,80}`,
			`fatal error[^\n]{0,80}`,
		},
		Explanation: "The server reports an error of its own and not its cause.",
		Remedy:      "Look at the server's own output, where the cause stands; for a remote server ask its operator.",
		Example:     "SSE error: Non-200 status code (500)",
	},
	{
		Code: "MCP1906", Category: ServerCrash, Severity: Error, Role: Symptom, Specificity: 50,
		Title:    "The server's program ended with an exception",
		Literals: []string{"traceback (most recent", "non-zero exit status"},
		Wordings: []string{
			`Traceback \(most recent call last\)`,
			`returned non-zero exit status \d+`,
		},
		Unless:      `Exception Group Traceback`,
		Explanation: "The lines below it would name the exception, and they are not in this text.",
		Remedy:      "Copy the text to its end: the last line of a traceback says what is wrong.",
		Example:     "Traceback (most recent call last):",
	},
	{
		Code: "MCP1905", Category: ServerCrash, Severity: Error, Specificity: 34,
		Title: "The server gave up starting",
		Literals: []string{
			"fatal error in main", "failed to start server", "server error:", "failed to start mcp server",
			"error starting server", "error initializing", "initialization error", "startup error", "fatal:",
			"failed to initialize server",
		},
		Wordings: []string{
			`fatal error in main(?:\(\))?: [^\n]{1,160}`,
			`failed to (?:start|initialize) (?:the )?(?:mcp )?server: [^\n]{1,160}`,
			`error (?:starting|initializing) [\w ]{0,20}server:? [^\n]{1,160}`,
			`(?:initialization|startup) error: [^\n]{1,160}`,
		},
		Explanation: "The server says that it could not start, in words that no more exact rule knows.",
		Remedy:      "Run the command in a terminal and read what it prints before this line.",
		Example:     "Fatal error in main(): something odd",
	},
}
