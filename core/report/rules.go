package report

import (
	"fmt"
	"strings"

	"mcpmend/core"
)

// RuleText explains one rule on a terminal.
func RuleText(r core.Rule, s Style) string {
	p := printer{style: s}
	p.line("%s  %s  %s", p.style.Bold(r.Code), r.Category, r.Severity)
	p.wrapped("", "", r.Title, p.style.Bold)
	p.line("")
	p.wrapped("", "", r.Why, unpainted)
	p.line("")
	p.wrapped("", "", r.Remedy, unpainted)
	for _, example := range []struct{ title, text string }{{"For example", r.Before}, {"Mended", r.After}} {
		if example.text == "" {
			continue
		}
		p.line("")
		p.line("%s", p.style.Bold(example.title))
		for line := range strings.Lines(example.text) {
			p.line("  %s", Safe(strings.TrimRight(line, "\r\n")))
		}
	}
	return p.String()
}

// RulePage explains one rule in Markdown.
func RulePage(r core.Rule) string {
	var out strings.Builder
	fmt.Fprintf(&out, "## %s\n\n**%s**\n\n%s, %s\n\n%s\n\n%s\n\n", r.Code, prose(r.Title), CodeSpan(r.Category), r.Severity, prose(r.Why), prose(r.Remedy))
	if r.Before != "" {
		out.WriteString(fenced("", r.Before))
	}
	if r.After != "" {
		out.WriteString("Mended:\n\n" + fenced("", r.After))
	}
	return out.String()
}

// RuleIndex is a page of all rules in Markdown.
func RuleIndex(rules []core.Rule) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# The rules\n\nMade from the rules themselves by `mcpmend rules --format markdown`; %d of them. Codes never change.\n\n", len(rules))
	out.WriteString("| code | category | what is wrong |\n| --- | --- | --- |\n")
	for _, r := range rules {
		fmt.Fprintf(&out, "| [%s](#%s) | %s | %s |\n", r.Code, strings.ToLower(r.Code), r.Category, prose(r.Title))
	}
	out.WriteString("\n")
	for _, r := range rules {
		out.WriteString(RulePage(r))
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}
