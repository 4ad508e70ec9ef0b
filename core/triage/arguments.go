package triage

// argumentRules: a tool was called with arguments that it does not take.
var argumentRules = []Rule{
	{
		Code: "MCP5001", Category: InvalidArguments, Severity: Error, Specificity: 84,
		Title:       "The arguments of {tool|a tool call} do not fit its schema",
		Literals:    []string{"invalid arguments for tool", "input validation error", "invalid arguments", "arguments validation", "invalid tool arguments", "invalid parameters", "invalid params", "error -32602", "parameter validation failed", "validation error for call", "validation errors for call", "missing required parameter", "tool input validation", "invalid tool input", "missing required argument", "unexpected keyword argument", "failed to validate tool", "invalid input for tool", "inputvalidationerror", "argument validation", "did not match expected schema", "arguments did not match", "validation error for", "validation errors for", "does not match the expected schema"},
		Unless:      `Output validation error|Invalid config`,
		Pattern:     `(?:Invalid arguments for tool {q}?(?P<tool1>[\w./-]+)|(?:tool )?input validation error:? ?[^\n]{0,100}|MCP error -32602:?[^\n]{0,100}|tool input did not match expected schema|arguments did not match (?:the )?schema|validation errors? for \w+Arguments|invalid (?:tool )?(?:arguments|params|parameters|input for tool)\b[^\n]{0,80}|validation errors? for call\[(?P<tool2>[\w.-]+)\][^\n]{0,60}|missing required (?:parameter|argument):? {q}?(?P<argument1>\w[\w.-]*)|InputValidationError[^\n]{0,80}|(?:arguments?|parameter) validation (?:failed|error)[^\n]{0,60})`,
		Explanation: "The model or the caller sent arguments of the wrong shape: a missing field, a string where a number belongs, an object as text.",
		Remedy:      "Compare the call with the tool's inputSchema and correct the field that the message names.",
		Example:     "MCP error -32602: Invalid arguments for tool forecast: Required",
	},
	{
		Code: "MCP5003", Category: InvalidArguments, Severity: Error, Specificity: 56,
		Title:       "The parameters of a request were refused (-32602)",
		Literals:    []string{"-32602"},
		Pattern:     `-32602\b[^\n]{0,100}`,
		Explanation: "The other side says that the parameters of a request do not fit.",
		Remedy:      "Compare the request with what the server documents; the message around the code says more.",
		Example:     `{"error":{"code":-32602,"message":"city is unknown"}}`,
	},
	{
		Code: "MCP5002", Category: InvalidArguments, Severity: Error, Specificity: 66,
		Title:       "A value has the wrong type or is missing",
		Literals:    []string{"invalid_type", "is a required property", "received undefined", "is not of type", "input should be", "expected object, received", "expected string, received", "expected number, received", "expected array, received", "expected boolean, received", "type=missing", "type=string_type", "must be string", "must have required property", "additional properties", "unrecognized_keys", "must be a number", "must be a string", "must be an integer", "must be a boolean", "unexpected property", "unknown property"},
		Lines:       2,
		Unless:      `for \w*Settings|mcpServers|inputSchema|claude_desktop_config`,
		Pattern:     `(?:{Q}(?P<argument1>[\w.-]+){Q} is a required property|Expected \w+, received \w+|{Q}code{Q}: ?{Q}invalid_type{Q}|.{0,60} is not of type {q}\w+|Input should be [^\n]{0,60}|\[type=(?:missing|string_type|int_parsing|\w+_type|\w+_parsing)|must be (?:string|number|integer|array|object|boolean)\b|must be an? (?:string|number|integer|array|object|boolean)\b|(?:unexpected|unknown) property|must have required property {q}(?P<argument2>[\w.-]+)|additional properties[^\n]{0,60}not allowed)`,
		Explanation: "A validator compared a value with its schema and found another type, or nothing.",
		Remedy:      "Correct the field that the message names, then call again.",
		Example:     "Input validation: 'city' is a required property",
	},
}
