package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/native/doctor"
)

// checkFlags are those of commands that look at this machine's servers.
type checkFlags struct {
	client, project string
	timeout         time.Duration
	trustProject    bool
}

// addWhere is for commands that look for configs.
func (f *checkFlags) addWhere(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.client, "client", "", "only configs of the client with this `ID`; mcpmend rules --clients lists them")
	flags.StringVar(&f.project, "project", "", "the project's `DIRECTORY`, instead of the working directory")
}

// add is for commands that start servers too.
func (f *checkFlags) add(cmd *cobra.Command) {
	f.addWhere(cmd)
	flags := cmd.Flags()
	flags.DurationVar(&f.timeout, "timeout", 0, "how long a server may take, instead of what its client allows")
	flags.BoolVar(&f.trustProject, "trust-project", false, "start what the project defines without asking, in this run")
}

func (f *checkFlags) doctor() (*doctor.Doctor, error) {
	if err := knownClient(f.client); err != nil {
		return nil, err
	}
	d, err := doctor.New(f.project)
	if err != nil {
		return nil, err
	}
	d.Timeout, d.TrustProject = f.timeout, f.trustProject
	return d, nil
}

func newCheckCommand() *cobra.Command {
	var flags checkFlags
	var format form
	var noProbe, watch bool
	var servers []string
	var known baseline
	cmd := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Look at every MCP config on this machine, or at those named",
		Long: `Finds the configs of every client on this machine and in this project, or looks
at the files and directories named; says what is wrong with them, where, and what
to do; then starts or reaches each server, shakes hands and asks for its tools.
It never calls a tool.

What a project defines is started only after you have seen the exact command and
said yes. With --no-probe nothing is started and nothing is connected to.

A project says in .mcpmend.toml which files to ignore and how much a rule weighs;
a comment "mcpmend-ignore MCP4070" hides a rule on its line or the next one; and
with --baseline only what is not in the baseline is reported.`,
		Example: `  mcpmend check
  mcpmend check --no-probe .cursor/mcp.json
  mcpmend check --no-probe --format sarif . > mcpmend.sarif`,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := flags.doctor()
			if err != nil {
				return err
			}
			for {
				files, err := d.Files(doctor.Selection{Paths: args, Client: flags.client})
				if errors.Is(err, doctor.ErrNoConfig) {
					return hint(err, "mcpmend explain reads errors and logs")
				}
				if err != nil {
					return err
				}
				if len(files) == 0 && format == asText {
					if err := show(cmd, shown(noConfig(flags.client, args))+"\n"); err != nil {
						return err
					}
				}
				if done, err := known.apply(cmd, d, files); done || err != nil {
					return err
				}
				if noProbe {
					return showFiles(cmd, files, format)
				}
				err = checkServers(cmd, d, files, servers, format)
				if !watch {
					return err
				}
				if err := waitForChange(cmd.Context(), files); err != nil {
					return nil // Ctrl-C ends watching
				}
			}
		},
	}
	f := cmd.Flags()
	flags.add(cmd)
	f.BoolVar(&noProbe, "no-probe", false, "read the files only; start and connect to nothing")
	f.BoolVar(&watch, "watch", false, "check again whenever a config changes")
	known.add(cmd)
	f.StringSliceVar(&servers, "server", nil, "only the server with this `NAME`; may be given more than once")
	addFormatFlag(cmd, &format, asText, asJSON, asMarkdown, asSARIF)
	return cmd
}

// waitForChange returns when one of the files is another than it was.
func waitForChange(ctx context.Context, files []doctor.File) error {
	stamps := func() string {
		var all strings.Builder
		for _, f := range files {
			if info, err := os.Stat(f.Path); err == nil {
				fmt.Fprint(&all, info.ModTime().UnixNano(), info.Size(), ";")
			}
		}
		return all.String()
	}
	before := stamps()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if stamps() != before {
				return nil
			}
		}
	}
}
