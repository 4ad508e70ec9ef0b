package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

func newExplainCommand() *cobra.Command {
	var configFile, client, server string
	var format form
	var jsonl bool
	cmd := &cobra.Command{
		Use:   "explain [FILE]",
		Short: "Say what went wrong, from a pasted error, log or config",
		Long: `Reads an error, a log, a config or all of it mixed, from FILE or stdin, and says
the root cause, where it shows, and what to do. It looks at nothing else: not at
this machine, not at the network.

With --client and --server and no text it reads that client's own log files, and
the config that has the server.

With --jsonl it reads {"id","text","config"} a line and writes {"id","report"}.`,
		Example: `  mcpmend explain < error.log
  mcpmend explain mcp.log --config ~/.cursor/mcp.json
  mcpmend explain --client claude-desktop --server github
  pbpaste | mcpmend explain --format markdown`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := knownClient(client); err != nil {
				return err
			}
			if jsonl {
				return explainLines(input(cmd), cmd.OutOrStdout(), core.Input{Client: client, Server: server})
			}
			in := core.Input{Client: client, Server: server, File: configFile}
			if err := gather(cmd, &in, orStdin(args)); err != nil {
				return err
			}
			r := core.Examine(in)
			if err := showReport(cmd, r, report.Source{Text: in.Text, Config: in.Config, File: in.File}, format); err != nil {
				return err
			}
			return verdict(r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&configFile, "config", "", "the `FILE` of the config that belongs to the error")
	f.StringVar(&client, "client", "", "the client's `ID`, when the text does not tell; mcpmend rules --clients lists them")
	f.StringVar(&server, "server", "", "look at the server with this `NAME` alone")
	f.BoolVar(&jsonl, "jsonl", false, "read and write one JSON object a line")
	addFormatFlag(cmd, &format, asText, asJSON, asMarkdown, asSARIF)
	return cmd
}

// gather reads what is to be explained: a text, a config, both, or, where only
// a client and a server are named, what the client itself wrote down.
func gather(cmd *cobra.Command, in *core.Input, name string) error {
	stdin := cmd.InOrStdin()
	var err error
	if in.File != "" {
		if in.Config, err = readInput(cmd, in.File, "a config", config.MaxSize); err != nil {
			return err
		}
	}
	logs := name == "" && in.File == "" && in.Client != "" && in.Server != ""
	switch {
	case logs && isTerminal(stdin):
		return fromLogs(cmd, in)
	case name == "" && (in.File == "-" || in.File != "" && isTerminal(stdin)):
		return nil // the config alone is the question
	}
	in.Text, err = readInput(cmd, name, "an error, a log or a config", maxText)
	switch {
	case name != "" || !errors.Is(err, errEmpty):
		return err
	case logs:
		return fromLogs(cmd, in)
	case in.File != "":
		return nil
	}
	return err
}

// fromLogs takes the client's own logs, and its config that has the server.
func fromLogs(cmd *cobra.Command, in *core.Input) error {
	d, err := doctor.New("")
	if err != nil {
		return err
	}
	client := config.ClientByID(in.Client)
	text, paths := d.Logs(client, in.Server)
	if text == "" {
		return hint(fmt.Errorf("%s has no log files here", client.Name), "mcpmend test %s starts the server and shows what it prints", in.Server)
	}
	for _, path := range paths {
		say(cmd, "Reading %s", shortPath(path))
	}
	in.Text = text
	files, err := d.Files(doctor.Selection{Client: in.Client})
	if err != nil {
		return err
	}
	if subjects := d.Subjects(files, in.Server); len(subjects) > 0 {
		in.Config, in.File = subjects[0].File.Text, subjects[0].File.Path
	}
	return nil
}

// verdict turns a report into the exit code: notes are no failure.
func verdict(r core.Report) error {
	for _, d := range r.Diagnoses {
		if d.Severity != core.Note {
			return errProblems
		}
	}
	return nil
}

// explainLines is the batch form. A line that cannot be read is answered in
// its place, and the exit code is 2 at the end.
func explainLines(in io.Reader, out io.Writer, base core.Input) error {
	return eachLine(in, out, func(line []byte) (any, error) {
		var ask struct {
			ID     *string `json:"id"`
			Text   *string `json:"text"`
			Config *string `json:"config"`
		}
		if err := json.Unmarshal(line, &ask); err != nil {
			return nil, err
		}
		if ask.ID == nil {
			return nil, errors.New(`no "id"`)
		}
		input := base
		if ask.Text != nil {
			input.Text = *ask.Text
		}
		if ask.Config != nil {
			input.Config = *ask.Config
		}
		return struct {
			ID     string          `json:"id"`
			Report json.RawMessage `json:"report"`
		}{*ask.ID, report.JSON(core.Examine(input))}, nil
	})
}
