package config

import (
	"slices"
	"sort"
	"strings"
)

// hidden stands for a secret in everything that is shown.
const hidden = "****"

// Mask hides the secrets in a text: values of keys, variables, flags and
// headers whose names say that they are secret, tokens of known shapes,
// private keys, passwords in addresses, and long random words. It keeps a
// readable shape (ghp_****), leaves placeholders such as ${TOKEN} alone, and
// masking twice is masking once.
func Mask(text string) string { return hide(text, secrets(text)) }

// MaskValue hides a value whose key is known, such as a variable of an
// environment or a header: wholly where the key names a secret, by its shape
// otherwise.
func MaskValue(key, value string) string { return hide(value, Secrets(key, value)) }

// Secrets gives the parts of a value that MaskValue hides, in order.
func Secrets(key, value string) []Span {
	strength := secretName(key)
	if strength == notSecret || isPlaceholder(value) || strength == maybeSecret && !looksRandom(value) {
		return secrets(value)
	}
	v := newView(value)
	return []Span{{v.offset(visiblePrefix(v.text)), len(value)}}
}

func hide(text string, spans []Span) string {
	if len(spans) == 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	at := 0
	for _, s := range spans {
		out.WriteString(text[at:s.Start])
		out.WriteString(hidden)
		at = s.End
	}
	out.WriteString(text[at:])
	return out.String()
}

// secrets finds the parts of a text that must not be shown, in order and apart
// from each other.
func secrets(text string) []Span {
	v := newView(text)
	var spans []Span
	add := func(start, end int) {
		if start < end {
			spans = append(spans, Span{v.offset(start), v.offset(end)})
		}
	}
	maskNamed(v, add)
	maskShapes(v, add)
	maskAddresses(v, add)
	maskPrivateKeys(v, add)
	if len(spans) == 0 {
		return nil
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].Start < spans[j].Start })
	merged := spans[:0]
	for _, s := range spans {
		if n := len(merged); n > 0 && s.Start <= merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, s.End)
			continue
		}
		merged = append(merged, s)
	}
	return slices.DeleteFunc(merged, func(s Span) bool { return text[s.Start:s.End] == hidden })
}

// view is a text with the escapes of JSON, URLs and terminals undone, so that
// a secret is found however it was quoted. at gives, for each byte of the
// view and for its end, the offset in the text itself; it is nil where nothing
// had to be undone.
type view struct {
	text string
	at   []int
}

func newView(text string) *view {
	if !hasEscapes(text) {
		return &view{text: text}
	}
	out := make([]byte, 0, len(text))
	at := make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		c, size := unescaped(text[i:])
		if size > 0 && c != 0 {
			out = append(out, c)
			at = append(at, i)
		}
		if size == 0 {
			out = append(out, text[i])
			at = append(at, i)
			size = 1
		}
		i += size
	}
	return &view{string(out), append(at, len(text))}
}

func hasEscapes(text string) bool {
	for i := range len(text) {
		if c := text[i]; c == '\\' || c == '%' || c == 0x1b || c >= 0x80 {
			return true
		}
	}
	return false
}

// quoteWidth gives how many bytes of the text a byte of the view stands for,
// which tells an escaped quote from a plain one.
func (v *view) quoteWidth(i int) int { return v.offset(i+1) - v.offset(i) }

// offset is where a byte of the view stands in the text.
func (v *view) offset(i int) int {
	if v.at == nil {
		return i
	}
	return v.at[i]
}

// unescaped reads one escape at the start of s: the byte it stands for, 0 for
// nothing at all, and its size. Size 0 means that there is no escape.
func unescaped(s string) (c byte, size int) {
	switch s[0] {
	case '%':
		if len(s) >= 3 && hexDigits(s[1:], 2) {
			if c := hexByte(s[1:3]); c >= ' ' && c < 0x7f {
				return c, 3
			}
		}
	case '\\':
		run := 1 // however many times the text was quoted
		for run < len(s) && s[run] == '\\' && run < 16 {
			run++
		}
		if run == len(s) {
			return 0, 0
		}
		switch s[run] {
		case '"', '\'', '/':
			return s[run], run + 1
		case 'n', 'r', 't':
			return '\n', run + 1
		case 'u':
			if hexDigits(s[run+1:], 4) && s[run+1:run+3] == "00" {
				if c := hexByte(s[run+3 : run+5]); c >= ' ' && c < 0x7f {
					return c, run + 5
				}
			}
		}
	case 0x1b:
		if len(s) >= 2 && s[1] == '[' {
			end := 2
			for end < len(s) && end < 32 && (s[end] >= '0' && s[end] <= '9' || s[end] == ';') {
				end++
			}
			if end < len(s) {
				return 0, end + 1
			}
		}
	case 0xe2, 0xc2, 0xef:
		for _, nothing := range [...]string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"} {
			if strings.HasPrefix(s, nothing) {
				return 0, len(nothing)
			}
		}
	}
	return 0, 0
}

func hexByte(s string) byte {
	var value byte
	for i := range 2 {
		c := s[i] | 0x20
		value <<= 4
		if c >= 'a' {
			value |= c - 'a' + 10
		} else {
			value |= c & 0x0f
		}
	}
	return value
}
