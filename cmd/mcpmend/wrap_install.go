//go:build !js

package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/native/doctor"
	"mcpmend/native/state"
	"mcpmend/native/wrap"
)

// wrapInstall makes a client's entry run through the wrapper, or undoes that.
func wrapInstall(cmd *cobra.Command, f wrapFlags) error {
	name := f.install + f.uninstall
	if err := knownClient(f.client); err != nil {
		return err
	}
	dirs, err := state.Default()
	if err != nil {
		return err
	}
	d, err := doctor.New("")
	if err != nil {
		return err
	}
	s, err := oneServer(d, name, f.client)
	if err != nil {
		return err
	}
	memory, err := wrap.LoadInstalled(dirs.Wrapped())
	if err != nil {
		return err
	}
	var text string
	if f.uninstall != "" {
		text, err = memory.Uninstall(s.File.Path, s.Document, s.Server)
	} else {
		var program string
		if program, err = os.Executable(); err != nil {
			return fmt.Errorf("cannot tell where mcpmend lies: %w", err)
		}
		text, err = memory.Install(s.File.Path, s.Document, s.Server, program)
	}
	if err != nil {
		return err
	}
	written, err := offer(cmd, d, s.File, text, "wrap "+name, fixFlags{yes: f.yes})
	if err != nil {
		return err
	}
	if !written {
		return errProblems
	}
	return memory.Save()
}

// oneServer finds the one entry that is meant.
func oneServer(d *doctor.Doctor, name, client string) (doctor.Subject, error) {
	files, err := d.Files(doctor.Selection{Client: client})
	if err != nil {
		return doctor.Subject{}, err
	}
	found := d.Subjects(files, name)
	switch len(found) {
	case 0:
		return doctor.Subject{}, noServer(files, name)
	case 1:
		return found[0], nil
	}
	var clients []string
	for _, s := range found {
		clients = append(clients, s.File.Client)
	}
	return doctor.Subject{}, hint(fmt.Errorf("several clients have a server called %s: %s", name, strings.Join(clients, ", ")), "--client says which is meant")
}
