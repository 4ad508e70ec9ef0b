package config

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode reads a text that was saved as UTF-16, as PowerShell's > and Notepad
// do, with its byte order mark or without one. ok is false for any other text.
func decode(text string) (plain string, ok bool) {
	low, skip := 0, 2
	switch {
	case strings.HasPrefix(text, "\xff\xfe"):
	case strings.HasPrefix(text, "\xfe\xff"):
		low = 1
	case len(text) >= 4 && len(text)%2 == 0 && text[1] == 0 && text[3] == 0 && text[0] != 0:
		skip = 0
	case len(text) >= 4 && len(text)%2 == 0 && text[0] == 0 && text[2] == 0 && text[1] != 0:
		low, skip = 1, 0
	default:
		return "", false
	}
	var out strings.Builder
	out.Grow(len(text) / 2)
	for i := skip; i+1 < len(text); i += 2 {
		c := unit(text, i, low)
		if utf16.IsSurrogate(c) && i+3 < len(text) {
			if pair := utf16.DecodeRune(c, unit(text, i+2, low)); pair != utf8.RuneError {
				out.WriteRune(pair)
				i += 2
				continue
			}
		}
		out.WriteRune(c)
	}
	return out.String(), true
}

// IsText says whether a file holds text: no NUL byte, which neither UTF-8 nor
// logs have, and a start that is mostly valid. UTF-16 is text too.
func IsText(data string) bool {
	if _, ok := decode(data); ok {
		return true
	}
	head := data[:min(len(data), 8<<10)]
	if strings.IndexByte(head, 0) >= 0 {
		return false
	}
	bad := 0
	for rest := head; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && n == 1 {
			bad++
		}
		rest = rest[n:]
	}
	return bad*3 <= len(head)
}

// unit gives the 16 bits at i, whose low byte stands first or second.
func unit(text string, i, low int) rune {
	return rune(text[i+low]) | rune(text[i+1-low])<<8
}
