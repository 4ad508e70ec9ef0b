package main

import (
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/web"
)

const readme = "../../README.md"

var updateReadme = flag.Bool("readme", false, "write the session of the README anew")

// blocks are the indented parts of a Markdown text.
var blocks = regexp.MustCompile(`(?m)(?:^    .*\n\n*)*^    .*\n`)

// TestReadmeSession runs the session of the README's first screen on a terminal
// and compares what stands there, seconds and ports aside.
func TestReadmeSession(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile(readme)
	is.NoErr(err)
	block := blocks.FindString(string(text))
	is.True(strings.HasPrefix(block, "    $ mcpmend fix postgres\n"))

	listening, err := net.Listen("tcp", "127.0.0.1:0") // where the database really is
	is.NoErr(err)
	defer listening.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0") // where nothing is
	is.NoErr(err)
	closed.Close()
	ports := strings.NewReplacer("54320", port(listening), "5432", port(closed))
	w := newWorld(t, map[string]string{
		"home/.cursor/mcp.json": ports.Replace(databaseConfig),
		"home/db.js":            "",
		"project/compose.yaml":  ports.Replace("services:\n  db:\n    image: postgres:17\n    ports: [\"54320:5432\"]\n"),
	})
	s := w.onTerminal(100, "fix", "postgres")
	s.await("Write this? [Y/n]")
	s.press("y\n")
	s.end()
	got := "$ mcpmend fix postgres\n" + settled(s.screen())
	got = strings.NewReplacer(port(listening), "54320", port(closed), "5432", w.home, "/home/you").Replace(got)
	got, _, _ = strings.Cut(got, "Cursor ") // whether it runs here is not for the README
	got = strings.TrimSpace(got)
	want := strings.TrimSpace(strings.ReplaceAll("\n"+block, "\n    ", "\n"))
	if timeless(got) == timeless(want) {
		return
	}
	if *updateReadme {
		is.NoErr(os.WriteFile(readme, []byte(strings.Replace(string(text), block, regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(got, "    $1")+"\n", 1)), 0o644))
		return
	}
	t.Errorf("the README shows\n%s\n\nand this is what happens:\n%s\n\n-args -readme writes it anew", want, got)
}

const databaseConfig = `{
  "mcpServers": {
    "postgres": {
      "command": "node",
      "args": ["HOME/db.js", "postgresql://localhost:5432/app"]
    }
  }
}
`

func port(l net.Listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

var seconds = regexp.MustCompile(` +\d+\.\d s`)

func timeless(s string) string { return seconds.ReplaceAllString(s, " N s") }

// settled is what stays on a screen: lines that were written over are gone.
func settled(screen string) string {
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(screen, "\r\n", "\n")) {
		if at := strings.LastIndex(line, "\r\x1b[K"); at >= 0 {
			line = line[at+len("\r\x1b[K"):]
		}
		out.WriteString(line)
	}
	return out.String()
}

// TestReadmeExamples runs every other line of code in the README, in the order
// of a reader who has what they speak of. Each must do its work.
func TestReadmeExamples(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile(readme)
	is.NoErr(err)
	w := newWorld(t, map[string]string{
		"home/.cursor/mcp.json": `{"mcpServers": {
  "weather": {"command": "weather-server"},
  "github": {"command": "npxx", "args": ["-y", "@example/weather"]}
}}`,
		"home/.claude.json": "{}",
		"project/error.log": "[error] [github] spawn npx ENOENT\n",
		"project/.mcp.json": `{"mcpServers": {"weather": {"command": "weather-server"}}}`,
		"project/tool.json": `{"name": "forecast", "inputSchema": {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}}`,
		"project/call.json": `{"days": 5}`,
	})
	count := 0
	for _, block := range blocks.FindAllString(string(text), -1)[1:] {
		for line := range strings.Lines(block) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "   ") // what follows is a remark
			if line == "" {
				continue
			}
			count++
			w.example(line)
		}
	}
	if count < 20 {
		t.Errorf("only %d examples found: is the pattern right?", count)
	}
}

// writing is a command that asks before it writes.
var writing = regexp.MustCompile(`^mcpmend (add|fix|wrap --(un)?install [a-z]+|serve --install [a-z-]+)`)

// example runs one line of the README.
func (w *world) example(line string) {
	w.t.Helper()
	is := is.New(w.t)
	switch {
	case strings.HasPrefix(line, "./scripts/"):
		script := filepath.Join("../..", line)
		is.NoErr(exec.Command("bash", "-n", script).Run()) // it is there and a program; what it does is more than a test has time for
	case strings.HasPrefix(line, "export "):
	case line == "mcpmend web": // serves until it is told to end; web_test.go has it
	case strings.HasPrefix(line, "mcpmend web") && !web.Built():
	default:
		line = strings.Replace(line, "npx mcpmend", "mcpmend", 1) // scripts TestNodePackage compares the two
		line = strings.Replace(line, "go run ./cmd/mcpmend", "mcpmend", 1)
		line = strings.ReplaceAll(line, "@modelcontextprotocol/server-memory", "@example/weather")
		line = writing.ReplaceAllString(line, "$0 --yes") // the reader's answer
		if w.shell == "" {
			w.t.Skip("no shell")
		}
		cmd := w.command(w.shell, "-c", line)
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 || strings.Contains(string(out), "mcpmend: ") {
			w.t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}
