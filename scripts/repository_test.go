// Package scripts holds the checks on the repository itself.
package scripts

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestTopLevel keeps the first thing that a newcomer sees as it was agreed.
func TestTopLevel(t *testing.T) {
	is := is.New(t)
	want := []string{"LICENSE", "README.md", "cmd", "core", "docs", "go.mod", "go.sum", "native", "scripts", "wasm", "web"}
	out, err := exec.Command("git", "-C", "..", "ls-files").Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	top := map[string]bool{}
	for file := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(strings.TrimSpace(file), "/")
		if !strings.HasPrefix(name, ".") {
			top[name] = true
		}
	}
	for name := range top {
		if !slices.Contains(want, name) {
			t.Errorf("%s does not belong at the top level", name)
		}
	}
	for _, name := range want {
		is.True(top[name]) // every part of the layout is there
	}
}

// imports lists the packages that the packages matching a pattern depend on.
func imports(t *testing.T, env []string, pattern string) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", pattern)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", pattern, err)
	}
	deps := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct {
			ImportPath    string
			Imports, Deps []string
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		deps[p.ImportPath] = p.Imports
	}
	return deps
}

// TestCoreIsPure holds the layering: our packages below core reach no file, no
// process, no network and nothing native, and import nothing but what is
// allowed there.
func TestCoreIsPure(t *testing.T) {
	forbidden := []string{"os", "os/exec", "os/signal", "net", "net/http", "syscall", "math/rand", "math/rand/v2", "crypto/rand"}
	allowed := []string{"github.com/tailscale/hujson", "github.com/santhosh-tekuri/jsonschema/v6", "go.yaml.in/yaml/v3"}
	for pkg, imported := range imports(t, []string{"GOOS=js", "GOARCH=wasm"}, "./core/...") {
		for _, dep := range imported {
			root, _, _ := strings.Cut(dep, "/")
			switch {
			case slices.Contains(forbidden, dep), strings.HasPrefix(dep, "mcpmend/native"), strings.HasPrefix(dep, "mcpmend/cmd"):
				t.Errorf("%s imports %s", pkg, dep)
			case strings.Contains(root, ".") && !slices.ContainsFunc(allowed, func(a string) bool { return dep == a || strings.HasPrefix(dep, a+"/") }):
				t.Errorf("%s imports %s, which core has no need of", pkg, dep)
			}
		}
	}
}

// TestCoreReadsNoClock looks for calls: heal computes with times that are
// handed in, so the import alone says nothing.
func TestCoreReadsNoClock(t *testing.T) {
	out, err := exec.Command("git", "-C", "..", "grep", "-nE", `time\.(Now|Since|Until|After|Sleep|Tick|NewTimer|NewTicker)\(|^\s*go func|^\s*go [a-z]+\(`, "--", "core/*.go", ":!core/**/*_test.go").Output()
	if err == nil {
		t.Errorf("core reads a clock or starts a goroutine:\n%s", out)
	}
}

// TestFlow holds the direction of the data: text, then config, triage and
// lint, then fix, then core, then heal and report.
func TestFlow(t *testing.T) {
	order := map[string]int{
		"config": 0, "schema/ecma": 0, "catalog": 1, "triage": 2, "lint": 2, "schema": 2, "fix": 3, "": 4,
		"heal": 5, "module": 5, "report": 5, "module/moduletest": 6,
	}
	for pkg, imported := range imports(t, nil, "./core/...") {
		from, ok := order[strings.TrimPrefix(strings.TrimPrefix(pkg, "mcpmend/core"), "/")]
		if !ok {
			t.Errorf("%s has no place in the flow", pkg)
			continue
		}
		for _, dep := range imported {
			rest, ours := strings.CutPrefix(dep, "mcpmend/core")
			if to := order[strings.TrimPrefix(rest, "/")]; ours && to >= from {
				t.Errorf("%s imports %s, against the flow", pkg, dep)
			}
		}
	}
}

// TestRequiredLibraries checks that what the product is built on is really used.
func TestRequiredLibraries(t *testing.T) {
	is := is.New(t)
	out, err := exec.Command("go", "list", "-C", "..", "-f", `{{join .Imports "\n"}}{{"\n"}}{{join .TestImports "\n"}}{{"\n"}}{{join .XTestImports "\n"}}`, "./...").Output()
	is.NoErr(err)
	for _, module := range []string{"github.com/tetratelabs/wazero", "github.com/santhosh-tekuri/jsonschema/v6", "github.com/tailscale/hujson", "github.com/matryer/is"} {
		is.True(strings.Contains(string(out), module+"\n")) // imported somewhere
	}
}
