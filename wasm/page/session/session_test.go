package session_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/report"
	"mcpmend/wasm/page/session"
)

const stringArgs = `{
  "mcpServers": {
    // notes of the family
    "files": {
      "command": "npx",
      "args": "-y @modelcontextprotocol/server-filesystem /Users/you/notes"
    }
  }
}
`

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestExamineIsTheReport(t *testing.T) {
	is := is.New(t)
	var s session.Session
	got, err := s.Examine("spawn npx ENOENT", stringArgs, "mcp.json", "cursor", "{}")
	is.NoErr(err)
	want := report.JSON(core.Examine(core.Input{Text: "spawn npx ENOENT", Config: stringArgs, File: "mcp.json", Client: "cursor"}))
	is.Equal(got, string(want))
	_, err = s.Examine("", "", "", "", "no facts")
	is.True(err != nil)
}

func TestParts(t *testing.T) {
	type part struct {
		Kind       string
		Start, End int
	}
	for name, c := range map[string]struct {
		text, config string
		want         []part
	}{
		"log before the config": {"spawn npx ENOENT\n\n" + stringArgs, "", []part{{"text", 0, 18}, {"config", 18, 17 + len(stringArgs)}}},
		"config alone":          {stringArgs, "", []part{{"config", 0, len(stringArgs)}}},
		"log alone":             {"spawn npx ENOENT", "", []part{}},
		"config beside":         {"spawn npx ENOENT", stringArgs, []part{}},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			var s session.Session
			_, err := s.Examine(c.text, c.config, "", "", "{}")
			is.NoErr(err)
			is.Equal(decode[[]part](t, s.Parts()), c.want)
		})
	}
}

type mended struct {
	Before, Text string
	Refused      [][2]int
	Again        struct{ Errors, Warnings, Servers int }
}

func TestMend(t *testing.T) {
	is := is.New(t)
	var s session.Session
	answer, err := s.Examine("some log\n"+stringArgs, "", "", "vscode", "{}")
	is.NoErr(err)
	r := decode[core.Report](t, answer)
	fixes := [][2]int{}
	for i, d := range r.Diagnoses {
		if len(d.Fixes) > 0 && len(d.Fixes[0].Patch) > 0 {
			fixes = append(fixes, [2]int{i, 0})
		}
	}
	is.True(len(fixes) > 0)
	asked, err := json.Marshal(map[string]any{"repair": true, "fixes": fixes})
	is.NoErr(err)
	answer, err = s.Mend(string(asked))
	is.NoErr(err)
	m := decode[mended](t, answer)
	// the fix that renames the root does not keep the one inside it from its place
	is.True(strings.Contains(m.Text, `"servers": {`))
	args := decode[struct {
		Servers map[string]struct{ Args []string }
	}](t, strings.Replace(m.Text, "// notes of the family", "", 1)).Servers["files"].Args
	is.Equal(args, []string{"-y", "@modelcontextprotocol/server-filesystem", "/Users/you/notes"})
	is.Equal(len(m.Refused), 0)
	is.True(strings.Contains(m.Text, "// notes of the family")) // comments stay
	is.Equal(m.Before, strings.TrimSuffix(stringArgs, "\n"))

	answer, err = s.Mend(`{"repair":true,"fixes":[]}`)
	is.NoErr(err)
	m = decode[mended](t, answer)
	is.Equal(m.Text, m.Before) // nothing chosen, nothing changed

	for name, asked := range map[string]string{
		"no such diagnosis": `{"fixes":[[99,0]]}`, "no such fix": `{"fixes":[[0,99]]}`, "negative": `{"fixes":[[-1,0]]}`, "not JSON": `x`,
	} {
		if _, err := s.Mend(asked); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestMendWithoutAConfig(t *testing.T) {
	is := is.New(t)
	var s session.Session
	_, err := s.Mend(`{}`)
	is.True(err != nil)
	_, err = s.Examine("spawn npx ENOENT", "", "", "", "{}")
	is.NoErr(err)
	_, err = s.Mend(`{}`)
	is.True(err != nil)
}

func TestMendRepairsTheSyntax(t *testing.T) {
	is := is.New(t)
	var s session.Session
	broken := `{"mcpServers": {"a": {"command": "node" "args": ["x.js"]}}}`
	_, err := s.Examine("", broken, "", "", "{}")
	is.NoErr(err)
	answer, err := s.Mend(`{"repair":true}`)
	is.NoErr(err)
	is.True(json.Valid([]byte(decode[mended](t, answer).Text)))
	answer, err = s.Mend(`{"repair":false}`)
	is.NoErr(err)
	is.Equal(decode[mended](t, answer).Text, broken)
}

func TestConvert(t *testing.T) {
	is := is.New(t)
	var s session.Session
	_, err := s.Examine("", `{"mcpServers": {"a": {"command": "node", "args": ["x.js"]}}}`, "", "", "{}")
	is.NoErr(err)
	answer, err := s.Convert(`{"mcpServers": {"a": {"command": "node", "args": ["x.js"]}}}`, "", "codex", "")
	is.NoErr(err)
	c := decode[struct {
		Text, File    string
		Losses, Notes []any
	}](t, answer)
	is.True(strings.Contains(c.Text, "[mcp_servers.a]"))
	is.True(c.Losses != nil && c.Notes != nil) // lists, never null
	_, err = s.Convert("{}", "", "no-such-client", "")
	is.True(err != nil)
}

// What leaves the page by the clipboard or a link has no secret in it.
func TestMaskedForms(t *testing.T) {
	secret := "ghp_" + strings.Repeat("aB3dE5fG7h", 4)[:36]
	var s session.Session
	_, err := s.Examine("Authorization: Bearer "+secret, `{"mcpServers": {"a": {"command": "npx -y pkg --token `+secret+`", "env": {"GITHUB_TOKEN": "`+secret+`"}}}`, "", "", "{}")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"markdown": s.Markdown(), "agent": s.Agent(), "masked": s.Masked()} {
		if strings.Contains(text, secret) {
			t.Errorf("%s holds the secret: %s", name, text)
		}
	}
	decode[core.Report](t, s.Agent()) // still a report
}

func TestClients(t *testing.T) {
	is := is.New(t)
	type client struct {
		ID, Name string
		Writable bool
	}
	names := map[string]client{}
	for _, c := range decode[[]client](t, session.Clients()) {
		names[c.ID] = c
	}
	is.True(names["claude-desktop"].Writable)
	is.True(names["codex"].Writable)
	is.True(len(names) > 30)
}
