//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/core/heal"
	"mcpmend/core/report"
	"mcpmend/native/state"
	"mcpmend/native/wrap"
)

func newStatusCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the wrappers that run, and how their servers are",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dirs, err := state.Default()
			if err != nil {
				return err
			}
			running, err := wrap.Running(filepath.Join(dirs.State, "run"), time.Now())
			if err != nil {
				return err
			}
			switch format {
			case "json":
				text, err := json.MarshalIndent(map[string]any{"version": 1, "wrappers": running}, "", "  ")
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), string(text))
			case "text":
				writeStatus(cmd.OutOrStdout(), running, style(cmd.OutOrStdout()).Color)
			default:
				return fmt.Errorf("format %q: want text or json", format)
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
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func writeStatus(w io.Writer, running []wrap.RunInfo, color bool) {
	if len(running) == 0 {
		fmt.Fprintln(w, "No wrapper runs. Start one with: mcpmend wrap -- COMMAND")
		return
	}
	for _, r := range running {
		fmt.Fprintf(w, "%s\n  process %d, up %s", report.Safe(r.Server), r.PID, time.Since(r.Started).Round(time.Second))
		if r.Listen != "" {
			fmt.Fprintf(w, ", listening on %s", report.Safe(r.Listen))
		}
		fmt.Fprintln(w)
		for _, s := range r.Sessions {
			fmt.Fprintf(w, "  %s: %d closures, %d recoveries", stateWord(s.State, color), s.Closures, s.Recoveries)
			if !s.LastSuccess.IsZero() {
				fmt.Fprintf(w, ", last answer %s ago", time.Since(s.LastSuccess).Round(time.Second))
			}
			fmt.Fprintln(w)
			for _, reason := range s.Reasons {
				fmt.Fprintf(w, "    %s\n", report.Safe(reason))
			}
		}
	}
}
