package heal_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/heal"
)

func change(id, value string) fix.Fix {
	return fix.Fix{ID: id, Title: id, Patch: config.Patch{{Op: "replace", Path: "/mcpServers/db/url", Value: json.RawMessage(value)}}, Safety: fix.Review}
}

func human(id string) fix.Fix {
	return fix.Fix{ID: id, Title: "Set TOKEN", EnvVarHint: "TOKEN", HelpURL: "https://example.com/token", RequiresUserAction: true}
}

func broken(config, code string, fixes ...fix.Fix) heal.Probe {
	return heal.Probe{Config: config, Report: core.Report{Diagnoses: []core.Diagnosis{
		{Code: "MCP9999", Severity: core.Note, Title: "a note that is not the cause"},
		{Code: code, Severity: core.Error, Title: "title of " + code, Fixes: fixes},
	}}}
}

func works(config string) heal.Probe { return heal.Probe{OK: true, Config: config} }

func TestLoop(t *testing.T) {
	tests := []struct {
		name    string
		max     int
		probes  []heal.Probe
		steps   []string // step, fix and the config it is for
		fixed   bool
		final   string
		user    string
		results []string
	}{
		{
			name:   "works at once",
			probes: []heal.Probe{works("a")},
			steps:  []string{"done  a"}, fixed: true, final: "a",
		},
		{
			name:   "stops on success",
			probes: []heal.Probe{broken("a", "R", change("port", "1"), change("docker", "2")), works("b")},
			steps:  []string{"try port a", "done  b"}, fixed: true, final: "b", results: []string{"connected"},
		},
		{
			name:   "a user action is asked for and never tried",
			probes: []heal.Probe{broken("a", "AUTH", human("token"), change("port", "1"))},
			steps:  []string{"ask token a"},
			user:   "Set TOKEN\nhttps://example.com/token",
		},
		{
			name:   "a fix without a patch is the user's",
			probes: []heal.Probe{broken("a", "CMD", fix.Fix{ID: "install", Title: "Install uv", InstallCommand: "brew install uv"})},
			steps:  []string{"ask install a"}, user: "Install uv\nbrew install uv",
		},
		{
			name:    "an alternative is for the config before the fix that did not help",
			probes:  []heal.Probe{broken("a", "R", change("x", "1"), change("y", "2")), broken("b", "R"), works("c")},
			steps:   []string{"try x a", "try y a", "done  c"},
			fixed:   true,
			final:   "c",
			results: []string{"no change: title of R", "connected"},
		},
		{
			name: "no progress ends it before the attempts do",
			probes: []heal.Probe{
				broken("a", "R", change("x", "1"), change("y", "2"), change("z", "3")),
				broken("b", "R"), broken("c", "R"),
			},
			steps:   []string{"try x a", "try y a", "stop  a"},
			results: []string{"no change: title of R", "no change: title of R"},
		},
		{
			name: "the rungs of a ladder are progress, and build on each other",
			probes: []heal.Probe{
				broken("a", "T", change("longer", "30")),
				broken("b", "T", change("longer", "60")),
				broken("c", "T", change("longer", "dependencies")), works("d"),
			},
			steps: []string{"try longer a", "try longer b", "try longer c", "done  d"},
			fixed: true, final: "d",
			results: []string{"no change: title of T", "no change: title of T", "connected"},
		},
		{
			name:    "a fix already tried is not tried again",
			probes:  []heal.Probe{broken("a", "R", change("x", "1")), broken("b", "R", change("x", "1"))},
			steps:   []string{"try x a", "stop  a"},
			results: []string{"no change: title of R"},
		},
		{
			name: "another problem keeps the fix that uncovered it",
			probes: []heal.Probe{
				broken("a", "R", change("x", "1")), broken("b", "S", change("y", "1")), works("c"),
			},
			steps: []string{"try x a", "try y b", "done  c"}, fixed: true, final: "c",
			results: []string{"another problem now: title of S", "connected"},
		},
		{
			name: "two problems that cause each other end",
			max:  9,
			probes: []heal.Probe{
				broken("a", "R", change("x", "1"), change("x", "2"), change("x", "3")), broken("b", "S", change("y", "1"), change("y", "2")),
				broken("c", "R", change("x", "2"), change("x", "3")), broken("d", "S", change("y", "2")), broken("e", "R", change("x", "3")),
			},
			steps: []string{"try x a", "try y b", "try x c", "try y d", "stop  e"},
			results: []string{
				"another problem now: title of S", "another problem now: title of R",
				"another problem now: title of S", "another problem now: title of R",
			},
		},
		{
			name: "three attempts",
			probes: []heal.Probe{
				broken("a", "R", change("x", "1")), broken("b", "S", change("x", "2")),
				broken("c", "T", change("x", "3")), broken("d", "U", change("x", "4")),
			},
			steps:   []string{"try x a", "try x b", "try x c", "stop  d"},
			results: []string{"another problem now: title of S", "another problem now: title of T", "another problem now: title of U"},
		},
		{
			name: "after the last attempt the user is still told what to do", max: 1,
			probes:  []heal.Probe{broken("a", "R", change("x", "1")), broken("b", "AUTH", human("token"))},
			steps:   []string{"try x a", "ask token b"},
			user:    "Set TOKEN\nhttps://example.com/token",
			results: []string{"another problem now: title of AUTH"},
		},
		{
			name:   "no fix known",
			probes: []heal.Probe{broken("a", "R")},
			steps:  []string{"stop  a"},
		},
		{
			name:   "nothing to go on",
			probes: []heal.Probe{{Config: "a"}},
			steps:  []string{"stop  "},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			loop := heal.Loop{MaxAttempts: test.max}
			var steps []string
			for _, p := range test.probes {
				a := loop.Next(p)
				steps = append(steps, fmt.Sprintf("%s %s %s", a.Step, a.Fix.ID, a.Config))
			}
			is.Equal(steps, test.steps)
			record := loop.Record()
			is.Equal(record.Fixed, test.fixed)
			is.Equal(record.FinalConfig, test.final)
			is.Equal(record.UserActionNeeded, test.user)
			is.Equal(len(record.Attempts), len(test.results))
			for i, a := range record.Attempts {
				is.Equal(a.Number, i+1)
				is.Equal(a.Result, test.results[i])
			}
			is.Equal(loop.Next(works("z")).Step, heal.Stop) // it is over, whatever comes
		})
	}
}

func TestLoopRefuse(t *testing.T) {
	is := is.New(t)
	var loop heal.Loop
	is.Equal(loop.Next(broken("a", "R", change("x", "1"), change("y", "2"))).Fix.ID, "x")
	is.Equal(loop.Refuse("the path is not there").Fix.ID, "y")
	is.Equal(loop.Next(works("b")).Step, heal.Done)
	record := loop.Record()
	is.Equal(record.Attempts[0].Result, "not applied: the path is not there")
	is.Equal(record.Attempts[1].Result, "connected")
}

func TestRecordJSON(t *testing.T) {
	is := is.New(t)
	var loop heal.Loop
	text, err := json.Marshal(loop.Record())
	is.NoErr(err)
	is.Equal(string(text), `{"fixed":false,"attempts":[],"final_config":"","user_action_needed":""}`)
}

func ExampleLoop() {
	probes := []heal.Probe{
		broken(`{"port":5432}`, "MCP2001", change("compose-port", "54320")),
		works(`{"port":54320}`),
	}
	var loop heal.Loop
	for _, p := range probes {
		action := loop.Next(p)
		fmt.Println(action.Step)
	}
	fmt.Println(loop.Record().FinalConfig)
	// Output:
	// try
	// done
	// {"port":54320}
}
