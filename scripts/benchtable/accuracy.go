package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// figure is something that a test measures and logs.
type figure struct {
	what    string
	on      string // the set that it is measured on
	pkg     string
	test    string
	pattern string // of the line that the test logs; its groups fill form
	form    string
}

const (
	apart   = "kept outside the repository"
	outside = "not measured: the set is " + apart
)

// measured has every figure of the docs, in their order.
var measured = []figure{
	{"diagnosis", "our own pastes", "core", "TestPastes", `pastes=(\d+) exact=(\S+) acceptable=(\S+) evidence=(\S+) names=(\S+)`, "$1 texts: right $2, right or fair $3, evidence $4, names $5"},
	{"diagnosis", "our own sentences", "core", "TestSentences", `(\d+ of \d+)`, "$1 right"},
	{"diagnosis", "402 public reports, " + apart, "core", "TestReferenceCorpus", `cases=(\d+) exact=(\S+) acceptable=(\S+) evidence=(\S+) calibration error=(\S+)`, "$1 texts: right $2, right or fair $3, evidence $4, confidence off by $5"},
	{"diagnosis", "published servers that do not start, " + apart, "core", "TestReferenceServers", `(\d+ of \d+)$`, "$1 right"},
	{"names in a diagnosis", "of the public reports", "core", "TestReferenceNames", `(\d+ of \d+)$`, "$1 right"},
	{"mistakes in a config for which a mend is offered; three are choices that the log asks for", "of the public reports", "core", "TestConfigMistakesAreMended", `(\d+ of \d+) mended`, "$1"},
	{"one accident in a config", "our own, made from valid samples", "core/config", "TestRepairSingleAccidents", `(\d+ of \d+) repaired as meant`, "$1 mended as meant"},
	{"two accidents in a config", "our own, made from valid samples", "core/config", "TestRepairPairsOfAccidents", `(\d+ of \d+) repaired as meant`, "$1 mended as meant"},
	{"broken configs", "180 configs, " + apart, "core/config", "TestRepairBrokenSet", `(\d+ of \d+) repaired as meant`, "$1 mended as meant"},
	{"examples from a schema, proven valid", "tools of published servers, " + apart, "core/schema", "TestRealSchemasGetExamples", `(\d+) schemas, (\d+) cannot be used`, "$1 schemas, all but $2 that nobody can use"},
	{"wrong arguments with a sure mend", "calls changed in one way", "core/schema", "TestMutations", `(\d+ of \d+) with a certain mend are valid`, "$1 valid after it"},
}

var accuracyHead = []string{"what", "measured on", "figure", "test"}

// accuracyRows runs the tests that measure and reads what they log.
func accuracyRows(string) ([][]string, error) {
	tests := map[string][]string{}
	for _, f := range measured {
		tests[f.pkg] = append(tests[f.pkg], f.test)
	}
	rows := [][]string{accuracyHead}
	logs := map[string]string{}
	for pkg, names := range tests {
		slices.Sort(names)
		if err := logged(pkg, slices.Compact(names), logs); err != nil {
			return nil, err
		}
	}
	for _, f := range measured {
		shown, err := f.read(logs[f.pkg+"."+f.test])
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{f.what, f.on, shown, f.pkg + " " + f.test})
	}
	return rows, nil
}

// logged runs tests of a package and adds what each printed.
func logged(pkg string, tests []string, logs map[string]string) error {
	output, err := exec.Command("go", "test", "./"+pkg, "-json", "-count=1", "-v", "-run", "^("+strings.Join(tests, "|")+")$").Output()
	if err != nil {
		return fmt.Errorf("go test ./%s: %w\n%.2000s", pkg, err, output)
	}
	for line := range bytes.Lines(output) {
		var event struct{ Test, Output string }
		if json.Unmarshal(line, &event) == nil {
			test, _, _ := strings.Cut(event.Test, "/")
			logs[pkg+"."+test] += event.Output
		}
	}
	return nil
}

// read takes the figure out of what its test printed.
func (f figure) read(log string) (string, error) {
	if strings.Contains(log, "--- SKIP: "+f.test) {
		return outside, nil
	}
	pattern := regexp.MustCompile("(?m)" + f.pattern)
	matches := pattern.FindAllStringSubmatchIndex(log, -1)
	if len(matches) == 0 {
		return "", fmt.Errorf("%s %s logs no line like %s", f.pkg, f.test, f.pattern)
	}
	last := matches[len(matches)-1]
	return string(pattern.ExpandString(nil, f.form, log, last)), nil
}
