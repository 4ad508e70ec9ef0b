package triage

import "strings"

// maxStatement bounds what is quoted of a long line, and reach how far that
// goes before and behind the words themselves.
const (
	maxStatement = 320
	reach        = 140
)

// statement widens a match to the message in which it stands: to the whole
// line where that is short, else to the string of the JSON around it or to the
// words nearby. A pattern may match two words; a reader wants the sentence.
// The part of the line before from is its prefix.
func statement(text string, from, start, end int) (int, int) {
	from = max(from, strings.LastIndexByte(text[from:start], '\n')+1+from)
	to := lineEnd(text, end)
	from = sentenceStart(text, from)
	if to-from > maxStatement {
		from, to = beginning(text, max(from, start-reach), start), ending(text, end, min(to, end+reach))
	}
	if to == lineEnd(text, end) && (announces(text[from:to]) || continued(text[to:])) {
		to = goesOn(text, to)
	}
	for _, c := range attached {
		if i := strings.Index(text[end:to], c); i >= 0 {
			to = end + i
		}
	}
	for from < start && isMargin(text[from]) {
		from++
	}
	for to > end && (isMargin(text[to-1]) || text[to-1] == '{') {
		to--
	}
	return from, to
}

// sentenceStart is where the sentence begins that goes on at from. That is on
// the line above where this one begins with a small letter, and either that
// one ends in a colon, or a terminal broke it: then it is long and ends in the
// middle, and this one is indented.
func sentenceStart(text string, from int) int {
	line := strings.LastIndexByte(text[:from], '\n') + 1
	rest := strings.TrimLeft(text[line:lineEnd(text, from)], " ")
	if line == 0 || rest == "" || !isSmall(rest[0]) || strings.HasPrefix(rest, "at ") {
		return from
	}
	const longEnough = 50
	start := strings.LastIndexByte(text[:line-1], '\n') + 1
	above := strings.TrimRight(text[start:line-1], " \r")
	indented := text[line] == ' '
	announced := strings.HasSuffix(above, ":")
	broken := indented && len(above) >= longEnough && isSmall(above[len(above)-1]|0x20)
	if len(above) > maxStatement || !announced && !broken {
		return from
	}
	return start + readPrefix(above).length
}

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

// attached begins what clients put behind a message and nobody reads.
var attached = []string{` { metadata:`, ` {"context":`, ` {"stack":`, ` {"metadata":`}

// announces tells whether a line says that more stands below it: it ends in a
// colon or a bracket, or names the file or the object whose faults follow.
func announces(line string) bool {
	line = strings.TrimRight(line, " \r")
	if strings.Contains(line, "validation error") {
		return true
	}
	for _, end := range []string{":", "[", ".json", ".jsonc", ".toml", ".yaml", ".yml"} {
		if strings.HasSuffix(line, end) {
			return true
		}
	}
	return false
}

// continued tells whether the next line is marked as what the one before it
// means: the ways of zod, miette, .NET and others.
func continued(rest string) bool {
	rest = strings.TrimLeft(rest, "\n\r\t |")
	for _, mark := range []string{"↳", "└", "╰", "--->", "→"} {
		if strings.HasPrefix(rest, mark) {
			return true
		}
	}
	return false
}

// goesOn is the end of the two lines after the one that ends at to.
func goesOn(text string, to int) int {
	for range 2 {
		next := lineEnd(text, to+1)
		if to >= len(text) || next-to > maxStatement || strings.TrimSpace(text[to:next]) == "" {
			break
		}
		to = next
	}
	return to
}

// Where a string of JSON begins and ends inside a log line, as it is and as it
// looks inside another string, and a line break that was written as \n.
var (
	opens  = []string{`":"`, `": "`, `["`, `{"`, `\":\"`, `\": \"`, `\n`}
	closes = []string{`",`, `"}`, `"]`, `\",`, `\"}`, `\"]`, `\n`}
)

// beginning is where the message around start begins, not before from.
func beginning(text string, from, start int) int {
	best := -1
	for _, o := range opens {
		if i := strings.LastIndex(text[from:start], o); i >= 0 && !isPath(text, from+i) {
			best = max(best, from+i+len(o))
		}
	}
	if best >= 0 {
		return best
	}
	if space := strings.IndexByte(text[from:start], ' '); start-from == reach && space >= 0 {
		return from + space // not in the middle of a word
	}
	return from
}

// ending is where the message around end ends, not behind to.
func ending(text string, end, to int) int {
	best := -1
	for _, c := range closes {
		if i := strings.Index(text[end:to], c); i >= 0 && (best < 0 || end+i < best) && !isPath(text, end+i) {
			best = end + i
		}
	}
	if best >= 0 {
		return best
	}
	if space := strings.LastIndexByte(text[end:to], ' '); to-end == reach && space >= 0 {
		return end + space
	}
	return to
}

// isPath tells whether a backslash is one of a Windows path: C:\Users\name
// holds no line break.
func isPath(text string, at int) bool {
	near := text[max(0, at-maxStatement):at]
	word := near[strings.LastIndexAny(near, " \t\n\"'`")+1:]
	return text[at] == '\\' && strings.Contains(word, `:\`)
}

func isMargin(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '|' }
