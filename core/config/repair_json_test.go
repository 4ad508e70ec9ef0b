package config

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// brokenCase is one line of the set of configs with accidents.
type brokenCase struct {
	ID, Kind, Broken string
	Want             any
}

func readBroken(t testing.TB) []brokenCase {
	file, err := os.Open("../../../shared/corpus/broken.jsonl")
	if err != nil {
		t.Skip("the set of broken configs is not on this machine")
	}
	defer file.Close()
	var cases []brokenCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c brokenCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// plain gives the data of a text in the types of encoding/json.
func plain(t testing.TB, text string) any {
	root, err := parseJSON(text)
	if err != nil {
		t.Fatalf("does not parse: %v\n%s", err, text)
	}
	raw, err := json.Marshal(root.Value())
	if err != nil {
		t.Fatal(err)
	}
	var data any
	if err := json.Unmarshal(raw, &data); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRepairBrokenSet(t *testing.T) {
	cases := readBroken(t)
	good := 0
	for _, c := range cases {
		got := Repair(c.Broken, "")
		if got.Err == nil && reflect.DeepEqual(plain(t, got.Text), c.Want) {
			good++
			continue
		}
		t.Logf("%s %s: %v\n%s\n---\n%s", c.ID, c.Kind, got.Err, c.Broken, got.Text)
	}
	t.Logf("%d of %d repaired as meant", good, len(cases))
	if good*100 < len(cases)*98 {
		t.Errorf("%d of %d repaired as meant, want 98 %%", good, len(cases))
	}
}

// TestRepairKeepsNumbersAndLiterals: what stands before a missing comma is not
// always a string.
func TestRepairKeepsNumbersAndLiterals(t *testing.T) {
	for in, want := range map[string]string{
		`{"timeout": 60 "args": []}`:         `{"timeout": 60, "args": []}`,
		`{"disabled": false "args": ["b"]}`:  `{"disabled": false, "args": ["b"]}`,
		"{\"timeout\": 60\n  \"args\": []}":  "{\"timeout\": 60,\n  \"args\": []}",
		`{"env": {"A": null "B": "c"}}`:      `{"env": {"A": null, "B": "c"}}`,
		`{"ports": [1 2]}`:                   `{"ports": [1, 2]}`,
		"{\"on\": true\n\"command\": \"x\"}": "{\"on\": true,\n\"command\": \"x\"}",
	} {
		if got := Repair(in, JSON); got.Text != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got.Text, want)
		}
	}
}
