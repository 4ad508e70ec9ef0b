package core

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fill puts names into a template: {name|words to use instead}, or with words
// around the name {name?port %|words to use instead}. Names come from what
// servers and configs said, so only those of a harmless form are inserted; for
// the rest the other words stand.
func fill(template string, names map[string]string) string {
	var out strings.Builder
	for {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			break
		}
		size := strings.IndexByte(template[open:], '}')
		if size < 0 {
			break
		}
		name, words, isName := strings.Cut(template[open+1:open+size], "|")
		name, around, _ := strings.Cut(name, "?")
		if !isName || !harmless(name) {
			out.WriteString(template[:open+1]) // a brace of an example
			template = template[open+1:]
			continue
		}
		out.WriteString(template[:open])
		if value := names[name]; harmless(value) {
			words = strings.Replace(cmp.Or(around, "%"), "%", value, 1)
		}
		out.WriteString(words)
		template = template[open+size+1:]
	}
	out.WriteString(template)
	return sentence(strings.Join(strings.Fields(out.String()), " "))
}

// harmless tells whether a value may stand in a sentence of ours: a name, a
// path, a version or a host, and nothing that could be read as markup, as a
// command or as a sentence of its own.
func harmless(value string) bool {
	const longest = 120
	if value == "" || len(value) > longest {
		return false
	}
	for _, c := range value {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune(`_-./\@:+~=^<>* `, c)) {
			return false
		}
	}
	return strings.Count(value, " ") <= 3 && !strings.Contains(value, "://") && !strings.HasPrefix(value, " ")
}

// sentence begins with a capital, unless it begins with a name such as npx.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	word, _, _ := strings.Cut(s, " ")
	if !unicode.IsLower(first) || strings.ContainsAny(word, "./@-_") || !plainWords[strings.TrimRight(word, ",:")] {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// plainWords are those with which a template's alternative may begin.
var plainWords = map[string]bool{"a": true, "an": true, "the": true, "it": true, "one": true, "that": true, "of": true, "another": true}
