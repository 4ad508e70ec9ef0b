package scripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestNodePackage runs the npm package and the binary side by side: the same
// bytes on both streams and the same exit code.
func TestNodePackage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	is := is.New(t)
	node := needNode(t)
	dir, err := nodePackage()
	is.NoErr(err)
	mcpmend, err := command()
	is.NoErr(err)

	project := t.TempDir()
	for name, text := range map[string]string{
		"error.log":  "[error] [github] spawn npx ENOENT\nMCP error -32000: Connection closed\n",
		".mcp.json":  "{\n  // ours\n  \"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": \"-y x\"},}\n}\n",
		"tool.json":  `{"name":"send","inputSchema":{"type":"object","properties":{"to":{"type":"string","format":"email"},"times":{"type":"integer","minimum":1}},"required":["to"]}}`,
		"call.json":  `{"times":"0"}`,
		"binary.bin": "\x00\x01\x02",
	} {
		is.NoErr(os.WriteFile(filepath.Join(project, name), []byte(text), 0o600))
	}
	for _, c := range []struct {
		args  string
		stdin string
		code  int
	}{
		{"explain error.log", "", 1},
		{"explain --format json", "connect ECONNREFUSED 127.0.0.1:5432", 1},
		{"explain error.log --config .mcp.json --format markdown", "", 1},
		{"explain --format sarif error.log", "", 1},
		{"explain --jsonl", "{\"id\":\"1\",\"text\":\"spawn npx ENOENT\"}\nnot json\n", 2},
		{"explain binary.bin", "", 2},
		{"explain missing.log", "", 2},
		{"check --no-probe .mcp.json", "", 1},
		{"check --no-probe --format json .", "", 1},
		{"check --no-probe --format sarif .mcp.json", "", 1},
		{"convert --to codex .mcp.json", "", 0},
		{"convert --to vscode", `{"mcpServers":{"a":{"url":"https://mcp.example.com/mcp"}}}`, 0},
		{"convert --to nobody .mcp.json", "", 2},
		{"validate --schema tool.json --arguments call.json --format json", "", 1},
		{"validate --schema tool.json --arguments call.json --full", "", 1},
		{"rules MCP1001", "", 0},
		{"rules --format json", "", 0},
		{"rules --clients", "", 0},
	} {
		t.Run(c.args, func(t *testing.T) {
			is := is.New(t)
			args := strings.Fields(c.args)
			want := ran(t, project, c.stdin, mcpmend, args...)
			got := ran(t, project, c.stdin, node, append([]string{filepath.Join(dir, "mcpmend.cjs")}, args...)...)
			is.Equal(want.code, c.code)
			is.Equal(got.code, want.code)
			is.Equal(got.stdout, want.stdout)
			is.True(strings.EqualFold(got.stderr, want.stderr)) // the system's own words differ in their first letter
		})
	}

	t.Run("what needs the binary says so", func(t *testing.T) {
		is := is.New(t)
		for _, args := range [][]string{{"wrap", "--", "x"}, {"fix"}, {"check", ".mcp.json"}} {
			got := ran(t, project, "", node, append([]string{filepath.Join(dir, "mcpmend.cjs")}, args...)...)
			is.Equal(got.code, 2)
			is.True(strings.Contains(got.stderr, "binary"))
		}
	})
	t.Run("package", func(t *testing.T) {
		is := is.New(t)
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		is.NoErr(err)
		var manifest map[string]any
		is.NoErr(json.Unmarshal(text, &manifest))
		is.Equal(manifest["version"], "1.2.3")
		for _, key := range []string{"scripts", "dependencies", "optionalDependencies"} {
			is.Equal(manifest[key], nil) // nothing runs or is fetched on installing
		}
		said := ran(t, project, "", node, filepath.Join(dir, "mcpmend.cjs"), "version")
		is.True(strings.HasPrefix(said.stdout, "mcpmend v1.2.3\ncommit  ")) // stamped by scripts/build
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		is.NoErr(err)
		is.Equal(len(files), 1+len(manifest["files"].([]any))) // package.json itself
	})
}

// ending is all that a user sees of a run.
type ending struct {
	code           int
	stdout, stderr string
}

func ran(t *testing.T, dir, stdin, name string, args ...string) ending {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &out, &errs
	cmd.Env = append(os.Environ(), "HOME="+dir, "MCPMEND_HOME="+filepath.Join(dir, ".state"), "GITHUB_ACTIONS=")
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	// The binary of this test is not stamped with the release.
	return ending{cmd.ProcessState.ExitCode(), strings.ReplaceAll(out.String(), `"version": "v1.2.3"`, `"version": "dev"`), errs.String()}
}
