package scripts

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
)

// unwanted are words that belong in nobody's repository, put together here so
// that this file does not hold them itself.
var unwanted = []struct {
	what string
	*regexp.Regexp
}{
	{"unfinished work", regexp.MustCompile(`(?://|#|/\*|<!--)[^\n"]*\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)},
	{"the host of a package registry", regexp.MustCompile(`(?i)registry\.(npm` + `js\.org|yarn` + `pkg\.com)|proxy\.go` + `lang\.org|files\.python` + `hosted\.org`)},
	{"a path of one machine", regexp.MustCompile(`/(work/(main|shared)|root/go)\b`)},
}

// TestWords reads every text file of the repository.
func TestWords(t *testing.T) {
	for _, file := range tracked(t) {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 || strings.Contains(file, "testdata/fuzz/") {
			continue
		}
		for _, u := range unwanted {
			if at := u.FindIndex(text); at != nil {
				t.Errorf("%s:%d: %s: %s", file, 1+bytes.Count(text[:at[0]], []byte("\n")), u.what, text[at[0]:at[1]])
			}
		}
	}
}

// TestNobodyShouts looks at the sentences of the documentation.
func TestNobodyShouts(t *testing.T) {
	shout := regexp.MustCompile(`\pL!(\s|$)`)
	for _, file := range tracked(t, "*.md") {
		text := prose(t, file)
		if at := shout.FindStringIndex(text); at != nil {
			t.Errorf("%s: %q", file, text[max(0, at[0]-30):at[1]])
		}
		for _, r := range text {
			if r >= 0x1F000 || r >= 0x2600 && r < 0x2700 {
				t.Errorf("%s: %q is a picture", file, r)
			}
		}
	}
}

// update rewrites what a test compares with: UPDATE=1 go test ./scripts
var update = os.Getenv("UPDATE") != ""

// TestRuleIndexIsCurrent holds docs/rules.md to the rules.
func TestRuleIndexIsCurrent(t *testing.T) {
	is := is.New(t)
	mcpmend, err := command()
	is.NoErr(err)
	want, err := exec.Command(mcpmend, "rules", "--format", "markdown").Output()
	is.NoErr(err)
	const file = "../docs/rules.md"
	if update {
		is.NoErr(os.WriteFile(file, want, 0o644))
	}
	got, err := os.ReadFile(file)
	is.NoErr(err)
	if !bytes.Equal(got, want) {
		t.Errorf("docs/rules.md is not what the rules say; UPDATE=1 go test ./scripts -run RuleIndex rewrites it")
	}
}
