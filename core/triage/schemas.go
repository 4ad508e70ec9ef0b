package triage

// schemaRules: the tool's own description is refused.
var schemaRules = []Rule{
	{
		Code: "MCP5101", Category: InvalidSchema, Severity: Error, Specificity: 94,
		Title:       "The model's API refuses the schema of {tool|a tool}",
		Literals:    []string{"invalid schema for function", "input_schema", "function_declarations", "functiondeclaration", "invalid json payload", "schema missing", "inputschema", "tool schema", "json schema is invalid", "invalid tool schema", "invalid schema", "invalid json schema", "function parameters", "schema is invalid", "parameters schema", "unsupported schema", "strict mode", "can't resolve reference", "schema validation failed", "outputschema", "invalid_function_parameters", "json schema", "must have items", "valid mcp tool"},
		Pattern:     `(?:Invalid schema for function {q}(?P<tool1>[\w./-]+)[^\n]{0,160}|tools\.\d+\.(?:custom\.)?input_schema[^\n]{0,120}|input_schema(?:\.\w+)*: [^\n]{0,100}|function_?declarations?\[\d+\][^\n]{0,140}|Invalid JSON payload received\.[^\n]{0,120}|(?:array|object) schema missing \w+|{Q}(?:input|output)Schema{Q},?\s*{Q}type{Q}|tool(?:'s)? {q}?(?P<tool2>[\w./-]+){q}?[^\n]{0,40} (?:has )?(?:an )?(?:invalid|unsupported)[\w ]{0,20}schema[^\n]{0,80}|(?:invalid|unsupported|bad) (?:tool |json |input |output |parameters? |function )*schema[^\n]{0,120}|JSON schema is invalid[^\n]{0,80}|schema (?:is )?(?:invalid|not supported|must be)[^\n]{0,80}|array type must have items|not a valid MCP tool[^\n]{0,60}schema[^\n]{0,40}|can't resolve reference [^\n]{0,80}|invalid_function_parameters|reference to undefined schema[^\n]{0,60}|Missing parameter name[^\n]{0,40}|GenerateContentRequest\.tools[^\n]{0,120})`,
		Lines:       2,
		Explanation: "The tool's inputSchema uses something that this model's API does not accept. The server has to change it, or the client has to simplify it.",
		Remedy:      "Update the server; until then disable {tool|that tool} in the client, or use another model.",
		Example:     "Invalid schema for function 'list_tags': In context=(), object schema missing properties.",
	},
	{
		Code: "MCP5102", Category: InvalidSchema, Severity: Error, Specificity: 88,
		Title:       "A tool's name is not allowed",
		Literals:    []string{"tool name", "exceeds 60 characters", "exceeds 64", "naming issues", "function name", "tools.0.", "string should match pattern", "tool names must", "name too long", "tools[0].", "does not match pattern", " tools", "too many tools", "array too long", "does not match '^[a-z", "must be unique", "expected maxlength", "string_above_max_length", "maximum length of 64", "invalid function name", "at most 64", "tools: tool names"},
		Pattern:     `(?:(?:tool|function) name[^\n]{0,60}(?:exceed\w*|too long|invalid|must|length|not allowed|unique|duplicate|longer|at most)[^\n]{0,60}|(?:invalid|duplicate) (?:tool|function) name[^\n]{0,80}|exceeds? 6[04] characters|naming issues[^\n]{0,60}|tools[.\[]\d+\]?\.(?:custom\.|function\.)*name[^\n]{0,120}|String should match pattern[^\n]{0,60}|tool names must be unique|(?:more than|maximum of|up to|at most|limit of) \d{2,3} tools[^\n]{0,40}|too many tools[^\n]{0,40}|array too long[^\n]{0,60}|string_above_max_length|at most 64 characters)`,
		Explanation: "The model's API limits names of tools (characters, length, number), and one of them is outside.",
		Remedy:      "Shorten the server's name in the config, since clients put it before the tool's name, or disable some tools.",
		Example:     "Combined server and tool name length (73) exceeds 60 characters",
	},
}
