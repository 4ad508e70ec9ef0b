package main

import (
	"os"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
	"mcpmend/core/lint"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
	"mcpmend/native/files"
)

// baseline is what a project knows about and does not want to hear again.
type baseline struct{ read, write string }

func (b *baseline) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&b.read, "baseline", "", "report only what this `FILE` does not have")
	f.StringVar(&b.write, "write-baseline", "", "write everything found in the configs to this `FILE`, and report nothing")
	cmd.MarkFlagsMutuallyExclusive("baseline", "write-baseline")
}

// apply drops what is known, or writes it down; then the command is done.
func (b *baseline) apply(cmd *cobra.Command, d *doctor.Doctor, checked []doctor.File) (bool, error) {
	if b.write != "" {
		list := d.Fingerprints(checked)
		if err := os.WriteFile(b.write, report.IndentedJSON(list), 0o644); err != nil {
			return true, files.Cannot("write", b.write, err)
		}
		say(cmd, "Wrote %s to %s. From now on: mcpmend check --baseline %s", count(len(list), "finding"), b.write, b.write)
		return true, nil
	}
	if b.read == "" {
		return false, nil
	}
	text, err := readInput(cmd, b.read, "a baseline", config.MaxSize)
	if err != nil {
		return true, err
	}
	known, err := lint.ParseBaseline(text)
	if err != nil {
		return true, hint(files.Cannot("read", b.read, err), "make one with mcpmend check --write-baseline %s", b.read)
	}
	d.Forget(checked, known)
	return false, nil
}
