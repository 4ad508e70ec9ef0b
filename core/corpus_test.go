package core_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/triage"
)

// The reference corpus lies beside the repository and is not part of it.
const reference = "../../shared"

// readLines reads a file of one JSON value a line, or skips the test.
func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	file, err := os.Open(filepath.Join(reference, name))
	if err != nil {
		t.Skipf("the reference data is not here: %v", err)
	}
	defer file.Close()
	var all []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

type reported struct {
	ID, Text, Config, Label, Evidence string
	Also                              []string
}

func (f reported) accepts(category string) bool {
	return category == f.Label || slices.Contains(f.Also, category)
}

func TestReferenceCorpus(t *testing.T) {
	is := is.New(t)
	cases := readLines[reported](t, "corpus/triage.jsonl")
	var exact, acceptable, evidence int
	var sure, right, count [11]float64
	rules := map[string][]string{} // first rule -> cases
	for _, c := range cases {
		in := core.Input{Text: c.Text, Config: c.Config}
		r := core.Examine(in)
		checkReport(t, in, r)
		d := r.Diagnoses[0]
		rules[d.Code] = append(rules[d.Code], c.ID)
		bucket := int(d.Confidence * 10)
		count[bucket]++
		sure[bucket] += d.Confidence
		if d.Category == c.Label {
			exact++
		}
		if !c.accepts(d.Category) {
			t.Logf("%s: got %s (%s), want %s", c.ID, d.Category, d.Code, c.Label)
			continue
		}
		acceptable++
		right[bucket]++
		if slices.ContainsFunc(d.Evidence, func(e core.Evidence) bool { return overlaps(e.Quote, c.Evidence) }) {
			evidence++
		}
	}
	n := float64(len(cases))
	off := 0.0
	for i := range count {
		off += math.Abs(right[i]-sure[i]) / n
	}
	t.Logf("cases=%d exact=%.3f acceptable=%.3f evidence=%.3f calibration error=%.3f",
		len(cases), float64(exact)/n, float64(acceptable)/n, float64(evidence)/n, off)
	// A rule that answers one case alone may have been written for it. What
	// speaks for it are the sentences and pastes of our own that it answers.
	single, support := 0, ownSupport(t)
	for _, code := range slices.Sorted(maps.Keys(rules)) {
		if rule, ok := triage.ByCode(code); ok && len(rules[code]) == 1 {
			single++
			t.Logf("%s answers %s alone here, and %d texts of our own: %s", code, rules[code][0], support[code], rule.Explanation)
		}
	}
	t.Logf("%d rules answered first, %d of them once", len(rules), single)
	is.True(float64(acceptable)/n >= 0.96)
	is.True(float64(exact)/n >= 0.88)
	is.True(float64(evidence)/n >= 0.85)
	is.True(off <= 0.06)
}

// ownSupport counts, by rule, the texts of our own corpus that it answers.
func ownSupport(t *testing.T) map[string]int {
	t.Helper()
	var texts []string
	content, err := os.ReadFile("triage/testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		_, text, _ := strings.Cut(line, "|")
		texts = append(texts, text)
	}
	files, err := filepath.Glob("triage/testdata/pastes/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		p, err := readPaste(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, p.text)
	}
	count := map[string]int{}
	for _, text := range texts {
		count[core.Examine(core.Input{Text: text}).Diagnoses[0].Code]++
	}
	return count
}

// overlaps tells whether a quote shows the words that decided a label.
func overlaps(quote, words string) bool {
	if len(quote) < 3 {
		return false
	}
	if strings.Contains(words, quote) || strings.Contains(quote, words) {
		return true
	}
	for line := range strings.SplitSeq(words, "\n") {
		if line = strings.TrimSpace(line); line != "" && strings.Contains(quote, line) {
			return true
		}
	}
	return false
}

// What published servers print when they do not start.
func TestReferenceServers(t *testing.T) {
	type run struct {
		Package, Label string
		Stderr         string
		StdoutNoise    []string `json:"stdout_noise"`
	}
	failing, right := 0, 0
	for _, r := range readLines[run](t, "servers/servers.jsonl") {
		if r.Stderr == "" || r.Label == "" || r.Label == "unknown" {
			continue
		}
		failing++
		d := core.Examine(core.Input{Text: strings.Join(r.StdoutNoise, "\n") + "\n" + r.Stderr}).Diagnoses[0]
		if d.Category == r.Label {
			right++
			continue
		}
		t.Logf("%s: got %s (%s), want %s", r.Package, d.Category, d.Code, r.Label)
	}
	t.Logf("%d of %d", right, failing)
	is.New(t).True(right*100 >= failing*90)
}

// testdata/names.txt has, by case, the one name that the user must touch.
func TestReferenceNames(t *testing.T) {
	content, err := os.ReadFile("testdata/names.txt")
	is := is.New(t)
	is.NoErr(err)
	byID := map[string]reported{}
	for _, c := range readLines[reported](t, "corpus/triage.jsonl") {
		byID[c.ID] = c
	}
	total, right := 0, 0
	for line := range strings.Lines(string(content)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		c := byID[parts[0]]
		d := core.Examine(core.Input{Text: c.Text, Config: c.Config}).Diagnoses[0]
		total++
		if d.Names[parts[1]] == parts[2] {
			right++
			continue
		}
		t.Logf("%s: %s is %q, want %q", parts[0], parts[1], d.Names[parts[1]], parts[2])
	}
	t.Logf("%d of %d", right, total)
	is.True(total >= 100)
	is.True(right*100 >= total*95)
}
