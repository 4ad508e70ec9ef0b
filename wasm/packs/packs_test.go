package packs_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/module"
	"mcpmend/wasm/packs/internal/browsers"
	"mcpmend/wasm/packs/internal/databases"
	"mcpmend/wasm/packs/internal/pack"
	"mcpmend/wasm/packs/internal/roots"
	"mcpmend/wasm/packs/internal/tokens"
	"mcpmend/wasm/packs/internal/windows"
)

var update = flag.Bool("update", false, "write the golden files")

// proposals are the packs as plain functions; native/modules runs the same as
// modules.
var proposals = []func(pack.Request) pack.Answer{databases.Propose, tokens.Propose, browsers.Propose, roots.Propose, windows.Propose}

// TestPacks asks all packs each question of testdata, compares with the golden
// answer, and lets the host judge it.
func TestPacks(t *testing.T) {
	files, err := filepath.Glob("testdata/requests/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no requests", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			data, err := os.ReadFile(file)
			is.NoErr(err)
			var request pack.Request
			is.NoErr(json.Unmarshal(data, &request))
			answer := map[string]any{"abi": 1, "fixes": []pack.Fix{}}
			var fixes []pack.Fix
			for _, propose := range proposals {
				fixes = append(fixes, propose(request).Fixes...)
			}
			if fixes != nil {
				answer["fixes"] = fixes
			}
			for _, f := range fixes {
				seen[f.ID] = true
			}
			var out strings.Builder
			e := json.NewEncoder(&out)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			is.NoErr(e.Encode(answer))
			got := out.String()
			golden := filepath.Join("testdata", "answers", name+".json")
			if *update {
				is.NoErr(os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			is.NoErr(err)
			is.Equal(got, string(want))

			call, err := module.Parse(data)
			is.NoErr(err)
			_, err = call.Accept([]byte(got), "pack")
			is.NoErr(err)
		})
	}
	// Every fix that a pack can propose has a question that draws it out.
	for _, dir := range []string{"databases", "tokens", "browsers", "roots", "windows"} {
		source, err := os.ReadFile(filepath.Join("internal", dir, dir+".go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, marker := range []string{`ID: "`, `ID = "`} {
			for _, rest := range strings.Split(string(source), marker)[1:] {
				if id, _, _ := strings.Cut(rest, `"`); !seen[id] {
					t.Errorf("%s: no request of testdata leads to %s", dir, id)
				}
			}
		}
	}
}
