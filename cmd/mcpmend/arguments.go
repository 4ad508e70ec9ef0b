package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcpmend/core/schema"
)

// inOurWords makes a command, and those below it, say what is wrong with a
// command line as this program speaks, and what would be right.
func inOurWords(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		inOurWords(sub)
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var invalid *pflag.InvalidValueError
		if errors.As(err, &invalid) {
			err = fmt.Errorf("--%s %s: %w", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
		}
		return hint(err, "%s --help lists the flags", cmd.CommandPath())
	})
	check := cmd.Args
	if check == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case check(cmd, args) == nil:
			return nil
		case cmd.HasSubCommands():
			return noSuchCommand(cmd, args[0])
		case len(args) == 0:
			return hint(fmt.Errorf("%s: an argument is missing", cmd.Name()), "%s", usage(cmd))
		}
		return hint(fmt.Errorf("%s does not take these arguments: %s", cmd.Name(), strings.Join(args, " ")), "%s", usage(cmd))
	}
}

func usage(cmd *cobra.Command) string {
	return strings.TrimSuffix(cmd.UseLine(), " [flags]")
}

func noSuchCommand(cmd *cobra.Command, name string) error {
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	return hint(fmt.Errorf("there is no command %s", cmd.CommandPath()+" "+name), "%s%s --help lists them all", didYouMean(name, known), cmd.CommandPath())
}

// didYouMean begins a hint with the names that are near a wrong one.
func didYouMean(name string, known []string) string {
	near := schema.NearestNames(name, known)
	if len(near) == 0 {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", strings.Join(near, " or "))
}
