package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

func newListCommand() *cobra.Command {
	var flags checkFlags
	var format form
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the servers of all clients, without starting any",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := flags.doctor()
			if err != nil {
				return err
			}
			files, err := d.Files(doctor.Selection{Client: flags.client})
			if err != nil {
				return err
			}
			subjects := d.Subjects(files)
			if format == asJSON {
				return listJSON(cmd, subjects)
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
			for _, s := range subjects {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", report.Safe(s.Server.Name), s.File.Client, onOff(s), how(s), report.Safe(shortPath(s.File.Path)))
			}
			return w.Flush()
		},
	}
	flags.add(cmd)
	addFormatFlag(cmd, &format, asText, asJSON)
	return cmd
}

func onOff(s doctor.Subject) string {
	if s.Server.Disabled {
		return "off"
	}
	return "on"
}

// how is a server in a few words: what is started, or where it is.
func how(s doctor.Subject) string {
	words := append([]string{s.Server.Command}, s.Server.Args...)
	if s.Server.Command == "" {
		words = []string{s.Server.URL}
	}
	return report.Safe(shortened(config.Mask(strings.Join(words, " ")), 60))
}

func listJSON(cmd *cobra.Command, subjects []doctor.Subject) error {
	type entry struct {
		Name      string           `json:"name"`
		Client    string           `json:"client"`
		File      string           `json:"file"`
		Scope     config.Scope     `json:"scope"`
		Transport config.Transport `json:"transport"`
		Disabled  bool             `json:"disabled"`
	}
	list := []entry{}
	for _, s := range subjects {
		list = append(list, entry{s.Server.Name, s.File.Client, s.File.Path, s.File.Scope, s.Server.Transport, s.Server.Disabled})
	}
	return showJSON(cmd, list)
}

func newRemoveCommand() *cobra.Command {
	return newEntryCommand("remove NAME…", "Remove servers from the configs that have them", "removed", doctor.Removed)
}

func newEnableCommand() *cobra.Command {
	return newEntryCommand("enable NAME…", "Switch servers on, in each client's own way", "switched on",
		func(s doctor.Subject) (string, error) { return doctor.Switched(s, true) })
}

func newDisableCommand() *cobra.Command {
	return newEntryCommand("disable NAME…", "Switch servers off, in each client's own way", "switched off",
		func(s doctor.Subject) (string, error) { return doctor.Switched(s, false) })
}

// newEntryCommand is a command that changes the entries of the servers named,
// one file at a time, each shown and asked about.
func newEntryCommand(use, short, done string, change func(doctor.Subject) (string, error)) *cobra.Command {
	var flags checkFlags
	var fix fixFlags
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			d, err := flags.doctor()
			if err != nil {
				return err
			}
			found := false
			for _, name := range names {
				// Read anew for each name: the last change may be in the same file.
				files, err := d.Files(doctor.Selection{Client: flags.client})
				if err != nil {
					return err
				}
				for _, s := range d.Subjects(files, name) {
					found = true
					after, err := change(s)
					if err != nil {
						return err
					}
					if after == s.File.Text {
						say(cmd, "%s in %s is %s already", name, shortPath(s.File.Path), done)
						continue
					}
					if _, err := offer(cmd, d, s.File, after, done+" "+name, fix); err != nil {
						return err
					}
				}
			}
			if !found {
				return noServer(names...)
			}
			return nil
		},
	}
	flags.add(cmd)
	fix.add(cmd)
	return cmd
}
