package main

// How the command speaks.
//
// The first line says what is wrong, in the user's words; the last line is the
// next command. Text for people has colour and progress on a terminal only,
// and none where NO_COLOR is set. Machine output stands alone on stdout,
// everything else goes to stderr. Our own errors are one line, lower case,
// "mcpmend: cannot read x: reason", followed by "hint: …" where we know what
// would help. Nothing is asked when stdin is not a terminal.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"mcpmend/core/config"
	"mcpmend/core/report"
	"mcpmend/native/files"
)

// hinted is an error with a line that says what would help.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

func hint(err error, format string, args ...any) error {
	return hinted{err, fmt.Sprintf(format, args...)}
}

// printError shows an error of our own. What it quotes may come from a file or
// a server, so it is masked and made safe like everything else.
func printError(w io.Writer, err error) {
	text := "mcpmend: " + err.Error()
	if home, err := os.UserHomeDir(); err == nil {
		below := string(filepath.Separator)
		text = strings.ReplaceAll(text, " "+home+below, " ~"+below)
	}
	fmt.Fprintln(w, shown(text))
	var h hinted
	if errors.As(err, &h) {
		fmt.Fprintln(w, shown("hint: "+h.hint))
	}
}

// say writes a line of progress or a remark to stderr.
func say(cmd *cobra.Command, format string, args ...any) {
	tell(cmd, shown(fmt.Sprintf(format, args...))+"\n")
}

// tell writes text that is safe to show to stderr.
func tell(cmd *cobra.Command, text string) {
	fmt.Fprint(cmd.ErrOrStderr(), inLog(text))
}

// shown is text of others made fit for a line of ours: masked, and with nothing
// in it that a terminal obeys.
func shown(text string) string { return report.Safe(config.Mask(text)) }

// inLog is text as it may stand where a CI runner reads along and obeys lines
// of a certain form.
func inLog(text string) string {
	if os.Getenv("GITHUB_ACTIONS") == "" {
		return text
	}
	return report.CILog(text)
}

// isTerminal says whether a stream of a command is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// style is how text for people is written to w.
func style(w io.Writer) report.Style {
	s := report.Style{Width: 100}
	if !isTerminal(w) {
		return s
	}
	s.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if columns, _, err := term.GetSize(int(w.(*os.File).Fd())); err == nil && columns > 20 {
		s.Width = min(columns, 100)
	}
	return s
}

// shortPath is a path as a person would write it: below the working directory,
// or below the home directory.
func shortPath(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		return files.Tilde(home, path)
	}
	return path
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func shortened(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + " …"
}
