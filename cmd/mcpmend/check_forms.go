package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

// showChecked writes what a check found, in a form other than text, and gives
// the exit code.
func showChecked(cmd *cobra.Command, files []doctor.File, outcomes []doctor.Outcome, format form) error {
	var err error
	switch format {
	case asJSON:
		err = showJSON(cmd, struct {
			Version int              `json:"version"`
			Files   []doctor.File    `json:"files"`
			Servers []doctor.Outcome `json:"servers"`
		}{core.Version, orEmpty(files), orEmpty(outcomes)})
	case asSARIF:
		var list []report.File
		for _, f := range files {
			list = append(list, report.File{Path: shortPath(f.Path), Report: f.Report})
		}
		for _, o := range outcomes {
			list = append(list, report.File{Path: shortPath(o.File), Report: o.Report})
		}
		err = write(cmd, report.SARIF(list, version()))
	default:
		var out strings.Builder
		for _, o := range outcomes {
			fmt.Fprintf(&out, "## %s: %s\n\n%s\n", report.CodeSpan(o.Name), o.State, report.Markdown(o.Report, source(*o.Subject.File)))
		}
		err = show(cmd, out.String())
	}
	if err != nil {
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

// showFiles writes what was found in files, where no server was looked at, and
// gives the exit code.
func showFiles(cmd *cobra.Command, files []doctor.File, format form) error {
	if format == asJSON || format == asSARIF {
		return showChecked(cmd, files, nil, format)
	}
	var text strings.Builder
	for _, f := range files {
		if format == asMarkdown {
			fmt.Fprintf(&text, "## %s\n\n%s\n", report.CodeSpan(shortPath(f.Path)), report.Markdown(f.Report, source(f)))
		} else {
			text.WriteString(report.Findings(f.Report, source(f), style(cmd.OutOrStdout())))
		}
	}
	if format == asText {
		text.WriteString(summary(files))
	}
	if err := show(cmd, text.String()); err != nil {
		return err
	}
	return checkedVerdict(files, nil)
}

func source(f doctor.File) report.Source {
	return report.Source{Config: f.Text, File: shortPath(f.Path)}
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
