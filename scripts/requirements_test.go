package scripts

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

var (
	row     = regexp.MustCompile(`(?m)^\| ([A-F]\d+) \| (.+?) \| (.+?) \|$`)
	proof   = regexp.MustCompile("`([a-z][a-z/]*) ((?:Test|Example|Fuzz)\\w*)`")
	session = regexp.MustCompile("`(cmd/mcpmend/testdata/script/\\w+\\.txt)`")
	defined = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz|Benchmark)\w*)\(`)
)

// TestRequirements holds docs/requirements.md to the tree: every requirement has
// a row, every row names a proof, and every proof exists.
func TestRequirements(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("../docs/requirements.md")
	is.NoErr(err)
	rows := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		id, proofs := m[1], m[3]
		rows[id] = true
		named := proof.FindAllStringSubmatch(proofs, -1)
		sessions := session.FindAllStringSubmatch(proofs, -1)
		if len(named)+len(sessions) == 0 {
			t.Errorf("%s names no test", id)
		}
	}
	for _, id := range strings.Fields("A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 B1 B2 B3 B4 B5 B6 B7 C1 C2 C3 C4 C5 C6 D1 D2 D3 D4 D5 D6 D7 E1 E2 E3 E4 E5 E6 E7 F1 F2 F3 F4 F5") {
		if !rows[id] {
			t.Errorf("%s has no row", id)
		}
	}
}

// TestNamedTestsExist holds the other pages to the tests that they name.
func TestNamedTestsExist(t *testing.T) {
	for _, file := range tracked(t, "docs/*.md") {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range proof.FindAllStringSubmatch(string(text), -1) {
			if !tests(t, p[1])[p[2]] {
				t.Errorf("%s: %s has no %s", file, p[1], p[2])
			}
		}
		for _, s := range session.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join("..", s[1])); err != nil {
				t.Errorf("%s: %s is not there", file, s[1])
			}
		}
	}
}

var testsOf = map[string]map[string]bool{}

// tests are the names of a package's tests.
func tests(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	if known, ok := testsOf[pkg]; ok {
		return known
	}
	files, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range defined.FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
		}
	}
	testsOf[pkg] = names
	return names
}
