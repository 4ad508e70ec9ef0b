package discover

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"
)

// On a real disk, with real links.
func TestLocal(t *testing.T) {
	is := is.New(t)
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, name := range []string{filepath.Join(home, ".cursor", "mcp.json"), filepath.Join(project, ".mcp.json")} {
		is.NoErr(os.MkdirAll(filepath.Dir(name), 0o700))
		is.NoErr(os.WriteFile(name, []byte(servers), 0o600))
	}
	link := filepath.Join(t.TempDir(), "link")
	is.NoErr(os.Symlink(project, link))
	m, err := Local(link)
	is.NoErr(err)
	m.Getenv = func(string) string { return "" }
	got := map[string]string{}
	for _, f := range Files(m) {
		if f.Text == servers { // not what this machine has in its system folders
			got[f.Client.ID] = string(f.Scope)
		}
	}
	is.Equal(got, map[string]string{"claude-code": "project", "cursor": "user"})
}
