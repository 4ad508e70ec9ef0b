// Command mcpmend finds out why an MCP server does not work and mends it.
//
// This package has flags, the terminal and exit codes; what a command does
// lives in core and native. Exit codes: 0 all well, 1 problems found, 2 wrong
// usage or a failure of our own.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// errProblems ends a command that did its work and found problems.
var errProblems = errors.New("problems found")

// run is main without the process: testscript calls it too.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errProblems):
		return 1
	default:
		printError(stderr, err)
		return 2
	}
}

// groups are the commands in the order in which the help lists them: what one
// would try first stands first.
var groups = []struct {
	title    string
	commands []string
}{
	{"Find out what is wrong", []string{"check", "explain", "test", "list", "validate", "rules"}},
	{"Change configs", []string{"fix", "add", "remove", "enable", "disable", "convert"}},
	{"Keep running", []string{"wrap", "status", "serve", "web"}},
	{"About mcpmend", []string{"modules", "version"}},
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "mcpmend",
		Short:         "Find out why an MCP server does not work, and mend it",
		Long:          introduction,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommandGroupID("About mcpmend")
	commands := map[string]*cobra.Command{}
	for _, cmd := range append(machineCommands(), newCheckCommand(), newExplainCommand(), newConvertCommand(),
		newValidateCommand(), newRulesCommand(), newVersionCommand()) {
		commands[cmd.Name()] = cmd
	}
	cobra.EnableCommandSorting = false
	for _, g := range groups {
		for _, name := range g.commands {
			cmd := commands[name]
			root.AddCommand(cmd)
			if cmd.Hidden {
				continue
			}
			if cmd.GroupID = g.title; !root.ContainsGroup(g.title) {
				root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
			}
		}
	}
	inOurWords(root)
	return root
}
