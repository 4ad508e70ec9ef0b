package report

import (
	"strings"

	"mcpmend/core/config"
)

// Diff is the change from one text to another, as the lines that differ with
// a little of what stands around them. Secrets in it are masked.
func Diff(before, after string) []DiffLine {
	if before == after {
		return nil
	}
	a, b := splitLines(before), splitLines(after)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	enda, endb := len(a), len(b)
	for enda > start && endb > start && a[enda-1] == b[endb-1] {
		enda--
		endb--
	}
	var lines []DiffLine
	for _, d := range align(a[start:enda], b[start:endb]) {
		if d.Old > 0 {
			d.Old += start
		}
		if d.New > 0 {
			d.New += start
		}
		lines = append(lines, d)
	}
	return lines
}

// DiffLine is one line of a Diff. Old and New count from 1; a removed line has
// no New, an added one no Old.
type DiffLine struct {
	Sign     byte // ' ', '-' or '+'
	Old, New int
	Text     string
}

func splitLines(s string) []string {
	return strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
}

// align finds the longest common subsequence of two short runs of lines. Mends
// touch a few lines of a config; past a million pairs the runs are shown as
// replaced whole.
func align(a, b []string) []DiffLine {
	if len(a)*len(b) > 1<<20 {
		return replaced(a, b)
	}
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var lines []DiffLine
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines = append(lines, DiffLine{' ', i + 1, j + 1, a[i]})
			i++
			j++
		case i < len(a) && (j == len(b) || longest[i+1][j] >= longest[i][j+1]):
			lines = append(lines, DiffLine{'-', i + 1, 0, a[i]})
			i++
		default:
			lines = append(lines, DiffLine{'+', 0, j + 1, b[j]})
			j++
		}
	}
	return masked(lines)
}

func replaced(a, b []string) []DiffLine {
	var lines []DiffLine
	for i, line := range a {
		lines = append(lines, DiffLine{'-', i + 1, 0, line})
	}
	for j, line := range b {
		lines = append(lines, DiffLine{'+', 0, j + 1, line})
	}
	return masked(lines)
}

// masked hides secrets in all lines at once, since a secret's key may stand on
// the line before its value. Masking keeps line breaks.
func masked(lines []DiffLine) []DiffLine {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	hidden := strings.Split(config.Mask(strings.Join(texts, "\n")), "\n")
	for i := range lines {
		if len(hidden) == len(lines) {
			lines[i].Text = hidden[i]
		} else {
			lines[i].Text = config.Mask(lines[i].Text)
		}
	}
	return lines
}

// DiffText shows a change to a file on a terminal.
func DiffText(file string, lines []DiffLine, s Style) string {
	p := printer{style: s}
	p.line("  %s", shown(file))
	p.diff(lines)
	return p.String()
}
