package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/report"
)

func newRulesCommand() *cobra.Command {
	var format form
	var clients bool
	cmd := &cobra.Command{
		Use:   "rules [CODE]",
		Short: "List every rule, or explain one",
		Long: `Lists the rules by which mcpmend recognises failures and mistakes, or explains
one: why it happens, what to do, how it looks before and after.`,
		Example: `  mcpmend rules
  mcpmend rules MCP1001`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var codes []string
			for _, r := range allRules() {
				codes = append(codes, r.Code+"\t"+r.Title)
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			rules := allRules()
			switch {
			case clients:
				return listClients(cmd, format)
			case len(args) == 1:
				for _, r := range rules {
					if strings.EqualFold(r.Code, args[0]) {
						return showRule(cmd, r, format)
					}
				}
				return hint(fmt.Errorf("no rule is called %q", args[0]), "mcpmend rules lists them all")
			case format == asJSON:
				return showJSON(cmd, rules)
			case format == asMarkdown:
				return show(cmd, report.RuleIndex(rules))
			}
			return listRules(cmd, rules)
		},
	}
	cmd.Flags().BoolVar(&clients, "clients", false, "list the clients instead, by the ids that other commands take")
	addFormatFlag(cmd, &format, asText, asJSON, asMarkdown)
	return cmd
}

// allRules are those of core and those of the schema linter, which core leaves
// out so that the page need not load it.
func allRules() []core.Rule {
	all := append(core.Rules(), schemaRules()...)
	slices.SortFunc(all, func(a, b core.Rule) int { return strings.Compare(a.Code, b.Code) })
	return all
}

func listRules(cmd *cobra.Command, rules []core.Rule) error {
	var rows [][]string
	for _, r := range rules {
		rows = append(rows, []string{r.Code, string(r.Severity), string(r.Category), r.Title})
	}
	return showTable(cmd, rows)
}

func showRule(cmd *cobra.Command, r core.Rule, format form) error {
	switch format {
	case asJSON:
		return showJSON(cmd, r)
	case asMarkdown:
		return show(cmd, report.RulePage(r))
	}
	return show(cmd, report.RuleText(r, style(cmd.OutOrStdout())))
}
