//go:build !js

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/core"
	"mcpmend/core/heal"
	"mcpmend/core/report"
	"mcpmend/native/state"
	"mcpmend/native/wrap"
)

func newStatusCommand() *cobra.Command {
	var format form
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the wrappers that run, and how their servers are",
		Long: `Shows every mcpmend wrap that runs on this machine: its server, how long it is
up, and whether the server is healthy, degraded, unresponsive or dead. The exit
code is 1 where one is not healthy.`,
		Example: `  mcpmend status
  mcpmend status --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dirs, err := state.Default()
			if err != nil {
				return err
			}
			running, err := wrap.Running(dirs.Running(), time.Now())
			if err != nil {
				return err
			}
			if err := showStatus(cmd, running, format); err != nil {
				return err
			}
			for _, r := range running {
				for _, s := range r.Sessions {
					if s.State != heal.Healthy {
						return errProblems
					}
				}
			}
			return nil
		},
	}
	addFormatFlag(cmd, &format, asText, asJSON)
	return cmd
}

func showStatus(cmd *cobra.Command, running []wrap.RunInfo, format form) error {
	if format == asJSON {
		return showJSON(cmd, struct {
			Version  int            `json:"version"`
			Wrappers []wrap.RunInfo `json:"wrappers"`
		}{core.Version, running})
	}
	return show(cmd, statusText(running, style(cmd.OutOrStdout())))
}

func statusText(running []wrap.RunInfo, style report.Style) string {
	if len(running) == 0 {
		return "No wrapper runs. Start one with: mcpmend wrap -- COMMAND\n"
	}
	w := new(strings.Builder)
	for _, r := range running {
		fmt.Fprintf(w, "%s\n  process %d, up %s", report.Safe(r.Server), r.PID, time.Since(r.Started).Round(time.Second))
		if r.Listen != "" {
			fmt.Fprintf(w, ", listening on %s", report.Safe(r.Listen))
		}
		fmt.Fprintln(w)
		for _, s := range r.Sessions {
			state := string(s.State)
			if s.State != heal.Healthy {
				state = style.Bold(state)
			}
			fmt.Fprintf(w, "  %s: %d closures, %d recoveries", state, s.Closures, s.Recoveries)
			if !s.LastSuccess.IsZero() {
				fmt.Fprintf(w, ", last answer %s ago", time.Since(s.LastSuccess).Round(time.Second))
			}
			fmt.Fprintln(w)
			for _, reason := range s.Reasons {
				fmt.Fprintf(w, "    %s\n", report.Safe(reason))
			}
		}
	}
	return w.String()
}
