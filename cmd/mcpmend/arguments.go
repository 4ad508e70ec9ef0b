package main

import (
	"errors"
	"fmt"
	"slices"
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
		var unknown *pflag.NotExistError
		near := ""
		switch {
		case errors.As(err, &invalid):
			err = badValue(invalid)
		case errors.As(err, &unknown):
			near = nearFlag(cmd, unknown.GetSpecifiedName())
		}
		return hint(err, "%s%s --help lists the flags", near, cmd.CommandPath())
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

// nearFlag begins a hint with the flags that are near a wrong one. A form of
// the answer is often taken for a flag: --json is --format json.
func nearFlag(cmd *cobra.Command, name string) string {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	if f := cmd.Flags().Lookup("format"); f != nil && slices.Contains(f.Value.(*choice).words, name) {
		return fmt.Sprintf("did you mean --format %s? ", name)
	}
	return didYouMean("--"+name, known)
}

// wantedValues says what a flag of a type takes, where Go's own words would
// speak of its functions.
var wantedValues = map[string]string{
	"duration": "a time such as 30s or 2m is wanted",
	"int":      "a number is wanted",
	"uint16":   "a number from 0 to 65535 is wanted",
	"bool":     "true or false is wanted",
}

func badValue(err *pflag.InvalidValueError) error {
	flag := err.GetFlag()
	if wanted := wantedValues[flag.Value.Type()]; wanted != "" {
		return fmt.Errorf("--%s %s: %s", flag.Name, err.GetValue(), wanted)
	}
	return fmt.Errorf("--%s %s: %w", flag.Name, err.GetValue(), err.Unwrap())
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
