package config

import (
	"slices"
	"sort"
)

// Strict gives the mends that take comments and trailing commas out of JSON,
// for a client whose parser knows neither. Unlike [Repair] it loses the
// comments, so it is for the user to decide.
func Strict(text string) []Mend {
	return extras(text, MendComment, MendTrailingComma)
}

// extras finds what JSON with comments has and JSON has not, in text that
// parses as the former.
func extras(text string, kinds ...MendKind) []Mend {
	var mends []Mend
	add := func(kind MendKind, start, end int) {
		if slices.Contains(kinds, kind) {
			mends = append(mends, mendFor(kind, start, end, ""))
		}
	}
	comma := -1 // offset of the comma that is the last token
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
			continue
		case '/':
			end := skipComment(text, i)
			if end > i {
				start, end := wholeLine(text, i, end)
				add(MendComment, start, end)
				i = end
				continue
			}
		case '}', ']':
			if comma >= 0 {
				add(MendTrailingComma, comma, comma+1)
			}
		case '"':
			i, comma = skipString(text, i), -1
			continue
		}
		if text[i] == ',' {
			comma = i
		} else {
			comma = -1
		}
		i++
	}
	sort.SliceStable(mends, func(i, j int) bool { return mends[i].Start < mends[j].Start })
	return mends
}

// wholeLine widens the range of a comment to its line where it has one to
// itself, or to the blank before it where it ends one.
func wholeLine(text string, start, end int) (int, int) {
	from := start
	for from > 0 && (text[from-1] == ' ' || text[from-1] == '\t') {
		from--
	}
	to := end
	for to < len(text) && (text[to] == ' ' || text[to] == '\t' || text[to] == '\r') {
		to++
	}
	if to < len(text) && text[to] != '\n' {
		return start, end // something follows on the same line
	}
	if to < len(text) && (from == 0 || text[from-1] == '\n') {
		return from, to + 1
	}
	return from, end
}
