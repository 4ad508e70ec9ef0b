package modules

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/module"
	. "mcpmend/core/module/moduletest"
	"mcpmend/native/state"
)

func testDirs(t *testing.T) state.Dirs {
	t.Helper()
	home := t.TempDir()
	return state.Dirs{Config: filepath.Join(home, "config"), State: filepath.Join(home, "state")}
}

func place(t *testing.T, data []byte, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// own leaves out the bundled modules, which a test binary may or may not have.
func own(l *Library) []*Module {
	var list []*Module
	for _, m := range l.Modules {
		if m.Source != "embedded" {
			list = append(list, m)
		}
	}
	return list
}

func named(name string, handles ...string) Command {
	return Command{Manifest: map[string]any{"abi": 1, "name": name, "version": "1.0.0", "handles": handles, "clients": []string{"*"}}}
}

func TestProjectModulesWantTrust(t *testing.T) {
	is := is.New(t)
	dirs, project := testDirs(t), t.TempDir()
	data := named("project", "timeout").Bytes()
	place(t, data, project, projectModules, "a.wasm")
	// A trust store that comes with the project is not looked at.
	place(t, []byte(`{"modules":{"`+opened(t, data).SHA256+`":{}}}`), project, ".mcpmend", "trust.json")

	l, err := Load(dirs, project)
	is.NoErr(err)
	is.Equal(len(own(l)), 0)
	is.Equal(len(l.Refused), 1)
	is.True(strings.Contains(l.Refused[0].Error(), "mcpmend modules trust"))

	trust, err := dirs.Trust()
	is.NoErr(err)
	trust.Modules[opened(t, data).SHA256] = state.Grant{What: "project 1.0.0", When: time.Unix(0, 0)}
	is.NoErr(trust.Save())
	l, err = Load(dirs, project)
	is.NoErr(err)
	is.Equal(len(own(l)), 1)
	is.True(own(l)[0].Trusted)

	// One byte more, and it is another module.
	place(t, append(data, Custom("x", nil)...), project, projectModules, "a.wasm")
	l, err = Load(dirs, project)
	is.NoErr(err)
	is.Equal(len(own(l)), 0)
}

// TestWhatWasOpenedIsRun swaps the file after the module was gathered.
func TestWhatWasOpenedIsRun(t *testing.T) {
	is := is.New(t)
	dirs := testDirs(t)
	place(t, Prints("first"), dirs.Config, "modules", "a.wasm")
	l, err := Load(dirs, "")
	is.NoErr(err)
	place(t, Prints("second"), dirs.Config, "modules", "a.wasm")
	out, err := Host{}.Run(t.Context(), own(l)[0], nil)
	is.NoErr(err)
	is.Equal(string(out), "first")
}

func TestOddFilesAreToldAndLeftOut(t *testing.T) {
	is := is.New(t)
	dirs := testDirs(t)
	dir := filepath.Join(dirs.Config, "modules")
	place(t, []byte("text"), dir, "text.wasm")
	place(t, []byte("text"), dir, "readme.txt")
	place(t, Command{Sections: map[byte][]byte{Start: {0}}}.Bytes(), dir, "start.wasm")
	is.NoErr(os.Mkdir(filepath.Join(dir, "dir.wasm"), 0o700))
	l, err := Load(dirs, "")
	is.NoErr(err)
	is.Equal(len(l.Refused), 2) // text.wasm and dir.wasm
	l.Scan()
	is.Equal(len(own(l)), 0)
	is.Equal(len(l.Refused), 3)
}

const libraryConfig = `{"mcpServers": {"db": {"command": "npx", "args": ["-y", "@example/server"]}}}`

// TestNothingIsLoadedThatDoesNotApply counts the modules that were looked into:
// what is not scanned is not run.
func TestNothingIsLoadedThatDoesNotApply(t *testing.T) {
	dirs := testDirs(t)
	answer := `{"abi":1,"fixes":[{"id":"a","title":"t"}]}`
	for name, handles := range map[string][]string{"category": {"timeout"}, "code": {"MCP1001"}, "package": {"@example/server"}} {
		c := named(name, handles...)
		c.Imports, c.Data, c.Start = []string{"fd_write"}, answer, Write(0, 1, DataAt, len(answer))
		place(t, c.Bytes(), dirs.Config, "modules", name+".wasm")
	}
	doc, err := config.Parse(libraryConfig, config.Options{Client: "cursor"})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := config.Parse(`{"mcpServers": {"db": {"command": "node", "args": ["server.js"]}}}`, config.Options{Client: "cursor"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name      string
		doc       *config.Document
		diagnosis core.Diagnosis
		loaded    string
	}{
		{"nothing applies", plain, core.Diagnosis{Code: "MCP9999", Category: "unknown"}, ""},
		{"by category", plain, core.Diagnosis{Code: "MCP9999", Category: "timeout"}, "category"},
		{"by code", plain, core.Diagnosis{Code: "MCP1001", Category: "unknown"}, "code"},
		{"by package", doc, core.Diagnosis{Code: "MCP9999", Category: "unknown"}, "package"},
		{"by all", doc, core.Diagnosis{Code: "MCP1001", Category: "timeout"}, "category code package"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			l, err := Load(dirs, "")
			is.NoErr(err)
			l.Modules = own(l)
			fixes, errs := l.Propose(t.Context(), module.NewCall(test.diagnosis, test.doc, &test.doc.Servers[0], "cursor", fix.Facts{}))
			is.Equal(len(errs), 0)
			var loaded []string
			for _, m := range l.Modules {
				if m.code != nil {
					loaded = append(loaded, m.Manifest.Name)
				}
			}
			is.Equal(strings.Join(loaded, " "), test.loaded)
			is.Equal(len(fixes), len(loaded))
		})
	}
}

// TestOneBadModuleDoesNotSilenceTheOthers: its reason is told, the rest answer.
func TestOneBadModuleDoesNotSilenceTheOthers(t *testing.T) {
	is := is.New(t)
	dirs := testDirs(t)
	place(t, Prints("nonsense"), dirs.Config, "modules", "a.wasm")
	place(t, Prints(`{"abi":1,"fixes":[{"id":"a","title":"t"}]}`), dirs.Config, "modules", "b.wasm")
	l, err := Load(dirs, "")
	is.NoErr(err)
	l.Modules = own(l)
	doc, err := config.Parse(libraryConfig, config.Options{Client: "cursor"})
	is.NoErr(err)
	fixes, errs := l.Propose(t.Context(), module.NewCall(core.Diagnosis{Category: "timeout"}, doc, &doc.Servers[0], "cursor", fix.Facts{}))
	is.Equal(len(fixes), 1)
	is.Equal(fixes[0].By, "test")
	is.Equal(fixes[0].Safety, fix.Review)
	is.Equal(len(errs), 1)
	is.True(strings.Contains(errs[0].Error(), "module test: its answer is not JSON"))
}

// TestModulesAreAskedAtTheSameTime: servers are checked side by side.
func TestModulesAreAskedAtTheSameTime(t *testing.T) {
	is := is.New(t)
	dirs := testDirs(t)
	place(t, Prints(`{"abi":1,"fixes":[{"id":"a","title":"t"}]}`), dirs.Config, "modules", "a.wasm")
	l, err := Load(dirs, "")
	is.NoErr(err)
	l.Modules = own(l)
	doc, err := config.Parse(libraryConfig, config.Options{Client: "cursor"})
	is.NoErr(err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			fixes, errs := l.Propose(t.Context(), module.NewCall(core.Diagnosis{Category: "timeout"}, doc, &doc.Servers[0], "cursor", fix.Facts{}))
			if len(fixes) != 1 || len(errs) != 0 {
				t.Errorf("%v, %v", fixes, errs)
			}
		})
	}
	all.Wait()
}
