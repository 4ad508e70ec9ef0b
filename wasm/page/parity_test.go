//go:build !js

package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/report"
)

// asked is one line that the program under Node reads.
type asked struct {
	Text   string `json:"text"`
	Config string `json:"config"`
}

// The page and the command give the same answer, byte for byte: the program
// that the page runs, under Node, against the core as it is compiled here.
func TestSameAnswerAsNative(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	is := is.New(t)
	dir := t.TempDir()
	wasm := filepath.Join(dir, "core.wasm")
	// As it ships: what is taken out must not be missed.
	if out, err := exec.Command("sh", filepath.Join("..", "..", "scripts", "build-web-wasm"), dir, "core").CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("building the core: %v\n%s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	is.NoErr(err)

	inputs := inputs(t)
	var lines bytes.Buffer
	for _, in := range inputs {
		line, err := json.Marshal(in)
		is.NoErr(err)
		lines.Write(append(line, '\n'))
	}
	run := exec.Command(node, filepath.Join("testdata", "examine.mjs"), filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"), wasm)
	run.Stdin = &lines
	run.Stderr = os.Stderr
	out, err := run.Output()
	is.NoErr(err)

	answers := bufio.NewScanner(bytes.NewReader(out))
	answers.Buffer(nil, 64<<20)
	for i, in := range inputs {
		if !answers.Scan() {
			t.Fatalf("%d answers to %d questions", i, len(inputs))
		}
		want := report.JSON(core.Examine(core.Input{Text: in.Text, Config: in.Config}))
		if !bytes.Equal(answers.Bytes(), want) {
			t.Errorf("input %d: the page says\n%s\nnative says\n%s", i, answers.Bytes(), want)
		}
	}
	t.Logf("%d inputs, the same answer to each", len(inputs))
}

// inputs are the rules' own examples, and the shared corpus where it is there.
func inputs(t *testing.T) []asked {
	t.Helper()
	var all []asked
	for _, r := range core.Rules() {
		if utf8.ValidString(r.Before) { // a browser's strings hold nothing else
			all = append(all, asked{Text: r.Before})
		}
	}
	all = append(all,
		asked{Text: "ünïcödé \U0001F9F5 spawn npx ENOENT"},
		asked{Text: "spawn npx ENOENT", Config: `{"mcpServers": {"a": {"command": "npx" "args": []}}}`},
		asked{Config: "[mcp_servers.a]\ncommand = 1"},
	)
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpus", "triage.jsonl"))
	if err != nil {
		t.Log("without the shared corpus, which is not here")
		return all
	}
	for line := range strings.Lines(string(data)) {
		var in asked
		if err := json.Unmarshal([]byte(line), &in); err != nil {
			t.Fatal(err)
		}
		all = append(all, in)
	}
	return all
}
