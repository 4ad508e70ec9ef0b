package discover

import (
	"path"
	"slices"
	"strings"

	"mcpmend/core/config"
)

// spot is a path that a place stands for, or a directory that could not be
// searched for one.
type spot struct {
	path string
	err  error
}

// spots gives the paths that a place may stand for on this machine, whether
// there is a file or not; of a pattern those that are there.
func (m Machine) spots(c *config.Client, p config.Place) []spot {
	if p.OS != "" && p.OS != m.OS || p.Unless != "" && m.Getenv(p.Unless) != "" {
		return nil
	}
	var list []spot
	for _, at := range m.eachRoot(p) {
		switch p.Kind {
		case config.FilePath, config.EnvPath:
			list = append(list, spot{path: at})
		case config.GlobPath:
			list = append(list, m.glob(at)...)
		case config.DirPath:
			for _, name := range fileNames(c) {
				list = append(list, spot{path: m.join(at, name)})
			}
		}
	}
	return list // nothing for what is in the program, on its command line or in an archive
}

// fileNames are what the client calls its files, for places that are only
// directories.
func fileNames(c *config.Client) []string {
	var names []string
	for _, p := range c.Places {
		if name := p.Path[strings.LastIndexAny(p.Path, `/\`)+1:]; p.Kind == config.FilePath && !p.Legacy && !p.Unread && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// eachRoot expands a place in the project, and in the folders above it where
// the client looks there too.
func (m Machine) eachRoot(p config.Place) []string {
	first, ok := m.expand(p.Path)
	if !ok {
		return nil
	}
	list := []string{first}
	if !p.Walk || !relative(p.Path) || m.repository(m.Project) {
		return list
	}
	above := m
	for range maxParents {
		parent := m.parent(above.Project)
		if parent == above.Project {
			break
		}
		above.Project = parent
		next, _ := above.expand(p.Path)
		list = append(list, next)
		if m.repository(parent) {
			return list
		}
	}
	return list[:1] // no repository above: the folders there are not the project's
}

func (m Machine) repository(dir string) bool {
	_, err := m.FS.Lstat(m.join(dir, ".git"))
	return err == nil
}

// relative tells a place of the project from one of the user or the machine.
func relative(template string) bool {
	return template != "" && !strings.ContainsAny(template[:1], `~$%/\<`) && !(len(template) > 1 && template[1] == ':')
}

// windowsFolders are where Windows keeps them, for an environment without.
var windowsFolders = map[string]string{
	"APPDATA":      `~\AppData\Roaming`,
	"LOCALAPPDATA": `~\AppData\Local`,
	"ProgramData":  `C:\ProgramData`,
}

// expand makes a path of a template. It reports false where a variable is not
// set, or the place is not known.
func (m Machine) expand(template string) (string, bool) {
	switch {
	case template == "" || template[0] == '<':
		return "", false
	case template[0] == '~':
		if m.OS == config.Linux {
			if rest, ok := strings.CutPrefix(template, "~/.config/"); ok && m.absolute(m.Getenv("XDG_CONFIG_HOME")) {
				return m.join(m.Getenv("XDG_CONFIG_HOME"), rest), true
			}
		}
		return m.join(m.Home, template[1:]), m.Home != ""
	case template[0] == '$':
		name, rest, _ := strings.Cut(template[1:], "/")
		return m.variable(m.Getenv(name), rest)
	case template[0] == '%':
		name, rest, _ := strings.Cut(template[1:], "%")
		value := m.Getenv(name)
		if value == "" && m.OS == config.Windows {
			value, _ = m.expand(windowsFolders[name])
		}
		return m.variable(value, rest)
	case relative(template):
		return m.join(m.Project, template), m.Project != ""
	}
	return m.native(template), true
}

// variable joins a variable's value, which may be relative to where the user
// stands, with what follows it.
func (m Machine) variable(value, rest string) (string, bool) {
	switch {
	case value == "":
		return "", false
	case m.absolute(value):
		return m.join(value, rest), true
	}
	return m.join(m.Project, value+"/"+rest), m.Project != ""
}

// glob finds what matches a pattern whose segments may hold "*", "?" or
// "<any name>".
func (m Machine) glob(pattern string) []spot {
	segments := strings.Split(m.slashed(pattern), "/")
	list := []spot{{path: segments[0]}}
	for _, segment := range segments[1:] {
		var next []spot
		for _, dir := range list {
			next = append(next, m.step(dir, segment)...)
		}
		list = next[:min(len(next), maxFiles)]
	}
	for i := range list {
		list[i].path = m.native(list[i].path)
	}
	return list
}

// step follows one segment of a pattern from a directory. Only patterns look
// at the disk.
func (m Machine) step(dir spot, segment string) []spot {
	if open := strings.Index(segment, "<"); open >= 0 {
		segment = segment[:open] + "*" + segment[strings.Index(segment, ">")+1:]
	}
	if dir.err != nil {
		return []spot{dir}
	}
	if !strings.ContainsAny(segment, "*?") {
		return []spot{{path: dir.path + "/" + segment}}
	}
	names, err := m.FS.ReadDir(m.native(dir.path+"/"), maxEntries)
	if missing(err) {
		return nil
	}
	if err != nil {
		return []spot{{path: dir.path, err: err}}
	}
	var list []spot
	for _, name := range names {
		if ok, err := path.Match(segment, name); ok && err == nil {
			list = append(list, spot{path: dir.path + "/" + name})
		}
	}
	return list
}

// ofProject tells whether a file is the project's: the place is one of the
// project, or the file lies inside it. A home directory is no project that
// somebody else could have filled, so that the user's own files stay the
// user's there.
func (m Machine) ofProject(p config.Place, file string) bool {
	if relative(p.Path) {
		return true
	}
	if m.Project == "" || !m.inside(file, m.Project) {
		return false
	}
	return !m.inside(m.Home, m.Project)
}

// Paths of the machine's system, which need not be the one we run on.

func (m Machine) separator() string {
	if m.OS == config.Windows {
		return `\`
	}
	return "/"
}

// slashed has slashes for separators; a backslash is one on Windows only.
func (m Machine) slashed(p string) string {
	if m.OS == config.Windows {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// native writes a path the system's way.
func (m Machine) native(p string) string {
	return strings.ReplaceAll(m.slashed(p), "/", m.separator())
}

// join puts two paths together and cleans the result.
func (m Machine) join(dir, rest string) string {
	dir = m.slashed(dir)
	joined := path.Clean(dir + "/" + strings.ReplaceAll(rest, `\`, "/"))
	if m.OS == config.Windows && strings.HasPrefix(dir, "//") {
		joined = "/" + joined // a share
	}
	return m.native(joined)
}

func (m Machine) parent(dir string) string { return m.native(path.Dir(m.slashed(dir))) }

func (m Machine) absolute(p string) bool {
	if m.OS == config.Windows {
		return strings.HasPrefix(p, `\\`) || len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/')
	}
	return strings.HasPrefix(p, "/")
}

func (m Machine) same(a, b string) bool { return m.inside(a, b) && m.inside(b, a) }

// inside tells whether a path is a directory or lies in it. Where the file
// system does not mind case, neither does this.
func (m Machine) inside(file, dir string) bool {
	file, dir = path.Clean(m.slashed(file)), strings.TrimSuffix(path.Clean(m.slashed(dir)), "/")
	if m.OS != config.Linux {
		file, dir = strings.ToLower(file), strings.ToLower(dir)
	}
	return file == dir || strings.HasPrefix(file, dir+"/")
}

// Default is where a client would look first for servers of the user, whether
// or not there is a file; "" where it keeps none in a plain file.
func (m Machine) Default(c *config.Client) string {
	for _, p := range c.Places {
		if p.Scope != config.UserScope || p.Kind != config.FilePath || p.Legacy || p.Unread {
			continue
		}
		for _, at := range m.spots(c, p) {
			return at.path
		}
	}
	return ""
}
