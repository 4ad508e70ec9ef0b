package config

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Decode reads a text that was saved as UTF-16, as PowerShell's > and Notepad
// do, with its byte order mark or without one. ok is false for any other text.
func Decode(text string) (plain string, ok bool) {
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

// unit gives the 16 bits at i, whose low byte stands first or second.
func unit(text string, i, low int) rune {
	return rune(text[i+low]) | rune(text[i+1-low])<<8
}
