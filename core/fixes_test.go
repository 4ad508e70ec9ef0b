package core_test

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mcpmend/core"
	"mcpmend/core/catalog"
	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/lint"
)

// failure is a labelled case of the reference corpus.
type failure struct {
	ID     string   `json:"id"`
	Text   string   `json:"text"`
	Config string   `json:"config"`
	Client string   `json:"client"`
	Fixed  any      `json:"fixed_config"`
	Label  string   `json:"label"`
	Also   []string `json:"also"`
}

func failures(t *testing.T) []failure {
	t.Helper()
	f, err := os.Open("../../shared/corpus/triage.jsonl")
	if err != nil {
		t.Skip("no reference corpus beside the checkout")
	}
	defer f.Close()
	var all []failure
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var c failure
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// everything is a machine on which every fact that a fixer may ask for is
// known, so that all fixers speak.
var everything = []fix.Facts{
	{},
	{
		OS: "macos",
		Commands: map[string]string{
			"npx": "/opt/node/bin/npx", "node": "/opt/node/bin/node", "uvx": "/opt/uv/uvx", "bunx": "/opt/bun/bunx", "pnpm": "/opt/pnpm", "pipx": "/opt/pipx",
			"python3": "/opt/python3", "docker": "/opt/docker", "mcpmend": "/opt/mcpmend", "uv": "/opt/uv/uv",
		},
		Runtimes:  []fix.Runtime{{Name: "node", Version: "22.22.3", Path: "/opt/node22/bin/node"}, {Name: "python", Version: "3.13.1", Path: "/opt/py/bin/python3"}},
		Ports:     []fix.Port{{Port: 54320, Process: "postgres"}, {Port: 16379, Process: "redis-server"}},
		Published: []fix.Published{{Service: "db", Container: 5432, Host: 54320, File: "compose.yaml"}, {Service: "cache", Container: 6379, Host: 16379, File: "compose.yaml"}, {Service: "web", Container: 3000, Host: 13000, File: "compose.yaml"}},
		EnvNames:  []fix.EnvName{{Name: "GH_TOKEN", File: ".env"}, {Name: "OPENAI_API_KEY", File: ".env"}},
		Paths:     map[string]fix.Path{"~": {Exists: true, Dir: true, Near: "/home/you"}},
	},
	{OS: "windows", Commands: map[string]string{"npx": `C:\nodejs\npx.cmd`, "node": `C:\nodejs\node.exe`}},
	{OS: "linux", Commands: map[string]string{"npx": "", "bunx": "/usr/bin/bunx", "uvx": "", "pipx": "/usr/bin/pipx"}},
}

// TestFixesAreHarmless walks every fixer over every case: a patch leaves a
// config that parses, has no lint error that was not there, and differs in the
// one server alone; no fix weakens security, writes a secret or names a package
// that is in neither the config nor the catalogue.
func TestFixesAreHarmless(t *testing.T) {
	patches := 0
	for _, c := range failures(t) {
		for _, facts := range everything {
			r := core.Examine(core.Input{Text: c.Text, Config: c.Config, Facts: facts})
			for _, d := range r.Diagnoses {
				for _, f := range d.Fixes {
					harmlessWords(t, c, f)
					if f.Applicable() && c.Config != "" {
						patches++
						harmlessPatch(t, c, r, d, f)
					}
				}
			}
		}
	}
	t.Logf("%d patches looked at", patches)
	if patches < 100 {
		t.Errorf("only %d patches were proposed", patches)
	}
}

func harmlessWords(t *testing.T, c failure, f fix.Fix) {
	t.Helper()
	words := f.Title + " " + f.Description + " " + f.InstallCommand + " "
	for _, op := range f.Patch {
		words += string(op.Value) + " "
	}
	for _, bad := range []string{"sudo", "chmod 777", "curl ", "wget ", "| sh", "|sh", "REJECT_UNAUTHORIZED", "strict-ssl", "--insecure", "verify=false", "--privileged", "--dangerously"} {
		if strings.Contains(words, bad) && !strings.Contains(c.Config, bad) {
			t.Errorf("%s %s: %q stands in the fix: %s", c.ID, f.ID, bad, words)
		}
	}
	if f.Title == "" || f.By != "core" || f.Confidence <= 0 || f.Confidence > 1 || f.Patch == nil {
		t.Errorf("%s: incomplete fix %+v", c.ID, f)
	}
	if !f.Applicable() && !f.RequiresUserAction {
		t.Errorf("%s %s: nothing to apply, and yet not the user's", c.ID, f.ID)
	}
}

func harmlessPatch(t *testing.T, c failure, r core.Report, d core.Diagnosis, f fix.Fix) {
	t.Helper()
	text := c.Config
	if len(r.Config.Edits) > 0 {
		text = r.Config.Repaired
	}
	o := config.Options{Client: r.Client, Format: r.Format}
	before, err := config.Parse(text, o)
	if err != nil {
		t.Errorf("%s: the repaired config does not parse: %v", c.ID, err)
		return
	}
	changed, err := f.Apply(text, before.Format)
	if err != nil {
		t.Errorf("%s %s %s: cannot be applied: %v", c.ID, d.Code, f.ID, err)
		return
	}
	after, err := config.Parse(changed, o)
	if err != nil {
		t.Errorf("%s %s %s: leaves a config that does not parse: %v", c.ID, d.Code, f.ID, err)
		return
	}
	had := codes(before)
	for code, n := range codes(after) {
		if asked := f.ID == "other-root" && code == "MCP4001"; n > had[code] && !asked { // the log knows the client better than the shape does
			t.Errorf("%s %s %s: brings the lint error %s\n%s\n→\n%s", c.ID, d.Code, f.ID, code, text, changed)
		}
	}
	var known []string
	for _, s := range before.Servers {
		known = append(known, catalog.Unversioned(catalog.Parse(s.Command, s.Args).Package))
		for _, word := range append(s.Args, s.Command, s.URL) {
			known = append(known, strings.Fields(word)...)
		}
	}
	for _, s := range after.Servers {
		pkg := catalog.Parse(s.Command, s.Args).Package
		if pkg != "" && !slices.Contains(known, pkg) && !slices.Contains(known, catalog.Unversioned(pkg)) && catalog.ByPackage(pkg) == nil && !strings.Contains(text, pkg) {
			t.Errorf("%s %s %s: brings in the package %q", c.ID, d.Code, f.ID, pkg)
		}
	}
	if d.Server == "" || strings.HasPrefix(f.ID, "MCP40") {
		return // a finding about the document moves servers as a whole
	}
	for _, s := range before.Servers {
		if s.Name == d.Server {
			continue
		}
		if same := after.Root.At(s.Pointer); same != nil && !reflect.DeepEqual(same.Value(), s.Node.Value()) {
			t.Errorf("%s %s %s: changes the server %s too", c.ID, d.Code, f.ID, s.Name)
		}
	}
}

func codes(doc *config.Document) map[string]int {
	n := map[string]int{}
	for _, f := range lint.Check(doc, lint.Options{}) {
		if f.Severity == lint.Error {
			n[f.Rule.Code]++
		}
	}
	return n
}

// TestConfigMistakesAreMended counts, among the cases whose cause is in the
// config and which have it, those that get a repair or a patch after which the
// finding is gone.
func TestConfigMistakesAreMended(t *testing.T) {
	cases, mended := 0, 0
	var left []string
	for _, c := range failures(t) {
		if c.Config == "" || c.Label != "config_syntax" && c.Label != "config_shape" {
			continue
		}
		cases++
		if r := core.Examine(core.Input{Text: c.Text, Config: c.Config}); isMended(r, c.Config) {
			mended++
		} else {
			left = append(left, c.ID)
		}
	}
	t.Logf("%d of %d mended; not: %v", mended, cases, left)
	if cases > 0 && float64(mended) < 0.9*float64(cases) {
		t.Errorf("only %d of %d are mended", mended, cases)
	}
}

func isMended(r core.Report, text string) bool {
	if len(r.Config.Edits) > 0 {
		if _, err := config.Parse(r.Config.Repaired, config.Options{Client: r.Client, Format: r.Format}); err == nil {
			return true
		}
	}
	for _, d := range r.Diagnoses {
		for _, f := range d.Fixes {
			if !f.Applicable() || d.Severity == core.Note {
				continue
			}
			after, err := f.Apply(text, r.Format)
			if err != nil {
				continue
			}
			again := core.Examine(core.Input{Config: after, Client: r.Client})
			if !slices.ContainsFunc(again.Diagnoses, func(x core.Diagnosis) bool { return x.Code == d.Code && x.Server == d.Server }) {
				return true
			}
		}
	}
	return false
}

// A rule that is about something else than most of its category has advice of
// its own.
func TestAdviceOfARule(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"an image that is not there", "docker: Error response from daemon: pull access denied for mcp/notes, repository does not exist or may require 'docker login'", "docker pull mcp/notes"},
		{"a browser that is not there", "Error: browserType.launch: Chromium distribution 'chrome' is not found at /opt/google/chrome/chrome", "npx playwright install"},
		{"a module for another Node", "was compiled against a different Node.js version using", "npm rebuild"},
		{"a Python module", "ModuleNotFoundError: No module named 'notes'", "uv sync"},
		{"half a package in npx's cache", "Error: Cannot find module '/home/you/.npm/_npx/20770d24/node_modules/notes/dist/index.js'", "npm cache npx rm"},
		{"a certificate that is not asked for", "write EPROTO: SSL routines:ssl3_get_record:wrong version number", ""},
		{"too little memory", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", ""},
		{"a tool of another name", "MCP error -32602: Tool add_notes not found", ""},
		{"a program of another name", "An executable named `notes-mcp` is not provided by package `notes-mcp`.", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := first(t, core.Input{Text: test.text})
			if len(d.Fixes) != 1 || d.Fixes[0].InstallCommand != test.want {
				t.Errorf("%s: %+v", d.Code, d.Fixes)
			}
		})
	}
}
