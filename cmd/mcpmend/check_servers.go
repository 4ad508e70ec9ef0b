//go:build !js

package main

import (
	"slices"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/native/doctor"
)

// checkServers probes the servers of files and shows both.
func checkServers(cmd *cobra.Command, d *doctor.Doctor, files []doctor.File, names []string, format form) error {
	for _, name := range names {
		if len(d.Subjects(files, name)) == 0 {
			return noServer(files, name)
		}
	}
	subjects := d.Subjects(files, names...)
	for _, s := range subjects {
		if _, err := consent(cmd, d, s); err != nil {
			return err
		}
	}
	live := newLive(cmd, len(subjects))
	outcomes := d.Check(cmd.Context(), subjects, live.watch())
	live.clear()
	if cmd.Context().Err() != nil {
		return interrupted("not every server was looked at")
	}
	if format == asJSON {
		return showChecked(cmd, files, outcomes, format)
	}
	files = withoutRepeats(files, outcomes)
	if format != asText {
		return showChecked(cmd, files, outcomes, format)
	}
	if err := show(cmd, checkedText(files, outcomes, style(cmd.OutOrStdout()))); err != nil {
		return err
	}
	if !isTerminal(cmd.InOrStdin()) && slices.ContainsFunc(outcomes, func(o doctor.Outcome) bool { return o.State == doctor.NotStarted }) {
		say(cmd, "Run this in a terminal to look at each that was not started, or give --trust-project.")
	}
	return checkedVerdict(files, outcomes)
}

// withoutRepeats drops from files what the verdict about a server says too, so
// that a mistake in an entry is told once: with the server that it broke.
func withoutRepeats(files []doctor.File, outcomes []doctor.Outcome) []doctor.File {
	files = slices.Clone(files)
	for i := range files {
		f := &files[i]
		f.Report.Diagnoses = slices.DeleteFunc(slices.Clone(f.Report.Diagnoses), func(d core.Diagnosis) bool {
			return slices.ContainsFunc(outcomes, func(o doctor.Outcome) bool {
				return o.File == f.Path && o.Name == d.Server && slices.ContainsFunc(o.Report.Diagnoses, func(told core.Diagnosis) bool { return told.Code == d.Code })
			})
		})
	}
	return files
}
