// Package state keeps what mcpmend itself remembers: whom the user trusts, what
// was seen before, backups of the files it wrote. Everything lies below two
// directories of the user, never in a project, and is readable by the user
// alone.
package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Dirs is where things lie. MCPMEND_HOME moves both.
type Dirs struct {
	Config string // config.json, trust.json, modules/
	State  string // backups/, journal/, run/, seen.json, caches
}

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

// Dir makes a directory below base, readable by the user alone.
func Dir(base string, elem ...string) (string, error) {
	dir := filepath.Join(append([]string{base}, elem...)...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("cannot make %s: %w", dir, plainError(err))
	}
	return dir, nil
}

// load reads a JSON file into v; a file that is not there leaves v as it is.
func load(path string, v any) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", path, plainError(err))
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s is damaged: %w; move it away to start anew", path, err)
	}
	return nil
}

// save writes v as JSON, whole or not at all.
func save(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	dir, err := Dir(filepath.Dir(path))
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".mcpmend-*") // 0600
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, plainError(err))
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(append(data, '\n'))
	if err == nil {
		err = temp.Sync()
	}
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, plainError(err))
	}
	return nil
}

// plainError drops the operation and path that the os package puts in front.
func plainError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
