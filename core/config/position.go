package config

import (
	"sort"
	"unicode/utf8"
)

// Lines finds line and column of a byte offset.
type Lines struct {
	text   string
	starts []int
}

// NewLines indexes text once; each look-up is then a binary search.
func NewLines(text string) *Lines {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return &Lines{text, starts}
}

// At gives the line and the column, in characters, of a byte offset, both
// counted from 1.
func (l *Lines) At(offset int) (line, column int) {
	offset = min(max(offset, 0), len(l.text))
	line = sort.SearchInts(l.starts, offset+1)
	return line, utf8.RuneCountInString(l.text[l.starts[line-1]:offset]) + 1
}

// Line gives the text of a line, counted from 1, without its end.
func (l *Lines) Line(n int) string {
	if n < 1 || n > len(l.starts) {
		return ""
	}
	end := len(l.text)
	if n < len(l.starts) {
		end = l.starts[n] - 1
	}
	line := l.text[l.starts[n-1]:end]
	if len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line
}
