package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/fix"
)

// Text shows a report on a terminal: the root cause in one line, the evidence
// with carets, what to do, then everything else in a line each.
func Text(r core.Report, src Source, s Style) string {
	p := printer{style: s, report: r, src: src, lines: map[core.Place]*config.Lines{}}
	if len(r.Diagnoses) == 0 {
		p.line("nothing wrong found")
		return p.String()
	}
	p.diagnosis(r.Diagnoses[0])
	p.repair()
	p.others(r.Diagnoses[1:])
	p.next(r.Diagnoses[0])
	return p.String()
}

// next is the last line: the commands that lead on.
func (p *printer) next(d core.Diagnosis) {
	if d.Code == "" {
		return
	}
	p.line("")
	first := ""
	if server := shown(d.Server); d.Severity != core.Note && isWord(server) {
		first = "`mcpmend fix " + server + "` tries what can be tried and proves it. "
	}
	p.wrapped("", "", first+"More: mcpmend rules "+d.Code, unpainted)
}

// isWord says whether a name can be typed in a shell as it is.
func isWord(name string) bool {
	const typed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@-"
	return name != "" && name[0] != '-' && strings.Trim(name, typed) == ""
}

// printer gathers the lines of a text. Untrusted words pass through shown
// before they get here.
type printer struct {
	strings.Builder
	style  Style
	report core.Report
	src    Source
	lines  map[core.Place]*config.Lines
}

// shown is untrusted text as a person may see it on one line.
func shown(s string) string { return Safe(config.Mask(s)) }

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " "))
	p.WriteByte('\n')
}

// Bold is text that stands out where there is colour.
func (s Style) Bold(text string) string { return s.paint("1", text) }

func (s Style) accent(text string) string { return s.paint("36", text) }

func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// wrapped prints a paragraph, broken at spaces.
func (p *printer) wrapped(indent, hang, text string, paint func(string) string) {
	width := p.style.Width - utf8.RuneCountInString(indent)
	if p.style.Width == 0 {
		width = math.MaxInt
	}
	for i, line := range Wrap(text, width) {
		if i > 0 {
			indent = hang
		}
		p.line("%s", indent+paint(line))
	}
}

func unpainted(s string) string { return s }

// Wrap breaks text at spaces into lines of at most width characters; a longer
// word has a line of its own, since cutting a path or a command would break it.
func Wrap(text string, width int) []string {
	var lines []string
	line, length := "", 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if length > 0 && length+1+n > width {
			lines = append(lines, line)
			line, length = "", 0
		}
		if length > 0 {
			line += " "
			length++
		}
		line += word
		length += n
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

func (p *printer) diagnosis(d core.Diagnosis) {
	p.headline(d)
	p.wrapped("", "", shown(d.Title)+".", p.style.Bold)
	if d.Explanation != "" {
		p.wrapped("", "", shown(d.Explanation), unpainted)
	}
	p.evidence(telling(d.Evidence))
	p.remedy(d)
}

// headline has what a program would key on at the left, and how sure we are at
// the right edge.
func (p *printer) headline(d core.Diagnosis) {
	left := d.Category
	for _, part := range []string{d.Code, shown(d.Server)} {
		if part != "" {
			left += "  " + part
		}
	}
	right := fmt.Sprintf("%.0f %% sure", d.Confidence*100)
	if d.Category == "unknown" {
		right = "no cause found"
	}
	gap := p.style.Width - utf8.RuneCountInString(left) - len(right)
	switch {
	case p.style.Width == 0:
		gap = 2
	case gap < 2: // a narrow terminal, or a long name
		p.line("%s", left)
		left, gap = "", 0
	}
	p.line("%s%s%s", left, strings.Repeat(" ", gap), right)
}

func (p *printer) evidence(all []core.Evidence) {
	if len(all) == 0 {
		return
	}
	p.line("")
	last := 0
	for _, e := range all {
		last = max(last, e.Line)
	}
	gutter := len(fmt.Sprint(last)) + 2
	type place struct {
		in   core.Place
		line int
	}
	shown := map[place]bool{}
	for _, e := range all {
		at := place{e.In, e.Line}
		if shown[at] { // the strongest of a line comes first
			continue
		}
		note := ""
		if e.Role == core.Symptom && all[0].Role == core.Cause {
			note = "follows from the above"
		}
		shown[at] = true
		p.excerpt(e, gutter, note)
	}
}

// excerpt shows the line that a piece of evidence begins on, with carets under
// the words that count and a note behind them.
func (p *printer) excerpt(e core.Evidence, gutter int, note string) {
	source := ""
	if e.In == core.InLog {
		p.line("%*s %s, %s", gutter, "", shown(e.File), shown(e.Time))
	} else {
		source = p.source(e.In).Line(e.Line)
	}
	quote, _, more := strings.Cut(e.Quote, "\n")
	line, quote := shown(source), Safe(quote)
	if line == "" {
		line = quote
	}
	at := placed(line, quote, source, e.Column)
	line, at = p.windowed(line, at, len(quote), gutter+3)
	p.line("%*d │ %s", gutter, e.Line, line)
	if at < 0 || quote == "" {
		return
	}
	before := utf8.RuneCountInString(line[:at])
	width := max(1, min(utf8.RuneCountInString(quote), utf8.RuneCountInString(line[at:])))
	marks := strings.Repeat(" ", before) + p.style.accent(strings.Repeat("^", width))
	if more {
		marks += " …"
		width += 2
	}
	if p.style.Width == 0 || gutter+3+before+width+1+len(note) <= p.style.Width {
		marks += " " + note
	} else if note != "" {
		p.line("%*s │ %s", gutter, "", marks)
		marks = note
	}
	p.line("%*s │ %s", gutter, "", marks)
}

// placed is where the quote stands in a line as it is shown, -1 where it does
// not. Its column is that in the line as it was: what comes before it may be
// shown longer or shorter, since secrets are masked.
func placed(line, quote, source string, column int) int {
	for i := range source {
		if column--; column == 0 {
			if at := len(shown(source[:i])); at <= len(line) && strings.HasPrefix(line[at:], quote) {
				return at
			}
			break
		}
	}
	return strings.Index(line, quote)
}

func (p *printer) source(in core.Place) *config.Lines {
	if p.lines[in] == nil {
		text := p.src.Text
		if in == core.InConfig {
			text = p.src.Config
		}
		p.lines[in] = config.NewLines(text)
	}
	return p.lines[in]
}

// windowed cuts a long line so that the part at stays in view.
func (p *printer) windowed(line string, at, length, used int) (string, int) {
	room := p.style.Width - used
	if p.style.Width == 0 || utf8.RuneCountInString(line) <= room || room < 20 {
		return line, at
	}
	start, end := 0, room-1
	if at >= 0 && at+length > end {
		start = max(0, min(at-room/4, len(line)-room+1))
		end = len(line)
		if end-start > room-1 {
			end = start + room - 2
		}
	}
	for start > 0 && !utf8.RuneStart(line[start]) {
		start--
	}
	for end < len(line) && !utf8.RuneStart(line[end]) {
		end--
	}
	cut := line[start:end]
	if start > 0 {
		cut = "…" + cut
		at += len("…")
	}
	if end < len(line) {
		cut += "…"
	}
	at -= start
	if at > len(cut) {
		at = -1
	}
	return cut, at
}

// remedy is the numbered list of what to do: the advice of the rule, then the
// best fix with its effect on the file, then the alternatives.
func (p *printer) remedy(d core.Diagnosis) {
	if d.SuggestedFix == "" && len(d.Fixes) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.style.Bold("What to do"))
	step := 0
	if d.SuggestedFix != "" {
		step++
		p.wrapped(fmt.Sprintf("  %d. ", step), "     ", shown(d.SuggestedFix), unpainted)
	}
	for i, f := range d.Fixes {
		if i == 0 && endsWith(d.SuggestedFix, f.Title) {
			p.effect(f) // the advice ends in the fix; it is said once
			continue
		}
		title := f.Title
		if i > 0 {
			title = "or: " + title
		}
		step++
		p.wrapped(fmt.Sprintf("  %d. ", step), "     ", shown(title), unpainted)
		p.effect(f)
	}
}

// endsWith tells whether a text's last sentence, or all of it, is the other.
func endsWith(text, sentence string) bool {
	text, sentence = strings.ToLower(strings.TrimRight(text, ". ")), strings.ToLower(strings.TrimRight(sentence, ". "))
	return text == sentence || strings.HasSuffix(text, ". "+sentence)
}

// effect shows what a fix does: the change to the file, the command to run,
// the page to open.
func (p *printer) effect(f fix.Fix) {
	if f.Description != "" && f.Description != f.Title {
		p.wrapped("     ", "     ", shown(f.Description), unpainted)
	}
	p.diff(fixDiff(p.report, p.src, f))
	if f.InstallCommand != "" {
		p.line("       %s", p.style.accent(shown(f.InstallCommand)))
	}
	if f.HelpURL != "" {
		p.line("       %s", shown(f.HelpURL))
	}
}

// maxDiffLines keeps one fix from filling the screen.
const maxDiffLines = 14

func (p *printer) diff(lines []DiffLine) {
	for i, l := range lines {
		if i == maxDiffLines {
			p.line("       … %d more lines", len(lines)-i)
			return
		}
		text := fmt.Sprintf("       %c %s", l.Sign, Safe(l.Text))
		switch l.Sign {
		case '-':
			text = p.style.paint("31", text)
		case '+':
			text = p.style.paint("32", text)
		}
		p.line("%s", text)
	}
}

// repair shows the edits that make a broken config parse.
func (p *printer) repair() {
	repaired := p.report.Config
	minded := func(d core.Diagnosis) bool { return d.Category == "config_syntax" }
	if repaired == nil || len(repaired.Edits) == 0 || !slices.ContainsFunc(p.report.Diagnoses, minded) {
		return // a comma too many may be fine for this client
	}
	p.line("")
	p.line("%s", p.style.Bold("The syntax, mended"))
	p.diff(Diff(p.src.config(), repaired.Repaired))
}

// maxOthers bounds the list of what else was seen.
const maxOthers = 8

func (p *printer) others(rest []core.Diagnosis) {
	if len(rest) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.style.Bold("Also seen"))
	for i, d := range rest {
		if i == maxOthers {
			p.line("  … %d more", len(rest)-i)
			break
		}
		where := ""
		if len(d.Evidence) > 0 {
			where = fmt.Sprintf("line %d: ", d.Evidence[0].Line)
		}
		p.wrapped("  "+d.Code+"  ", "           ", shown(where+d.Title), unpainted)
	}
}
