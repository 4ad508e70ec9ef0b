package doctor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/lint"
	"mcpmend/native/files"
)

// How a project adopts the check: .mcpmend.toml leaves out files and weighs
// rules, comments beside a finding hide it, and a baseline hides what was
// there before.

// settingsName is the file in which a project says what it wants.
const settingsName = ".mcpmend.toml"

// settings reads what a project says about its own checks.
func settings(project string) (lint.Settings, error) {
	path := filepath.Join(project, settingsName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || project == "" {
		return lint.Settings{}, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return lint.Settings{}, files.Cannot("read", path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return lint.Settings{}, files.Cannot("read", path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, config.MaxSize))
	if err != nil {
		return lint.Settings{}, files.Cannot("read", path, err)
	}
	s, err := lint.ParseSettings(string(data))
	if err != nil {
		return lint.Settings{}, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// adopted leaves out of files what the settings and comments in them hide. A
// project has a say about its own files alone: what is found in the user's is
// no business of a repository.
func (d *Doctor) adopted(files []File, s lint.Settings) []File {
	kept := files[:0]
	for _, f := range files {
		own := lint.Settings{}
		if f.Scope == config.ProjectScope {
			own = s
			if inside, ok := d.inside(f.Path); ok && s.Skips(inside) {
				continue
			}
		}
		f.filter(own)
		kept = append(kept, f)
	}
	return kept
}

// filter applies the severities that are wanted and drops what is hidden.
func (f *File) filter(s lint.Settings) {
	judge := s.Filter(f.Text)
	f.Report.Diagnoses = slices.DeleteFunc(f.Report.Diagnoses, func(d core.Diagnosis) bool {
		_, keep := judge(d.Code, lint.Severity(d.Severity), line(d))
		return !keep
	})
	for i := range f.Report.Diagnoses {
		d := &f.Report.Diagnoses[i]
		severity, _ := judge(d.Code, lint.Severity(d.Severity), line(*d))
		d.Severity = core.Severity(severity)
	}
}

// line is where a finding stands, 0 where it has no place.
func line(d core.Diagnosis) int {
	for _, e := range d.Evidence {
		if e.In == core.InConfig {
			return e.Line
		}
	}
	return 0
}

// inside is a path below the project, with slashes.
func (d *Doctor) inside(path string) (string, bool) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	rel, err := filepath.Rel(d.project, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Fingerprints names every finding about files, for a baseline. They hold on
// another machine and after the lines above a finding have changed.
func (d *Doctor) Fingerprints(files []File) []string {
	list := []string{}
	for _, f := range files {
		for _, found := range f.Report.Diagnoses {
			list = append(list, d.fingerprint(f, found))
		}
	}
	slices.Sort(list)
	return list
}

// Forget drops the findings that a baseline has.
func (d *Doctor) Forget(files []File, b lint.Baseline) {
	for i := range files {
		f := &files[i]
		f.Report.Diagnoses = slices.DeleteFunc(f.Report.Diagnoses, func(found core.Diagnosis) bool {
			return b.Takes(d.fingerprint(*f, found))
		})
	}
}

func (d *Doctor) fingerprint(f File, found core.Diagnosis) string {
	path := f.Path
	if inside, ok := d.inside(path); ok {
		path = inside
	}
	source := ""
	if lines, n := strings.Split(f.Text, "\n"), line(found); n > 0 && n <= len(lines) {
		source = strings.TrimRight(lines[n-1], ", \t\r") // a comma comes when another entry follows
	}
	return lint.Fingerprint(path, found.Code, found.Server, source)
}
