package modules

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/module"
	. "mcpmend/core/module/moduletest"
)

// TestGuide builds the module of the guide for authors and asks it something.
func TestGuide(t *testing.T) {
	skipRaced(t)
	is := is.New(t)
	guide, err := os.ReadFile("../../docs/modules.md")
	is.NoErr(err)
	block := func(intro string) []byte { // the code that follows these words
		_, rest, found := strings.Cut(string(guide), intro)
		_, rest, opened := strings.Cut(rest, "```")
		_, rest, begun := strings.Cut(rest, "\n")
		code, _, closed := strings.Cut(rest, "```")
		is.True(found && opened && begun && closed)
		return []byte(code)
	}
	dir := t.TempDir()
	is.NoErr(os.WriteFile(filepath.Join(dir, "main.go"), block("`main.go`:"), 0o600))
	is.NoErr(os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example\n\ngo 1.26\n"), 0o600))
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", "program.wasm", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off")
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(filepath.Join(dir, "program.wasm"))
	is.NoErr(err)
	m := opened(t, append(program, Custom(module.ManifestSection, block("`manifest.json`:"))...))
	for name, request := range map[string]string{
		"of the guide":     string(block("`request.json`:")),
		"another variable": `{"abi":1,"server":{"pointer":"/mcpServers/it","command":"npx","args":["@example/server"],"env":{"A":"b"}}}`,
	} {
		call, err := module.Parse([]byte(request))
		is.NoErr(err)
		response, err := unhurried(func() (module.Response, error) { return Host{}.Ask(t.Context(), m, call) })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		is.Equal(len(response.Fixes), 1)
		is.Equal(response.Fixes[0].By, "example-region")
	}
	// The guide lists what may be imported, and the limits that the scan has.
	for _, name := range module.Imports {
		is.True(strings.Contains(string(guide), "`"+name+"`"))
	}
	is.True(slices.Contains(m.Manifest.Handles, "@example/server"))
}
