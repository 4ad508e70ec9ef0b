package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/report"
)

// addFormatFlag gives a command --format with the forms that it can write, the
// first of them the default.
func addFormatFlag(cmd *cobra.Command, format *string, forms ...string) {
	cmd.Flags().Var(&choice{format, forms}, "format", strings.Join(forms, ", "))
	*format = forms[0]
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoFileComp))
}

// choice is a flag that takes one of a list of words.
type choice struct {
	value *string
	words []string
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return "form" }
func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("one of %s is wanted", strings.Join(c.words, ", "))
	}
	*c.value = s
	return nil
}

// writeReport writes one report to stdout in the form asked for.
func writeReport(cmd *cobra.Command, r core.Report, src report.Source, format string) error {
	out := cmd.OutOrStdout()
	var text string
	switch format {
	case "json":
		text = string(report.JSON(r)) + "\n"
	case "markdown":
		text = report.Markdown(r, src)
	case "sarif":
		text = string(report.SARIF([]report.File{{Path: src.File, Report: r}}, version()))
	default:
		text = report.Text(r, src, style(out))
	}
	if format != "json" && format != "sarif" && os.Getenv("GITHUB_ACTIONS") != "" {
		text = report.CILog(text)
	}
	if _, err := fmt.Fprint(out, text); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	return nil
}

// knownClient refuses an id that is not in the client table.
func knownClient(id string) error {
	if id == "" || config.ClientByID(id) != nil {
		return nil
	}
	var ids []string
	for _, c := range config.Clients() {
		ids = append(ids, c.ID)
	}
	return hint(fmt.Errorf("no client is called %q", id), "known clients: %s", strings.Join(ids, ", "))
}
