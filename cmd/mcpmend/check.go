package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

func newCheckCommand() *cobra.Command {
	var sel doctor.Selection
	var format, project string
	var noProbe bool
	cmd := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Look at every MCP config on this machine, or at those named",
		Long: `Finds the configs of every client on this machine and in this project, or looks
at the files and directories named, and says what is wrong with them, where, and
what to do. With --no-probe nothing is started and nothing is connected to.`,
		Example: `  mcpmend check --no-probe
  mcpmend check --no-probe .cursor/mcp.json
  mcpmend check --no-probe --format sarif . > mcpmend.sarif`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := knownClient(sel.Client); err != nil {
				return err
			}
			sel.Paths = args
			d, err := doctor.New(project)
			if err != nil {
				return err
			}
			files, err := d.Files(sel)
			if err != nil {
				return err
			}
			return showFiles(cmd, files, format)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&noProbe, "no-probe", false, "read the files only; start and connect to nothing")
	f.StringVar(&sel.Client, "client", "", "only configs of this client")
	f.StringVar(&project, "project", "", "the project directory, instead of the working directory")
	addFormatFlag(cmd, &format, "text", "json", "markdown", "sarif")
	return cmd
}

// showFiles writes what was found in files and gives the exit code.
func showFiles(cmd *cobra.Command, files []doctor.File, format string) error {
	out := cmd.OutOrStdout()
	var text strings.Builder
	switch format {
	case "json":
		text.Write(report.IndentedJSON(struct {
			Version int           `json:"version"`
			Files   []doctor.File `json:"files"`
			Servers []any         `json:"servers"`
		}{core.Version, files, []any{}}))
	case "sarif":
		var list []report.File
		for _, f := range files {
			list = append(list, report.File{Path: shortPath(f.Path), Report: f.Report})
		}
		text.Write(report.SARIF(list, version()))
	case "markdown":
		for _, f := range files {
			fmt.Fprintf(&text, "## `%s`\n\n%s\n", report.Safe(shortPath(f.Path)), report.Markdown(f.Report, source(f)))
		}
	default:
		for _, f := range files {
			text.WriteString(report.Findings(f.Report, source(f), style(out)))
		}
		text.WriteString(summary(files))
	}
	written := text.String()
	if os.Getenv("GITHUB_ACTIONS") != "" && (format == "text" || format == "markdown") {
		written = report.CILog(written)
	}
	if _, err := fmt.Fprint(out, written); err != nil {
		return err
	}
	for _, f := range files {
		if f.Error != "" || verdict(f.Report) != nil {
			return errProblems
		}
	}
	return nil
}

func source(f doctor.File) report.Source {
	return report.Source{Config: f.Text, File: shortPath(f.Path)}
}

// summary is the last line: how much was looked at and what came of it.
func summary(files []doctor.File) string {
	servers, errors, warnings, notes := 0, 0, 0, 0
	var unread []string
	for _, f := range files {
		if f.Error != "" {
			unread = append(unread, fmt.Sprintf("%s: cannot be read: %s\n", report.Safe(shortPath(f.Path)), report.Safe(f.Error)))
		}
		if f.Report.Config != nil {
			servers += len(f.Report.Config.Servers)
		}
		for _, d := range f.Report.Diagnoses {
			switch d.Severity {
			case core.Error:
				errors++
			case core.Warning:
				warnings++
			default:
				notes++
			}
		}
	}
	found := fmt.Sprintf("%s in %s", count(servers, "server"), count(len(files), "file"))
	if errors+warnings+notes == 0 {
		return strings.Join(unread, "") + found + ", nothing wrong.\n"
	}
	return strings.Join(unread, "") + fmt.Sprintf("%s: %s, %s, %s.\n", found, count(errors, "error"), count(warnings, "warning"), count(notes, "note"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
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
