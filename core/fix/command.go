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

// product is something to install that brings programs.
type product struct {
	name                  string
	programs              []string
	page                  string // how to install it, for a system that is not known
	macos, windows, linux string // the command that does
}

var products = []product{
	{"node", []string{"node", "nodejs", "npm", "npx"}, "https://nodejs.org/en/download",
		"brew install node", "winget install OpenJS.NodeJS.LTS", "apt-get install nodejs npm"},
	{"uv", []string{"uv", "uvx"}, "https://docs.astral.sh/uv/getting-started/installation/",
		"brew install uv", "winget install astral-sh.uv", "pipx install uv"},
	{"docker", []string{"docker"}, "https://docs.docker.com/get-started/get-docker/",
		"brew install --cask docker", "winget install Docker.DockerDesktop", "apt-get install docker.io"},
	{"python", []string{"python", "python3", "py"}, "https://www.python.org/downloads/",
		"brew install python", "winget install Python.Python.3.13", "apt-get install python3"},
	{"bun", []string{"bun", "bunx"}, "https://bun.sh/docs/installation",
		"brew install oven-sh/bun/bun", "winget install Oven-sh.Bun", "npm install -g bun"},
	{"deno", []string{"deno"}, "https://docs.deno.com/runtime/getting_started/installation/",
		"brew install deno", "winget install DenoLand.Deno", "npm install -g deno"},
	{"pnpm", []string{"pnpm", "pnpx"}, "https://pnpm.io/installation",
		"brew install pnpm", "winget install pnpm.pnpm", "npm install -g pnpm"},
	{"pipx", []string{"pipx"}, "https://pipx.pypa.io/stable/installation/",
		"brew install pipx", "python -m pip install --user pipx", "apt-get install pipx"},
	{"git", []string{"git"}, "https://git-scm.com/downloads",
		"brew install git", "winget install Git.Git", "apt-get install git"},
}

// bringing is the product that brings a program, nil where none is known.
func bringing(program string) *product {
	for i := range products {
		if slices.Contains(products[i].programs, program) {
			return &products[i]
		}
	}
	return nil
}

func (p *product) install(os string) string {
	switch os {
	case "macos":
		return p.macos
	case "windows":
		return p.windows
	case "linux":
		return p.linux
	}
	return ""
}

// installCommand is what is left when the program is nowhere.
func installCommand(b *bench) []Fix {
	name := b.missing()
	product := bringing(name)
	if path, looked := b.facts.Commands[name]; product == nil || looked && path != "" {
		return nil
	}
	origin := ""
	if name != product.name {
		origin = fmt.Sprintf("%s comes with %s. ", name, product.name)
	}
	return []Fix{{
		ID:             "install-" + product.name,
		Title:          fmt.Sprintf("Install %s", product.name),
		Description:    origin + fmt.Sprintf("If it is installed already, the full path in the config is enough; `%s %s` in a terminal prints it.", which(b.OS), name),
		InstallCommand: product.install(b.OS),
		HelpURL:        product.page,
		Confidence:     0.5,
	}}
}

func which(os string) string {
	if os == "windows" {
		return "where"
	}
	return "command -v"
}
