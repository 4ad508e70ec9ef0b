// Package windows is for the ways in which Windows starts programs that are no
// programs: scripts of npm, aliases of the store, variables that a client does
// not hand on.
package windows

import (
	"fmt"
	"strings"

	"mcpmend/wasm/packs/internal/pack"
)

// Propose looks at entries on Windows. Where the host does not know the system,
// paths in the message give it away.
func Propose(r pack.Request) pack.Answer {
	var a pack.Answer
	if r.Facts.OS != "windows" && !(r.Facts.OS == "" && (r.Diagnosis.Says(`:\users\`) || r.Diagnosis.Says("microsoft store"))) {
		return a
	}
	for _, mend := range []func(pack.Request) []pack.Fix{appData, npmDirectory, script, storeAlias, pastTheShell} {
		a.Fixes = append(a.Fixes, mend(r)...)
	}
	return a
}

// scripts are programs of npm that are .cmd files on Windows.
var scripts = []string{"npx", "npm", "pnpm", "pnpx", "yarn"}

func isScript(s pack.Server) bool {
	for _, name := range scripts {
		if s.Program() == name {
			return true
		}
	}
	return false
}

// appData is for npm, which looks for %APPDATA% and gets the name instead of
// the value when a client starts servers with a bare environment.
func appData(r pack.Request) []pack.Fix {
	if !r.Diagnosis.Says("${APPDATA}") && !r.Diagnosis.Says("missing `APPDATA`") || r.Server.Env["APPDATA"] != "" {
		return nil
	}
	home := r.Facts.Paths["~"].Near
	fix := pack.Fix{
		ID: "set-appdata", Title: "Give the server APPDATA",
		Description: "npm keeps its things below %APPDATA%, and the client does not hand that variable on.",
		EnvVarHint:  "APPDATA", HelpURL: "https://modelcontextprotocol.io/quickstart/user", Confidence: 0.9,
	}
	if home == "" {
		fix.Description += ` Add it to "env" of the entry, written out: C:\Users\, your name, \AppData\Roaming.`
		fix.RequiresUserAction = true
		return []pack.Fix{fix}
	}
	fix.Patch = []pack.Op{r.Server.SetEnv("APPDATA", strings.TrimRight(home, `\/`)+`\AppData\Roaming`)}
	return []pack.Fix{fix}
}

// npmDirectory is for npx on a machine where npm never installed anything.
func npmDirectory(r pack.Request) []pack.Fix {
	if !r.Diagnosis.Says(`\appdata\roaming\npm`) || !r.Diagnosis.Says("ENOENT") {
		return nil
	}
	return []pack.Fix{{
		ID: "npm-directory", Title: "Let npm make its directory",
		Description:    "npx wants a directory that npm makes when it first installs something for the user. Installing npm itself does it.",
		InstallCommand: "npm install -g npm", RequiresUserAction: true, Confidence: 0.85,
	}}
}

// grammar are the characters that cmd reads as its own.
const grammar = "&|<>^%!\"()\r\n"

// script is for Node, which since 2024 refuses to start a .cmd file by itself:
// spawn EINVAL.
func script(r pack.Request) []pack.Fix {
	if !r.Diagnosis.Says("EINVAL") || !isScript(r.Server) && !strings.HasSuffix(strings.ToLower(r.Server.Command), ".cmd") {
		return nil
	}
	if !isScript(r.Server) || strings.ContainsAny(strings.Join(r.Server.Args, " "), grammar) {
		return nil
	}
	return []pack.Fix{{
		ID: "script-through-cmd", Title: fmt.Sprintf("Start %s through cmd /c", r.Server.Program()),
		Description: "It is a .cmd file, which programs made with Node no longer start by themselves.",
		Patch: []pack.Op{
			{Op: "replace", Path: r.Server.Pointer + "/command", Value: "cmd"},
			r.Server.InsertArg(0, "/c"), r.Server.InsertArg(1, r.Server.Program()),
		},
		Confidence: 0.85,
	}}
}

// storeAlias is for a python that only opens the store.
func storeAlias(r pack.Request) []pack.Fix {
	if !r.Diagnosis.Says("microsoft store") && !r.Diagnosis.Says("app execution aliases") {
		return nil
	}
	return []pack.Fix{{
		ID: "store-alias", Title: "Install Python, or turn its alias off",
		Description:        "The python that was found is a stand-in that opens the store. Settings, Apps, App execution aliases turns it off; then the real one is found.",
		RequiresUserAction: true, HelpURL: "https://docs.python.org/3/using/windows.html", Confidence: 0.85,
	}}
}

// pastTheShell is for arguments that cmd would read as its own: Node can run
// npx without it.
func pastTheShell(r pack.Request) []pack.Fix {
	node := r.Facts.Commands["node"]
	cut := strings.LastIndexByte(node, '\\')
	if r.Diagnosis.Category != "command_not_found" || r.Server.Program() != "npx" || cut < 0 || !strings.ContainsAny(strings.Join(r.Server.Args, " "), grammar) {
		return nil
	}
	return []pack.Fix{{
		ID: "npx-by-node", Title: "Start npx with node itself",
		Description: fmt.Sprintf(`An argument has a character that cmd would read as its own, so cmd /c is no way. Set the command to %s and put %s\node_modules\npm\bin\npx-cli.js before the arguments.`,
			node, node[:cut]),
		RequiresUserAction: true, Confidence: 0.7,
	}}
}
