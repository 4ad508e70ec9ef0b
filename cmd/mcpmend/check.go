package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

// checkFlags are those of commands that look at this machine's servers.
type checkFlags struct {
	client, project string
	timeout         time.Duration
	trustProject    bool
}

func (f *checkFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.client, "client", "", "only configs of this client")
	flags.StringVar(&f.project, "project", "", "the project directory, instead of the working directory")
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
	var format string
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
				if err != nil {
					return err
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
	f.StringSliceVar(&servers, "server", nil, "only these servers")
	addFormatFlag(cmd, &format, "text", "json", "markdown", "sarif")
	return cmd
}

// checkedVerdict is the exit code of a check: a broken file or server is a
// problem, one that nobody agreed to start is none.
func checkedVerdict(files []doctor.File, outcomes []doctor.Outcome) error {
	for _, f := range files {
		if f.Error != "" || verdict(f.Report) != nil {
			return errProblems
		}
	}
	for _, o := range outcomes {
		switch o.State {
		case doctor.Broken, doctor.Warns, doctor.Slow:
			return errProblems
		}
	}
	return nil
}

func showChecked(cmd *cobra.Command, files []doctor.File, outcomes []doctor.Outcome, format string) error {
	var text string
	switch format {
	case "json":
		text = string(report.IndentedJSON(struct {
			Version int              `json:"version"`
			Files   []doctor.File    `json:"files"`
			Servers []doctor.Outcome `json:"servers"`
		}{core.Version, orEmpty(files), orEmpty(outcomes)}))
	case "sarif":
		list := sarifFiles(files)
		for _, o := range outcomes {
			list = append(list, report.File{Path: shortPath(o.File), Report: o.Report})
		}
		text = string(report.SARIF(list, version()))
	default:
		var out strings.Builder
		for _, o := range outcomes {
			fmt.Fprintf(&out, "## %s: %s\n\n%s\n", report.CodeSpan(o.Name), o.State, report.Markdown(o.Report, source(*o.Subject.File)))
		}
		text = out.String()
	}
	if _, err := fmt.Fprint(cmd.OutOrStdout(), text); err != nil {
		return err
	}
	return checkedVerdict(files, outcomes)
}

// orEmpty makes JSON say [] and not null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// showFiles writes what was found in files and gives the exit code.
func showFiles(cmd *cobra.Command, files []doctor.File, format string) error {
	if format == "json" || format == "sarif" {
		return showChecked(cmd, files, nil, format)
	}
	out := cmd.OutOrStdout()
	var text strings.Builder
	for _, f := range files {
		if format == "markdown" {
			fmt.Fprintf(&text, "## %s\n\n%s\n", report.CodeSpan(shortPath(f.Path)), report.Markdown(f.Report, source(f)))
		} else {
			text.WriteString(report.Findings(f.Report, source(f), style(out)))
		}
	}
	if format == "text" {
		text.WriteString(summary(files))
	}
	written := text.String()
	if os.Getenv("GITHUB_ACTIONS") != "" {
		written = report.CILog(written)
	}
	if _, err := fmt.Fprint(out, written); err != nil {
		return err
	}
	return checkedVerdict(files, nil)
}

func sarifFiles(files []doctor.File) []report.File {
	var list []report.File
	for _, f := range files {
		list = append(list, report.File{Path: shortPath(f.Path), Report: f.Report})
	}
	return list
}

func source(f doctor.File) report.Source {
	return report.Source{Config: f.Text, File: shortPath(f.Path)}
}

// shortPath is a path as a person would write it: below the working directory,
// or below the home directory.
func shortPath(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join("~", rel)
		}
	}
	return path
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
