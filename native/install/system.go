package install

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mcpmend/native/files"
)

// maxConfig bounds what is read; configs end at 4 MiB.
const maxConfig = 8 << 20

// system is every call that the writer makes to the file system, so that a test
// can make each of them fail in turn.
type system interface {
	Resolve(path string) (string, error)
	Read(path string) ([]byte, fs.FileInfo, error)
	Create(dir string) (*os.File, error)
	Write(f *os.File, data []byte) error
	Chmod(f *os.File, mode fs.FileMode) error
	Chown(f *os.File, like fs.FileInfo) error
	Sync(f *os.File) error
	SyncDir(dir string) error
	Link(from, to string) error
	Exchange(a, b string) error
	Rename(from, to string) error
	Remove(path string) error
}

// disk is the real file system.
type disk struct{}

func (disk) Resolve(path string) (string, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(resolved)
}

// Read opens once and asks the open file what it is, so that both answers are
// of the same file.
func (disk) Read(path string) ([]byte, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return nil, info, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxConfig))
	return data, info, err
}

// Create makes a new file that nobody else can read yet.
func (disk) Create(dir string) (*os.File, error) { return os.CreateTemp(dir, files.TempPrefix+"*") }

func (disk) Write(f *os.File, data []byte) error {
	_, err := f.Write(data)
	return err
}

func (disk) Chmod(f *os.File, mode fs.FileMode) error { return f.Chmod(mode) }
func (disk) Chown(f *os.File, like fs.FileInfo) error { return chownLike(f, like) }
func (disk) Sync(f *os.File) error                    { return f.Sync() }
func (disk) Link(from, to string) error               { return os.Link(from, to) }
func (disk) Exchange(a, b string) error               { return exchange(a, b) }
func (disk) Rename(from, to string) error             { return os.Rename(from, to) }
func (disk) Remove(path string) error                 { return os.Remove(path) }

func (disk) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
