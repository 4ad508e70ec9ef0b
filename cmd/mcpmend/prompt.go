package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

// confirm asks a yes-or-no question. Nothing is asked when stdin is no
// terminal: then the answer is no.
func confirm(cmd *cobra.Command, yes bool, question string) bool {
	if !isTerminal(cmd.InOrStdin()) {
		return false
	}
	choices := "[y/N]"
	if yes {
		choices = "[Y/n]"
	}
	tell(cmd, fmt.Sprintf("%s %s  ", question, choices))
	line, err := bufio.NewReader(oneByte{input(cmd)}).ReadString('\n')
	if err != nil && line == "" {
		tell(cmd, "\n")
		return false
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true
	case "":
		return yes
	}
	return false
}

// oneByte keeps a buffered reader from taking more than its line.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) {
	if len(p) > 1 {
		p = p[:1]
	}
	return r.Reader.Read(p)
}

// consent shows what starting a project's server means and asks. The yes is
// kept for this very entry.
func consent(cmd *cobra.Command, d *doctor.Doctor, s doctor.Subject) (bool, error) {
	if d.Consent(s) == "" {
		return true, nil
	}
	if !isTerminal(cmd.InOrStdin()) {
		return false, nil
	}
	tell(cmd, fmt.Sprintf("\n%s of %s would start:\n", report.Safe(s.Server.Name), report.Safe(shortPath(s.File.Path))))
	for _, line := range doctor.LaunchOf(s).Lines() {
		tell(cmd, "    "+line+"\n")
	}
	if !confirm(cmd, false, "This comes from the project, not from you. Start it?") {
		if cmd.Context().Err() != nil {
			return false, interrupted("%s was not started", s.Server.Name)
		}
		return false, nil
	}
	return true, d.Agree(s)
}

// secret reads a value without showing it.
func secret(cmd *cobra.Command, name string) (string, error) {
	f, ok := cmd.InOrStdin().(*os.File)
	if !ok || !isTerminal(f) {
		return "", hint(fmt.Errorf("%s has no value and stdin is no terminal", name), "set it in the environment, or give --env %s=…", name)
	}
	tell(cmd, fmt.Sprintf("%s (not shown): ", report.Safe(name)))
	defer tell(cmd, "\n")
	before, err := term.GetState(int(f.Fd()))
	if err != nil {
		return "", fmt.Errorf("cannot use the terminal: %w", err)
	}
	typed := make(chan error, 1)
	var value []byte
	go func() {
		var err error
		value, err = term.ReadPassword(int(f.Fd()))
		typed <- err
	}()
	select {
	case err := <-typed:
		return string(value), err
	case <-cmd.Context().Done():
		_ = term.Restore(int(f.Fd()), before) // what is typed next is to be seen again
		return "", interrupted("nothing was written")
	}
}

// forClients tells a person at a terminal that this command waits for a
// program, which would otherwise look like a command that hangs.
func forClients(cmd *cobra.Command, instead string) {
	if isTerminal(cmd.InOrStdin()) {
		say(cmd, "Waiting for an MCP client on stdin; Ctrl-C ends it. %s.", instead)
	}
}
