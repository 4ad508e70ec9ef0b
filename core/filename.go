package core

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Bounds on the search for a file's name.
const (
	maxSearched = 4 << 10 // of the text
	maxFileName = 300     // how far a path reaches back
)

// configFile is the name of a client's config, as people write it in a report.
var configFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[~\w./\\:%-]*(?:\.(?:claude|cursor|vscode|gemini|codex|copilot|kiro|roo|zed|continue|codeium)[\\/][\w./\\-]*|mcp|claude_desktop_config|cline_mcp_settings|mcp_settings|opencode)\.(?:jsonc?|toml|ya?ml)\b`)
})

// fileIn is the config file that a text speaks of, or "". The pattern is tried
// only on words that end like one: on a whole text it would take half the time
// of an examination.
func fileIn(text string) string {
	text = text[:min(len(text), maxSearched)]
	for at := 0; ; at++ {
		dot := strings.IndexByte(text[at:], '.')
		if dot < 0 {
			return ""
		}
		at += dot
		if !slices.ContainsFunc(configEndings, func(e string) bool { return strings.HasPrefix(text[at+1:], e) }) {
			continue
		}
		start := at
		for start > 0 && at-start < maxFileName && isPathByte(text[start-1]) {
			start--
		}
		if file := configFile().FindString(text[start:min(len(text), at+len(".jsonc "))]); file != "" {
			return file
		}
	}
}

// isConfigFile tells whether a file is called as configs are.
func isConfigFile(name string) bool {
	ending := strings.ToLower(path.Ext(name))
	return slices.ContainsFunc(configEndings, func(e string) bool { return strings.HasPrefix(ending, "."+e) })
}

// systemOf is the system on which a path can stand, or "" where any will do.
func systemOf(path string) string {
	switch {
	case len(path) > 2 && path[1] == ':' && strings.IndexByte(`\/`, path[2]) >= 0:
		return "windows"
	case strings.HasPrefix(path, "/Users/"):
		return "macos"
	case strings.HasPrefix(path, "/home/"):
		return "linux"
	}
	return ""
}

var configEndings = []string{"json", "toml", "yaml", "yml"}

func isPathByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte(`~./\:%-`, c) >= 0
}
