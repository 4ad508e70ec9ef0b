package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/schema"
)

// lintTools says which clients refuse the tools of a file.
func lintTools(cmd *cobra.Command, o validateOptions) error {
	if o.client != "" && !slices.Contains(schema.LintClients(), o.client) {
		if err := knownClient(o.client); err != nil {
			return hint(err, "besides clients: anthropic-api, openai-api, gemini-api")
		}
	}
	text, err := readInput(cmd, o.schema, "a tool or a list of tools", config.MaxSize)
	if err != nil {
		return err
	}
	tools, err := schema.ReadTools([]byte(text))
	if err != nil {
		return fmt.Errorf("cannot read the tools: %w", err)
	}
	findings := []schema.Finding{}
	for _, tool := range tools {
		if o.tool == "" || o.tool == tool.Name {
			findings = append(findings, schema.LintTool(tool, o.client)...)
		}
	}
	if err := writeFindings(cmd, o, len(tools), findings); err != nil {
		return err
	}
	if slices.ContainsFunc(findings, func(f schema.Finding) bool { return f.Severity != "note" }) {
		return errProblems
	}
	return nil
}

func writeFindings(cmd *cobra.Command, o validateOptions, tools int, findings []schema.Finding) error {
	if o.format == asJSON {
		return showJSON(cmd, struct {
			Version  int              `json:"version"`
			Tools    int              `json:"tools"`
			Findings []schema.Finding `json:"findings"`
		}{core.Version, tools, findings})
	}
	var text strings.Builder
	for _, f := range findings {
		text.WriteString(findingText(f, o.format))
	}
	if len(findings) == 0 {
		text.WriteString("Nothing is known that refuses these tools.\n")
	}
	return show(cmd, text.String())
}

func findingText(f schema.Finding, format form) string {
	who := strings.Join(f.Clients, ", ")
	switch {
	case f.Severity == "note":
		who = "nobody; models do worse with it"
	case who == "":
		who = "every client that checks"
	}
	detail := strings.TrimSuffix(f.Detail, ".")
	if format == asMarkdown {
		return fmt.Sprintf("- **%s** (%s) %s: %s: %s. Refused by %s. %s\n",
			f.Code, f.Severity, schema.CodeSpan(f.Tool+f.Pointer), f.Title, schema.CodeSpan(detail), who, f.Remedy)
	}
	return fmt.Sprintf("%s  %s  %s%s\n  %s: %s.\n  refused by  %s\n  fix         %s\n\n",
		f.Code, f.Severity, f.Tool, f.Pointer, f.Title, detail, who, f.Remedy)
}

// schemaRules are the rules of the tool linter as `mcpmend rules` shows them.
func schemaRules() []core.Rule {
	var out []core.Rule
	for _, r := range schema.LintRules() {
		out = append(out, core.Rule{Code: r.Code, Category: "invalid_schema", Severity: core.Severity(r.Severity),
			Title: r.Title, Why: r.Why, Remedy: r.Remedy, Before: r.Before, After: r.After})
	}
	return out
}
