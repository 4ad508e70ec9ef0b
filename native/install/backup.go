package install

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcpmend/native/files"
)

// maxBackups is how many former contents of one file are kept.
const maxBackups = 20

// Backup is the former content of a file with what is needed to take the
// change back.
type Backup struct {
	Path    string    `json:"path"`
	When    time.Time `json:"when"`
	Why     string    `json:"why"`
	Created bool      `json:"created"` // there was no file before
	Before  []byte    `json:"before"`
	After   string    `json:"after"` // digest of what was written

	file string
}

// backup keeps the former content, 0600, before anything is changed.
func (w *Writer) backup(target string, c Change) error {
	b := Backup{Path: target, When: w.now().UTC(), Why: c.Why, Created: c.Before == nil, Before: c.Before, After: digest(c.After)}
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	f, err := w.system.Create(w.Backups)
	if err != nil {
		return files.Cannot("back up into", w.Backups, err)
	}
	err = w.fill(f, data, nil)
	if err == nil {
		err = w.system.Rename(f.Name(), filepath.Join(w.Backups, backupName(b)))
	}
	if err != nil {
		_ = w.system.Remove(f.Name())
		return files.Cannot("back up", target, err)
	}
	w.prune(target)
	return nil
}

func backupName(b Backup) string {
	return fmt.Sprintf("%s-%020d.json", digest([]byte(b.Path))[:16], b.When.UnixNano())
}

// prune drops the oldest backups of a file. One that cannot be dropped now will
// be the next time.
func (w *Writer) prune(target string) {
	kept, err := w.List()
	if err != nil {
		return
	}
	n := 0
	for _, b := range kept {
		if b.Path != target {
			continue
		}
		if n++; n > maxBackups {
			_ = w.system.Remove(b.file)
		}
	}
}

// List gives the backups, the youngest first.
func (w *Writer) List() ([]Backup, error) {
	entries, err := os.ReadDir(w.Backups)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, files.Cannot("read", w.Backups, err)
	}
	var all []Backup
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		file := filepath.Join(w.Backups, e.Name())
		data, err := os.ReadFile(file)
		if err != nil {
			continue // pruned by another mcpmend just now
		}
		b := Backup{file: file}
		if err := json.Unmarshal(data, &b); err != nil {
			return nil, fmt.Errorf("%s is damaged: %w", file, err)
		}
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b Backup) int {
		return cmp.Or(b.When.Compare(a.When), cmp.Compare(b.file, a.file))
	})
	return all, nil
}

// Undo takes a change back: the file gets its former content, or goes where
// there was none. It refuses when the file was changed since.
func (w *Writer) Undo(b Backup) error {
	unlock, err := w.lock()
	if err != nil {
		return err
	}
	defer unlock()
	current, info, err := w.system.Read(b.Path)
	if err != nil {
		return files.Cannot("read", b.Path, err)
	}
	if digest(current) != b.After {
		return fmt.Errorf("%s: %w and is left as it is; what it was before the last write is in %s", b.Path, ErrChanged, b.file)
	}
	if b.Created {
		err = w.system.Remove(b.Path)
	} else if !bytes.Equal(current, b.Before) {
		err = w.replace(b.Path, Change{Path: b.Path, Before: current, After: b.Before}, info)
	}
	if err != nil {
		return err
	}
	return w.system.Remove(b.file)
}
