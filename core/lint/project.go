package lint

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"mcpmend/core/config"
)

// Settings is what a project says about its own checks, in .mcpmend.toml:
//
//	ignore = ["examples/", "*.sample.json"]
//
//	[rules]
//	MCP4070 = "off"
//	MCP4421 = "error"
type Settings struct {
	Ignore []string            // patterns of files that are not looked at
	Rules  map[string]Severity // by code; "off" switches a rule off
}

// Off in place of a severity switches a rule off.
const Off Severity = "off"

// ParseSettings reads a .mcpmend.toml. What it does not know is an error: a
// setting that is misspelt would otherwise switch nothing off and say nothing.
func ParseSettings(text string) (Settings, error) {
	s := Settings{Rules: map[string]Severity{}}
	doc, err := config.Parse(text, config.Options{Format: config.TOML})
	if err != nil {
		return s, err
	}
	lines := config.NewLines(text)
	for _, m := range doc.Root.Members {
		line, _ := lines.At(m.Key.Start)
		switch m.Name {
		case "ignore":
			err = s.readIgnore(m.Value)
		case "rules":
			err = s.readRules(m.Value)
		default:
			err = fmt.Errorf("the key %q is not known; use ignore and rules", m.Name)
		}
		if err != nil {
			return s, fmt.Errorf("line %d: %w", line, err)
		}
	}
	return s, nil
}

func (s *Settings) readIgnore(n *config.Node) error {
	for _, e := range n.Elements {
		if _, err := path.Match(e.Text, ""); err != nil || e.Kind != config.String {
			return fmt.Errorf("%q is not a pattern of files", e.Text)
		}
		s.Ignore = append(s.Ignore, e.Text)
	}
	if n.Kind != config.Array {
		return errors.New("ignore must be a list of patterns")
	}
	return nil
}

func (s *Settings) readRules(n *config.Node) error {
	if n.Kind != config.Object {
		return errors.New("rules must be a table of codes")
	}
	for _, m := range n.Members {
		if !isCode(m.Name) {
			return fmt.Errorf("%q is not the code of a rule, such as MCP4070", m.Name)
		}
		severity := Severity(m.Value.Text)
		if !slices.Contains([]Severity{Error, Warning, Note, Off}, severity) {
			return fmt.Errorf("%s = %q: use error, warning, note or off", m.Name, m.Value.Text)
		}
		s.Rules[m.Name] = severity
	}
	return nil
}

func isCode(text string) bool {
	digits, ok := strings.CutPrefix(text, "MCP")
	return ok && len(digits) == 4 && strings.Trim(digits, "0123456789") == ""
}

// Skips tells whether a file is not to be looked at. The path is relative to
// the project.
func (s Settings) Skips(file string) bool {
	file = path.Clean(strings.ReplaceAll(file, `\`, "/"))
	return slices.ContainsFunc(s.Ignore, func(pattern string) bool { return covers(pattern, file) })
}

// covers tells whether a pattern means a file or a folder above it. A pattern
// without a slash means any name on the way; ** any number of folders.
func covers(pattern, file string) bool {
	names := strings.Split(file, "/")
	pattern = strings.Trim(pattern, "/")
	if !strings.Contains(pattern, "/") {
		return slices.ContainsFunc(names, func(name string) bool { return matchName(pattern, name) })
	}
	// reached[i] tells whether the pattern so far has used up i names.
	reached := make([]bool, len(names)+1)
	reached[0] = true
	for part := range strings.SplitSeq(pattern, "/") {
		next := make([]bool, len(names)+1)
		for i := range reached {
			switch {
			case part == "**":
				next[i] = reached[i] || i > 0 && next[i-1]
			case i > 0:
				next[i] = reached[i-1] && matchName(part, names[i-1])
			}
		}
		reached = next
	}
	return slices.Contains(reached[1:], true)
}

func matchName(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// Filter gives the judge of one file's findings: for a code, its severity and
// the line it is found on, the severity that the project wants, and whether it
// is to be reported at all. A comment "mcpmend-ignore MCP4001 MCP4002" on the
// line or on the one before it hides those codes there.
func (s Settings) Filter(text string) func(code string, severity Severity, line int) (Severity, bool) {
	hidden := ignoreComments(text)
	return func(code string, severity Severity, line int) (Severity, bool) {
		if own, ok := s.Rules[code]; ok {
			severity = own
		}
		return severity, severity != Off && !slices.Contains(hidden[line], code) && !slices.Contains(hidden[line-1], code)
	}
}

const ignoreWord = "mcpmend-ignore"

// ignoreComments finds the codes that comments hide, by line.
func ignoreComments(text string) map[int][]string {
	hidden := map[int][]string{}
	if !strings.Contains(text, ignoreWord) {
		return hidden
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		before, after, ok := strings.Cut(line, ignoreWord)
		if !ok || !inComment(before) {
			continue
		}
		for _, word := range strings.FieldsFunc(after, func(r rune) bool { return strings.ContainsRune(", \t\r\n*/", r) }) {
			if !isCode(word) {
				break
			}
			hidden[number] = append(hidden[number], word)
		}
	}
	return hidden
}

// inComment tells whether what follows a piece of a line is in a comment: its
// sign stands outside quotes.
func inComment(before string) bool {
	var quote byte
	for i := 0; i < len(before); i++ {
		switch c := before[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#', c == '/' && i+1 < len(before) && (before[i+1] == '/' || before[i+1] == '*'):
			return true
		}
	}
	return false
}

// Fingerprint names a finding so that it is known again after the lines above
// it have changed: by the file, the rule, the server and the line's own text.
func Fingerprint(file, code, server, source string) string {
	h := fnv.New128a() // nobody gains by forging one, and SHA-256 would weigh on the page
	fmt.Fprintf(h, "%q %q %q %q", strings.ReplaceAll(file, `\`, "/"), code, server, strings.Join(strings.Fields(source), " "))
	return hex.EncodeToString(h.Sum(nil))
}

// Baseline is what was found before a project adopted the check, and is not
// reported again: how often each fingerprint was there.
type Baseline map[string]int

// ParseBaseline reads a baseline file, a JSON list of fingerprints.
func ParseBaseline(text string) (Baseline, error) {
	var list []string
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("the baseline is not a JSON list of fingerprints: %w", err)
	}
	b := Baseline{}
	for _, fingerprint := range list {
		b[fingerprint]++
	}
	return b, nil
}

// Takes tells whether a finding was there before, and counts it: a second one
// of the same kind is new.
func (b Baseline) Takes(fingerprint string) bool {
	if b[fingerprint] == 0 {
		return false
	}
	b[fingerprint]--
	return true
}
