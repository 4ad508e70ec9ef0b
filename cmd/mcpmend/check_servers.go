//go:build !js

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"mcpmend/native/doctor"
)

// checkServers probes the servers of files and shows both.
func checkServers(cmd *cobra.Command, d *doctor.Doctor, files []doctor.File, names []string, format string) error {
	subjects := d.Subjects(files, names...)
	for _, s := range subjects {
		if _, err := consent(cmd, d, s); err != nil {
			return err
		}
	}
	live := newLive(cmd, len(subjects))
	outcomes := d.Check(cmd.Context(), subjects, live.watch())
	live.clear()
	if err := cmd.Context().Err(); err != nil {
		return fmt.Errorf("interrupted; nothing was changed")
	}
	if format != "text" {
		return showChecked(cmd, files, outcomes, format)
	}
	fmt.Fprint(cmd.OutOrStdout(), checkedText(files, outcomes, style(cmd.OutOrStdout())))
	return checkedVerdict(files, outcomes)
}
