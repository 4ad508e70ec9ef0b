package core_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpmend/core"
)

// paste is one file of triage/testdata/pastes: what somebody might paste, with
// the answer in its head.
//
//	label: connection_refused
//	also: unknown                  other answers that are fair; may be left out
//	evidence: ECONNREFUSED         words that a quote must hold
//	names: port=5432               may be left out
//	---
//	the text
//	--- config
//	the config, may be left out
type paste struct {
	name, label, evidence, names, text, config string
	also                                       []string
}

func readPaste(file string) (paste, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return paste{}, err
	}
	p := paste{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
	head, body, ok := strings.Cut(string(content), "\n---\n")
	if !ok {
		return p, fmt.Errorf("%s has no head", file)
	}
	p.text, p.config, _ = strings.Cut(body, "--- config\n")
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "label":
			p.label = value
		case "also":
			p.also = strings.Split(value, ", ")
		case "evidence":
			p.evidence = value
		case "names":
			p.names = value
		default:
			return p, fmt.Errorf("%s: %q is no key", file, key)
		}
	}
	return p, nil
}

// score counts right answers.
type score struct {
	cases, exact, acceptable, evidence int
	names, named                       int
}

func (s score) String() string {
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	return fmt.Sprintf("pastes=%d exact=%.3f acceptable=%.3f evidence=%.3f names=%.3f",
		s.cases, share(s.exact, s.cases), share(s.acceptable, s.cases), share(s.evidence, s.cases), share(s.named, s.names))
}

// TestPastes measures the repository's own corpus: go test ./core -run Pastes -v
func TestPastes(t *testing.T) {
	files, err := filepath.Glob("triage/testdata/pastes/*.txt")
	if err != nil || len(files) < 150 {
		t.Fatalf("%d pastes: %v", len(files), err)
	}
	var s score
	for _, file := range files {
		p, err := readPaste(file)
		if err != nil {
			t.Fatal(err)
		}
		in := core.Input{Text: p.text, Config: p.config}
		r := core.Examine(in)
		checkReport(t, in, r)
		d := r.Diagnoses[0]
		s.cases++
		if d.Category == p.label {
			s.exact++
		}
		if d.Category != p.label && !slices.Contains(p.also, d.Category) {
			t.Logf("%s: got %s (%s), want %s", p.name, d.Category, d.Code, p.label)
			continue
		}
		s.acceptable++
		if slices.ContainsFunc(d.Evidence, func(e core.Evidence) bool { return strings.Contains(e.Quote, p.evidence) }) {
			s.evidence++
		} else {
			t.Logf("%s: no quote holds %q: %v", p.name, p.evidence, d.Evidence)
		}
		if key, want, ok := strings.Cut(p.names, "="); ok {
			s.names++
			if d.Names[key] == want {
				s.named++
			} else {
				t.Logf("%s: %s is %q, want %q", p.name, key, d.Names[key], want)
			}
		}
	}
	t.Log(s)
	if s.acceptable*100 < s.cases*97 || s.evidence*100 < s.cases*93 || s.named*100 < s.names*97 {
		t.Errorf("too few right answers: %s", s)
	}
}

// TestSentences asks for the category of single sentences, the way programs
// word them and people retell them.
func TestSentences(t *testing.T) {
	content, err := os.ReadFile("triage/testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	total, right := 0, 0
	for line := range strings.Lines(string(content)) {
		label, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
		if !ok {
			t.Fatalf("%q has no label", line)
		}
		total++
		if d := core.Examine(core.Input{Text: text}).Diagnoses[0]; d.Category == label {
			right++
		} else {
			t.Logf("got %s (%s), want %s: %s", d.Category, d.Code, label, text)
		}
	}
	t.Logf("%d of %d", right, total)
	if right*100 < total*97 {
		t.Error("too few right answers")
	}
}
