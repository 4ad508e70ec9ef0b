package probe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/matryer/is"
)

// published is what became of servers that people use, started with no
// credentials and with no network needed: "" for one that works.
var published = []struct {
	program string
	args    []string
	want    string // category
	tools   int
	hangs   bool
}{
	{"mcp-server-everything", nil, "", 14, false}, // one more than clients of 2025-06-18 are offered
	{"mcp-git", nil, "", 15, false},
	{"mcp-taskmanager", nil, "", 10, false},
	{"mcp-knowledge-graph", nil, "", 11, false},
	{"mcp-sequentialthinking-tools", nil, "", 1, false},
	{"mcp-installer", nil, "", 2, false},
	{"server-curl", nil, "", 1, false},
	{"mcp-obsidian", []string{"{dir}"}, "", 2, false},
	// These work and print what is no message.
	{"time-mcp", nil, "stdout_pollution", 6, false},
	{"calculator-mcp", nil, "stdout_pollution", 6, false},
	{"mcp-server-code-runner", nil, "stdout_pollution", 1, false},
	{"mcp-server-postgres", nil, "missing_env_var", 0, false},
	{"mcp-server-slack", nil, "missing_env_var", 0, false},
	{"mcp-server-asana", nil, "missing_env_var", 0, false},
	{"mcp-google-search", nil, "missing_env_var", 0, false},
	{"perplexity-mcp", nil, "missing_env_var", 0, false},
	{"mcp-amap", nil, "missing_env_var", 0, false},
	{"mcp-server-baidu-map", nil, "missing_env_var", 0, false},
	{"redis", nil, "missing_env_var", 0, false},
	{"resend-mcp", nil, "missing_env_var", 0, false},
	{"airtable-mcp-server", nil, "missing_env_var", 0, false},
	{"brave-search-mcp-server", nil, "missing_env_var", 0, false},
	{"mcp-server-redis", nil, "connection_refused", 0, true}, // never answers while it tries again
	{"shadcn-mcp-server", nil, "stdout_pollution", 0, true},  // never answers, and prints
	{"railway-mcp-server", nil, "package_not_found", 0, false},
}

// TestPublishedServers probes real packages of testdata/servers, which are
// installed once into the user's cache by their lock file.
func TestPublishedServers(t *testing.T) {
	if testing.Short() {
		t.Skip("installs packages from the npm registry")
	}
	bin := install(t)
	for _, tt := range published {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			s := entry("")
			s.Command, s.Env = filepath.Join(bin, tt.program), nil
			for _, arg := range tt.args {
				if arg == "{dir}" {
					arg = t.TempDir()
				}
				s.Args = append(s.Args, arg)
			}
			o := Options{Timeout: time.Minute}
			if tt.hangs {
				o.Timeout = 10 * time.Second
			}
			r := Run(context.Background(), Target{Server: s, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}}, o)
			if got := category(t, r); got != tt.want {
				t.Errorf("category %q, want %q from:\n%s", got, tt.want, r.Text())
			}
			is.Equal(len(r.Tools), tt.tools)
		})
	}
}

// install gives the directory of the packages' programs.
func install(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed")
	}
	lock, err := os.ReadFile("testdata/servers/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no directory to install into: ", err)
	}
	sum := sha256.Sum256(lock)
	dir := filepath.Join(cache, "mcpmend-test-servers", hex.EncodeToString(sum[:8]))
	bin := filepath.Join(dir, "node_modules", ".bin")
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); err == nil {
		return bin
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/servers")); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install the servers, so they are not probed: %v\n%s", err, out)
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return bin
}
