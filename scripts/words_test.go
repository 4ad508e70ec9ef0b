package scripts

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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

// TestMessages looks at the strings of the packages that speak to people or to
// a model, and at those of the page. Those of core/triage are left out: they are
// what other programs print.
func TestMessages(t *testing.T) {
	shout := regexp.MustCompile(`\pL!(\s|$)`)
	count := 0
	for _, file := range tracked(t, "cmd/*.go", "native/*.go", "core/fix/*.go", "core/lint/*.go", "core/report/*.go", "core/heal/*.go", "core/schema/*.go", "web/*.go") {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "fixture") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			count++
			if shout.MatchString(text) || strings.Contains(text, " ") && others.MatchString(text) {
				t.Errorf("%s: %q", file, text)
			}
			return true
		})
	}
	if count < 1000 {
		t.Errorf("only %d strings read", count)
	}
	page, err := os.ReadFile("../web/src/strings.ts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if shout.MatchString(line) || others.MatchString(line) {
			t.Errorf("the page says %s", line)
		}
	}
}

// others are names that somebody else may use for what has a name of ours; see
// the table in docs/CONTRIBUTING.md. And ways to speak that blame or excuse.
var others = regexp.MustCompile(`(?i)\b(host application|server block|server definition|remed(y|ies)|auto-?fix(es)?|auto-?repair|plug-ins?|add-?ons?|smoke test|supervisor|failed to|unable to|oops|sorry|simply)\b`)

// TestOneVocabulary reads the documentation and what the command says.
func TestOneVocabulary(t *testing.T) {
	for _, file := range tracked(t, "README.md", "docs/*.md", "wasm/npm/README.md", ":!docs/rules.md", ":!docs/schema-comparison.md") {
		for line := range strings.Lines(prose(t, file)) {
			if word := others.FindString(line); word != "" && !strings.HasPrefix(line, "| ") { // the table itself
				t.Errorf("%s: %q in %s", file, word, line)
			}
		}
	}
	mcpmend, err := command()
	if err != nil {
		t.Fatal(err)
	}
	help, err := exec.Command(mcpmend, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^  (\w+) +[A-Z]`).FindAllSubmatch(help, -1)
	if len(names) < 15 {
		t.Errorf("only %d commands found in the help", len(names))
	}
	for _, name := range names {
		if string(name[1]) == "help" {
			continue // cobra's own words
		}
		text, err := exec.Command(mcpmend, string(name[1]), "--help").Output()
		if err != nil {
			t.Fatal(err)
		}
		if word := others.Find(text); word != nil {
			t.Errorf("mcpmend %s --help: %q", name[1], word)
		}
	}
}

var update = flag.Bool("update", false, "write what the tests compare with")

// TestRuleIndexIsCurrent holds docs/rules.md to the rules.
func TestRuleIndexIsCurrent(t *testing.T) {
	is := is.New(t)
	mcpmend, err := command()
	is.NoErr(err)
	want, err := exec.Command(mcpmend, "rules", "--format", "markdown").Output()
	is.NoErr(err)
	const file = "../docs/rules.md"
	if *update {
		is.NoErr(os.WriteFile(file, want, 0o644))
	}
	got, err := os.ReadFile(file)
	is.NoErr(err)
	if !bytes.Equal(got, want) {
		t.Errorf("docs/rules.md is not what the rules say; go test ./scripts -run RuleIndex -update rewrites it")
	}
}
