package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// Man pages are written by their test, so that what writes them is in no
// binary: ./scripts/build --man
var manDir = flag.String("man", "", "write the man pages to this directory")

func TestManPages(t *testing.T) {
	is := is.New(t)
	dir := *manDir
	if dir == "" {
		dir = t.TempDir()
	}
	root := newRootCommand()
	root.DisableAutoGenTag = true // a date would make two builds differ
	header := &doc.GenManHeader{Section: "1", Source: "mcpmend " + os.Getenv("MCPMEND_RELEASE"), Manual: "mcpmend", Date: &time.Time{}}
	if stamp, err := time.Parse(time.RFC3339, os.Getenv("MCPMEND_DATE")); err == nil {
		header.Date = &stamp
	}
	is.NoErr(doc.GenManTree(root, header, dir))
	everyCommand(root, func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() && cmd != root {
			return
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		page, err := os.ReadFile(filepath.Join(dir, name))
		is.NoErr(err)
		is.True(strings.Contains(string(page), ".TH")) // it is a man page
	})
}

// everyCommand visits a command and those below it.
func everyCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		everyCommand(sub, visit)
	}
}

// TestHelp reads the words of every command as a person would: plain, with an
// example that parses, and nobody shouts.
func TestHelp(t *testing.T) {
	everyCommand(newRootCommand(), func(cmd *cobra.Command) {
		name := cmd.CommandPath()
		words := cmd.Short + "\n" + cmd.Long + "\n" + cmd.Flags().FlagUsages()
		switch {
		case cmd.Short == "":
			t.Errorf("%s has no short description", name)
		case strings.HasSuffix(cmd.Short, "."):
			t.Errorf("%s: the short description ends in a full stop", name)
		case strings.Contains(words, "!"):
			t.Errorf("%s: an exclamation mark", name)
		}
		for _, r := range words {
			if r >= 0x1F000 || r >= 0x2600 && r < 0x27C0 {
				t.Errorf("%s: %q is a picture", name, r)
			}
		}
		for line := range strings.Lines(words + cmd.Example) {
			if len([]rune(line)) > 120 && !strings.HasPrefix(strings.TrimSpace(line), "--") {
				t.Errorf("%s: a line of %d characters", name, len([]rune(line)))
			}
		}
	})
}
