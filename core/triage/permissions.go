package triage

// permissionRules: the system or a policy says no.
var permissionRules = []Rule{
	{
		Code: "MCP1501", Category: PermissionDenied, Severity: Error, Specificity: 80,
		Title:       "No permission for {path|a file}",
		Literals:    []string{"eacces", "eperm"},
		Pattern:     `(?:EACCES|EPERM)\b(?:[:,] (?:permission denied|operation not permitted)(?:,? (?P<operation>\w+) {q}(?P<path>[^"'\n]{1,300}?){q}(?:$|[\s,;)}]))?)?`,
		Explanation: "The user who runs the client may not use {path|that file or folder}.",
		Remedy:      "Change the owner or the mode of {path|it}; for npm's cache: sudo chown -R $(id -u) ~/.npm. Do not run the client as root.",
		Example:     "Error: EACCES: permission denied, mkdir '/usr/local/lib/node_modules'",
	},
	{
		Code: "MCP1502", Category: PermissionDenied, Severity: Error, Specificity: 68,
		Title:       "Permission denied",
		Literals:    []string{"permission denied", "operation not permitted", "access is denied", "permissionerror", "os error 13", "permission_denied", "[winerror 5]", "access to the path"},
		Pattern:     `(?:(?:PermissionError: )?\[(?:Errno 13|Errno 1|WinError 5)\] (?:Permission denied|Operation not permitted|Access is denied)(?:: {q}(?P<path1>[^"'\n]{1,300}?){q}(?:$|\s))?|{q}(?P<path2>(?:/|[a-z]:\\)[^"'\n:]{1,300}){q}: Permission denied|Permission denied \(os error 13\)|Access to the path {q}(?P<path3>[^"'\n]{1,300}){q} is denied|Permission denied|Operation not permitted|Access is denied|PermissionError|os error 13)`,
		Explanation: "The system refused to let the client start the program or use a file.",
		Remedy:      "Make the program executable (chmod +x {path|FILE}) or change who owns it; on macOS see Privacy & Security, Full Disk Access.",
		Example:     "MCP startup failed: Permission denied (os error 13)",
	},
	{
		Code: "MCP1503", Category: PermissionDenied, Severity: Error, Specificity: 84,
		Title:       "A policy does not allow it",
		Literals:    []string{"running scripts is disabled", "execution of scripts is disabled", "blocked by group policy", "blocked by your administrator", "not authorized to send apple events", "full disk access", "read-only file system", "erofs", "notcapable", "outside allowed director", "not allowed by policy", "not allowed by your organization", "disabled by your admin", "requires appropriate permissions", "screen recording permission", "accessibility permission", "requires --allow-", "blocked by policy", "policy blocked", "root-owned files", "administrator privileges", "run as administrator", "requires sudo", "permitted by policy", "rejected by policy", "denied by policy"},
		Pattern:     `(?:(?:running|execution of) scripts is disabled|blocked by (?:group policy|your administrator|policy)|not authorized to send Apple events|full disk access|read-only file system|EROFS|NotCapable: [^\n]{0,80}|outside allowed director(?:y|ies)[^\n]{0,120}|not allowed by (?:policy|your organization)|disabled by your admin\w*|requires appropriate permissions|(?:screen recording|accessibility) permission|requires --allow-\w+|policy blocked|root-owned files|administrator privileges|run (?:this |it )?as administrator|requires sudo|(?:not permitted|rejected|denied) by (?:the )?polic(?:y|ies))`,
		Explanation: "It is not a matter of the config: a policy of the system, of the company or of the server itself forbids this.",
		Remedy:      "Grant what the message names (system settings, allowed folders in \"args\", a flag), then restart the client.",
		Example:     "npx.ps1 cannot be loaded because running scripts is disabled on this system.",
	},
	{
		Code: "MCP1504", Category: PermissionDenied, Severity: Error, Specificity: 60,
		Title:       "npm was not allowed to write (exit code 243)",
		Literals:    []string{"243"},
		Pattern:     `(?:exit(?:ed)?(?: with)?(?: code| status)?|code|status)[:= ]+243\b`,
		Explanation: "243 is how npm ends after EACCES: it may not write to its cache or prefix.",
		Remedy:      "Give the folder back to your user: sudo chown -R $(id -u) ~/.npm.",
		Example:     "Server process exited with code 243",
	},
}
