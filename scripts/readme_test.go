package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

var sample = regexp.MustCompile("(?m)^(?:    |  )\\$? ?(?:npx )?(mcpmend [^\n]*)$|`(?:npx )?(mcpmend [a-z][^`\n]*)`")

// typed is a command line in fenced code.
var typed = regexp.MustCompile(`(?m)^(?:\$ )?(?:npx )?(mcpmend [^\n]*)$`)

// TestExamplesParse takes every command line of the documentation and asks the
// command about it: its flags must exist, and the command too. A line ends
// where three spaces or a # begin a remark.
func TestExamplesParse(t *testing.T) {
	is := is.New(t)
	mcpmend, err := command()
	is.NoErr(err)
	count := 0
	for _, file := range tracked(t, "*.md", ":!docs/rules.md") {
		text, err := os.ReadFile(filepath.Join("..", file))
		is.NoErr(err)
		var lines []string
		for _, m := range sample.FindAllStringSubmatch(string(text), -1) {
			lines = append(lines, m[1]+m[2]) // a line of its own, or words in a sentence
		}
		for _, m := range typed.FindAllStringSubmatch(fenced(string(text)), -1) {
			lines = append(lines, m[1])
		}
		for _, line := range lines {
			if at := regexp.MustCompile(`   | +# `).FindStringIndex(line); at != nil {
				line = line[:at[0]]
			}
			count++
			args := asHelp(line)
			out, err := exec.Command(mcpmend, args...).CombinedOutput()
			usage := "mcpmend"
			if args[0] != "--help" {
				usage += " " + args[0] // a command that does not exist gets the help of all
			}
			if err != nil || !strings.Contains(string(out), "\n  "+usage) {
				t.Errorf("%s: %s\n%s", file, line, out)
			}
		}
	}
	if count < 40 {
		t.Errorf("only %d examples found: is the pattern right?", count)
	}
}

// asHelp makes arguments of an example that parse its flags and do nothing:
// what comes after -- or belongs to the shell is left out, optional parts are
// taken, and --help ends it.
func asHelp(line string) []string {
	for _, end := range []string{" -- ", " | ", " > ", " < ", " 2> "} {
		line, _, _ = strings.Cut(line, end)
	}
	var args []string
	for _, word := range strings.Fields(strings.NewReplacer("[", "", "]", "", "…", "").Replace(line))[1:] {
		args = append(args, strings.Trim(word, `"'`))
	}
	return append(args, "--help")
}

// TestQuickStart runs what the first page of the README promises to somebody
// who has just cloned the repository.
func TestQuickStart(t *testing.T) {
	is := is.New(t)
	mcpmend, err := command()
	is.NoErr(err)
	got := ran(t, t.TempDir(), "[error] [github] spawn npx ENOENT\n", mcpmend, "explain")
	is.Equal(got.code, 1)
	is.True(strings.Contains(got.stdout, "npx is not on the client's PATH"))
	for _, script := range []string{"run", "test", "build", "bench"} {
		info, err := os.Stat(script)
		is.NoErr(err)
		is.True(info.Mode()&0o111 != 0) // it can be run as it is named
	}
}
