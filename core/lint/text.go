package lint

import (
	"strings"
	"unicode"

	"mcpmend/core/config"
)

var textRules = []Rule{
	{
		Code: "MCP4140", Category: "config_shape", Severity: Error,
		Title:  "{value|A string} has a character that is not what it looks like",
		Why:    "Word processors and web pages put in curly quotes, long dashes, no-break spaces and characters of no width. Programs compare letter by letter and do not find what is written with them.",
		Remedy: "Type the text again with plain characters.",
		Before: Example{Text: "{\"mcpServers\": {\"notes\": {\"command\": \"npx\", \"args\": [\"\u2013y\", \"notes-mcp\"]}}}"},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasWide) {
				if role == config.RoleEnv || role == config.RoleHeaders {
					continue // a value may be any text
				}
				plain := plainText(w.text)
				if plain == w.text {
					continue
				}
				p.report(&Finding{
					Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text},
					Fix: Fix{Title: "Write it with plain characters", Patch: config.Patch{replace(w.pointer(), plain)}, Safe: true},
				})
			}
		},
	},
	{
		Code: "MCP4141", Category: "config_shape", Severity: Error,
		Title:  "{value|A string} begins or ends with a space",
		Why:    "The space is part of the value: no program, file or address has that name.",
		Remedy: "Remove the space.",
		Before: Example{Text: `{"mcpServers": {"notes": {"url": " https://notes.example.com/mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			for role, w := range s.strings(hasSpace) {
				trimmed := strings.TrimSpace(w.text)
				if trimmed == w.text || trimmed == "" {
					continue
				}
				f := Finding{
					Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": trimmed},
					Fix: Fix{Title: "Remove the space", Patch: config.Patch{replace(w.pointer(), trimmed)}, Safe: true},
				}
				if role != config.RoleURL && role != config.RoleCommand {
					f.Severity = Warning
					f.Fix.Safe = false
				}
				p.report(&f)
			}
		},
	},
}

// lookalikes are characters that stand where a plain one was meant.
var lookalikes = strings.NewReplacer(
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "--", "\u2212", "-",
	"\u201c", `"`, "\u201d", `"`, "\u2018", "'", "\u2019", "'",
	"\u00a0", " ", "\u202f", " ", "\u2007", " ",
	"\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "",
	"\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "", "\u200e", "", "\u200f", "",
)

// plainText writes a string with the characters that were meant. Letters of
// other scripts may need joiners, and names may have dashes: only a flag, or
// what has nothing else beyond ASCII, is judged.
func plainText(text string) string {
	if ascii(text) {
		return text
	}
	plain := lookalikes.Replace(text)
	if !ascii(plain) {
		return text
	}
	return plain
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] > unicode.MaxASCII {
			return false
		}
	}
	return true
}

// unblanked is a text without what is not seen at its beginning and its end.
func unblanked(text string) string {
	if n := len(text); n > 0 && text[0] > ' ' && text[0] < 0x7f && text[n-1] > ' ' && text[n-1] < 0x7f {
		return text
	}
	return strings.TrimFunc(text, blank)
}

// blank tells whether a character is not seen.
func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
}
