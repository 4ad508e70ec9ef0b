package scripts

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// tracked lists the files of the repository that match the patterns of git.
func tracked(t *testing.T, patterns ...string) []string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", "..", "ls-files", "--"}, patterns...)...).Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	var files []string
	for file := range strings.Lines(string(out)) {
		file = strings.TrimSpace(file)
		if _, err := os.Stat(filepath.Join("..", file)); err == nil { // one may be deleted and not yet committed
			files = append(files, file)
		}
	}
	return files
}

var (
	link    = regexp.MustCompile(`\]\(([^()\s]+)(?: "[^"]*")?\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
	fence   = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	code    = regexp.MustCompile("`[^`\n]*`")
)

// TestLinks resolves every relative link of every Markdown file, with its
// anchor. Addresses elsewhere are not asked for: a test needs no network.
func TestLinks(t *testing.T) {
	count := 0
	for _, file := range tracked(t, "*.md") {
		for _, m := range link.FindAllStringSubmatch(prose(t, file), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, ":") {
				continue
			}
			count++
			to := file
			if target != "" {
				to = path.Join(path.Dir(file), target)
			}
			if strings.HasPrefix(to, "..") {
				t.Errorf("%s: %s leaves the repository", file, m[1])
				continue
			}
			if _, err := os.Stat(filepath.Join("..", to)); err != nil {
				t.Errorf("%s: %s is not there", file, m[1])
				continue
			}
			if anchor != "" && !anchors(t, to)[anchor] {
				t.Errorf("%s: %s has no heading for #%s", file, to, anchor)
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d links found: is the pattern right?", count)
	}
}

// prose is a file's Markdown without code, where brackets mean nothing.
func prose(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	return code.ReplaceAllString(unfenced(string(text)), "")
}

// unfenced leaves fenced code out, and fenced all else.
func unfenced(text string) string { outside, _ := parts(text); return outside }
func fenced(text string) string   { _, inside := parts(text); return inside }

// parts tells fenced code from the rest. A fence ends at one that is as long.
func parts(text string) (outside, inside string) {
	var out, in strings.Builder
	open := ""
	for line := range strings.Lines(text) {
		mark := fence.FindStringSubmatch(line)
		switch {
		case mark == nil && open == "":
			out.WriteString(line)
		case mark == nil:
			in.WriteString(line)
		case open == "":
			open = mark[1]
		case strings.HasPrefix(mark[1], open):
			open = ""
		}
	}
	return out.String(), in.String()
}

var anchorsOf = map[string]map[string]bool{}

// anchors are the names that GitHub gives the headings of a file.
func anchors(t *testing.T, file string) map[string]bool {
	t.Helper()
	if known, ok := anchorsOf[file]; ok {
		return known
	}
	text, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(unfenced(string(text)), -1) {
		names[strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, m[1])] = true
	}
	anchorsOf[file] = names
	return names
}
