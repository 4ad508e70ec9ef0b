package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/report"
)

// form is a way in which a command can write its answer.
type form string

const (
	asText     form = "text"
	asJSON     form = "json"
	asMarkdown form = "markdown"
	asSARIF    form = "sarif"
)

// addFormatFlag gives a command --format with the forms that it can write, the
// first of them the default.
func addFormatFlag(cmd *cobra.Command, format *form, forms ...form) {
	*format = forms[0]
	var words []string
	for _, f := range forms {
		words = append(words, string(f))
	}
	cmd.Flags().Var(&choice{(*string)(format), words}, "format", "how to write the answer")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// choice is a flag that takes one of a list of words.
type choice struct {
	value *string
	words []string
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }
func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("one of %s is wanted", strings.Join(c.words, ", "))
	}
	*c.value = s
	return nil
}

// show writes text for people to stdout.
func show(cmd *cobra.Command, text string) error {
	return write(cmd, []byte(inLog(text)))
}

// showTable writes rows to stdout, their cells in columns.
func showTable(cmd *cobra.Command, rows [][]string) error {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 8, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	return show(cmd, out.String())
}

// showJSON writes a value to stdout for programs, laid out for reading.
func showJSON(cmd *cobra.Command, value any) error {
	return write(cmd, report.IndentedJSON(value))
}

func write(cmd *cobra.Command, data []byte) error {
	if _, err := cmd.OutOrStdout().Write(data); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	return nil
}

// showReport writes one report in the form asked for.
func showReport(cmd *cobra.Command, r core.Report, src report.Source, format form) error {
	switch format {
	case asJSON:
		return write(cmd, append(report.JSON(r), '\n'))
	case asSARIF:
		return write(cmd, report.SARIF([]report.File{{Path: src.File, Report: r}}, version()))
	case asMarkdown:
		return show(cmd, report.Markdown(r, src))
	}
	return show(cmd, report.Text(r, src, style(cmd.OutOrStdout())))
}
