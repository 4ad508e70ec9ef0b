package triage

// noiseRules know lines that read like errors and are none. What other rules
// see in such a line does not count.
var noiseRules = []Rule{
	{
		Code: "MCP1991", Category: Unknown, Severity: Note, Role: Noise, Specificity: 1,
		Title:    "npm says that a package is old",
		Literals: []string{"npm warn deprecated", "npm notice"},
		Wordings: []string{
			`npm (?:warn deprecated|notice) [^\n]*`,
		},
		Explanation: "npm warns about dependencies of dependencies. The server starts all the same.",
		Remedy:      "Nothing needs to be done.",
		Example:     "npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.",
	},
	{
		Code: "MCP1992", Category: Unknown, Severity: Note, Role: Noise, Specificity: 1,
		Title:    "The runtime warns about something that works",
		Literals: []string{"experimentalwarning", "deprecationwarning", "metadatalookupwarning", "userwarning"},
		Wordings: []string{
			`\((?:node|electron|deno):\d+\) (?:\[\w+\] )?(?:Experimental|Deprecation|MetadataLookup)Warning: [^\n]*`,
			`\b(?:Deprecation|PendingDeprecation|User)Warning: [^\n]*`,
		},
		Explanation: "Node and Python warn about features that will change. The server runs all the same.",
		Remedy:      "Nothing needs to be done.",
		Example:     "(node:4121) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.",
	},
	{
		Code: "MCP1993", Category: Unknown, Severity: Note, Role: Noise, Specificity: 1,
		Title:    "npx says that it installs a package first",
		Literals: []string{"npm warn exec", "will be installed"},
		Wordings: []string{
			`npm warn exec [^\n]*`,
			`(?:was|were) not found and will be installed[^\n]*`,
		},
		Explanation: "The package was not in npx's cache yet, so it is downloaded. Nothing is wrong with that.",
		Remedy:      "Nothing needs to be done.",
		Example:     "npm warn exec The following package was not found and will be installed: notes-mcp@1.2.0",
	},
	{
		Code: "MCP1994", Category: Unknown, Severity: Note, Role: Noise, Specificity: 1,
		Title:    "Node shows the line of source that raised an error",
		Literals: []string{"error("},
		Wordings: []string{
			`^\s*(?:const|let|var|throw|return)\b[^\n]{0,60}\bnew \w*Error\([^\n]*\$\{[^\n]*`,
		},
		Explanation: "Above an error Node prints where in the source it was made. The words there are a pattern, not what happened.",
		Remedy:      "Nothing needs to be done.",
		Example:     "  const err = new Error(`Cannot find module '${request}'`);",
	},
	{
		Code: "MCP1995", Category: Unknown, Severity: Note, Role: Noise, Specificity: 1,
		Title:    "The inspector says where it listens",
		Literals: []string{"proxy server", "mcp inspector"},
		Wordings: []string{
			`Proxy server listening on [^\n]*`,
			`MCP Inspector is up and running[^\n]*`,
		},
		Explanation: "The MCP Inspector serves a page and a proxy of its own. It tells nothing about the server that it is to inspect.",
		Remedy:      "Nothing needs to be done.",
		Example:     "Proxy server listening on port 6277",
	},
}
