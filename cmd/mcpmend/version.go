package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release, commit and date are stamped by scripts/build.
var release, commit, date string

// version is the release, or "dev" for a binary of plain go build.
func version() string {
	if release != "" {
		return release
	}
	return "dev"
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Tell the version, commit and date of this binary",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			commit, date := commit, date
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					switch {
					case s.Key == "vcs.revision" && commit == "":
						commit = s.Value
					case s.Key == "vcs.time" && date == "":
						date = s.Value
					}
				}
			}
			return show(cmd, fmt.Sprintf("mcpmend %s\ncommit  %s\ndate    %s\ngo      %s %s/%s\n",
				version(), orUnknown(commit), orUnknown(date), runtime.Version(), runtime.GOOS, runtime.GOARCH))
		},
	}
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
