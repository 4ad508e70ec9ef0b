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
	is := is.New(t)
	guide, err := os.ReadFile("../../docs/modules.md")
	is.NoErr(err)
	block := func(language string) []byte {
		_, rest, found := strings.Cut(string(guide), "```"+language+"\n")
		code, _, closed := strings.Cut(rest, "```")
		is.True(found && closed)
		return []byte(code)
	}
	dir := t.TempDir()
	is.NoErr(os.WriteFile(filepath.Join(dir, "main.go"), block("go"), 0o600))
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
	m := opened(t, append(program, Custom(module.ManifestSection, block("json"))...))
	for name, env := range map[string]string{"no variables": `{}`, "another variable": `{"A":"b"}`} {
		call, err := module.Parse([]byte(`{"abi":1,"server":{"pointer":"/mcpServers/it","command":"npx","args":["@example/server"],"env":` + env + `}}`))
		is.NoErr(err)
		response, err := Host{}.Ask(t.Context(), m, call)
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
