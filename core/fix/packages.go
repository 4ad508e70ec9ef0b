package fix

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
)

// successor starts the package that took the place of one that was given up,
// where the same runner can.
func successor(b *bench) []Fix {
	if b.entry == nil || b.entry.Successor == "" {
		return nil
	}
	next := catalog.ByPackage(b.entry.Successor)
	fix := Fix{
		ID:          "successor",
		Title:       fmt.Sprintf("Use %s", next.Package),
		Description: fmt.Sprintf("%s has been replaced by %s.", b.entry.Package, next.Package),
		HelpURL:     next.Help,
		Confidence:  0.8,
	}
	if b.stdio() && b.launch.Index >= 0 && catalog.Registry(b.launch.Runner) == next.Runner {
		fix.Patch = b.changed(func(s *config.Server) { s.Args[b.launch.Index] = next.Package })
	}
	return []Fix{fix}
}

// pinCorrected drops a version that does not exist.
func pinCorrected(b *bench) []Fix {
	if !b.stdio() || b.launch.Index < 0 || b.Code == withdrawn { // it is there, in any version
		return nil
	}
	name := catalog.Unversioned(b.launch.Package)
	if name == b.launch.Package {
		return nil
	}
	patch := b.changed(func(s *config.Server) { s.Args[b.launch.Index] = name })
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "drop-version",
		Title:       "Take the version that the registry has",
		Description: fmt.Sprintf("%s asks for a version that may not exist; without it the newest is taken. Pin it again once it works.", b.launch.Package),
		Patch:       patch,
		Confidence:  0.6,
	}}
}

// confirmInstall adds -y, without which npx waits for an answer that nobody
// gives.
func confirmInstall(b *bench) []Fix {
	if !b.stdio() || b.launch.Runner != "npx" || b.launch.Index != b.launch.Shell {
		return nil
	}
	patch := b.changed(func(s *config.Server) {
		s.Args = append(append(append([]string{}, s.Args[:b.launch.Shell]...), "-y"), s.Args[b.launch.Shell:]...)
	})
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "npx-yes",
		Title:       "Let npx install without asking",
		Description: "Without -y npx asks before it installs, and no client answers.",
		Patch:       patch,
		Safety:      Safe,
		Confidence:  0.4,
	}}
}

// checkPackage asks the user to look at the name. A near name is a question and
// never an edit: whoever registers the misspelt name would be run.
func checkPackage(b *bench) []Fix {
	name := b.Names["package"]
	if name == "" {
		name = b.launch.Package
	}
	fix := Fix{
		ID:          "check-package",
		Title:       "Check the package's name",
		Description: "The registry has no package of that name and version. Compare it with the server's own page.",
		Confidence:  0.5,
	}
	if near := nearest(name); near != "" {
		fix.Description = fmt.Sprintf("The registry has no such package. Did you mean %s?", near)
	}
	return []Fix{fix}
}

// nearest is a package of the catalogue whose name is one slip away.
func nearest(name string) string {
	name = catalog.Unversioned(name)
	for _, known := range catalog.Packages() {
		if near(name, known) {
			return known
		}
	}
	return ""
}

// buildFirst is for a checkout whose entry file was never made.
func buildFirst(b *bench) []Fix {
	path := b.Names["module"] + b.Names["path"]
	if b.launch.Runner != "" && b.launch.Package != "" || inCache(path) {
		return nil
	}
	switch {
	case matches(builtFile, path):
		return []Fix{{
			ID: "build", Title: "Build the server first",
			Description:    "The file is made by the build, which has not been run in this checkout.",
			InstallCommand: "npm install && npm run build", Confidence: 0.8,
		}}
	case strings.HasSuffix(path, ".py") || b.Names["runtime"] == "python" || b.Code == "MCP1201":
		return []Fix{{
			ID: "install-requirements", Title: "Install what the server imports",
			Description:    "The server's own dependencies are not installed for the Python that runs it.",
			InstallCommand: "uv sync", Confidence: 0.6,
		}}
	}
	return []Fix{{
		ID: "install-dependencies", Title: "Install the server's dependencies",
		Description:    "Run it in the server's directory.",
		InstallCommand: "npm install", Confidence: 0.6,
	}}
}

var builtFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[/\\](?:dist|build|out|lib)[/\\][^/\\]+\.[cm]?js`)
})

func matches(pattern func() *regexp.Regexp, s string) bool { return pattern().MatchString(s) }

// inCache tells that a path is one of a package that npx keeps.
func inCache(path string) bool {
	return strings.Contains(path, "/_npx/") || strings.Contains(path, `\_npx\`)
}

// clearCache is for a package that the runner keeps in a broken state.
func clearCache(b *bench) []Fix {
	registry := catalog.Registry(b.launch.Runner)
	if registry == "" && inCache(b.Names["module"]+b.Names["path"]) {
		registry = "npm"
	}
	switch registry {
	case "npm":
		return []Fix{{
			ID: "clear-npx-cache", Title: "Clear npx's copy of the package",
			Description:    "An install that was broken off leaves a copy without its dependencies; npx uses it again and again.",
			InstallCommand: "npm cache npx rm", Confidence: 0.7,
		}}
	case "pypi":
		return []Fix{{
			ID: "clear-uv-cache", Title: "Clear uv's copy of the package",
			Description:    "uv keeps the environment that it made; clearing makes it anew.",
			InstallCommand: "uv cache clean", Confidence: 0.6,
		}}
	}
	return nil
}
