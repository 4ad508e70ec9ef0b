package core

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// rootKeys are the words by which a config inside a paste is found. They are
// tried in this order, because "servers" alone stands in many texts.
var rootKeys = []string{`"mcpServers"`, `"context_servers"`, `[mcp_servers`, "mcpServers:", "mcp_servers:", `"servers"`, `"mcp"`, `"extensions"`}

// entryKeys are what makes a block with such a word a config: servers that
// can be started or reached.
var entryKeys = []string{`"command"`, `"url"`, `"serverUrl"`, `"httpUrl"`, "command:", "command =", "url:", "url ="}

// Bounds for texts in which a root key stands many times over.
const (
	maxBlocks   = 8
	maxSettings = 4 << 10 // before the root key
)

// separate finds the config in a paste that mixes it with a log, where no
// config was given on its own. What is cut out is blanked, not removed, so
// that offsets into the text stay true.
func separate(in Input) Input {
	if in.Config != "" {
		return unquote(in)
	}
	if len(in.Text) > config.MaxSize {
		return in
	}
	in.source = in.Text
	if whole := strings.TrimSpace(in.Text); strings.HasPrefix(whole, "{") && strings.Contains(whole, `"command"`) &&
		strings.Contains(whole, `"args"`) && balanced(whole, 0) == len(whole) {
		in.Config, in.Text, in.within = in.Text, blank(in.Text), true
		return in
	}
	for _, key := range rootKeys {
		at := 0
		for range maxBlocks {
			found := strings.Index(in.Text[at:], key)
			if found < 0 {
				break
			}
			start, end := block(in.Text, at+found, key)
			if start >= 0 && hasEntry(in.Text[start:end]) {
				in.Config = in.Text[start:end]
				in.base, in.within = start, true
				in.Text = in.Text[:start] + blank(in.Config) + in.Text[end:]
				return in
			}
			at += found + len(key)
		}
	}
	return in
}

// unquote takes the JSON out of a shell command that was given as the config,
// such as: claude mcp add-json notes '{"command":"npx"}'.
func unquote(in Input) Input {
	in.source = in.Config
	start, end := strings.Index(in.Config, "'{"), strings.LastIndex(in.Config, "}'")
	if start > 0 && end > start && !strings.ContainsAny(in.Config[:start], "{[\n") {
		in.base, in.Config = start+1, in.Config[start+1:end+1]
	}
	return in
}

// configFile is the name of a client's config, as people write it in a report.
var configFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[~\w./\\:%-]*(?:\.(?:claude|cursor|vscode|gemini|codex|copilot|kiro|roo|zed|continue|codeium)[\\/][\w./\\-]*|mcp|claude_desktop_config|cline_mcp_settings|mcp_settings|opencode)\.(?:jsonc?|toml|ya?ml)\b`)
})

// fileIn is the config file that a text speaks of, or "". The pattern is tried
// only on words that end like one: on a whole text it would take half the time
// of an examination.
func fileIn(text string) string {
	text = text[:min(len(text), maxSettings)]
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

// maxFileName bounds how far a path reaches back.
const maxFileName = 300

var configEndings = []string{"json", "toml", "yaml", "yml"}

func isPathByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte(`~./\:%-`, c) >= 0
}

func hasEntry(text string) bool {
	for _, k := range entryKeys {
		if strings.Contains(text, k) {
			return true
		}
	}
	return false
}

// block measures the config around a root key: for JSON from the brace before
// it to the one that closes it, or to the end where none does; for TOML and
// YAML from the line of the key to the first line that cannot belong to it.
func block(text string, key int, word string) (start, end int) {
	if word[0] != '"' {
		start = strings.LastIndexByte(text[:key], '\n') + 1
		if strings.TrimSpace(text[start:key]) != "" {
			return -1, 0
		}
		return start, indented(text, start)
	}
	from := max(0, key-maxSettings)
	start = strings.LastIndexByte(text[from:key], '{')
	if start >= 0 {
		start += from
	}
	if start < 0 || !onlySettings(text[start+1:key]) {
		start = strings.LastIndexByte(text[:key], '\n') + 1 // the outer braces were not copied
		if strings.TrimSpace(text[start:key]) != "" {
			return -1, 0
		}
	}
	return start, balanced(text, start)
}

// onlySettings tells whether what lies between a brace and the root key can
// be other settings of the same file.
func onlySettings(between string) bool {
	return !strings.Contains(between, "\n\n\n") && strings.Count(between, "}") <= strings.Count(between, "{")
}

// balanced finds the end of the JSON value or members at start.
func balanced(text string, start int) int {
	depth, quoted := 0, false
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case quoted:
			if c == '\\' {
				i++
			} else if c == '"' || c == '\n' {
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
			if depth == 0 && text[start] == '{' {
				return i + 1
			}
			if depth <= 0 && strings.TrimLeft(text[i+1:min(len(text), i+80)], " \t\r\n,}]") != "" && text[start] != '{' {
				return i + 1
			}
		}
	}
	return len(text)
}

// indented finds the end of a TOML or YAML part: the first line at the left
// margin that is no table, key, list item or comment.
func indented(text string, start int) int {
	for at := start; at < len(text); {
		next := strings.IndexByte(text[at:], '\n') + 1
		if next == 0 {
			next = len(text) - at
		}
		line := strings.TrimRight(text[at:at+next], "\r\n")
		switch {
		case line == "", strings.ContainsAny(line[:1], " \t[#-"), strings.HasSuffix(line, ":"), strings.Contains(line, " = "):
		default:
			key, _, ok := strings.Cut(line, ": ")
			if !ok || strings.ContainsAny(key, " \t") {
				return at
			}
		}
		at += next
	}
	return len(text)
}

func blank(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' {
			return c
		}
		return ' '
	}, toASCII(s))
}

// toASCII replaces each byte that is not ASCII by one that is, so that one
// byte in stays one byte out.
func toASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 0x80 {
			b[i] = ' '
		}
	}
	return string(b)
}
