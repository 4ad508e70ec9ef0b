package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Safe makes one line of untrusted text harmless in a terminal: whatever could
// move the cursor, hide, reorder or stay unseen becomes a visible escape such
// as \x1b or \u{202e}. The result has no line break.
func Safe(s string) string {
	if plain(s) {
		return s
	}
	var out strings.Builder
	combining := 0
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&out, `\x%02x`, s[i])
			continue
		case r == '\t':
			out.WriteByte(' ')
			continue
		case r == '\n':
			out.WriteString(`\n`)
			continue
		case r == '\r':
			out.WriteString(`\r`)
			continue
		}
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			combining++
		} else {
			combining = 0
		}
		switch {
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&out, `\x%02x`, r)
		case !unicode.IsPrint(r) || invisible(r) || combining > 3:
			fmt.Fprintf(&out, `\u{%x}`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// SafeLines is Safe for text of several lines; line breaks stay.
func SafeLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Safe(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// invisible lists what unicode.IsPrint calls printable and nobody sees: models
// read these characters, people do not.
func invisible(r rune) bool {
	switch {
	case 0xFE00 <= r && r <= 0xFE0F, 0xE0100 <= r && r <= 0xE01EF: // variation selectors
		return true
	}
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x034F, 0x17B4, 0x17B5:
		return true
	}
	return false
}

// CILog keeps text from being read as a workflow command by a CI runner, which
// obeys lines that begin with :: or ##[.
func CILog(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		trimmed := strings.TrimLeft(line, " \t")
		if strings.HasPrefix(trimmed, "::") || strings.HasPrefix(trimmed, "##[") {
			lines[i] = "| " + line
		}
	}
	return strings.Join(lines, "\n")
}
