package scripts

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"go.yaml.in/yaml/v3"

	"mcpmend/core/config"
)

var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)

type step struct {
	Uses, Run, Shell string
	With, Env        map[string]string
}

// TestWorkflows reads what runs with the repository's rights: everything is
// pinned by commit, nobody has a right by default, no workflow runs a stranger's
// code with secrets, and the release takes nothing from a cache.
func TestWorkflows(t *testing.T) {
	files := tracked(t, ".github/workflows/*.yml")
	if len(files) < 2 {
		t.Fatalf("%d workflows", len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			is := is.New(t)
			text, err := os.ReadFile(filepath.Join("..", file))
			is.NoErr(err)
			is.True(!strings.Contains(string(text), "pull_request_target"))
			var flow struct {
				Permissions map[string]string
				Jobs        map[string]struct {
					Permissions map[string]string
					Environment string
					Steps       []step
				}
			}
			is.NoErr(yaml.Unmarshal(text, &flow))
			is.True(flow.Permissions != nil && len(flow.Permissions) == 0) // permissions: {}
			for name, job := range flow.Jobs {
				for right, value := range job.Permissions {
					if value == "write" && job.Environment == "" {
						t.Errorf("%s may write %s without an approval", name, right)
					}
				}
				checkSteps(t, job.Steps, strings.Contains(file, "release"))
			}
		})
	}
}

func checkSteps(t *testing.T, steps []step, release bool) {
	t.Helper()
	for _, s := range steps {
		uses, _, _ := strings.Cut(s.Uses, " ")
		if uses != "" && !strings.HasPrefix(uses, "./") && !pinned.MatchString(uses) {
			t.Errorf("%s is not pinned by commit", s.Uses)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression in a script is run, not quoted: %s", s.Run)
		}
		switch {
		case !release:
		case strings.HasPrefix(uses, "actions/setup-go@") && s.With["cache"] != "false",
			strings.HasPrefix(uses, "actions/setup-node@") && s.With["package-manager-cache"] != "false",
			strings.HasPrefix(uses, "actions/cache"):
			t.Errorf("%s brings a cache into a release", uses)
		}
	}
}

// TestAction runs the steps of our own action, on a config that tries to
// command the runner.
func TestAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	is := is.New(t)
	const file = "../.github/actions/mcpmend/action.yml"
	text, err := os.ReadFile(file)
	is.NoErr(err)
	var action struct {
		Runs struct{ Steps []step }
	}
	is.NoErr(yaml.Unmarshal(text, &action))
	checkSteps(t, action.Runs.Steps, false)
	script := action.Runs.Steps[len(action.Runs.Steps)-1]
	is.True(strings.Contains(script.Run, "check --no-probe --format sarif"))

	mcpmend, err := command()
	is.NoErr(err)
	for name, c := range map[string]struct {
		config, path, fail string
		code, results      int
	}{
		"sound":          {`{"mcpServers":{"a":{"command":"node","args":["/srv/a.js"]}}}`, ".mcp.json", "true", 0, 0},
		"broken":         {"{\"mcpServers\":{\"a\\n::add-mask::x\":{\"comand\":\"::error::y\"}}}", ".mcp.json", "true", 1, 1},
		"only told":      {`{"mcpServers":{"a":{"comand":"npx"}}}`, "\n.mcp.json\n\n", "false", 0, 1},
		"a path of none": {`{}`, "--watch", "true", 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			dir := t.TempDir()
			is.NoErr(os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(c.config), 0o600))
			run := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script.Run)
			run.Dir = dir
			run.Env = append(os.Environ(), "HOME="+dir, "MCPMEND_HOME="+dir, "RUNNER_TEMP="+filepath.Dir(mcpmend), "GITHUB_ACTIONS=true",
				"GITHUB_OUTPUT="+filepath.Join(dir, "output"), "INPUT_PATH="+c.path, "INPUT_SARIF=out.sarif", "INPUT_FAIL="+c.fail)
			out, _ := run.CombinedOutput()
			t.Logf("%s", out)
			is.Equal(run.ProcessState.ExitCode(), c.code)
			for line := range strings.Lines(string(out)) {
				if strings.HasPrefix(line, "::add-mask") || strings.HasPrefix(line, "::error") {
					t.Errorf("the runner would act on %q", line)
				}
			}
			if c.code == 2 {
				return
			}
			written, err := os.ReadFile(filepath.Join(dir, "out.sarif"))
			is.NoErr(err)
			var sarif struct {
				Runs []struct{ Results []any }
			}
			is.NoErr(json.Unmarshal(written, &sarif))
			is.True(len(sarif.Runs[0].Results) >= c.results)
		})
	}
}

// TestHookSeesEveryConfig: the hook is handed the files that its pattern
// matches, and no others.
func TestHookSeesEveryConfig(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("../.pre-commit-hooks.yaml")
	is.NoErr(err)
	var hooks []struct{ Entry, Files string }
	is.NoErr(yaml.Unmarshal(text, &hooks))
	is.Equal(hooks[0].Entry, "mcpmend check --no-probe")
	// In Python's verbose form, which is the same without its spaces.
	verbose, ok := strings.CutPrefix(hooks[0].Files, "(?x)")
	is.True(ok)
	pattern := regexp.MustCompile(strings.Join(strings.Fields(verbose), ""))
	formats := []string{".json", ".jsonc", ".toml", ".yaml"}
	for _, client := range config.Clients() {
		for _, place := range client.Places {
			path := "sub/" + strings.ReplaceAll(place.Path, "*", "any")
			if place.Scope == config.ProjectScope && slices.Contains(formats, filepath.Ext(path)) && path != "sub/server.json" && !pattern.MatchString(path) {
				t.Errorf("%s reads %s, which the hook does not look at", client.Name, place.Path)
			}
		}
	}
	for _, other := range []string{"package.json", "server.json", "settings.json", "config.toml", "src/mcp.json.txt"} {
		is.True(!pattern.MatchString(other))
	}
}

// TestBillOfMaterials reads back what a release says it is made of.
func TestBillOfMaterials(t *testing.T) {
	is := is.New(t)
	mcpmend, err := command()
	is.NoErr(err)
	file := filepath.Join(t.TempDir(), "sbom.json")
	out, err := exec.Command("go", "run", "./sbom", mcpmend, file).CombinedOutput()
	is.NoErr(wrapped(err, out))
	text, err := os.ReadFile(file)
	is.NoErr(err)
	var bill struct {
		BOMFormat  string
		Components []struct{ Name, Version, PURL string }
	}
	is.NoErr(json.Unmarshal(text, &bill))
	is.Equal(bill.BOMFormat, "CycloneDX")
	names := map[string]bool{}
	for _, c := range bill.Components {
		names[c.Name] = c.Version != ""
	}
	is.True(names["std"] && names["github.com/tailscale/hujson"] && names["github.com/tetratelabs/wazero"])
}
