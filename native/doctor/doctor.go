// Package doctor does with real files and real servers what core does with
// pasted ones: it gathers the configs of this machine, examines them, probes
// their servers, heals what is broken and writes back what was proven. The
// command, the MCP server and the page's companion all go through it, so that
// they agree on what may be started and what may be written.
package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/native/discover"
	"mcpmend/native/facts"
	"mcpmend/native/files"
	"mcpmend/native/install"
	"mcpmend/native/modules"
	"mcpmend/native/state"
)

// Doctor knows this machine and this user.
type Doctor struct {
	TrustProject bool          // for this run, what the project defines may be started
	Timeout      time.Duration // of one probe; 0 is the client's own, or the default

	project string
	machine discover.Machine
	facts   facts.Machine
	trust   *state.Trust
	once    map[string]bool // fingerprints agreed to for this run; see AgreeOnce
	seen    *state.Seen
	writer  *install.Writer
	library func() (*modules.Library, error)
	getenv  func(string) string
	environ []string
}

// New gets a doctor for a project directory, "" being the working directory.
func New(project string) (*Doctor, error) {
	machine, err := local(project)
	if err != nil {
		return nil, err
	}
	dirs, err := state.Default()
	if err != nil {
		return nil, err
	}
	d := &Doctor{
		project: machine.Project, machine: machine, facts: facts.Local(machine.Project),
		writer: install.NewWriter(dirs.Backups()),
		getenv: os.Getenv, environ: os.Environ(),
	}
	if d.trust, err = dirs.Trust(); err != nil {
		return nil, err
	}
	if d.seen, err = dirs.Seen(); err != nil {
		return nil, err
	}
	d.library = sync.OnceValues(func() (*modules.Library, error) { return modules.Load(dirs, d.project) })
	return d, nil
}

// File is a config with what was found in it.
type File struct {
	Path   string       `json:"path"`
	Client string       `json:"client"`
	Scope  config.Scope `json:"scope"` // user or project
	Report core.Report  `json:"report"`
	Error  string       `json:"error,omitempty"` // why it could not be read

	Text     string           `json:"-"`
	Document *config.Document `json:"-"` // nil where it does not parse

	unread  bool // its client does not look there
	missing bool // there is no such file yet
}

// Selection says which files to look at.
type Selection struct {
	Paths  []string // files or project directories; empty for all of this machine
	Client string   // only files of this client
}

// Files gathers and examines configs. A path that was named and cannot be read
// is an error; one that was found by itself is told in its File.
func (d *Doctor) Files(sel Selection) ([]File, error) {
	var found []discover.File
	if len(sel.Paths) == 0 {
		found = discover.Files(d.machine)
	}
	for _, path := range sel.Paths {
		more, err := d.named(path)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	var files []File
	for _, f := range found {
		if sel.Client != "" && f.Client.ID != sel.Client {
			continue
		}
		file := examine(f)
		if slices.Contains(sel.Paths, f.Path) {
			if err := file.unusable(); err != nil {
				return nil, fmt.Errorf("cannot read %s: %w", f.Path, err)
			}
		}
		files = append(files, file)
	}
	s, err := settings(d.project)
	if err != nil {
		return nil, err
	}
	return d.adopted(files, s), nil
}

func local(project string) (discover.Machine, error) {
	if project == "" {
		dir, err := os.Getwd()
		if err != nil {
			return discover.Machine{}, fmt.Errorf("no working directory: %w", err)
		}
		project = dir
	}
	return discover.Local(project)
}

// named reads a file that the user named, or finds the configs of a directory.
// Either counts as a project's: the user's own configs are found by
// themselves, so a file that has to be named may come from anywhere.
func (d *Doctor) named(path string) ([]discover.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, files.Cannot("read", path, err)
	}
	if info.IsDir() {
		machine, err := local(path)
		if err != nil {
			return nil, err
		}
		var inside []discover.File
		for _, f := range discover.Files(machine) {
			if f.Scope == config.ProjectScope {
				inside = append(inside, f)
			}
		}
		return inside, nil
	}
	for _, f := range discover.Files(d.machine) {
		if same(f.Path, info) {
			return []discover.File{f}, nil
		}
	}
	text, err := readConfig(path, info)
	if err != nil {
		return nil, err
	}
	f := discover.File{Path: path, Real: path, Scope: config.ProjectScope, Text: text}
	f.Client = config.Detect(f.Text, filepath.ToSlash(path)).Client
	return []discover.File{f}, nil
}

// readConfig reads a file of a size that a config can have.
func readConfig(path string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("cannot read %s: it is no regular file", path)
	}
	if info.Size() > config.MaxSize {
		return "", fmt.Errorf("%s is larger than %d MiB, too large for a config", path, config.MaxSize>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", files.Cannot("read", path, err)
	}
	return string(data), nil
}

func same(path string, info fs.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(info, other)
}

func examine(f discover.File) File {
	out := File{Path: f.Path, Client: f.Client.ID, Scope: f.Scope, Text: f.Text, unread: f.Unread}
	if f.Err != nil {
		out.Error = f.Err.Error()
	} else {
		out.Error = noText(f.Text)
	}
	if out.Error != "" {
		out.Report = core.Report{Version: core.Version, Client: f.Client.ID, Diagnoses: []core.Diagnosis{}}
		return out
	}
	out.Report = core.Examine(core.Input{Config: f.Text, File: f.Path, Client: f.Client.ID})
	// "Nothing wrong was found" is an answer to a person who asked about one
	// config, and no finding about a file.
	out.Report.Diagnoses = slices.DeleteFunc(out.Report.Diagnoses, func(d core.Diagnosis) bool { return d.Code == "" })
	options := config.Options{Client: f.Client.ID, File: f.Path}
	doc, err := config.Parse(f.Text, options)
	if c := out.Report.Config; err != nil && c != nil && c.Repaired != "" && !out.Repairable() {
		doc, err = config.Parse(c.Repaired, options) // the client may read it as it is, with a byte order mark say
	}
	if err == nil {
		out.Document = doc
	} else if len(out.Report.Diagnoses) == 0 {
		out.Error = ErrNoConfig.Error()
	}
	return out
}

// ErrNoConfig is returned for a named file that is something else.
var ErrNoConfig = errors.New("it is neither JSON nor TOML nor YAML")

// unusable says why a file that was named is taken for something else than a
// config: a log can look like YAML with many mistakes.
func (f *File) unusable() error {
	config := f.Report.Config
	formats := []string{".json", ".jsonc", ".toml", ".yaml", ".yml"}
	switch {
	case f.Error == ErrNoConfig.Error(), f.Error == "" && f.Document == nil && !slices.Contains(formats, filepath.Ext(f.Path)) &&
		(config == nil || len(config.Servers) == 0):
		return ErrNoConfig
	case f.Error != "":
		return errors.New(f.Error)
	}
	return nil
}

// noText says why a file can be no config in any format.
func noText(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "it is empty"
	case !config.IsText(text):
		return "it is not text"
	}
	return ""
}
