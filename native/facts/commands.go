package facts

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
	"mcpmend/core/fix"
)

// asked are the programs that fixers ask for whatever the problem is.
var asked = []string{"npx", "node", "npm", "bunx", "bun", "pnpm", "deno", "uvx", "uv", "pipx", "python3", "docker", "mcpmend", "sh"}

// commands looks programs up: on the PATH of the user, in the directories of
// version managers, and where installers put things.
func commands(ctx context.Context, m Machine, q Question, found *fix.Facts) {
	names := slices.Clone(asked)
	if command := q.Names["command"]; command != "" {
		names = append(names, catalog.Program(command))
	}
	if q.Server != nil {
		names = append(names, catalog.Program(q.Server.Command))
		if launch := catalog.Parse(q.Server.Command, q.Server.Args); launch.Package != "" {
			pkg := catalog.Unversioned(launch.Package)
			names = append(names, pkg[strings.LastIndexByte(pkg, '/')+1:])
		}
	}
	dirs := m.searchPath()
	for _, name := range names {
		if ctx.Err() != nil {
			return
		}
		if name != "" && !strings.ContainsAny(name, `/\`) {
			found.Commands[name] = m.look(name, dirs)
		}
	}
	if self, err := os.Executable(); err == nil && filepath.Base(self) == "mcpmend" {
		found.Commands["mcpmend"] = self
	}
	found.ClientPath = m.clientPath(q.Client)
}

// searchPath is the PATH with the places where installers put programs that a
// shell adds to it later. A relative entry is left out: what it leads to
// depends on where one stands.
func (m Machine) searchPath() []string {
	var dirs []string
	add := func(dir string) {
		if filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range filepath.SplitList(m.Getenv("PATH")) {
		add(dir)
	}
	for _, r := range m.managed() {
		add(filepath.Dir(r.Path))
	}
	for _, below := range []string{".local/bin", ".cargo/bin", ".bun/bin", ".deno/bin", ".volta/bin", ".npm-global/bin", ".local/share/mise/shims", ".asdf/shims", "go/bin"} {
		if m.Home != "" {
			add(filepath.Join(m.Home, filepath.FromSlash(below)))
		}
	}
	if m.OS != "windows" {
		for _, dir := range []string{"/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin"} {
			add(dir)
		}
	}
	for _, venv := range []string{".venv", "venv"} {
		if m.Project != "" {
			add(filepath.Join(m.Project, venv, "bin"))
		}
	}
	return dirs
}

// look finds a program in directories.
func (m Machine) look(name string, dirs []string) string {
	endings := []string{""}
	if m.OS == "windows" {
		endings = []string{".exe", ".cmd", ".bat"}
	}
	for _, dir := range dirs {
		for _, ending := range endings {
			path := filepath.Join(dir, name+ending)
			if info, err := os.Stat(path); err == nil && !info.IsDir() && (m.OS == "windows" || info.Mode()&0o111 != 0) {
				return path
			}
		}
	}
	return ""
}

// clientPath is the PATH that a client gives its servers. A program that is
// started from the macOS desktop has the system's own, whatever the shell says.
func (m Machine) clientPath(c *config.Client) []string {
	if m.OS == "macos" && c != nil && c.Launch == config.FromDesktop {
		return []string{"/usr/bin", "/bin", "/usr/sbin", "/sbin"}
	}
	return filepath.SplitList(m.Getenv("PATH"))
}

// pythonModule says whether a module is installed for the user or the project.
func (m Machine) pythonModule(name string) bool {
	for _, pattern := range []string{
		filepath.Join(m.Home, ".local", "lib", "python3*", "site-packages", name),
		filepath.Join(m.Project, ".venv", "lib", "python3*", "site-packages", name),
	} {
		if matches, _ := filepath.Glob(pattern); len(matches) > 0 {
			return true
		}
	}
	return false
}
