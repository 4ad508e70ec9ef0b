package triage

// portRules: somebody else has the address.
var portRules = []Rule{
	{
		Code: "MCP1701", Category: PortInUse, Severity: Error, Specificity: 94,
		Title: "{port?Port %|The server's port} is already in use",
		Literals: []string{
			"eaddrinuse", "only one usage of each socket", "port is already allocated", "errno 98", "errno 48", "10048",
			"侦听失败", "端口", "is busy", " in use", "already taken", "being used", "ports ", "already busy", "occupied",
			"already used", "already bound", "is taken", "is used", "占用", "port being", "port used",
		},
		Wordings: []string{
			`EADDRINUSE[^\n]{0,60}?:(?P<port>\d{2,5})\b`,
			`(?:listen tcp |bind[^\n]{0,30}?)[\d.\[\]:a-z]*:(?P<port>\d{2,5})[^\n]{0,30}address already in use`,
			`Bind for \S*?:(?P<port>\d{2,5}) failed: port is already allocated`,
			`\(['"]?[\d.:a-z]*['"]?, (?P<port>\d{2,5})\)[^\n]{0,60}address already in use`,
			`ports? {q}(?P<port>\d{2,5}){q}(?: is| are| was)?(?: already)? (?:in use|being used|taken|occupied|busy|allocated)`,
			`https?://[^\s:/]*:(?P<port>\d{2,5})/?\S*侦听失败`,
			`端口\s*(?P<port>\d{2,5})[^\n]{0,10}(?:占用|使用)`,
			`\bport (?P<port>\d{2,5}) (?:is )?(?:in use|(?:already )?(?:taken|occupied|used|bound))`,
			`port is in use(?: at \S*?:(?P<port>\d{2,5}))?`,
			`EADDRINUSE`,
			`address already in use`,
			`Only one usage of each socket address`,
			`port is already allocated`,
			`\[Errno (?:98|48)\]`,
			`WinError 10048`,
			`(?:address|port) (?:is )?already in use`,
			`侦听失败`,
			`(?P<port>\d{2,5})\s?(?:port|端口)?[^\n]{0,6}被[^\n]{0,12}占用`,
			`端口[^\n]{0,12}占用`,
			`\bport (?:is |was |being |already )*(?:used|taken|occupied|held) by\b[^\n]{0,40}`,
		},
		Explanation: "Another process listens on {port|that port}; often it is an earlier start of the same server, or a second client that starts it too.",
		Remedy:      "Find it with lsof -i :{port|PORT} (Windows: netstat -ano | findstr :{port|PORT}) and end it, or give the server another port.",
		Example:     "Error: listen EADDRINUSE: address already in use :::3000",
	},
}
