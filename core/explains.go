package core

import (
	"slices"
	"strings"

	"mcpmend/core/lint"
	"mcpmend/core/triage"
)

// explanations says which failures a mistake in the config leads to. A finding
// whose consequences are seen in the log is their cause.
var explanations = map[string][]triage.Category{}

// explains tells whether a finding accounts for what the log says.
func explains(f *lint.Finding, top *candidate) bool {
	if top.match == nil {
		return false
	}
	if f.Rule.Mend != "" && top.match.Rule.Code == "MCP2301" {
		return true // "is not valid JSON" is said of a config file as well
	}
	return f.Severity == lint.Error && slices.Contains(explanations[f.Rule.Code], top.category)
}

// cutOff tells whether a finding is about the edge of a piece that was copied
// out of a larger file, where the rest of the file may well be in order.
func (c *configuration) cutOff(f *lint.Finding) bool {
	if f.Rule.Mend == "" || c.whole {
		return false
	}
	start, end := min(f.Span.Start, len(c.text)), min(f.Span.End, len(c.text))
	return strings.TrimSpace(c.text[end:]) == "" || !strings.ContainsAny(c.text[:start], "{[:=")
}
