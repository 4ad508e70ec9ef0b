package doctor

import (
	"errors"
	"path/filepath"

	"mcpmend/core/config"
	"mcpmend/native/install"
)

// Write writes what was proven, exactly those bytes.
func (d *Doctor) Write(h *Healing, why string) error {
	if h.After == "" {
		return errors.New("nothing was proven to work, so nothing is written")
	}
	return d.Save(h.Subject.File, h.After, why)
}

// Save replaces a file's text, if it is still the one that was read.
func (d *Doctor) Save(f *File, text, why string) error {
	c := install.Change{Path: f.Path, Before: []byte(f.Text), After: []byte(text), Why: why}
	if f.missing {
		c.Before = nil
	}
	if f.Scope == config.ProjectScope {
		c.Project = d.project
	}
	return d.writer.Write(c)
}

// Undo takes back the last write, of any file or of one.
func (d *Doctor) Undo(path string) (install.Backup, error) {
	backups, err := d.writer.List()
	if err != nil {
		return install.Backup{}, err
	}
	real := path // backups name the file behind a link
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		real = resolved
	}
	for _, b := range backups {
		if path == "" || b.Path == path || b.Path == real {
			return b, d.writer.Undo(b)
		}
	}
	return install.Backup{}, errors.New("there is nothing to take back")
}
