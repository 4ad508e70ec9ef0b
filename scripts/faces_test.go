package scripts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// question is what is asked of every face.
type question struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Config *string `json:"config"`
}

// command builds the binary once for all tests of this package.
var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mcpmend-faces-")
	if err != nil {
		return "", err
	}
	built = append(built, dir)
	path := filepath.Join(dir, "mcpmend")
	out, err := exec.Command("go", "build", "-C", "..", "-o", path, "./cmd/mcpmend").CombinedOutput()
	return path, wrapped(err, out)
})

// nodePackage builds the npm package once.
var nodePackage = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mcpmend-npm-")
	if err != nil {
		return "", err
	}
	built = append(built, dir)
	build := exec.Command("./build", "--npm")
	build.Env = append(os.Environ(), "MCPMEND_DIST="+dir, "MCPMEND_RELEASE=v1.2.3")
	out, err := build.CombinedOutput()
	return filepath.Join(dir, "npm"), wrapped(err, out)
})

var built []string

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range built {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

type buildError struct {
	error
	out []byte
}

func (e buildError) Error() string { return e.error.Error() + "\n" + string(e.out) }

func wrapped(err error, out []byte) error {
	if err != nil {
		return buildError{err, out}
	}
	return nil
}

func needNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	return node
}

// TestEveryFaceSaysTheSame asks the command, the page's program and the npm
// package under Node, and the MCP server about every text of the corpora. The
// reports are the same byte for byte; the server's travels inside a message
// whose encoder sorts keys, so it is compared as data.
func TestEveryFaceSaysTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("builds three programs")
	}
	is := is.New(t)
	questions := questions(t)
	mcpmend, err := command()
	is.NoErr(err)
	want := asked(t, questions, mcpmend, "explain", "--jsonl")

	t.Run("page", func(t *testing.T) {
		node, dir := needNode(t), t.TempDir()
		out, err := exec.Command("sh", "build-web-wasm", dir, "core").CombinedOutput()
		is.NoErr(wrapped(err, out))
		root, err := exec.Command("go", "env", "GOROOT").Output()
		is.NoErr(err)
		got := lines(t, questions, node, "../wasm/page/testdata/examine.mjs", filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"), filepath.Join(dir, "core.wasm"))
		for i, q := range questions {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("%s: the page says\n%s\nthe command says\n%s", q.ID, got[i], want[i])
			}
		}
	})
	t.Run("npm", func(t *testing.T) {
		node := needNode(t)
		dir, err := nodePackage()
		is.NoErr(err)
		got := asked(t, questions, node, filepath.Join(dir, "mcpmend.cjs"), "explain", "--jsonl")
		for i, q := range questions {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("%s: the npm package says\n%s\nthe command says\n%s", q.ID, got[i], want[i])
			}
		}
	})
	t.Run("serve", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		server := exec.CommandContext(ctx, mcpmend, "serve")
		server.Env = append(os.Environ(), "MCPMEND_HOME="+t.TempDir())
		session, err := mcp.NewClient(&mcp.Implementation{Name: "faces", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
		is.NoErr(err)
		defer session.Close()
		for i, q := range questions {
			arguments := map[string]any{}
			if q.Text != "" {
				arguments["text"] = q.Text
			}
			if q.Config != nil {
				arguments["config"] = *q.Config
			}
			result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "diagnose_error", Arguments: arguments})
			is.NoErr(err)
			got, err := json.Marshal(result.StructuredContent)
			is.NoErr(err)
			if sorted(t, got) != sorted(t, want[i]) {
				t.Errorf("%s: the server says\n%s\nthe command says\n%s", q.ID, got, want[i])
			}
		}
	})
	t.Logf("%d questions to every face", len(questions))
}

// questions are the repository's own pastes and sample configs, and the
// reference corpora where they lie beside the repository.
func questions(t *testing.T) []question {
	t.Helper()
	files, err := filepath.Glob("../core/triage/testdata/pastes/*.txt")
	if err != nil || len(files) < 150 {
		t.Fatalf("%d pastes: %v", len(files), err)
	}
	var all []question
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(content), "\n---\n")
		text, config, has := strings.Cut(body, "--- config\n")
		q := question{ID: filepath.Base(file), Text: strings.ToValidUTF8(text, "\uFFFD")}
		if has {
			config = strings.ToValidUTF8(config, "\uFFFD")
			q.Config = &config
		}
		all = append(all, q)
	}
	samples, err := filepath.Glob("../core/config/testdata/samples/*")
	if err != nil || len(samples) < 30 {
		t.Fatalf("%d samples: %v", len(samples), err)
	}
	for _, file := range samples {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		config := string(content)
		all = append(all, question{ID: filepath.Base(file), Config: &config})
	}
	all = append(all, reference(t, "triage.jsonl", func(q *question) any { return q })...)
	return append(all, reference(t, "broken.jsonl", func(q *question) any {
		q.Config = new(string)
		return &struct {
			ID     *string `json:"id"`
			Broken *string `json:"broken"`
		}{&q.ID, q.Config}
	})...)
}

// reference reads the questions of a corpus; into says what a line is decoded
// into for one of them.
func reference(t *testing.T, name string, into func(*question) any) []question {
	t.Helper()
	file, err := os.Open(filepath.Join("../../shared/corpus", name))
	if err != nil {
		t.Logf("without %s, which is not here", name)
		return nil
	}
	defer file.Close()
	var all []question
	for decoder := json.NewDecoder(file); decoder.More(); {
		var q question
		if err := decoder.Decode(into(&q)); err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	return all
}

// lines gives a program the questions, one a line, and takes a line for each.
func lines(t *testing.T, questions []question, name string, args ...string) [][]byte {
	t.Helper()
	var in, errors bytes.Buffer
	encoder := json.NewEncoder(&in)
	for _, q := range questions {
		if err := encoder.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(name, args...)
	run.Stdin, run.Stderr = &in, &errors
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, errors.Bytes())
	}
	var answers [][]byte
	scanner := bufio.NewScanner(bytes.NewReader(out))
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		answers = append(answers, bytes.Clone(scanner.Bytes()))
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	return answers
}

// asked is lines for programs that answer {"id","report"}.
func asked(t *testing.T, questions []question, name string, args ...string) [][]byte {
	t.Helper()
	answers := lines(t, questions, name, args...)
	for i, line := range answers {
		var answer struct {
			ID     string          `json:"id"`
			Report json.RawMessage `json:"report"`
		}
		if err := json.Unmarshal(line, &answer); err != nil || answer.ID != questions[i].ID {
			t.Fatalf("%s is answered by %s", questions[i].ID, line)
		}
		answers[i] = answer.Report
	}
	return answers
}

// sorted is JSON with its keys in order.
func sorted(t *testing.T, text []byte) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
