// Package state keeps what mcpmend itself remembers: whom the user trusts, what
// was seen before, backups of the files it wrote. Everything lies below two
// directories of the user, never in a project, and is readable by the user
// alone.
package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Dirs is where things lie. MCPMEND_HOME moves both.
type Dirs struct {
	Config string // what the user decided: settings, trust, modules
	State  string // what came of running: backups, journals, history, caches
}

// What lies where, of that which other packages keep.
func (d Dirs) Settings() string    { return filepath.Join(d.Config, "config.json") }
func (d Dirs) Modules() string     { return filepath.Join(d.Config, "modules") }
func (d Dirs) ModuleCache() string { return filepath.Join(d.State, "modules-cache") }
func (d Dirs) Backups() string     { return filepath.Join(d.State, "backups") }
func (d Dirs) Journal() string     { return filepath.Join(d.State, "journal") }
func (d Dirs) Running() string     { return filepath.Join(d.State, "run") }
func (d Dirs) Wrapped() string     { return filepath.Join(d.State, "wrapped.json") }

// Default finds the directories of this user.
func Default() (Dirs, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return locate(runtime.GOOS, home, os.Getenv)
}

// locate takes the environment of the user and nothing else: a project's .env
// must not be able to move the trust store.
func locate(goos, home string, getenv func(string) string) (Dirs, error) {
	if base := getenv("MCPMEND_HOME"); base != "" {
		if !filepath.IsAbs(base) {
			return Dirs{}, fmt.Errorf("MCPMEND_HOME is %q, which is no absolute path", base)
		}
		return Dirs{filepath.Join(base, "config"), filepath.Join(base, "state")}, nil
	}
	either := func(name, otherwise string) string {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(home, otherwise)
	}
	if home == "" && goos != "windows" {
		return Dirs{}, errors.New("no home directory is known; set HOME or MCPMEND_HOME")
	}
	var config, state string
	switch goos {
	case "windows":
		config, state = either("APPDATA", `AppData\Roaming`), either("LOCALAPPDATA", `AppData\Local`)
	case "darwin":
		support := filepath.Join(home, "Library", "Application Support")
		config, state = either("XDG_CONFIG_HOME", filepath.Join("Library", "Application Support")), support
		if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
			state = dir
		}
		if config == state {
			return Dirs{filepath.Join(config, "mcpmend"), filepath.Join(state, "mcpmend", "state")}, nil
		}
	default:
		config, state = either("XDG_CONFIG_HOME", ".config"), either("XDG_STATE_HOME", filepath.Join(".local", "state"))
	}
	return Dirs{filepath.Join(config, "mcpmend"), filepath.Join(state, "mcpmend")}, nil
}
