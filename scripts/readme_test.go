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

var sample = regexp.MustCompile(`(?m)^(?:    |  )\$? ?(?:npx )?(mcpmend [^\n]*)$`)

// TestExamplesParse takes every command line of the documentation and asks the
// command about it: its flags must exist, and the command too. A line ends
// where two spaces begin a remark.
func TestExamplesParse(t *testing.T) {
	is := is.New(t)
	mcpmend, err := command()
	is.NoErr(err)
	count := 0
	for _, file := range []string{"README.md", "docs/command.md", "docs/wrap.md", "docs/serve.md", "docs/modules.md", "docs/faq.md", "docs/security.md", "wasm/npm/README.md"} {
		text, err := os.ReadFile(filepath.Join("..", file))
		if os.IsNotExist(err) {
			continue // its page is not written yet; the link check asks for it
		}
		is.NoErr(err)
		for _, m := range sample.FindAllStringSubmatch(string(text), -1) {
			line := m[1]
			if at := strings.Index(line, "   "); at > 0 {
				line = line[:at]
			}
			count++
			if out, err := exec.Command(mcpmend, asHelp(line)...).CombinedOutput(); err != nil {
				t.Errorf("%s: %s\n%s", file, line, out)
			}
		}
	}
	if count < 15 {
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
