package core

import (
	"strings"

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

// origin is where a config was found, so that places in it can be told as
// places in what was given.
type origin struct {
	source string // what it stands in: the text, or the config with a command around it
	base   int    // where it begins there
	within bool   // source is the text
}

// separate tells config and text apart. Where no config was given on its own,
// it looks for one in the text; what it takes out of the text is blanked, not
// removed, so that offsets stay true.
func separate(in Input) (Input, origin) {
	if in.Config != "" {
		start, end := unquoted(in.Config)
		found := origin{source: in.Config, base: start}
		in.Config = in.Config[start:end]
		return in, found
	}
	start, end := ConfigIn(in.Text)
	if start == end {
		return in, origin{}
	}
	found := origin{source: in.Text, base: start, within: true}
	in.Config = in.Text[start:end]
	in.Text = in.Text[:start] + blank(in.Config) + in.Text[end:]
	return in, found
}

// unquoted is where in a config the JSON stands, when what was given is a shell
// command, such as: claude mcp add-json notes '{"command":"npx"}'.
func unquoted(text string) (start, end int) {
	start, end = strings.Index(text, "'{"), strings.LastIndex(text, "}'")
	if start > 0 && end > start && !strings.ContainsAny(text[:start], "{[\n") {
		return start + 1, end + 1
	}
	return 0, len(text)
}

// ConfigIn tells where in a paste the config stands that [Examine] reads as
// such, as byte offsets; both are 0 where there is none.
func ConfigIn(text string) (start, end int) {
	if len(text) > config.MaxSize {
		return 0, 0
	}
	if isEntry(text) {
		return 0, len(text)
	}
	for _, key := range rootKeys {
		at := 0
		for range maxBlocks {
			found := strings.Index(text[at:], key)
			if found < 0 {
				break
			}
			start, end := block(text, at+found, key)
			if start >= 0 && (hasEntry(text[start:end]) || isBare(text, start, end, key)) {
				return start, end
			}
			at += found + len(key)
		}
	}
	return 0, 0
}

// isEntry tells whether a text is the JSON of one server and nothing else,
// which has no root key to be found by.
func isEntry(text string) bool {
	whole := strings.TrimSpace(text)
	return strings.HasPrefix(whole, "{") && strings.Contains(whole, `"command"`) && strings.Contains(whole, `"args"`) &&
		balanced(whole, 0) == len(whole)
}

// isBare tells whether a text is a config and nothing else, though it has no
// servers. Only the first of the root keys says so by itself.
func isBare(text string, start, end int, key string) bool {
	return key == rootKeys[0] && strings.TrimSpace(text) == text[start:end]
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
	if word[0] == '"' && strings.HasPrefix(strings.TrimLeft(text[key+len(word):], " \t\r\n"), ",") {
		return -1, 0 // one of a list of names, such as the path in an issue of zod
	}
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

// blank is as many bytes of nothing as s has, in as many lines.
func blank(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}
