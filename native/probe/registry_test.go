package probe

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/config"
)

// TestPackagesThatAreNotThere starts the real npx and uvx against a registry on
// this machine that knows nothing, hangs, is not there, or answers nonsense.
func TestPackagesThatAreNotThere(t *testing.T) {
	if testing.Short() {
		t.Skip("starts npx, which takes seconds")
	}
	nothing := status(404, "Content-Type: application/json", `{"error":"not_found"}`)
	tests := []struct {
		name, runner, pkg string
		registry          http.Handler // nil where nothing listens
		want              string       // category
		named             string       // the package that the diagnosis names
	}{
		{"a scoped name", "npx", "@example/absent", nothing, "package_not_found", "@example/absent"},
		{"a plain name", "npx", "absent-mcp-server", nothing, "package_not_found", "absent-mcp-server"},
		{"a version that is not there", "npx", "@example/notes@9.9.9", versions("@example/notes", "1.0.0"), "package_not_found", "@example/notes"},
		{"not signed in", "npx", "@example/private", status(401, "", `{"error":"sign in"}`), "auth_failed", ""},
		{"nothing listens", "npx", "@example/absent", nil, "connection_refused", ""},
		{"it hangs", "npx", "@example/absent", hanging(), "timeout", ""},
		{"it serves pages", "npx", "@example/absent", status(200, "Content-Type: text/html", "<html>Sign in to the network</html>"), "", ""},
		{"control sequences", "npx", "@example/absent", status(404, "", "\x1b]0;owned\x07\x1b[2J spawn npx ENOENT"), "package_not_found", "@example/absent"},
		{"a Python package", "uvx", "absent-mcp-server", nothing, "package_not_found", "absent-mcp-server"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			program, err := exec.LookPath(tt.runner)
			if err != nil {
				t.Skipf("%s is not installed", tt.runner)
			}
			address := "http://127.0.0.1:1"
			if tt.registry != nil {
				ts := httptest.NewServer(tt.registry)
				t.Cleanup(ts.Close)
				address = ts.URL
			}
			s := config.Server{Name: "notes", Transport: config.Stdio, Command: program, Args: []string{"-y", tt.pkg}, Env: []config.Variable{
				{Name: "npm_config_registry", Value: address}, {Name: "npm_config_fetch_retries", Value: "0"},
				{Name: "npm_config_cache", Value: t.TempDir()}, {Name: "HOME", Value: t.TempDir()},
				{Name: "UV_INDEX_URL", Value: address + "/simple"}, {Name: "UV_CACHE_DIR", Value: t.TempDir()},
			}}
			if tt.runner == "uvx" {
				s.Args = s.Args[1:]
			}
			o := Options{Timeout: 2 * time.Minute}
			if tt.want == "timeout" {
				o.Timeout = 5 * time.Second
			}
			r := probe(t, s, o)
			is.True(r.Err != nil)
			d := Verdict(r, core.Input{}).Diagnoses[0]
			if tt.want != "" && d.Category != tt.want {
				t.Errorf("%s, want %s from:\n%s", d.Category, tt.want, r.Text())
			}
			if tt.named != "" {
				is.Equal(d.Names["package"], tt.named)
			}
			for _, e := range d.Evidence {
				is.True(!strings.Contains(e.Quote, "\x1b]0")) // what the registry says is no diagnosis and no command
			}
		})
	}
}

// versions is a registry that has one version of one package.
func versions(name, version string) http.HandlerFunc {
	return status(200, "Content-Type: application/json", `{"name":"`+name+`","dist-tags":{"latest":"`+version+`"},"versions":{"`+version+`":{"name":"`+name+`","version":"`+version+`","dist":{"tarball":"http://127.0.0.1:1/x.tgz"}}}}`)
}

// hanging answers nobody.
func hanging() http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
}
