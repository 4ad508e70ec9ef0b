package catalog

import (
	"slices"
	"strings"
)

// Launch is a command line taken apart: which runner starts which package.
type Launch struct {
	Runner  string   // npx, uvx, docker, …; empty for a program of its own
	Package string   // with its version as written; empty where none is named
	Index   int      // of the package in the arguments, -1 where it is the command
	Rest    []string // the server's own arguments
	Shell   int      // how many leading arguments only start the runner, as in cmd /c npx
}

// runner describes a program that fetches and starts a package.
type runner struct {
	name     string
	registry string
	verbs    []string // the words before the package, such as "dlx" or "run"
	valued   []string // flags that take a value
	named    []string // flags whose value is the package
}

var runners = []runner{
	{name: "npx", registry: "npm", valued: []string{"-c", "--call", "-w", "--workspace", "--registry", "--cache", "--prefix"}, named: []string{"-p", "--package"}},
	{name: "bunx", registry: "npm", named: []string{"-p", "--package"}},
	{name: "pnpx", registry: "npm"},
	{name: "npm", registry: "npm", verbs: []string{"exec", "x"}, named: []string{"--package"}},
	{name: "pnpm", registry: "npm", verbs: []string{"dlx", "exec"}, named: []string{"--package"}},
	{name: "yarn", registry: "npm", verbs: []string{"dlx"}, named: []string{"-p", "--package"}},
	{name: "bun", registry: "npm", verbs: []string{"x"}},
	{name: "uvx", registry: "pypi", valued: []string{"-p", "--python", "--with", "--index-url", "--extra-index-url", "--index", "--directory", "--cache-dir", "--refresh-package"}, named: []string{"--from"}},
	{name: "uv", registry: "pypi", verbs: []string{"tool run", "x"}, valued: []string{"-p", "--python", "--with", "--index-url", "--directory"}, named: []string{"--from"}},
	{name: "pipx", registry: "pypi", verbs: []string{"run"}, valued: []string{"--python"}, named: []string{"--spec"}},
	{name: "docker", registry: "docker", verbs: []string{"run"}, valued: []string{"-e", "--env", "--env-file", "-v", "--volume", "--mount", "-p", "--publish", "--name", "--network", "--net", "-w", "--workdir", "-u", "--user", "--platform", "--entrypoint", "--add-host", "-l", "--label", "-m", "--memory", "--cpus", "--pull", "--gpus", "--restart", "-h", "--hostname", "--dns", "--cap-add", "--cap-drop", "--security-opt", "--tmpfs", "--ulimit"}},
	{name: "podman", registry: "docker", verbs: []string{"run"}, valued: []string{"-e", "--env", "--env-file", "-v", "--volume", "--mount", "-p", "--publish", "--name", "--network", "-w", "--workdir", "-u", "--user", "--platform", "--entrypoint"}},
	{name: "nerdctl", registry: "docker", verbs: []string{"run"}, valued: []string{"-e", "--env", "-v", "--volume", "-p", "--publish", "--name"}},
}

// Registry says where a runner gets its packages: npm, pypi or docker.
func Registry(name string) string {
	r, _ := runnerNamed(name)
	return r.registry
}

func runnerNamed(name string) (runner, bool) {
	for _, r := range runners {
		if r.name == name {
			return r, true
		}
	}
	return runner{}, false
}

// Parse takes a command line apart. It knows the usual runners, also behind
// "cmd /c" and "env NAME=value".
func Parse(command string, args []string) Launch {
	name, shell := unwrap(Program(command), args)
	r, known := runnerNamed(name)
	if !known || shell > len(args) {
		return Launch{Index: -1, Rest: args, Shell: shell}
	}
	launch := Launch{Runner: name, Index: -1, Shell: shell}
	at, ok := skipVerb(args, shell, r.verbs)
	if !ok {
		launch.Rest = args[shell:]
		return launch
	}
	r.find(&launch, args, at)
	return launch
}

// unwrap gives the program that cmd or env starts, and how many arguments lead
// to it.
func unwrap(name string, args []string) (program string, leading int) {
	switch {
	case name == "cmd" && len(args) > 1 && strings.EqualFold(args[0], "/c"):
		leading = 2
	case name == "env":
		for leading < len(args) && (strings.Contains(args[leading], "=") || strings.HasPrefix(args[leading], "-")) {
			leading++
		}
		leading++
	}
	if leading > 0 && leading <= len(args) {
		name = Program(args[leading-1])
	}
	return name, leading
}

// find looks for the package among a runner's arguments: the value of a flag
// that names it, else the first that is no flag. What follows is the server's.
func (r runner) find(launch *Launch, args []string, at int) {
	for ; at < len(args); at++ {
		arg := args[at]
		flag, value, inline := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			continue
		case slices.Contains(r.named, flag) && inline:
			launch.Package, launch.Index = value, at
		case slices.Contains(r.named, flag):
			if at++; at < len(args) {
				launch.Package, launch.Index = args[at], at
			}
		case slices.Contains(r.valued, flag):
			if !inline {
				at++
			}
		case strings.HasPrefix(arg, "-"):
		default:
			if launch.Package == "" {
				launch.Package, launch.Index = arg, at
			}
			launch.Rest = args[at+1:]
			return
		}
	}
}

// skipVerb passes over the words that make a runner run: "tool run", "dlx".
func skipVerb(args []string, at int, verbs []string) (int, bool) {
	if len(verbs) == 0 {
		return at, true
	}
	for _, verb := range verbs {
		words := strings.Fields(verb)
		if len(args)-at >= len(words) && slices.Equal(args[at:at+len(words)], words) {
			return at + len(words), true
		}
	}
	return at, false
}

// Program is the name of a program without its directory and the endings that
// Windows gives it.
func Program(command string) string {
	if i := strings.LastIndexAny(command, `/\`); i >= 0 {
		command = command[i+1:]
	}
	command = strings.ToLower(command)
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		command = strings.TrimSuffix(command, ending)
	}
	return command
}

// Unversioned is a package's name without version, tag or extras.
func Unversioned(name string) string {
	if i := strings.Index(name, "=="); i > 0 {
		name = name[:i]
	}
	if i := strings.IndexAny(name, "["); i > 0 {
		name = name[:i]
	}
	if i := strings.LastIndex(name, "@"); i > 0 {
		name = name[:i]
	}
	// An image's tag comes after the last slash; its registry may have a port.
	if i := strings.LastIndex(name, ":"); i > strings.LastIndex(name, "/") && i > 0 {
		name = name[:i]
	}
	return name
}
