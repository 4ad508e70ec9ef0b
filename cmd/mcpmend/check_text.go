package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

// checkedText is the list of a check: a line a server under its file, what is
// wrong with a file by itself, and a last line with the next command.
func checkedText(files []doctor.File, outcomes []doctor.Outcome, s report.Style) string {
	var out strings.Builder
	clients := map[string]bool{}
	for _, f := range files {
		clients[f.Client] = true
	}
	if len(files) == 0 {
		return ""
	}
	fmt.Fprintf(&out, "Found %s in %s of %s.\n\n", count(len(outcomes), "server"), count(len(files), "file"), count(len(clients), "client"))
	wide := 4
	for _, o := range outcomes {
		wide = min(24, max(wide, utf8.RuneCountInString(report.Safe(o.Name))))
	}
	mendable := 0
	for _, f := range files {
		fmt.Fprintf(&out, "  %-16s %s\n", f.Client, report.Safe(shortPath(f.Path)))
		if f.Error != "" {
			fmt.Fprintf(&out, "    %-11s cannot be read: %s\n", doctor.Broken, report.Safe(f.Error))
		}
		for _, d := range f.Report.Diagnoses {
			if d.Severity != core.Note {
				out.WriteString(fileLine(f, d, s))
			}
		}
		if f.Repairable() {
			mendable++
		}
		tools, tokens := 0, 0
		for _, o := range outcomes {
			if o.Subject.File.Path == f.Path {
				out.WriteString(serverLine(o, wide, s) + loggedLine(o, s))
				tools, tokens = tools+o.Tools, tokens+o.Tokens
				if canMend(o) {
					mendable++
				}
			}
		}
		out.WriteString(load(f, tools, tokens))
	}
	out.WriteString("\n" + strings.Join(report.Wrap(checkedSummary(files, outcomes, mendable), s.Width), "\n") + "\n")
	return out.String()
}

func fileLine(f doctor.File, d core.Diagnosis, s report.Style) string {
	state := map[core.Severity]doctor.State{core.Error: doctor.Broken, core.Warning: doctor.Warns}[d.Severity]
	place := report.Safe(shortPath(f.Path))
	if len(d.Evidence) > 0 {
		place = fmt.Sprintf("%s:%d:%d", place, d.Evidence[0].Line, d.Evidence[0].Column)
	}
	return aligned(fmt.Sprintf("    %-11s %s", state, place), []string{shown(d.Title)}, d.Code, s)
}

func serverLine(o doctor.Outcome, wide int, s report.Style) string {
	name := report.Safe(o.Name)
	line := fmt.Sprintf("    %-11s %s%s", o.State, name, strings.Repeat(" ", max(0, wide-utf8.RuneCountInString(name))))
	code := ""
	if len(o.Report.Diagnoses) > 0 {
		code = o.Report.Diagnoses[0].Code
	}
	if o.State.Works() {
		line += fmt.Sprintf("  %-9s %5.1f s", count(o.Tools, "tool"), o.MS/1000)
	}
	var remarks []string
	for _, more := range []string{o.Why, o.Since, newNote(o)} {
		if more != "" {
			remarks = append(remarks, shown(more))
		}
	}
	return aligned(line, remarks, code, s)
}

// loggedLine is what the client itself wrote down about the failure.
func loggedLine(o doctor.Outcome, s report.Style) string {
	if len(o.Report.Diagnoses) == 0 {
		return ""
	}
	for _, e := range o.Report.Diagnoses[0].Evidence {
		when, err := time.Parse(time.RFC3339, e.Time)
		if e.In == "log" && err == nil {
			quote, _, _ := strings.Cut(e.Quote, "\n")
			return below(fmt.Sprintf("logged %s in %s: %s", when.Local().Format("2006-01-02 15:04"), report.Safe(e.File), shown(shortened(quote, 160))), s)
		}
	}
	return ""
}

func newNote(o doctor.Outcome) string {
	if o.New && o.State == doctor.Broken {
		return "new since the last check"
	}
	return ""
}

// aligned is a line with remarks after it and a rule's code at the right edge.
// Where they do not fit, the remarks stand below.
func aligned(line string, remarks []string, code string, s report.Style) string {
	end := func(line string) string {
		if code == "" {
			return strings.TrimRight(line, " ") + "\n"
		}
		return line + strings.Repeat(" ", max(2, s.Width-utf8.RuneCountInString(line)-len(code))) + code + "\n"
	}
	whole := strings.Join(append([]string{line}, remarks...), "  ")
	if utf8.RuneCountInString(whole)+2+len(code) <= s.Width {
		return end(whole)
	}
	out := end(strings.TrimRight(line, " "))
	for _, remark := range remarks {
		out += below(remark, s)
	}
	return out
}

// below is a remark under the line that it belongs to.
func below(remark string, s report.Style) string {
	const indent = "                "
	out := ""
	for _, line := range report.Wrap(remark, max(20, s.Width-len(indent))) {
		out += indent + line + "\n"
	}
	return out
}

// load warns when a client's servers bring more tools than it takes.
func load(f doctor.File, tools, tokens int) string {
	c := config.ClientByID(f.Client)
	if c == nil || tools == 0 {
		return ""
	}
	limit := c.Limits.Tools
	if limit == 0 {
		limit = c.Limits.ManyTools
	}
	if limit > 0 && tools > limit {
		return fmt.Sprintf("    %s, about %d tokens: more than the %d that %s takes\n", count(tools, "tool"), tokens, limit, c.Name)
	}
	return ""
}

// canMend says whether fix would have something to try.
func canMend(o doctor.Outcome) bool {
	if o.State != doctor.Broken || len(o.Report.Diagnoses) == 0 {
		return false
	}
	for _, f := range o.Report.Diagnoses[0].Fixes {
		if f.Applicable() {
			return true
		}
	}
	return false
}

// checkedSummary is the last line: how many are broken, and the next command.
func checkedSummary(files []doctor.File, outcomes []doctor.Outcome, mendable int) string {
	broken, warnings, _ := severities(files)
	waiting, brokenServers := 0, 0
	for _, f := range files {
		if f.Error != "" {
			broken++
		}
	}
	for _, o := range outcomes {
		switch o.State {
		case doctor.Broken:
			broken++
			brokenServers++
		case doctor.Warns, doctor.Slow:
			warnings++
		case doctor.NotStarted:
			waiting++
		}
	}
	var parts []string
	if broken+warnings == 0 {
		parts = append(parts, "All well.")
	} else {
		parts = append(parts, fmt.Sprintf("%d broken, %s.", broken, count(warnings, "warning")))
	}
	if waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d not started: what a project defines needs your yes.", waiting))
	}
	if mendable > 0 {
		parts = append(parts, fmt.Sprintf("`mcpmend fix` can try to mend %d of them.", mendable))
	} else if brokenServers > 0 {
		parts = append(parts, "`mcpmend test NAME` shows everything about one.")
	}
	return strings.Join(parts, " ")
}

// severities counts what was found in files.
func severities(files []doctor.File) (errors, warnings, notes int) {
	for _, f := range files {
		for _, d := range f.Report.Diagnoses {
			switch d.Severity {
			case core.Error:
				errors++
			case core.Warning:
				warnings++
			default:
				notes++
			}
		}
	}
	return errors, warnings, notes
}

// summary is the last line of a check without probes.
func summary(files []doctor.File) string {
	servers := 0
	errors, warnings, notes := severities(files)
	var unread strings.Builder
	for _, f := range files {
		if f.Error != "" {
			fmt.Fprintf(&unread, "%s: cannot be read: %s\n", report.Safe(shortPath(f.Path)), report.Safe(f.Error))
		}
		if f.Report.Config != nil {
			servers += len(f.Report.Config.Servers)
		}
	}
	if len(files) == 0 {
		return ""
	}
	found := fmt.Sprintf("%s in %s", count(servers, "server"), count(len(files), "file"))
	if errors+warnings+notes == 0 {
		return unread.String() + found + ", nothing wrong.\n"
	}
	return unread.String() + fmt.Sprintf("%s: %s, %s, %s.\n", found, count(errors, "error"), count(warnings, "warning"), count(notes, "note"))
}
