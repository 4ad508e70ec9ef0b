// Package install changes the user's config files: a write is whole or did not
// happen, keeps mode and owner, never overwrites somebody else's change, and
// can be taken back.
package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcpmend/native/files"
)

// ErrChanged is returned when the file is no longer what the change was made
// for. Nothing was written: the other change wins.
var ErrChanged = errors.New("the file has changed in the meantime")

// Writer writes config files and keeps their former contents.
type Writer struct {
	Backups string // directory, made when first needed
	system  system // the real one unless a test injects faults
	now     func() time.Time
}

// NewWriter gives a writer that keeps its backups below dir.
func NewWriter(backups string) *Writer {
	return &Writer{Backups: backups, system: disk{}, now: time.Now}
}

// Change is the exact bytes of a file before and after.
type Change struct {
	Path    string
	Project string // root of the project for a project's file, else empty
	Before  []byte // nil for a file that is to be made
	After   []byte
	Why     string // for the list of backups
}

// Write carries out a change. When it returns an error the file is as it was,
// or holds what somebody else wrote.
func (w *Writer) Write(c Change) error {
	if err := checkName(c.Path); err != nil {
		return err
	}
	target, err := w.resolve(c)
	if err != nil {
		return err
	}
	unlock, err := w.lock()
	if err != nil {
		return err
	}
	defer unlock()
	w.sweep(filepath.Dir(target))
	current, info, err := w.system.Read(target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return files.Cannot("read", target, err)
	}
	exists := err == nil
	if exists != (c.Before != nil) || !bytes.Equal(current, c.Before) {
		return fmt.Errorf("%s: %w", target, ErrChanged)
	}
	if exists && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", target)
	}
	if err := w.backup(target, c); err != nil {
		return err
	}
	return w.replace(target, c, info)
}

// lock keeps other mcpmends from writing at the same time.
func (w *Writer) lock() (unlock func(), err error) {
	if err := os.MkdirAll(w.Backups, 0o700); err != nil {
		return nil, files.Cannot("make", w.Backups, err)
	}
	f, err := os.OpenFile(filepath.Join(w.Backups, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, files.Cannot("lock", w.Backups, err)
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(files.Cannot("lock", w.Backups, err), f.Close())
	}
	return func() { _ = f.Close() }, nil // closing drops the lock
}

// sweep removes what a killed mcpmend left beside a config. The lock is held,
// so nobody is using it.
func (w *Writer) sweep(dir string) {
	stale, _ := filepath.Glob(filepath.Join(dir, files.TempPrefix+"*"))
	for _, path := range stale {
		_ = w.system.Remove(path)
	}
}

// resolve follows links once, so that the file behind a link of a dotfile
// manager is replaced and not the link. A project's link may not lead out of
// the project.
func (w *Writer) resolve(c Change) (string, error) {
	target, err := w.system.Resolve(c.Path)
	if errors.Is(err, fs.ErrNotExist) && c.Before == nil {
		dir, err := w.system.Resolve(filepath.Dir(c.Path))
		if err != nil {
			return "", files.Cannot("find the directory of", c.Path, err)
		}
		target = filepath.Join(dir, filepath.Base(c.Path))
	} else if err != nil {
		return "", files.Cannot("find", c.Path, err)
	}
	if c.Project == "" {
		return target, nil
	}
	root, err := w.system.Resolve(c.Project)
	if err != nil {
		return "", files.Cannot("find", c.Project, err)
	}
	if inside, err := filepath.Rel(root, target); err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s leads to %s, outside the project; change that file itself if it is yours", c.Path, target)
	}
	return target, nil
}

// replace writes a new file beside the old one and renames it into place.
func (w *Writer) replace(target string, c Change, old fs.FileInfo) (err error) {
	temp, err := w.system.Create(filepath.Dir(target)) // 0600 until it has its owner
	if err != nil {
		return files.Cannot("write beside", target, err)
	}
	defer func() {
		if err != nil && !errors.Is(err, errKept) {
			_ = w.system.Remove(temp.Name())
		}
	}()
	if err := w.fill(temp, c.After, old); err != nil {
		return files.Cannot("write", target, err)
	}
	if err := w.swap(temp.Name(), target, c); err != nil {
		return err
	}
	// The rename is done; a directory that cannot be synced is no reason to
	// call the write undone.
	_ = w.system.SyncDir(filepath.Dir(target))
	return nil
}

// fill writes data to a new file and closes it; old, where given, is the file
// whose owner and mode it takes. The owner comes first and the mode last, so
// that no moment shows a private file's text to others.
func (w *Writer) fill(f *os.File, data []byte, old fs.FileInfo) error {
	err := w.system.Write(f, data)
	if err == nil && old != nil {
		err = w.system.Chown(f, old)
	}
	if err == nil && old != nil {
		err = w.system.Chmod(f, old.Mode().Perm())
	}
	if err == nil {
		err = w.system.Sync(f)
	}
	return errors.Join(err, f.Close())
}

// swap puts the new file in place. Where the system can exchange two names in
// one step, what came out is compared with what was expected, and put back if
// somebody else was faster; elsewhere the file is compared just before.
func (w *Writer) swap(temp, target string, c Change) error {
	if c.Before == nil {
		err := w.system.Link(temp, target) // unlike rename, refuses to replace
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s: %w", target, ErrChanged)
		}
		if err != nil {
			return files.Cannot("write", target, err)
		}
		_ = w.system.Remove(temp)
		return nil
	}
	current, _, err := w.system.Read(target)
	if err != nil || !bytes.Equal(current, c.Before) {
		return fmt.Errorf("%s: %w", target, ErrChanged)
	}
	err = w.system.Exchange(temp, target)
	if errors.Is(err, errors.ErrUnsupported) {
		if err := w.system.Rename(temp, target); err != nil {
			return files.Cannot("write", target, err)
		}
		return nil
	}
	if err != nil {
		return files.Cannot("write", target, err)
	}
	if out, _, err := w.system.Read(temp); err == nil && !bytes.Equal(out, c.Before) {
		return w.swapBack(temp, target, c)
	}
	_ = w.system.Remove(temp)
	return nil
}

// errKept marks a file with somebody's text that must not be removed.
var errKept = errors.New("the other text is kept")

// swapBack restores what somebody wrote at the very moment of the exchange. If
// they wrote yet again on top of ours, both texts stay.
func (w *Writer) swapBack(temp, target string, c Change) error {
	err := w.system.Exchange(temp, target)
	if err == nil {
		var out []byte
		if out, _, err = w.system.Read(temp); err == nil && bytes.Equal(out, c.After) {
			return fmt.Errorf("%s: %w", target, ErrChanged)
		}
	}
	kept := filepath.Join(filepath.Dir(target), filepath.Base(target)+".other")
	if err := w.system.Rename(temp, kept); err != nil {
		kept = temp
	}
	return fmt.Errorf("%s was changed while it was written: %w in %s", target, errKept, kept)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// reserved are device names of Windows, with any extension.
var reserved = []string{"con", "prn", "aux", "nul"}

// checkName refuses spellings under which Windows opens another file than the
// one named: alternate streams, devices, names that end in a dot or a space.
// They are refused everywhere, since no client's config is called so.
func checkName(path string) error {
	volume := filepath.VolumeName(path)
	for _, part := range strings.FieldsFunc(path[len(volume):], func(r rune) bool { return r == '/' || r == filepath.Separator }) {
		stem, _, _ := strings.Cut(strings.ToLower(part), ".")
		device := len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' && stem[3] <= '9'
		for _, name := range reserved {
			device = device || stem == name
		}
		switch {
		case part == "." || part == "..":
		case strings.Contains(part, ":"), strings.ContainsRune(part, 0), strings.HasSuffix(part, "."), strings.HasSuffix(part, " "), device:
			return fmt.Errorf("%q is no name for a config file", path)
		}
	}
	return nil
}
