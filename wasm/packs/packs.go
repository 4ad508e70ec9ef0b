// Package packs holds the fix modules that come with mcpmend. They are built by
// scripts/build into dist; a binary that was built without that step has none
// and says so.
package packs

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed all:dist
var dist embed.FS

// Pack is a bundled module.
type Pack struct {
	Name string
	Code []byte
}

// All lists the bundled modules by name.
func All() ([]Pack, error) {
	entries, err := fs.ReadDir(dist, "dist")
	if err != nil {
		return nil, err
	}
	var all []Pack
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".wasm")
		if !ok {
			continue
		}
		code, err := fs.ReadFile(dist, "dist/"+e.Name())
		if err != nil {
			return nil, err
		}
		all = append(all, Pack{name, code})
	}
	return all, nil
}
