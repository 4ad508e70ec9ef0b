package fix

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
)

// otherRuntime uses an installed interpreter that is new enough: of those the
// facts show, the lowest that will do.
func otherRuntime(b *bench) []Fix {
	runtime := b.runtime()
	want := b.Names["required"]
	if !b.stdio() || len(b.facts.Runtimes) == 0 || b.launch.Shell > 0 {
		return nil
	}
	var fit []Runtime
	for _, r := range b.facts.Runtimes {
		if r.Name == runtime && (want == "" || atLeast(r.Version, want)) && !strings.HasPrefix(r.Version, b.Names["version"]+".") {
			fit = append(fit, r)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	sort.SliceStable(fit, func(i, j int) bool { return compareVersions(fit[i].Version, fit[j].Version) < 0 })
	r := fit[0]
	if want == "" {
		r = fit[len(fit)-1]
	}
	patch := b.changed(func(s *config.Server) {
		if catalog.Program(s.Command) == runtime {
			s.Command = r.Path
		} else if b.launch.Runner != "" {
			s.Command = directory(r.Path) + "/" + catalog.Program(s.Command)
		}
		s.Env = withPath(s.Env, directory(r.Path))
	})
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "other-runtime",
		Title:       fmt.Sprintf("Run it with %s %s", r.Name, r.Version),
		Description: fmt.Sprintf("The server needs a newer %s than the one that started it; %s is installed as %s.", r.Name, r.Version, r.Path),
		Patch:       patch,
		Confidence:  0.8,
	}}
}

// runtime is the interpreter in question.
func (b *bench) runtime() string {
	switch name := strings.ToLower(b.Names["runtime"]); {
	case strings.HasPrefix(name, "node"):
		return "node"
	case strings.HasPrefix(name, "python"):
		return "python"
	}
	if catalog.Registry(b.launch.Runner) == "pypi" || strings.HasPrefix(b.missing(), "python") {
		return "python"
	}
	return "node"
}

// installRuntime is what is left when no installed one will do.
func installRuntime(b *bench) []Fix {
	runtime := b.runtime()
	command := map[string]string{"node": "nvm install --lts", "python": "uv python install"}[runtime]
	if b.OS == "windows" && runtime == "node" {
		command = bringing("node").windows
	}
	return []Fix{{
		ID:             "install-" + runtime,
		Title:          fmt.Sprintf("Install a newer %s", runtime),
		Description:    "Then start the server with it: a version manager's own is found by its full path only.",
		InstallCommand: command,
		HelpURL:        bringing(runtime).page,
		Confidence:     0.6,
	}}
}

// atLeast compares a version with a requirement such as ">=22.19.0" or "20".
func atLeast(version, required string) bool {
	return compareVersions(version, strings.TrimLeft(required, "^~>=v ")) >= 0
}

// compareVersions compares the numbers of two versions, as far as both go.
func compareVersions(a, b string) int {
	x, y := numbers(a), numbers(b)
	for i := range min(len(x), len(y)) {
		if c := cmp.Compare(x[i], y[i]); c != 0 {
			return c
		}
	}
	return 0
}

func numbers(version string) []int {
	var list []int
	for part := range strings.SplitSeq(strings.TrimPrefix(version, "v"), ".") {
		digits := strings.TrimRightFunc(part, func(r rune) bool { return r < '0' || r > '9' })
		n, err := strconv.Atoi(digits)
		if err != nil {
			break
		}
		list = append(list, n)
	}
	return list
}
