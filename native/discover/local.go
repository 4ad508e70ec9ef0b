package discover

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"mcpmend/core/config"
)

// errNotDirectory is what a path gives whose parent is a file.
var errNotDirectory error = syscall.ENOTDIR

// Local is this machine, with a project directory or "".
func Local(project string) (Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Machine{}, fmt.Errorf("cannot find the home directory: %w", err)
	}
	if project != "" {
		if project, err = filepath.Abs(project); err != nil {
			return Machine{}, fmt.Errorf("cannot find the project directory: %w", err)
		}
	}
	system, known := systems[runtime.GOOS]
	if !known {
		system = config.Linux // the BSDs keep their files alike
	}
	return Machine{OS: system, Home: resolved(home), Project: resolved(project), Getenv: os.Getenv, FS: disk{}}, nil
}

// resolved follows the links of a directory: real paths of files are compared
// with it.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil && dir != "" {
		return real
	}
	return dir
}

var systems = map[string]config.OS{"linux": config.Linux, "darwin": config.MacOS, "windows": config.Windows}

// disk is the file system of this machine.
type disk struct{}

func (disk) Stat(name string) (fs.FileInfo, error)  { return os.Stat(name) }
func (disk) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (disk) Real(name string) (string, error)       { return filepath.EvalSymlinks(name) }

func (disk) ReadDir(name string, max int) ([]string, error) {
	dir, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(max)
	if err != nil && err != io.EOF {
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

func (disk) ReadFile(name string, max int) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(max)))
}
