// Package files says in one way what went wrong with a file, and keeps the
// files that are mcpmend's own: private to the user, and whole or not there.
// Configs are the user's and are written by install.
package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// TempPrefix begins the names of files that are being written.
const TempPrefix = ".mcpmend-"

// Cannot says that something could not be done to a path: "cannot read x:
// permission denied".
func Cannot(do, path string, err error) error {
	return fmt.Errorf("cannot %s %s: %w", do, path, Reason(err))
}

// Reason is an error of the file system without the operation and the path
// that Go puts in front, for a text that names them in its own words.
func Reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// Tilde is a path as a person writes it, and without the user's name where it
// is below the home directory.
func Tilde(home, path string) string {
	if below, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(below) {
		return filepath.Join("~", below)
	}
	return path
}

// Load reads a JSON file into v; a file that is not there leaves v as it is.
func Load(path string, v any) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return Cannot("read", path, err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s is damaged: %w; move it away to start anew", path, err)
	}
	return nil
}

// Save writes v as JSON, whole or not at all, and makes the directory.
func Save(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return Cannot("write", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return Cannot("make", filepath.Dir(path), err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), TempPrefix+"*") // 0600
	if err != nil {
		return Cannot("write", path, err)
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
		return Cannot("write", path, err)
	}
	return nil
}
