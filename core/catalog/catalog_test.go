package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestParse(t *testing.T) {
	tests := []struct {
		line   string
		runner string
		pkg    string
		index  int
		rest   string
	}{
		{"npx -y @x/server /data", "npx", "@x/server", 1, "/data"},
		{"npx --yes @x/server@1.2.3", "npx", "@x/server@1.2.3", 1, ""},
		{"npx -p @x/server run-it --flag", "npx", "@x/server", 1, "--flag"},
		{"npx --package=@x/server run-it", "npx", "--package=@x/server", 0, ""},
		{"/opt/homebrew/bin/npx -y x", "npx", "x", 1, ""},
		{`C:\nodejs\npx.cmd -y x`, "npx", "x", 1, ""},
		{"cmd /c npx -y x --port 1", "npx", "x", 3, "--port 1"},
		{"env A=1 npx -y x", "npx", "x", 3, ""},
		{"uvx --from git+https://example.com/x x-server", "uvx", "git+https://example.com/x", 1, ""},
		{"uvx --python 3.12 mcp-server-git --repository .", "uvx", "mcp-server-git", 2, "--repository ."},
		{"uv tool run mcp-server-time", "uv", "mcp-server-time", 2, ""},
		{"uv run server.py", "uv", "", -1, "run server.py"},
		{"docker run -i --rm -e TOKEN ghcr.io/x/y:1 stdio", "docker", "ghcr.io/x/y:1", 5, "stdio"},
		{"pnpm dlx x", "pnpm", "x", 1, ""},
		{"node build/index.js", "", "", -1, "build/index.js"},
		{"npx", "npx", "", -1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			words := strings.Fields(tt.line)
			got := Parse(words[0], words[1:])
			is.Equal(got.Runner, tt.runner)
			if got.Index >= 0 && strings.HasPrefix(tt.pkg, "--package=") {
				tt.pkg = strings.TrimPrefix(tt.pkg, "--package=")
			}
			is.Equal(got.Package, tt.pkg)
			is.Equal(got.Index, tt.index)
			is.Equal(strings.Join(got.Rest, " "), tt.rest)
		})
	}
}

func TestUnversioned(t *testing.T) {
	is := is.New(t)
	for in, want := range map[string]string{
		"@x/server@1.2": "@x/server", "@x/server": "@x/server", "x@latest": "x", "x==1.0": "x", "x[extra]": "x",
		"ghcr.io/x/y:1": "ghcr.io/x/y", "localhost:5000/x": "localhost:5000/x", "x": "x",
	} {
		is.Equal(Unversioned(in), want)
	}
}

// TestEntries keeps the table sound: no package twice, successors that are in
// the table themselves, pages that can be opened.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[e.Package] {
			t.Errorf("%s stands twice", e.Package)
		}
		seen[e.Package] = true
		if !slices.Contains([]string{"npm", "pypi", "docker"}, e.Runner) {
			t.Errorf("%s has runner %q", e.Package, e.Runner)
		}
		for _, page := range []string{e.Help, e.Remote} {
			if page != "" && !strings.HasPrefix(page, "https://") {
				t.Errorf("%s: %s is no https page", e.Package, page)
			}
		}
	}
	for _, e := range entries {
		if e.Successor != "" && !seen[e.Successor] {
			t.Errorf("%s names %s, which is not in the catalogue", e.Package, e.Successor)
		}
	}
}

func TestAliases(t *testing.T) {
	is := is.New(t)
	is.True(slices.Contains(Aliases("GITHUB_TOKEN"), "GH_TOKEN"))
	is.True(!slices.Contains(Aliases("GITHUB_TOKEN"), "GITHUB_TOKEN"))
	is.Equal(len(Aliases("NOBODY_KNOWS")), 0)
}
