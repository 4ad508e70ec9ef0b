// Package browsers is for the servers that drive a browser: which one is
// missing and how to get it, which installed one will do, and what they need
// where there is no screen.
package browsers

import (
	"fmt"
	"slices"
	"strings"

	"mcpmend/wasm/packs/internal/pack"
)

// driver is a server that drives a browser, with its own words for things.
type driver struct {
	pkg        string
	executable string // flag that takes the path of a browser
	variable   string // or the variable that does
	headless   string
	isolated   string
	install    string // how its own browser is fetched
	help       string
}

var drivers = []driver{
	{"@playwright/mcp", "--executable-path", "", "--headless", "--isolated", "npx playwright install", "https://playwright.dev/docs/browsers"},
	{"@executeautomation/playwright-mcp-server", "", "", "", "", "npx playwright install", "https://playwright.dev/docs/browsers"},
	{"@modelcontextprotocol/server-playwright", "", "", "", "", "npx playwright install", "https://playwright.dev/docs/browsers"},
	{"chrome-devtools-mcp", "--executablePath", "", "--headless", "--isolated", "", "https://github.com/ChromeDevTools/chrome-devtools-mcp"},
	{"@modelcontextprotocol/server-puppeteer", "", "PUPPETEER_EXECUTABLE_PATH", "", "", "npx puppeteer browsers install chrome", "https://pptr.dev/browsers-api"},
	{"puppeteer-mcp-server", "", "PUPPETEER_EXECUTABLE_PATH", "", "", "npx puppeteer browsers install chrome", "https://pptr.dev/browsers-api"},
	{"@agent-infra/mcp-server-browser", "--executable-path", "", "--headless", "", "", ""},
}

// installed are programs that are a Chromium, best first.
var installed = []string{"google-chrome", "google-chrome-stable", "chrome", "chromium", "chromium-browser", "microsoft-edge", "msedge"}

// Propose looks at what the browser, or its absence, had to say.
func Propose(r pack.Request) pack.Answer {
	i := slices.IndexFunc(drivers, func(d driver) bool { return r.Server.Runs(d.pkg) })
	if i < 0 {
		return pack.Answer{}
	}
	d := drivers[i]
	var a pack.Answer
	for _, mend := range []func(pack.Request, driver) []pack.Fix{noScreen, inUse, otherBrowser, fetch, libraries} {
		a.Fixes = append(a.Fixes, mend(r, d)...)
	}
	return a
}

func missing(d pack.Diagnosis) bool {
	for _, words := range []string{"executable doesn't exist", "is not found at", "could not find chrome", "could not find google chrome", "browser was not found", "playwright install", "browsers install"} {
		if d.Says(words) {
			return true
		}
	}
	return false
}

// has tells whether a flag is given already.
func has(s pack.Server, flag string) bool {
	return slices.ContainsFunc(s.Args, func(arg string) bool { return arg == flag || strings.HasPrefix(arg, flag+"=") })
}

// noScreen is for a machine without a display.
func noScreen(r pack.Request, d driver) []pack.Fix {
	noDisplay := r.Diagnosis.Says("missing x server") || r.Diagnosis.Says("without having a xserver") || r.Diagnosis.Says("cannot open display") || r.Diagnosis.Says("$display")
	if !noDisplay || d.headless == "" || has(r.Server, d.headless) {
		return nil
	}
	return []pack.Fix{{
		ID: "headless", Title: "Run the browser without a window",
		Description: "There is no display where the server runs.", Patch: r.Server.AppendArgs(d.headless), HelpURL: d.help, Confidence: 0.9,
	}}
}

// inUse is for a profile that another browser holds.
func inUse(r pack.Request, d driver) []pack.Fix {
	held := r.Diagnosis.Says("already in use") || r.Diagnosis.Says("already running for") || r.Diagnosis.Says("SingletonLock") || r.Diagnosis.Says("ProcessSingleton")
	if !held || d.isolated == "" || has(r.Server, d.isolated) {
		return nil
	}
	return []pack.Fix{{
		ID: "isolated-profile", Title: "Give the browser a profile of its own",
		Description: "Another browser holds the profile. With its own, kept in memory, the server is not signed in anywhere.",
		Patch:       r.Server.AppendArgs(d.isolated), HelpURL: d.help, Confidence: 0.8,
	}}
}

// otherBrowser takes one that is installed.
func otherBrowser(r pack.Request, d driver) []pack.Fix {
	if !missing(r.Diagnosis) {
		return nil
	}
	for _, name := range installed {
		path := r.Facts.Commands[name]
		if path == "" {
			continue
		}
		fix := pack.Fix{
			ID: "installed-browser", Title: fmt.Sprintf("Use the %s that is installed", name),
			Description: fmt.Sprintf("The browser that the server looks for is not there, but %s is.", path), HelpURL: d.help, Confidence: 0.8,
		}
		switch {
		case d.executable != "" && !has(r.Server, d.executable):
			fix.Patch = r.Server.AppendArgs(d.executable, path)
		case d.variable != "" && r.Server.Env[d.variable] == "":
			fix.Patch = []pack.Op{r.Server.SetEnv(d.variable, path)}
		default:
			return nil
		}
		return []pack.Fix{fix}
	}
	return nil
}

// fetch tells how to get the browser.
func fetch(r pack.Request, d driver) []pack.Fix {
	if !missing(r.Diagnosis) || d.install == "" {
		return nil
	}
	name, command := "chromium", d.install
	for _, candidate := range []string{"chrome", "msedge", "firefox", "webkit"} {
		if r.Diagnosis.Says("playwright install "+candidate) || r.Diagnosis.Says("distribution '"+candidate+"'") || slices.Contains(r.Server.Args, candidate) {
			name = candidate
			break
		}
	}
	if strings.HasSuffix(command, " chrome") {
		name = "chrome"
	} else {
		command += " " + name
	}
	return []pack.Fix{{
		ID: "install-browser", Title: fmt.Sprintf("Install %s for the server", name),
		Description:    "The server brings no browser. Each version of it wants its own, so the command is needed again after an update.",
		InstallCommand: command, HelpURL: d.help, RequiresUserAction: true, Confidence: 0.85,
	}}
}

// libraries is for a browser that is there and does not start.
func libraries(r pack.Request, d driver) []pack.Fix {
	lacking := r.Diagnosis.Says("missing dependencies to run browsers") || r.Diagnosis.Says("error while loading shared libraries")
	if !lacking || !strings.Contains(d.install, "playwright") {
		return nil
	}
	return []pack.Fix{{
		ID: "browser-libraries", Title: "Install the libraries that the browser needs",
		Description:    "The browser is there, and libraries of the system are not. The command installs them and asks for the right to do so.",
		InstallCommand: "npx playwright install-deps", HelpURL: d.help, RequiresUserAction: true, Confidence: 0.8,
	}}
}
