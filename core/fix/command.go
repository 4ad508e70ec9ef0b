package fix

import (
	"fmt"
	"slices"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
)

// missing is the program that was not found: what the log names, else what the
// entry starts.
func (b *bench) missing() string {
	name := catalog.Program(b.Names["command"])
	if name == "" && b.Server != nil {
		name = catalog.Program(b.Server.Command)
	}
	return name
}

// absoluteCommand writes the full path of the program, and where the program is
// a script that looks for its interpreter on the PATH, gives it that PATH.
func absoluteCommand(b *bench) []Fix {
	name := b.missing()
	path := b.facts.Commands[name]
	if path == "" || !b.stdio() || b.OS == "windows" && needsShell(path) {
		return nil
	}
	if catalog.Program(b.Server.Command) != name {
		// The server itself was found, and misses another program.
		return pathVariable(b, name, path)
	}
	dir := directory(path)
	patch := b.changed(func(s *config.Server) {
		s.Command = path
		if shebang(name) {
			s.Env = withPath(s.Env, dir)
		}
	})
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "absolute-command",
		Title:       fmt.Sprintf("Start %s by its full path", name),
		Description: fmt.Sprintf("%s is installed as %s; %s starts servers with a shorter PATH than your terminal.", name, path, b.client()),
		Patch:       patch,
		Confidence:  0.9,
	}}
}

func pathVariable(b *bench, name, path string) []Fix {
	patch := b.changed(func(s *config.Server) { s.Env = withPath(s.Env, directory(path)) })
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "path-variable",
		Title:       fmt.Sprintf("Give the server a PATH on which %s is", name),
		Description: fmt.Sprintf("The server needs %s, which is installed as %s.", name, path),
		Patch:       patch,
		Confidence:  0.8,
	}}
}

// shebang says whether a program is usually a script that begins with
// "#!/usr/bin/env node" and so needs its neighbour on the PATH.
func shebang(name string) bool {
	return slices.Contains([]string{"npx", "npm", "pnpm", "pnpx", "yarn", "bunx"}, name)
}

// withPath puts dir in front of the PATH of an entry. Where the entry has none,
// the usual places follow, since a PATH in the entry replaces the client's.
func withPath(env []config.Variable, dir string) []config.Variable {
	for i, v := range env {
		if v.Name == "PATH" {
			if !slices.Contains(strings.Split(v.Value, ":"), dir) {
				env[i].Value = dir + ":" + v.Value
			}
			return env
		}
	}
	return append(env, config.Variable{Name: "PATH", Value: dir + ":/usr/local/bin:/usr/bin:/bin"})
}

func directory(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i > 0 {
		return path[:i]
	}
	return path
}

// needsShell says whether Windows runs a file only through its shell.
func needsShell(path string) bool {
	path = strings.ToLower(path)
	return strings.HasSuffix(path, ".cmd") || strings.HasSuffix(path, ".bat")
}

// cmdGrammar are the characters that cmd.exe reads as its own.
const cmdGrammar = "&|<>^%!\"()\r\n"

// windowsShell starts a .cmd file through cmd /c. An argument with a character
// of cmd's own grammar would be read as part of a command line, so then it is
// not proposed.
func windowsShell(b *bench) []Fix {
	if b.OS != "windows" || !b.stdio() || b.launch.Shell > 0 {
		return nil
	}
	name := catalog.Program(b.Server.Command)
	if !shebang(name) && !needsShell(b.facts.Commands[name]) && !needsShell(b.Server.Command) {
		return nil
	}
	line := append([]string{b.Server.Command}, b.Server.Args...)
	if slices.ContainsFunc(line, func(arg string) bool { return strings.ContainsAny(arg, cmdGrammar) }) {
		return nil
	}
	patch := b.changed(func(s *config.Server) {
		s.Args = append([]string{"/c", s.Command}, s.Args...)
		s.Command = "cmd"
	})
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "windows-shell",
		Title:       fmt.Sprintf("Start %s through cmd /c", name),
		Description: fmt.Sprintf("On Windows %s is a .cmd file, which only the shell can start.", name),
		Patch:       patch,
		Confidence:  0.85,
	}}
}

// known are the programs that start servers; a name one slip away from one of
// them is taken for it.
var known = []string{"npx", "npm", "node", "uvx", "uv", "python", "python3", "docker", "bunx", "bun", "deno", "pnpm", "yarn", "pipx", "podman"}

// typoCommand corrects a misspelt runner, such as npxx.
func typoCommand(b *bench) []Fix {
	if !b.stdio() || strings.ContainsAny(b.Server.Command, `/\`) {
		return nil
	}
	name := b.Server.Command
	if slices.Contains(known, catalog.Program(name)) {
		return nil
	}
	for _, want := range known {
		if !near(name, want) {
			continue
		}
		patch := b.changed(func(s *config.Server) { s.Command = want })
		if patch == nil {
			return nil
		}
		return []Fix{{
			ID:          "command-typo",
			Title:       fmt.Sprintf("Write %s for %s", want, name),
			Description: fmt.Sprintf("No program is called %s; %s is one letter away.", name, want),
			Patch:       patch,
			Confidence:  0.85,
		}}
	}
	return nil
}

// near says whether one slip makes a of b: a letter more, less, another, or two
// swapped. Names of two letters are too short to tell.
func near(a, b string) bool {
	if len(b) < 3 || a == b || max(len(a), len(b))-min(len(a), len(b)) > 1 {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	ra, rb := a[i:], b[i:]
	switch {
	case len(a) > len(b):
		return ra[1:] == rb
	case len(a) < len(b):
		return ra == rb[1:]
	}
	return ra[1:] == rb[1:] || len(ra) > 1 && ra[0] == rb[1] && ra[1] == rb[0] && ra[2:] == rb[2:]
}

// alternatives are other runners of the same registry, each with the words
// before the package.
var alternatives = map[string][]struct {
	program string
	words   []string
}{
	"npm": {
		{"npx", []string{"-y"}},
		{"bunx", nil},
		{"pnpm", []string{"dlx"}},
	},
	"pypi": {
		{"uvx", nil},
		{"pipx", []string{"run"}},
	},
}

// otherRunner starts the same package with a runner that is installed, or with
// the package's own program where that is.
func otherRunner(b *bench) []Fix {
	if !b.stdio() || b.launch.Package == "" || b.launch.Shell > 0 {
		return nil
	}
	var fixes []Fix
	registry := catalog.Registry(b.launch.Runner)
	binary := binaryName(b.launch.Package)
	if path := b.facts.Commands[binary]; path != "" && registry != "docker" {
		fixes = append(fixes, b.runner("global-binary", path, nil, fmt.Sprintf("%s is installed as %s.", binary, path))...)
	}
	for _, other := range alternatives[registry] {
		path := b.facts.Commands[other.program]
		if other.program == b.launch.Runner || path == "" || b.OS == "windows" && needsShell(path) {
			continue
		}
		fixes = append(fixes, b.runner("runner-"+other.program, path, append(slices.Clone(other.words), b.launch.Package),
			fmt.Sprintf("%s is not there, but %s is and runs the same package.", b.launch.Runner, other.program))...)
	}
	if python := b.facts.Commands["python3"]; python != "" && registry == "pypi" {
		if module := strings.ReplaceAll(binary, "-", "_"); b.facts.Paths["python-module:"+module].Exists {
			fixes = append(fixes, b.runner("python-module", python, []string{"-m", module}, fmt.Sprintf("The package is installed for %s.", python))...)
		}
	}
	return fixes
}

func (b *bench) runner(id, command string, before []string, why string) []Fix {
	patch := b.changed(func(s *config.Server) {
		s.Command = command
		s.Args = append(slices.Clone(before), b.launch.Rest...)
	})
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID: id, Title: fmt.Sprintf("Start the package with %s", catalog.Program(command)), Description: why, Patch: patch, Confidence: 0.7,
	}}
}

// binaryName is what a package's program is usually called.
func binaryName(pkg string) string {
	name := catalog.Unversioned(pkg)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	return name
}

// installs tells how to get a program, by system.
var installs = map[string]map[string]string{
	"node":   {"macos": "brew install node", "windows": "winget install OpenJS.NodeJS.LTS", "linux": "apt-get install nodejs npm"},
	"uv":     {"macos": "brew install uv", "windows": "winget install astral-sh.uv", "linux": "pipx install uv"},
	"docker": {"macos": "brew install --cask docker", "windows": "winget install Docker.DockerDesktop", "linux": "apt-get install docker.io"},
	"python": {"macos": "brew install python", "windows": "winget install Python.Python.3.13", "linux": "apt-get install python3"},
	"bun":    {"macos": "brew install oven-sh/bun/bun", "windows": "winget install Oven-sh.Bun", "linux": "npm install -g bun"},
	"deno":   {"macos": "brew install deno", "windows": "winget install DenoLand.Deno", "linux": "npm install -g deno"},
	"pnpm":   {"macos": "brew install pnpm", "windows": "winget install pnpm.pnpm", "linux": "npm install -g pnpm"},
	"pipx":   {"macos": "brew install pipx", "windows": "python -m pip install --user pipx", "linux": "apt-get install pipx"},
	"git":    {"macos": "brew install git", "windows": "winget install Git.Git", "linux": "apt-get install git"},
}

// comesWith names the product that brings a program.
var comesWith = map[string]string{
	"npx": "node", "npm": "node", "node": "node", "nodejs": "node", "uvx": "uv", "uv": "uv", "docker": "docker",
	"python": "python", "python3": "python", "py": "python", "bunx": "bun", "bun": "bun", "deno": "deno", "pnpm": "pnpm", "pnpx": "pnpm", "pipx": "pipx", "git": "git",
}

// pages tell how to install a product, for a system that is not known.
var pages = map[string]string{
	"node": "https://nodejs.org/en/download", "uv": "https://docs.astral.sh/uv/getting-started/installation/",
	"docker": "https://docs.docker.com/get-started/get-docker/", "python": "https://www.python.org/downloads/",
	"bun": "https://bun.sh/docs/installation", "deno": "https://docs.deno.com/runtime/getting_started/installation/",
	"pnpm": "https://pnpm.io/installation", "pipx": "https://pipx.pypa.io/stable/installation/", "git": "https://git-scm.com/downloads",
}

// installCommand is what is left when the program is nowhere.
func installCommand(b *bench) []Fix {
	name := b.missing()
	product := comesWith[name]
	if path, looked := b.facts.Commands[name]; product == "" || looked && path != "" {
		return nil
	}
	origin := ""
	if name != product {
		origin = fmt.Sprintf("%s comes with %s. ", name, product)
	}
	return []Fix{{
		ID:             "install-" + product,
		Title:          fmt.Sprintf("Install %s", product),
		Description:    origin + fmt.Sprintf("If it is installed already, the full path in the config is enough; `%s %s` in a terminal prints it.", which(b.OS), name),
		InstallCommand: installs[product][b.OS],
		HelpURL:        pages[product],
		Confidence:     0.5,
	}}
}

func which(os string) string {
	if os == "windows" {
		return "where"
	}
	return "command -v"
}
