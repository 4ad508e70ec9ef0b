package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

// fixFlags are those of commands that change configs.
type fixFlags struct {
	yes, dryRun bool
	attempts    int
}

// addWriting is for commands that write.
func (f *fixFlags) addWriting(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&f.yes, "yes", "y", false, "write without asking")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what would be written and write nothing")
}

// add is for commands that try fixes too.
func (f *fixFlags) add(cmd *cobra.Command) {
	f.addWriting(cmd)
	cmd.Flags().IntVar(&f.attempts, "max-attempts", heal.MaxAttempts, "the largest `NUMBER` of fixes to try")
}

func newFixCommand() *cobra.Command {
	var flags checkFlags
	var fix fixFlags
	var undo bool
	var format form
	cmd := &cobra.Command{
		Use:   "fix [NAME…]",
		Short: "Mend broken servers: diagnose, try, prove, ask, write",
		Long: `Diagnoses the servers named, or all that are broken; tries fixes on a copy of the
config until the server answers; shows the change with its proof; asks; and
writes exactly what was proven. Comments, order and untouched bytes stay, and
--undo takes the last write back.`,
		Example: `  mcpmend fix
  mcpmend fix postgres --dry-run
  mcpmend fix --undo`,
		RunE: func(cmd *cobra.Command, names []string) error {
			d, err := flags.doctor()
			if err != nil {
				return err
			}
			if undo {
				return takeBack(cmd, d)
			}
			sel := doctor.Selection{Client: flags.client}
			files, err := d.Files(sel)
			if err != nil {
				return err
			}
			for _, r := range d.Repairs(files, names...) {
				say(cmd, "%s does not parse as it is", shortPath(r.File.Path))
				if _, err := offer(cmd, d, r.File, r.After, "repaired its syntax", fix); err != nil {
					return err
				}
			}
			return fixServers(cmd, d, sel, names, fix, format)
		},
	}
	flags.add(cmd)
	fix.add(cmd)
	cmd.Flags().BoolVar(&undo, "undo", false, "take the last write back")
	addFormatFlag(cmd, &format, asText, asJSON)
	return cmd
}

// offer shows a change and writes it when the user agrees.
func offer(cmd *cobra.Command, d *doctor.Doctor, file *doctor.File, after, why string, f fixFlags) (bool, error) {
	tell(cmd, report.DiffText(shortPath(file.Path), report.Diff(file.Text, after), style(cmd.ErrOrStderr())))
	switch {
	case f.dryRun:
		say(cmd, "Not written: --dry-run.")
		return false, nil
	case f.yes:
	case !isTerminal(cmd.InOrStdin()):
		say(cmd, "Not written: give --yes to write it without being asked.")
		return false, nil
	case !confirm(cmd, true, "Write this?"):
		if cmd.Context().Err() != nil {
			return false, interrupted("%s is as it was", shortPath(file.Path))
		}
		say(cmd, "Not written.")
		return false, nil
	}
	if err := d.Save(file, after, why); err != nil {
		return false, err
	}
	say(cmd, "Written. `mcpmend fix --undo` takes it back.")
	if client := config.ClientByID(file.Client); client != nil {
		say(cmd, "%s", nextStep(client))
	}
	return true, nil
}

// nextStep says what makes the client see what was written, if anything must.
func nextStep(c *config.Client) string {
	switch running, known := doctor.Running(c); {
	case !known:
		return doctor.NextStep(c)
	case running:
		return fmt.Sprintf("%s runs and has read the file as it was before. %s", c.Name, doctor.NextStep(c))
	}
	return fmt.Sprintf("%s does not run now; it reads the file when it starts.", c.Name)
}

// fixServers heals servers one after the other. The files are read anew for
// each, since the last one may have changed the same file.
func fixServers(cmd *cobra.Command, d *doctor.Doctor, sel doctor.Selection, names []string, f fixFlags, format form) error {
	records := map[string]heal.Record{}
	left, number := false, 0
	for {
		files, err := d.Files(sel)
		if err != nil {
			return err
		}
		subjects := d.Subjects(files, names...)
		if len(subjects) == 0 {
			return nobody(cmd, sel.Client, files, names)
		}
		if number >= len(subjects) {
			break
		}
		s := subjects[number]
		number++
		if cmd.Context().Err() != nil {
			return interrupted("%s was not looked at", s.Server.Name)
		}
		if s.Server.Disabled {
			continue
		}
		if ok, err := consent(cmd, d, s); err != nil {
			return err
		} else if !ok {
			say(cmd, "%s  not started: %s", s.Server.Name, d.Consent(s))
			left = true
			continue
		}
		record, mended, err := fixServer(cmd, d, s, len(names) > 0, f)
		if err != nil {
			return err
		}
		left = left || !mended
		if record != nil {
			records[s.Server.Name] = *record
		}
	}
	if format == asJSON {
		if err := showJSON(cmd, records); err != nil {
			return err
		}
	}
	if left {
		return errProblems
	}
	return nil
}

// fixServer heals one server. mended is true when it works, now or already.
func fixServer(cmd *cobra.Command, d *doctor.Doctor, s doctor.Subject, named bool, f fixFlags) (*heal.Record, bool, error) {
	live := newLive(cmd, 1)
	h, err := d.Heal(cmd.Context(), s, f.attempts, live.watch())
	live.clear()
	if err != nil {
		if cmd.Context().Err() != nil {
			err = interrupted("%s is as it was", s.Server.Name)
		}
		return nil, false, err
	}
	name := s.Server.Name
	if len(h.Record.Attempts) == 0 && h.Record.Fixed {
		say(cmd, "%s  works: %s, %.1f s", name, count(h.Outcome.Tools, "tool"), h.Outcome.MS/1000)
		return &h.Record, true, nil
	}
	tell(cmd, attempts(h, style(cmd.ErrOrStderr()))+"\n")
	if h.After == "" {
		return &h.Record, false, nil
	}
	if !named && !d.Known(s) && !f.dryRun {
		say(cmd, "%s is new since the last check, and no catalogue knows it. Is it yours? `mcpmend fix %s` mends it.", name, name)
		return &h.Record, false, nil
	}
	last := h.Record.Attempts[len(h.Record.Attempts)-1]
	written, err := offer(cmd, d, s.File, h.After, last.FixApplied.Title, f)
	return &h.Record, written || f.dryRun, err
}

// attempts is what was found and tried, a line each.
func attempts(h *doctor.Healing, s report.Style) string {
	var out strings.Builder
	name := h.Subject.Server.Name
	if len(h.Record.Attempts) > 0 {
		fmt.Fprintf(&out, "%s  %s\n", report.Safe(name), shown(h.Record.Attempts[0].Diagnosis.Title))
	} else if len(h.Outcome.Report.Diagnoses) > 0 {
		fmt.Fprintf(&out, "%s  %s\n", report.Safe(name), shown(h.Outcome.Report.Diagnoses[0].Title))
	}
	for _, a := range h.Record.Attempts {
		result := a.Result
		if a.Result == "connected" {
			result = fmt.Sprintf("connected, %s, %.1f s", count(h.Outcome.Tools, "tool"), h.Outcome.MS/1000)
		}
		fmt.Fprintf(&out, "  trying   %-46s %s\n", shown(a.FixApplied.Title), shown(result))
	}
	for _, why := range h.Refused {
		fmt.Fprintf(&out, "  not tried  %s\n", shown(why))
	}
	if len(h.Record.Attempts)+len(h.Refused) == 0 && h.Record.UserActionNeeded == "" {
		fmt.Fprintf(&out, "  There is nothing that could be tried. `mcpmend test %s` shows everything about it.\n", report.Safe(name))
	}
	if h.Record.UserActionNeeded != "" {
		prefix := "  yours to do  "
		for _, paragraph := range strings.Split(h.Record.UserActionNeeded, "\n") {
			for _, line := range report.Wrap(shown(paragraph), max(20, s.Width-len(prefix))) {
				fmt.Fprintf(&out, "%s%s\n", prefix, line)
				prefix = strings.Repeat(" ", len(prefix))
			}
		}
	}
	return out.String()
}

func takeBack(cmd *cobra.Command, d *doctor.Doctor) error {
	b, err := d.Undo("")
	if err != nil {
		return err
	}
	say(cmd, "Taken back in %s: %s", shortPath(b.Path), b.Why)
	return nil
}
