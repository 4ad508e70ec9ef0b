package config

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// disguises are what a program that shows a config makes of all of it. Each
// gives the mends that undo it, or none where the text does not wear it.
var disguises = []func(string) []Mend{diffMargins, lineNumbers, htmlText, programText, widePunctuation}

// disguised tells whether a text that parses is no config as it is: one string,
// or in YAML lines whose numbers are read as a part of their keys.
func disguised(text string, format Format) bool {
	return programText(text) != nil || format == YAML && lineNumbers(text) != nil
}

// undisguised takes a disguise off a text and mends what is left.
func undisguised(text string, format Format) []Mend {
	for _, undo := range disguises {
		mends := undo(text)
		if len(mends) == 0 {
			continue
		}
		plain, err := Edited(text, editsOf(mends))
		if err != nil {
			return nil
		}
		inner, err := mendsOf(plain, format)
		if err != nil {
			if inner = repairBare(plain, format); inner == nil {
				return nil
			}
		}
		if len(mends)+len(inner) <= maxComposed {
			return composed(text, mends, inner)
		}
		whole, err := Edited(plain, editsOf(inner))
		if err != nil {
			return nil
		}
		return []Mend{mendFor(mends[0].Kind, 0, len(text), whole)}
	}
	return nil
}

// diffMargins drops the signs of a diff in front of each line, and the lines
// that the diff takes out.
func diffMargins(text string) []Mend {
	var mends []Mend
	added := false
	at := 0
	for line := range strings.Lines(text) {
		end := at + len(line)
		switch {
		case strings.TrimSpace(line) == "":
		case isDiffHeader(line) || line[0] == '-':
			mends = append(mends, mendFor(MendAround, at, end, ""))
		case line[0] == '+' || line[0] == ' ':
			mends = append(mends, mendFor(MendAround, at, at+1, ""))
			added = added || line[0] == '+'
		default:
			return nil
		}
		at = end
	}
	if !added {
		return nil
	}
	return mends
}

func isDiffHeader(line string) bool {
	for _, start := range []string{"diff ", "index ", "@@ ", "+++ ", "--- ", `\ No newline`} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// lineNumbers drops numbers in front of each line that count up, with the bar
// or the blank behind them.
func lineNumbers(text string) []Mend {
	var mends []Mend
	at, last := 0, -1
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			number, width := lineNumber(line)
			if number < 0 || last >= 0 && number != last+1 {
				return nil
			}
			last = number
			mends = append(mends, mendFor(MendAround, at, at+width, ""))
		}
		at += len(line)
	}
	if len(mends) < 2 {
		return nil
	}
	return mends
}

// lineNumber reads the number that a line begins with, or gives -1, and how
// much of the line belongs to it.
func lineNumber(line string) (number, width int) {
	rest := strings.TrimLeft(line, " \t")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	number, err := strconv.Atoi(rest[:digits])
	if err != nil {
		return -1, 0
	}
	rest = rest[digits:]
	for _, bar := range []string{"|", "│"} {
		if after, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), bar); ok {
			return number, len(line) - len(strings.TrimPrefix(after, " "))
		}
	}
	if !strings.ContainsAny(rest[:min(1, len(rest))], " \t\r\n") {
		return -1, 0
	}
	return number, len(line) - len(strings.TrimLeft(rest[:1], " \t")) - len(rest[1:])
}

// htmlText reads the source of a web page, in which no plain quote stands.
func htmlText(text string) []Mend {
	if strings.Contains(text, `"`) || !strings.Contains(text, "&quot;") && !strings.Contains(text, "&#34;") {
		return nil
	}
	plain := strings.NewReplacer("&quot;", `"`, "&#34;", `"`, "&apos;", "'", "&#39;", "'", "&#x27;", "'",
		"&lt;", "<", "&gt;", ">", "&nbsp;", " ", "&amp;", "&").Replace(text)
	return []Mend{mendFor(MendEscaped, 0, len(text), plain)}
}

// programText reads a config as a program holds it in a string, with the
// quotes around it or without them: every quote inside has a backslash.
func programText(text string) []Mend {
	body := strings.Trim(text, " \t\r\n,;")
	if inner, ok := strings.CutPrefix(body, `"`); ok {
		body = strings.TrimSuffix(inner, `"`)
	}
	if !strings.HasPrefix(body, "{") || !strings.Contains(body, `\"`) {
		return nil
	}
	var plain strings.Builder
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == '"' {
			return nil
		}
		if c == '\\' && i+1 < len(body) {
			i++
			switch c = body[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				continue
			}
		}
		plain.WriteByte(c)
	}
	return []Mend{mendFor(MendEscaped, 0, len(text), plain.String())}
}

// wide are the signs that an input method for Chinese or Japanese writes in
// place of those of a config.
var wide = []struct {
	sign  rune
	plain string
}{
	{'：', ":"}, {'，', ","}, {'、', ","}, {'；', ";"}, {'＝', "="},
	{'｛', "{"}, {'｝', "}"}, {'［', "["}, {'］', "]"}, {'【', "["}, {'】', "]"},
}

// narrow gives the sign that a wide one stands for, or "".
func narrow(c rune) string {
	for _, w := range wide {
		if w.sign == c {
			return w.plain
		}
	}
	return ""
}

// widePunctuation replaces such signs between the strings of JSON.
func widePunctuation(text string) []Mend {
	if begin := strings.TrimSpace(text); begin == "" || !strings.ContainsAny(begin[:1], "{[\"") && narrow(firstRune(begin)) == "" {
		return nil
	}
	var mends []Mend
	var inside rune // the family of the quotes that are open
	comment := 0    // where the last one ends
	for i, c := range text {
		if i < comment {
			continue
		}
		_, family, quote := quoteAt(text, i)
		switch {
		case c == '\n':
			inside = 0
		case quote && inside == 0:
			inside = family
		case quote && family == inside:
			inside = 0
		case inside != 0:
		case c == '/' || c == '#':
			comment = i + commentWidth(text[i:])
		case c >= utf8.RuneSelf:
			if plain := narrow(c); plain != "" {
				mends = append(mends, mendFor(MendWide, i, i+utf8.RuneLen(c), plain))
			}
		}
	}
	return mends
}

// commentWidth gives the length of the comment that a text begins with.
func commentWidth(text string) int {
	end := -1
	switch {
	case strings.HasPrefix(text, "/*"):
		if end = strings.Index(text, "*/"); end < 0 {
			return len(text)
		}
	case text[0] == '#' || strings.HasPrefix(text, "//"):
		if end = strings.IndexByte(text, '\n'); end < 0 {
			return len(text)
		}
	}
	return max(end, 0)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
