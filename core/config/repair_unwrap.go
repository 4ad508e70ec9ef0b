package config

import (
	"path"
	"slices"
	"strings"
)

// unwrapped takes off what was pasted around a config (a byte order mark, code
// fences, the words of a copy button, prose) and mends the rest.
func unwrapped(text string, format Format) []Mend {
	var before, after []Mend
	start, end := 0, len(text)
	if strings.HasPrefix(text, "\ufeff") {
		start = len("\ufeff")
		before = append(before, mendFor(MendBOM, 0, start, ""))
	}
	if from, to, ok := fenced(text[start:end]); ok {
		if from > 0 {
			before = append(before, mendFor(MendFence, start, start+from, ""))
		}
		if start+to < end {
			after = append(after, mendFor(MendFence, start+to, end, ""))
		}
		start, end = start+from, start+to
	}
	if n := leadingWords(text[start:end], format); n > 0 {
		before = append(before, mendFor(MendAround, start, start+n, ""))
		start += n
	}
	if n := trailingWords(text[start:end], format); n > 0 {
		after = append([]Mend{mendFor(MendAround, end-n, end, "")}, after...)
		end -= n
	}
	inner := text[start:end]
	mends, err := mendsOf(inner, format)
	if err != nil || disguised(inner, format) {
		if mends = undisguised(inner, format); mends == nil {
			mends = repairBare(inner, format)
		}
		if mends == nil {
			return nil
		}
	}
	for _, m := range mends {
		m.Start += start
		m.End += start
		before = append(before, m)
	}
	return append(before, after...)
}

// fenced gives the range between Markdown's fences. A fence counts where it
// opens before anything that could be config, or where it is the last line.
func fenced(text string) (start, end int, ok bool) {
	start, end = 0, len(text)
	pos, inside := 0, false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		next := pos + len(line)
		fence := strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")
		switch {
		case fence && !inside && start == 0 && !configBegins(text[:pos]):
			start, inside, ok = next, true, true
		case fence && strings.Trim(trimmed, "`~") == "" && (inside || strings.TrimSpace(text[next:]) == ""):
			return start, pos, true
		case inside && strings.HasSuffix(trimmed, "```"):
			return start, pos + strings.LastIndex(line, "```"), true
		}
		pos = next
	}
	return start, end, ok
}

// configBegins tells whether some line of text looks like config rather than
// like the words before it.
func configBegins(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !isProse(line) {
			return true
		}
	}
	return false
}

// buttonWords are what the frame around a code block on a page leaves behind
// when the block is copied with the mouse.
var buttonWords = []string{
	"copy", "edit", "copy code", "copied", "copied!", "copy edit", "copyedit", "wrap", "download", "run",
	"expand", "collapse", "bash", "sh", "shell", "javascript", "js", "typescript", "text", "plaintext",
	"plain text", "code", "config", "example",
}

// isButton tells whether a line is one of those words, a format's name or the
// name of a config file.
func isButton(line string) bool {
	word := strings.ToLower(strings.TrimRight(line, ":"))
	for _, part := range strings.Fields(word) {
		if _, format := formatByName[part]; !format && !slices.Contains(buttonWords, part) && !slices.Contains(buttonWords, word) && !isFileName(part) {
			return false
		}
	}
	return word != ""
}

func isFileName(word string) bool {
	_, ok := formatByName[strings.TrimPrefix(path.Ext(word), ".")]
	return ok && !strings.ContainsAny(word, `"'{}[]=,`)
}

// isPrompt tells whether a line is what a shell shows before a command, and the
// command: you@laptop:~$ cat mcp.json.
func isPrompt(line string) bool {
	words := strings.Fields(line[:min(len(line), 200)])
	for _, word := range words[:min(len(words), 3)] {
		if last := word[len(word)-1]; (last == '$' || last == '%') && !strings.ContainsAny(word, `"'{}=`) {
			return true
		}
	}
	return strings.HasPrefix(line, "PS ") && strings.Contains(line, ">")
}

// isProse tells whether a line is words and not JSON: no bracket or quote to
// begin with, no key.
func isProse(line string) bool {
	if isButton(line) || isPrompt(line) {
		return true
	}
	if strings.ContainsAny(line[:1], "{}[]\"'`,#") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") {
		return false
	}
	if _, _, quote := quoteAt(line, 0); quote {
		return false
	}
	if strings.ContainsAny(line, `{}[]"“”`) {
		return false
	}
	key, value, colon := strings.Cut(line, ":")
	if !colon {
		key, value, colon = strings.Cut(line, "=")
	}
	// "Here is my config:" has a colon too; a key is one word.
	return !colon || strings.Contains(strings.TrimSpace(key), " ") || strings.TrimSpace(value) == "" && strings.HasSuffix(line, ":")
}

// leadingWords gives the length of what stands before the config. TOML and
// YAML have words of their own at the start, so only a copy button's go there.
func leadingWords(text string, format Format) int {
	pos, cut := 0, 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
		case format == TOML || format == YAML:
			if !isButton(trimmed) || strings.HasSuffix(trimmed, ":") {
				return cut
			}
			cut = pos + len(line)
		case isProse(trimmed):
			cut = pos + len(line)
		default:
			return pos + declaration(line, pos-cut)
		}
		pos += len(line)
	}
	return 0 // nothing but words: there is no config to free
}

// declarations begin a JavaScript statement whose value is the config.
var declarations = []string{"const ", "let ", "var ", "export default ", "module.exports ", "return "}

// declaration gives the length of the statement before the config, or minus
// blank where there is none, so that blank lines before the config stay.
func declaration(line string, blank int) int {
	brace := strings.IndexByte(line, '{')
	if brace < 0 {
		return -blank
	}
	before := strings.TrimSpace(line[:brace])
	if _, ok := formatByName[strings.ToLower(before)]; ok {
		return brace // json{, from a page that showed the language beside the code
	}
	for _, word := range declarations {
		if strings.HasPrefix(before+" ", word) {
			return brace
		}
	}
	return -blank
}

// trailingWords gives the length of what stands after the config, with the
// line end before it.
func trailingWords(text string, format Format) int {
	end := len(text)
	for end > 0 {
		kept := strings.TrimRight(text[:end], " \t\r\n")
		start := strings.LastIndexByte(kept, '\n') + 1
		line := strings.TrimSpace(kept[start:])
		words := isButton
		if format == JSON || format == JSONC {
			words = isProse
		}
		if line == "" || start == 0 || !words(line) {
			break
		}
		end = start
	}
	if end == len(text) {
		return 0
	}
	if format != TOML && format != YAML {
		kept := strings.TrimRight(text[:end], " \t\r\n")
		if !strings.HasSuffix(kept, "}") && !strings.HasSuffix(kept, "]") && !strings.HasSuffix(kept, ";") {
			return 0 // cut in the middle: what looks like words is a value
		}
		end = len(kept)
	}
	return len(text) - end
}
