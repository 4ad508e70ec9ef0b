package triage

import "strings"

// notVariables are words in capitals that look like variables and are none:
// the system's error names, and what documentation puts where a value goes.
var notVariables = map[string]bool{
	"EAI_AGAIN": true, "CLI_ARGS_ERROR": true, "DBUS_SESSION_BUS_ADDRESS": true, "NODE_MODULE_VERSION": true,
	"MODULE_NOT_FOUND": true, "JSON_RPC": true, "SERVER_ERROR": true, "INVALID_REQUEST": true, "NOT_FOUND": true,
	"YOUR_API_KEY": true, "YOUR_TOKEN": true, "INTERNAL_ERROR": true, "UNKNOWN_ERROR": true, "NO_COLOR": true,
}

// cleanName tidies what a group caught, or refuses it.
func cleanName(group, value string) (string, bool) {
	value = strings.ToValidUTF8(value, "\uFFFD")
	value = strings.Trim(value, " \t\r\"'‘’“”`´,;")
	switch group {
	case "variable":
		if notVariables[value] || strings.HasPrefix(value, "ERR_") || strings.HasPrefix(value, "YOUR_") ||
			strings.HasPrefix(value, "SQLITE_") || strings.HasPrefix(value, "SELF_SIGNED_") {
			return "", false
		}
	case "path", "module":
		value = strings.TrimSuffix(strings.ReplaceAll(value, `\\`, `\`), `\`)
		value = strings.TrimPrefix(value, "file://")
	case "host":
		value = strings.TrimRight(value, ".:")
	}
	const longest = 300
	if len(value) > longest {
		return "", false
	}
	return value, value != ""
}
