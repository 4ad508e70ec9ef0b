package triage

import "strings"

// maxStatement bounds what is quoted of a long line.
const maxStatement = 200

// statement widens a match to the message in which it stands: to the whole
// line where that is short, else to the string of the JSON or of the sentence
// around it. A pattern may match two words; a reader wants the sentence. The
// part of the line before from is its prefix.
func statement(text string, from, start, end int) (int, int) {
	from = max(from, strings.LastIndexByte(text[from:start], '\n')+1+from)
	to := lineEnd(text, end)
	if to-from > maxStatement {
		from = max(from, start-maxStatement)
		to = min(to, end+maxStatement)
		if i := strings.LastIndexAny(text[from:start], "\"{}"); i >= 0 {
			from += i + 1
		} else if start-from > maxStatement/2 {
			from = start
		}
		if i := indexEnd(text[end:to]); i >= 0 {
			to = end + i
		} else if to-end > maxStatement/2 {
			to = end
		}
	}
	if to == lineEnd(text, end) && to > from && strings.IndexByte(":[{", text[to-1]) >= 0 {
		to = goesOn(text, to) // what was announced stands on the lines below
	}
	for from < start && isMargin(text[from]) {
		from++
	}
	for to > end && isMargin(text[to-1]) {
		to--
	}
	return from, to
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

// indexEnd is where a string inside a log line ends: at its quote, at a line
// break that was written as \n, or at the next object.
func indexEnd(text string) int {
	best := strings.IndexAny(text, "\"{}")
	if i := strings.Index(text, `\n`); i >= 0 && (best < 0 || i < best) {
		best = i
	}
	return best
}

func isMargin(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '|' }
