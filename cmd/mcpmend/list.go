package main

import (
	"fmt"
	"path/filepath"
	"strings"

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
		Long: `Lists the servers in the configs of every client on this machine and in this
project: name, client, whether it is switched on, what is started or where it is,
and the file. Nothing is started.`,
		Example: `  mcpmend list
  mcpmend list --client cursor --format json`,
		Args: cobra.NoArgs,
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
			if len(subjects) == 0 {
				return nobody(cmd, flags.client, files, nil)
			}
			var rows [][]string
			for _, s := range subjects {
				rows = append(rows, []string{report.Safe(s.Server.Name), s.File.Client, onOff(s), how(s), report.Safe(shortPath(s.File.Path))})
			}
			return showTable(cmd, rows)
		},
	}
	flags.addWhere(cmd)
	addFormatFlag(cmd, &format, asText, asJSON)
	return cmd
}

// noServer refuses names that no server has.
func noServer(files []doctor.File, names ...string) error {
	var known []string
	for _, f := range files {
		if f.Report.Config != nil {
			for _, s := range f.Report.Config.Servers {
				known = append(known, s.Name)
			}
		}
	}
	return hint(fmt.Errorf("no server is called %s", strings.Join(names, ", ")), "%smcpmend list shows them all", didYouMean(names[0], known))
}

// nobody says that there is no server, or none of these names.
func nobody(cmd *cobra.Command, client string, files []doctor.File, names []string) error {
	if len(names) > 0 {
		return noServer(files, names...)
	}
	if len(files) == 0 {
		say(cmd, "%s", noConfig(client, nil))
		return nil
	}
	say(cmd, "There are no servers in %s. `mcpmend check` looks at what there is.", count(len(files), "file"))
	return nil
}

// noConfig says where no config was found.
func noConfig(client string, paths []string) string {
	of := "No MCP config"
	if c := config.ClientByID(client); c != nil {
		of = "No config of " + c.Name
	}
	if len(paths) == 1 && filepath.Clean(paths[0]) == "." {
		return of + " was found in this directory."
	}
	if len(paths) > 0 {
		return fmt.Sprintf("%s was found in %s.", of, strings.Join(paths, ", "))
	}
	return of + " was found on this machine or in this project. `mcpmend add` writes the first one."
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
	return newEntryCommand("remove", "Remove servers from the configs that have them", "removed", doctor.Removed)
}

func newEnableCommand() *cobra.Command {
	return newEntryCommand("enable", "Switch servers on, in each client's own way", "switched on",
		func(s doctor.Subject) (string, error) { return doctor.Switched(s, true) })
}

func newDisableCommand() *cobra.Command {
	return newEntryCommand("disable", "Switch servers off, in each client's own way", "switched off",
		func(s doctor.Subject) (string, error) { return doctor.Switched(s, false) })
}

// newEntryCommand is a command that changes the entries of the servers named,
// one file at a time, each shown and asked about.
func newEntryCommand(name, short, done string, change func(doctor.Subject) (string, error)) *cobra.Command {
	var flags checkFlags
	var fix fixFlags
	cmd := &cobra.Command{
		Use:     name + " NAME…",
		Short:   short,
		Long:    short + ". Each change is shown\nfirst, and you are asked; `mcpmend fix --undo` takes the last one back.",
		Example: fmt.Sprintf("  mcpmend %[1]s github\n  mcpmend %[1]s github --client cursor --yes", name),
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			d, err := flags.doctor()
			if err != nil {
				return err
			}
			found, left := false, false
			var files []doctor.File
			for _, name := range names {
				// Read anew for each name: the last change may be in the same file.
				if files, err = d.Files(doctor.Selection{Client: flags.client}); err != nil {
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
					written, err := offer(cmd, d, s.File, after, done+" "+name, fix)
					if err != nil {
						return err
					}
					left = left || !written && !fix.dryRun
				}
			}
			switch {
			case !found:
				return noServer(files, names...)
			case left:
				return errProblems
			}
			return nil
		},
	}
	flags.addWhere(cmd)
	fix.addWriting(cmd)
	return cmd
}
