package serve

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// TestTypeScriptClient lets the official client of the other language do what
// an agent does, in both eras.
func TestTypeScriptClient(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a package")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed")
	}
	script, err := filepath.Abs("testdata/client.mjs")
	if err != nil {
		t.Fatal(err)
	}
	packages := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, npm, "install", "--prefix", packages, "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "@modelcontextprotocol/client@2.4.0")
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("the TypeScript SDK could not be installed: %v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for era := range eras {
		t.Run(era, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			server := filepath.Join(p.bin, asServer)
			is.NoErr(os.Symlink(self, server))
			client := exec.CommandContext(ctx, node, script, era, server)
			client.Dir = packages
			var problems strings.Builder
			client.Stderr = &problems
			out, err := client.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, problems.String())
			}
			is.Equal(strings.TrimSpace(string(out)), `{"tools":9,"asked":2,"written":true,"fixed":true,"state":"ok","refused":true}`)
			is.True(strings.Contains(p.read(cursorFile), `"npx"`))
		})
	}
}
