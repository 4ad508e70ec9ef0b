package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
	"mcpmend/native/files"
)

func newConvertCommand() *cobra.Command {
	var to, from, system, output string
	cmd := &cobra.Command{
		Use:   "convert --to CLIENT [FILE]",
		Short: "Write a config in another client's dialect",
		Long: `Reads one client's servers from FILE or stdin and writes them as another client
wants them: field names, transport words, units of time, references to
variables. What the other client cannot say is told on stderr, never dropped in
silence. The result goes to stdout; the file is not changed.`,
		Example: `  mcpmend convert --to vscode ~/.cursor/mcp.json
  mcpmend convert --to codex claude_desktop_config.json > config.toml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				return hint(errors.New("no client to convert to"), "give one with --to; mcpmend rules --clients lists them")
			}
			for _, id := range []string{to, from} {
				if err := knownClient(id); err != nil {
					return err
				}
			}
			name := orStdin(args)
			text, err := readInput(cmd, name, "a config", config.MaxSize)
			if err != nil {
				return err
			}
			doc, mends, err := parsed(text, config.Options{Client: from, File: name})
			if err != nil {
				return err
			}
			converted, err := config.Convert(doc, config.ClientByID(to), config.ConvertOptions{OS: config.OS(system)})
			if err != nil {
				return err
			}
			remarks(cmd, mends, converted)
			if output != "" {
				return writeNew(output, converted.Text)
			}
			return write(cmd, []byte(converted.Text))
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "the `ID` of the client to write for; mcpmend rules --clients lists them")
	f.StringVar(&from, "from", "", "the `ID` of the client whose file it is, when its text does not tell")
	f.Var(&choice{&system, []string{"linux", "macos", "windows"}}, "os", "the system where it will be used")
	f.StringVarP(&output, "output", "o", "", "write to this `FILE`, which must not exist yet")
	return cmd
}

// parsed reads a config, mending it first where it does not parse.
func parsed(text string, o config.Options) (*config.Document, int, error) {
	doc, err := config.Parse(text, o)
	if err == nil {
		return doc, 0, nil
	}
	repaired := config.Repair(text, o.Format)
	if repaired.Err != nil {
		return nil, 0, hint(fmt.Errorf("cannot read the config: %w", repaired.Err), "mcpmend explain says where it breaks")
	}
	doc, err = config.Parse(repaired.Text, o)
	return doc, len(repaired.Mends), err
}

func remarks(cmd *cobra.Command, mends int, c config.Converted) {
	if mends > 0 {
		say(cmd, "mended in %s before it could be read", count(mends, "place"))
	}
	for _, n := range c.Notes {
		say(cmd, "changed  %s: %s", strings.TrimSpace(n.Server+" "+n.Field), n.Why)
	}
	for _, l := range c.Losses {
		say(cmd, "left out %s: %s", strings.TrimSpace(l.Server+" "+l.Field), l.Why)
	}
	if c.File != "" {
		say(cmd, "belongs in %s", c.File)
	}
}

func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return hint(files.Cannot("write", path, err), "convert overwrites nothing; choose a name that is free")
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
