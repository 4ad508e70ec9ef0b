//go:build !js

package ecma

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBombsEndUnderNode runs the bombs in WebAssembly, where a limit by the
// clock would never fire.
func TestBombsEndUnderNode(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for another platform")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("needs the go command")
	}
	runner := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	if _, err := os.Stat(runner); err != nil {
		t.Skip("this Go has no runner for node: ", err)
	}
	command := exec.Command("go", "test", "-count=1", "-run", "TestBombsEnd$", "-exec", runner, ".")
	// The runner passes the environment on, and wasm has room for 4 KB of it.
	command.Env = []string{"GOOS=js", "GOARCH=wasm", "PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for _, name := range []string{"GOCACHE", "GOPATH", "GOMODCACHE", "GOFLAGS", "GOPROXY"} {
		if value := os.Getenv(name); value != "" {
			command.Env = append(command.Env, name+"="+value)
		}
	}
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
