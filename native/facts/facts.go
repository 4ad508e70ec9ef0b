// Package facts finds out what only the machine can tell a fixer: where a
// program is, which ports listen, what a compose file publishes, how variables
// in .env files are called. It reads and asks, it changes nothing, and it never
// keeps a value of a variable.
//
// Facts are collected for one problem at a time, since each costs something,
// and within a time limit: a fact that takes too long stays unknown.
package facts

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
	"mcpmend/core/fix"
)

// Machine is where facts are looked for.
type Machine struct {
	OS      string // linux, macos, windows
	Home    string
	Project string // directory with .env and compose files, or ""
	Getenv  func(string) string
}

// Local is this machine.
func Local(project string) Machine {
	home, _ := os.UserHomeDir() // without one, what lies below it is unknown
	names := map[string]string{"darwin": "macos"}
	system := runtime.GOOS
	if name := names[system]; name != "" {
		system = name
	}
	return Machine{OS: system, Home: home, Project: project, Getenv: os.Getenv}
}

// Question is the problem that a fixer will be asked about.
type Question struct {
	Category string
	Names    map[string]string
	Server   *config.Server
	Client   *config.Client
	Dir      string // where the server is started, for relative paths; "" where that is not known
}

// timeout bounds the collection as a whole.
const timeout = 3 * time.Second

// collector adds one kind of fact. Each works on its own Facts, which are
// merged, so that one that hangs holds up nobody.
type collector func(context.Context, Machine, Question, *fix.Facts)

// wanted is which kinds of facts the fixers of a category use.
var wanted = map[string][]collector{
	"command_not_found":     {commands, runtimes},
	"package_not_found":     {commands},
	"module_missing":        {commands, paths},
	"runtime_version":       {commands, runtimes},
	"path_not_found":        {commands, paths},
	"permission_denied":     {commands, paths},
	"missing_env_var":       {variables},
	"auth_failed":           {variables},
	"connection_refused":    {ports, compose, docker},
	"port_in_use":           {ports},
	"container_unavailable": {docker},
	"stdout_pollution":      {commands},
	"timeout":               {commands, ports, compose},
	"transport_mismatch":    {ports},
}

// Collect gathers what the fixers of the question's category use.
func Collect(ctx context.Context, m Machine, q Question) fix.Facts {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found := fix.Facts{OS: m.OS, WSL: m.wsl(), Commands: map[string]string{}, Paths: map[string]fix.Path{}}
	var lock sync.Mutex
	done := make(chan struct{})
	left := len(wanted[q.Category])
	if left == 0 {
		return found
	}
	for _, collect := range wanted[q.Category] {
		go func() {
			part := fix.Facts{Commands: map[string]string{}, Paths: map[string]fix.Path{}}
			collect(ctx, m, q, &part)
			lock.Lock()
			defer lock.Unlock()
			merge(&found, part)
			if left--; left == 0 {
				close(done)
			}
		}()
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
	lock.Lock()
	defer lock.Unlock()
	answer := found
	found = fix.Facts{Commands: map[string]string{}, Paths: map[string]fix.Path{}} // what comes late goes nowhere
	return answer
}

func merge(into *fix.Facts, part fix.Facts) {
	for name, path := range part.Commands {
		into.Commands[name] = path
	}
	for name, path := range part.Paths {
		into.Paths[name] = path
	}
	into.ClientPath = append(into.ClientPath, part.ClientPath...)
	into.Runtimes = append(into.Runtimes, part.Runtimes...)
	into.Ports = append(into.Ports, part.Ports...)
	into.Published = append(into.Published, part.Published...)
	into.EnvNames = append(into.EnvNames, part.EnvNames...)
	if part.Docker != nil {
		into.Docker = part.Docker
	}
}

// wsl says whether this Linux runs inside Windows.
func (m Machine) wsl() bool {
	if m.OS != "linux" {
		return false
	}
	version, err := os.ReadFile("/proc/sys/kernel/osrelease")
	return err == nil && strings.Contains(strings.ToLower(string(version)), "microsoft")
}

// paths looks at the paths that the entry and the problem name.
func paths(ctx context.Context, m Machine, q Question, found *fix.Facts) {
	if m.Home != "" {
		found.Paths["~"] = fix.Path{Exists: true, Dir: true, Near: m.Home}
	}
	var candidates []string
	if q.Server != nil {
		candidates = append(candidates, q.Server.Command, q.Server.Cwd)
		for _, arg := range q.Server.Args {
			if _, value, ok := strings.Cut(arg, "="); ok {
				candidates = append(candidates, value)
			}
			candidates = append(candidates, arg)
		}
		if launch := catalog.Parse(q.Server.Command, q.Server.Args); launch.Package != "" {
			module := strings.ReplaceAll(catalog.Unversioned(launch.Package), "-", "_")
			found.Paths["python-module:"+module] = fix.Path{Exists: m.pythonModule(module)}
		}
	}
	candidates = append(candidates, q.Names["path"])
	for _, path := range candidates {
		if ctx.Err() != nil {
			return
		}
		switch {
		case filepath.IsAbs(path), strings.HasPrefix(path, "~/"):
			found.Paths[path] = m.path(path)
		case q.Dir != "" && strings.ContainsAny(path, `/\`) && filepath.IsLocal(path):
			found.Paths[path] = relative(m.path(filepath.Join(q.Dir, path)), path, q.Dir)
		}
	}
}

// relative is what is known of a relative path, the path that is near it
// written in the same way.
func relative(p fix.Path, path, dir string) fix.Path {
	if near, err := filepath.Rel(dir, p.Near); err == nil && p.Near != "" {
		p.Near = near
		if dot := "." + string(filepath.Separator); strings.HasPrefix(path, dot) {
			p.Near = dot + near
		}
	}
	return p
}

func (m Machine) path(path string) fix.Path {
	real := path
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		real = filepath.Join(m.Home, rest)
	}
	info, err := os.Stat(real)
	if err != nil {
		return fix.Path{Near: near(real)}
	}
	return fix.Path{Exists: true, Dir: info.IsDir(), Mode: mode(info), Owner: owner(info)}
}

// maxSiblings bounds the search for a name that was meant.
const maxSiblings = 5000

// near finds the existing path that differs by case or one slip in each of its
// elements, where there is exactly one.
func near(path string) string {
	volume := filepath.VolumeName(path)
	at := volume + string(filepath.Separator)
	for _, element := range strings.Split(strings.Trim(path[len(volume):], string(filepath.Separator)), string(filepath.Separator)) {
		next := filepath.Join(at, element)
		if _, err := os.Lstat(next); err != nil {
			if next = sibling(at, element); next == "" {
				return ""
			}
		}
		at = next
	}
	if at == path {
		return ""
	}
	return at
}

func sibling(dir, name string) string {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "" // to open a pipe would wait for ever
	}
	d, err := os.Open(dir)
	if err != nil {
		return ""
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxSiblings) // what was read before an error is still there
	found := ""
	for _, other := range names {
		if strings.EqualFold(other, name) {
			return filepath.Join(dir, other)
		}
		if len(name) > 3 && slip(other, name) {
			if found != "" {
				return ""
			}
			found = filepath.Join(dir, other)
		}
	}
	return found
}

// slip says whether one letter more, less or other makes a of b.
func slip(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) > 1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(b) && a[i+1:] == b[i+1:]
	}
	return a[i+1:] == b[i:]
}
