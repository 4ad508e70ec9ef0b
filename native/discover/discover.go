// Package discover finds the configuration files of every MCP client on a
// machine and in a project, by the client table of [config]. It says whose
// each file is, whether it belongs to the user or to the project, and what
// could not be read. It starts nothing and writes nothing.
//
// The machine is a value, so that the paths of Linux, macOS and Windows can
// all be tested on one of them.
package discover

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/native/files"
)

// Machine is where to look.
type Machine struct {
	OS      config.OS
	Home    string              // the user's home directory
	Project string              // an absolute directory, or "" for none
	Getenv  func(string) string // the user's environment
	FS      FS
}

// FS is what discovery needs of a file system. Paths are those of the
// machine's own system.
type FS interface {
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	// ReadDir lists at most max names, sorted.
	ReadDir(name string, max int) ([]string, error)
	// ReadFile reads at most max bytes.
	ReadFile(name string, max int) ([]byte, error)
	// Real resolves symbolic links.
	Real(name string) (string, error)
}

// File is one configuration file.
type File struct {
	Path   string
	Real   string         // Path with its links resolved
	Client *config.Client // whose it is
	Also   []string       // ids of other clients that read the same file
	Scope  config.Scope   // UserScope or ProjectScope, nothing else
	Legacy bool           // the client reads it for old installations only
	Unread bool           // it has servers, but the client does not look there
	Text   string         // what it holds, where it could be read
	Err    error          // why it could not

	rank int // among the client's files
}

// The bounds of a search.
const (
	maxFiles   = 500
	maxEntries = 1000 // of one directory that a pattern goes through
	maxParents = 32
)

// Files finds every configuration file there is, the clients in the order of
// the table, and of each client's files the one that wins first: a server in
// it hides one of the same name in those that follow. A file that does not
// exist is left out; one that cannot be read is there with its error.
func Files(m Machine) []File {
	var found []File
	byReal := map[string]int{}
	for _, c := range config.Clients() {
		if len(c.Fields) == 0 {
			continue // no client that keeps servers
		}
		for _, p := range c.Places {
			for _, at := range m.spots(c, p) {
				f, ok := m.look(c, p, at)
				if !ok {
					continue
				}
				if i, again := byReal[f.Real]; again {
					found[i].share(f)
				} else if len(found) < maxFiles {
					byReal[f.Real] = len(found)
					found = append(found, f)
				}
			}
		}
	}
	for i := range found {
		found[i].decide()
	}
	order := config.Clients()
	slices.SortStableFunc(found, func(a, b File) int {
		return cmp.Or(slices.Index(order, a.Client)-slices.Index(order, b.Client), a.rank-b.rank)
	})
	return found
}

// ranks is which scope wins, the same for every client that merges its files.
var ranks = map[config.Scope]int{
	config.ManagedScope: 0, config.LocalScope: 1, config.ProjectScope: 2,
	config.UserScope: 3, config.ExtensionScope: 4, config.SystemScope: 5,
}

// share notes that a second place leads to the same file. The more careful
// scope counts: what a project can write is never the user's own.
func (f *File) share(g File) {
	if g.Client != f.Client && !slices.Contains(f.Also, g.Client.ID) {
		f.Also = append(f.Also, g.Client.ID)
	}
	if g.Scope == config.ProjectScope {
		f.Scope = config.ProjectScope
	}
	f.Legacy = f.Legacy && g.Legacy
	f.Unread = f.Unread && g.Unread
	if g.Client == f.Client {
		f.rank = max(f.rank, g.rank) // Claude Code's own file is the user's and every project's
	}
}

// decide picks the client of a file that several read, by what it holds.
func (f *File) decide() {
	if len(f.Also) == 0 || f.Err != nil {
		return
	}
	best := config.Detect(f.Text, f.Path).Client
	if i := slices.Index(f.Also, best.ID); i >= 0 {
		f.Also[i] = f.Client.ID
		f.Client = best
	}
}

// Applies tells whether the client uses a server of the file in the machine's
// project. Claude Code keeps servers of all projects in the user's file, each
// under the path of its project.
func (m Machine) Applies(s config.Server) bool {
	names, err := config.SplitPointer(s.Pointer)
	if err != nil || len(names) < 2 || names[0] != "projects" {
		return true
	}
	return m.Project != "" && m.same(m.native(names[1]), m.Project)
}

// look examines one spot. It reports false where there is nothing, or nothing
// of ours.
func (m Machine) look(c *config.Client, p config.Place, at spot) (File, bool) {
	f := File{Path: at.path, Real: at.path, Client: c, Legacy: p.Legacy, Unread: p.Unread, Scope: config.UserScope, rank: ranks[p.Scope]}
	info, err := m.stat(at)
	if missing(err) || err != nil && p.Unread {
		return f, false
	}
	if real, realErr := m.FS.Real(at.path); realErr == nil {
		f.Real = real
	}
	if m.ofProject(p, at.path) || m.ofProject(p, f.Real) {
		f.Scope = config.ProjectScope
	}
	if err == nil {
		f.Text, err = m.read(at.path, info)
	}
	if err == nil {
		if !concerns(c, f.Text, at.path) || p.Unread && !strings.Contains(f.Text, c.Roots[0].Path) {
			return f, false
		}
		err = foreign(at.path)
	}
	if err != nil {
		f.Err = fmt.Errorf("%s of %s: %w", at.path, c.Name, files.Reason(err))
		f.Text = ""
	}
	return f, true
}

// stat finds out what is at a spot before anything is opened: to open a pipe
// would wait for ever.
func (m Machine) stat(at spot) (fs.FileInfo, error) {
	if at.err != nil {
		return nil, at.err
	}
	info, err := m.FS.Stat(at.path)
	switch {
	case missing(err):
		if _, linkErr := m.FS.Lstat(at.path); linkErr == nil {
			return nil, errors.New("the link leads nowhere")
		}
		return nil, err
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a directory, not a file")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	return info, nil
}

func (m Machine) read(path string, info fs.FileInfo) (string, error) {
	if info.Size() > config.MaxSize {
		return "", fmt.Errorf("it has %d bytes; more than %d MiB is not read", info.Size(), config.MaxSize>>20)
	}
	data, err := m.FS.ReadFile(path, config.MaxSize)
	return string(data), err
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDirectory)
}

// concerns tells whether a file that also holds other settings has anything
// to do with servers. A file that exists for servers alone always has.
func concerns(c *config.Client, text, path string) bool {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	if strings.Contains(name, "mcp") || strings.Contains(strings.ToLower(text), "mcp") {
		return true
	}
	for _, r := range c.Roots {
		last := r.Path[strings.LastIndex(r.Path, ".")+1:]
		if last != "" && strings.Contains(text, last) {
			return true
		}
	}
	return false
}

// foreign is the error of files that hold servers in a notation that is not
// read.
func foreign(path string) error {
	switch {
	case strings.HasSuffix(path, "crushrc"):
		return errors.New("it is a shell script; servers that it defines are not seen")
	case strings.HasSuffix(path, ".md"):
		return errors.New("servers in the head of a Markdown file are not read")
	}
	return nil
}
