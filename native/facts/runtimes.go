package facts

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"mcpmend/core/fix"
)

// managers is where version managers keep what they installed: a directory of
// versions, and the program below each.
var managers = []struct {
	name, runtime, versions, program string
}{
	{"nvm", "node", ".nvm/versions/node", "bin/node"},
	{"nvm", "node", ".config/nvm/versions/node", "bin/node"},
	{"fnm", "node", ".local/share/fnm/node-versions", "installation/bin/node"},
	{"fnm", "node", "Library/Application Support/fnm/node-versions", "installation/bin/node"},
	{"fnm", "node", "AppData/Roaming/fnm/node-versions", "installation/node.exe"},
	{"volta", "node", ".volta/tools/image/node", "bin/node"},
	{"mise", "node", ".local/share/mise/installs/node", "bin/node"},
	{"asdf", "node", ".asdf/installs/nodejs", "bin/node"},
	{"n", "node", "n/n/versions/node", "bin/node"},
	{"pyenv", "python", ".pyenv/versions", "bin/python3"},
	{"mise", "python", ".local/share/mise/installs/python", "bin/python3"},
	{"asdf", "python", ".asdf/installs/python", "bin/python3"},
	{"uv", "python", ".local/share/uv/python", "bin/python3"},
}

// maxVersions bounds how many versions of one manager are looked at.
const maxVersions = 50

// managed lists what version managers installed. Nothing is run: the version
// is the directory's name.
func (m Machine) managed() []fix.Runtime {
	if m.Home == "" {
		return nil
	}
	var found []fix.Runtime
	for _, manager := range managers {
		dir := filepath.Join(m.Home, filepath.FromSlash(manager.versions))
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for i := len(entries) - 1; i >= 0 && len(entries)-i <= maxVersions; i-- {
			path := filepath.Join(dir, entries[i].Name(), filepath.FromSlash(manager.program))
			version := versionIn(entries[i].Name())
			if _, err := os.Stat(path); err == nil && version != "" {
				found = append(found, fix.Runtime{Name: manager.runtime, Version: version, Path: path, Manager: manager.name})
			}
		}
	}
	return found
}

// versionIn takes the version out of a directory's name, such as v22.1.0 or
// cpython-3.12.4-linux-x86_64-gnu.
func versionIn(name string) string {
	name = strings.TrimPrefix(name, "v")
	if rest, ok := strings.CutPrefix(name, "cpython-"); ok {
		name, _, _ = strings.Cut(rest, "-")
	}
	if name == "" || name[0] < '0' || name[0] > '9' || !strings.Contains(name, ".") {
		return ""
	}
	return name
}

func runtimes(_ context.Context, m Machine, _ Question, found *fix.Facts) {
	found.Runtimes = m.managed()
}
