package lint

import "strings"

// looksLikePath tells a path of a file system from other strings.
func looksLikePath(text string) bool {
	return strings.ContainsAny(text, `/\`) && !strings.Contains(text, "://") && !strings.HasPrefix(text, "@")
}
