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

var errInterrupted = errors.New("interrupted; nothing was changed")

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

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcpmend",
		Short: "Find out why an MCP server does not work, and mend it",
		Long: `mcpmend reads MCP configs, errors and logs, says what is really wrong, and mends
the file without losing a comment.

  mcpmend explain < error.log      what went wrong, with the evidence
  mcpmend check                    look at every config on this machine
  mcpmend convert --to vscode F    write servers in another client's dialect`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return hint(err, "%s --help lists the flags", cmd.CommandPath())
	})
	root.AddCommand(machineCommands()...)
	root.AddCommand(
		newCheckCommand(),
		newExplainCommand(),
		newConvertCommand(),
		newValidateCommand(),
		newRulesCommand(),
		newVersionCommand(),
	)
	return root
}
