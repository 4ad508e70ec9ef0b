package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

func newTestCommand() *cobra.Command {
	var flags checkFlags
	var fix fixFlags
	var healIt bool
	var format form
	cmd := &cobra.Command{
		Use:   "test NAME",
		Short: "Probe one server and show everything about it",
		Long: `Starts or reaches one server, shakes hands, asks for its tools, and shows each
phase with its time, what the server printed, and, where it fails, the root
cause. With --heal it then does what mcpmend fix does.`,
		Example: `  mcpmend test github
  mcpmend test github --heal`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := flags.doctor()
			if err != nil {
				return err
			}
			files, err := d.Files(doctor.Selection{Client: flags.client})
			if err != nil {
				return err
			}
			subjects := d.Subjects(files, args[0])
			if len(subjects) == 0 {
				return noServer(files, args...)
			}
			var outcomes []doctor.Outcome
			for _, s := range subjects {
				ok, err := consent(cmd, d, s)
				if err != nil {
					return err
				}
				if !ok {
					return hint(fmt.Errorf("%s is not started: %s", s.Server.Name, d.Consent(s)), "run this in a terminal to look at it, or give --trust-project")
				}
				live := newLive(cmd, 1)
				watch := live.watch()
				watch.Stderr = func(_ doctor.Subject, line string) {
					if format == asText {
						live.print(line)
					}
				}
				o := d.Probe(cmd.Context(), s, watch)
				live.clear()
				if cmd.Context().Err() != nil {
					return interrupted("%s was not looked at to the end", s.Server.Name)
				}
				outcomes = append(outcomes, o)
				if format == asText {
					if err := show(cmd, tested(o, style(cmd.OutOrStdout()))); err != nil {
						return err
					}
				}
			}
			if format == asJSON {
				return showChecked(cmd, nil, outcomes, format)
			}
			if healIt && checkedVerdict(nil, outcomes) != nil {
				return fixServers(cmd, d, doctor.Selection{Client: flags.client}, args, fix, format)
			}
			return checkedVerdict(nil, outcomes)
		},
	}
	flags.add(cmd)
	fix.add(cmd)
	for _, name := range []string{"yes", "dry-run", "max-attempts"} {
		f := cmd.Flags().Lookup(name)
		f.Usage = "with --heal: " + f.Usage
	}
	cmd.Flags().BoolVar(&healIt, "heal", false, "if it is broken, mend it as mcpmend fix does")
	addFormatFlag(cmd, &format, asText, asJSON)
	return cmd
}

// tested is everything about one server.
func tested(o doctor.Outcome, s report.Style) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s  %s  %s\n", report.Safe(o.Name), o.State, report.Safe(shortPath(o.File)))
	for _, p := range o.Phases {
		fmt.Fprintf(&out, "  %-10s %7.0f ms\n", p.Name, p.MS)
	}
	if r := o.Result; r != nil {
		if r.Version != "" {
			fmt.Fprintf(&out, "  protocol   %s  %s\n", report.Safe(r.Version), report.Safe(r.Name))
		}
		if len(r.Tools) > 0 {
			var names []string
			for _, t := range r.Tools {
				names = append(names, t.Name)
			}
			fmt.Fprintf(&out, "  tools      %d, about %d tokens: %s\n", o.Tools, o.Tokens, report.Safe(shortened(strings.Join(names, ", "), 300)))
		}
		if r.Exit != nil {
			fmt.Fprintf(&out, "  ended      %s\n", r.Exit)
		}
	}
	for _, note := range o.Notes {
		fmt.Fprintf(&out, "  note       %s\n", shown(note))
	}
	if len(o.Report.Diagnoses) > 0 {
		src := source(*o.Subject.File)
		if o.Result != nil {
			src.Text = o.Result.Text()
		}
		fmt.Fprintf(&out, "\n%s", report.Text(o.Report, src, s))
	}
	return out.String()
}
