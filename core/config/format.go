package config

import (
	"path"
	"strings"
)

// formatByName knows file extensions and the words after a code fence alike.
var formatByName = map[string]Format{
	"json": JSON, "jsonc": JSONC, "json5": JSONC, "code-workspace": JSONC,
	"toml": TOML,
	"yaml": YAML, "yml": YAML,
}

// formatOf tells the format of a text by the name of its file or, without a
// telling name, by the first line that only one format would write. It works
// for a text that is too broken to parse.
func formatOf(text, file string) Format {
	ext := strings.ToLower(path.Ext(strings.ReplaceAll(file, `\`, "/")))
	if f, ok := formatByName[strings.TrimPrefix(ext, ".")]; ok {
		return f
	}
	for line := range strings.Lines(text) {
		if _, width := lineNumber(line); width > 0 {
			line = line[width:]
		}
		if f := formatOfLine(strings.TrimLeft(strings.Trim(line, " \t\r\n\ufeff\u00a0"), "+")); f != "" {
			return f
		}
	}
	return JSON
}

// formatOfLine judges by one trimmed line, and gives "" where any format could
// have it.
func formatOfLine(line string) Format {
	name := strings.TrimSpace(strings.TrimLeft(line, "`~"))
	if len(name) < 16 { // a config may be one long line
		if f, ok := formatByName[strings.ToLower(name)]; ok {
			return f
		}
	}
	if name == "" || line[0] == '#' {
		return ""
	}
	if line == "---" || line[0] == '%' || strings.HasPrefix(line, "- ") {
		return YAML
	}
	if line[0] == '[' {
		return formatOfBracket(line[1:])
	}
	word := bareKey(line)
	rest := strings.TrimLeft(line[len(word):], " \t")
	switch {
	case word == "" || rest == "":
		// A line of one word, as a copy button leaves it, tells nothing.
		if word != "" {
			return ""
		}
		return JSON
	case rest[0] == '=':
		return TOML
	case rest[0] != ':':
		return ""
	}
	// A bare key with a colon: YAML, or JavaScript where the line goes on as
	// only that does.
	value := strings.TrimSpace(rest[1:])
	if strings.HasSuffix(value, ",") || strings.HasSuffix(value, "{") || strings.HasSuffix(value, "[") {
		return JSON
	}
	return YAML
}

// formatOfBracket judges what follows a bracket at the start of a line: a
// table header, or the elements of an array.
func formatOfBracket(rest string) Format {
	rest = strings.TrimPrefix(rest, "[")
	word := bareKey(rest)
	after := strings.TrimLeft(rest[len(word):], " \t")
	spaced := strings.HasSuffix(after, "]") && !strings.ContainsAny(after, `,"'{}[`) // a name of two words
	if word == "" || after != "" && after[0] != ']' && after[0] != '"' && after[0] != '\'' && !spaced {
		return JSON
	}
	if strings.Trim(word, "0123456789.-") == "" || word == "true" || word == "false" || word == "null" {
		return JSON
	}
	return TOML
}

// bareKey gives the unquoted, possibly dotted key that line begins with.
func bareKey(line string) string {
	end := strings.IndexFunc(line, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
	})
	if end < 0 {
		return line
	}
	return line[:end]
}
