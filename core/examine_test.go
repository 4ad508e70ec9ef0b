package core_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/triage"
)

func first(t *testing.T, in core.Input) core.Diagnosis {
	t.Helper()
	r := core.Examine(in)
	if len(r.Diagnoses) == 0 {
		t.Fatalf("no diagnosis for %q", in.Text)
	}
	return r.Diagnoses[0]
}

// The example of a rule is its own: no other rule ranks before it.
func TestExamplesRankFirst(t *testing.T) {
	for _, r := range triage.Rules() {
		if r.Role == triage.Noise {
			continue
		}
		t.Run(r.Code, func(t *testing.T) {
			is.New(t).Equal(first(t, core.Input{Text: r.Example}).Code, r.Code)
		})
	}
}

// Whoever reads about a rule can try its example and finds the rule in the
// answer.
func TestExamplesCanBeTried(t *testing.T) {
	for _, r := range core.Rules() {
		t.Run(r.Code, func(t *testing.T) {
			in := core.Input{Text: r.Before}
			if r.After != "" {
				in = core.Input{Config: r.Before, Client: r.Client, File: r.File}
			}
			codes := []string{}
			for _, d := range core.Examine(in).Diagnoses {
				codes = append(codes, d.Code)
			}
			if !slices.Contains(codes, r.Code) {
				t.Errorf("%v does not hold %s", codes, r.Code)
			}
		})
	}
}

// The path of a config tells the system, where nothing else does.
func TestPathTellsSystem(t *testing.T) {
	const text = `{"mcpServers": {"notes": {"command": "cmd", "args": ["/c", "npx", "-y", "notes-mcp"]}}}`
	for file, want := range map[string]string{
		"/Users/you/project/.mcp.json":   "MCP4057",
		"/home/you/project/.mcp.json":    "MCP4057",
		`C:\Users\you\project\.mcp.json`: "",
		".mcp.json":                      "",
	} {
		t.Run(file, func(t *testing.T) {
			is.New(t).Equal(first(t, core.Input{Config: text, File: file}).Code, want)
		})
	}
}

// Words that people search for, alone.
func TestSingleWords(t *testing.T) {
	for text, want := range map[string]string{
		"Command not found":      "command_not_found",
		"FileNotFoundError":      "command_not_found",
		"ENOENT":                 "command_not_found",
		"Connection refused":     "connection_refused",
		"ECONNREFUSED":           "connection_refused",
		"did not respond within": "timeout",
		"TimeoutError":           "timeout",
		"401":                    "auth_failed",
		"403":                    "auth_failed",
		"authentication failed":  "auth_failed",
		"unauthorized":           "auth_failed",
		"X_API_KEY not set":      "missing_env_var",
		"missing X_TOKEN":        "missing_env_var",
		"Permission denied":      "permission_denied",
		"EACCES":                 "permission_denied",
	} {
		t.Run(text, func(t *testing.T) {
			is.New(t).Equal(first(t, core.Input{Text: text}).Category, want)
		})
	}
}

// Three lines of one closure are one diagnosis.
func TestClosureDuringToolCall(t *testing.T) {
	is := is.New(t)
	r := core.Examine(core.Input{Text: "MCP server TaskGroup error: unhandled errors in a TaskGroup (1 sub-exception)\n" +
		"Error calling tool 'fix_markdown_lint': MCP error -32000: Connection closed\n" +
		"Client closed for command\n"})
	is.Equal(len(r.Diagnoses), 1)
	is.Equal(r.Diagnoses[0].Category, "connection_closed")
	is.Equal(r.Diagnoses[0].Names["tool"], "fix_markdown_lint")
}

func TestCauseBeforeSymptom(t *testing.T) {
	is := is.New(t)
	d := first(t, core.Input{Text: "MCP error -32000: Connection closed\nModuleNotFoundError: No module named 'bs4'\n"})
	is.Equal(d.Category, "module_missing")
	is.Equal(d.Symptoms, []string{"connection_closed"})
}

// A warning that stops nothing is no answer, whatever words it has.
func TestNoise(t *testing.T) {
	is := is.New(t)
	for _, r := range triage.Rules() {
		if r.Role == triage.Noise {
			is.Equal(first(t, core.Input{Text: r.Example}).Category, "unknown")
			is.Equal(first(t, core.Input{Text: r.Example + "\nspawn npx ENOENT"}).Category, "command_not_found")
		}
	}
}

func TestConfigTakesPart(t *testing.T) {
	for name, test := range map[string]struct{ text, config, want string }{
		"arguments in one string":      {"Connection to MCP server timed out after 30000ms", `{"mcpServers":{"notes":{"command":"npx","args":["-y notes-mcp"]}}}`, "config_shape"},
		"a trailing comma of a piece":  {"Error: connect ECONNREFUSED 127.0.0.1:4010", `"notes": {"command": "npx", "args": ["-y", "notes-mcp"]},`, "connection_refused"},
		"a placeholder is no cause":    {"spawn npx ENOENT", `{"mcpServers":{"notes":{"command":"npx","args":["-y","notes-mcp"],"env":{"KEY":"your_key_here"}}}}`, "command_not_found"},
		"a config that does not parse": {"", `{"mcpServers":{"notes":{"command":"npx" "args":[]}}}`, "config_syntax"},
	} {
		t.Run(name, func(t *testing.T) {
			is.New(t).Equal(first(t, core.Input{Text: test.text, Config: test.config}).Category, test.want)
		})
	}
}

func TestConfigInsideText(t *testing.T) {
	is := is.New(t)
	text := "my config:\n{\n  \"mcpServers\": {\"notes\": {\"command\": \"npx\" \"args\": []}}\n}\nwhat is wrong?"
	r := core.Examine(core.Input{Text: text})
	is.True(r.Config != nil)
	d := r.Diagnoses[0]
	is.Equal(d.Category, "config_syntax")
	is.Equal(d.Evidence[0].Line, 3)
	for _, e := range d.Evidence {
		is.Equal(e.In, core.InText)
		is.True(strings.Contains(text[e.Start:e.End], e.Quote) || strings.Contains(e.Quote, text[e.Start:e.End]))
	}
}

// A finding is told where it stands in the config as given, and what a repair
// took away behind it is no part of it.
func TestEvidenceBesideARepair(t *testing.T) {
	is := is.New(t)
	in := core.Input{Config: `{"mcpServers": {"notes": {"command": "npx notes-mcp --stdio",}}}`}
	for _, d := range core.Examine(in).Diagnoses {
		if d.Code == "MCP4051" {
			is.Equal(d.Evidence[0].Quote, `"npx notes-mcp --stdio"`)
			is.Equal(in.Config[d.Evidence[0].Start:d.Evidence[0].End], d.Evidence[0].Quote)
			return
		}
	}
	t.Error("the command line in one string was not found")
}

// The offsets are those of the quote, without the space around it.
func TestEvidenceIsItsQuote(t *testing.T) {
	is := is.New(t)
	in := core.Input{Config: "{\n  // notes\n  \"mcpServers\": {\"notes\": {\"command\": \"notes-mcp\"}}\n}", Client: "claude-desktop"}
	for _, e := range first(t, in).Evidence {
		is.Equal(in.Config[e.Start:e.End], e.Quote)
	}
}

// A piece of a config that was saved as a note is a piece; the client's own
// file must be whole.
func TestPieceOfAConfig(t *testing.T) {
	in := core.Input{Config: `"notes": {"command": "npx", "args": ["-y", "notes-mcp"]}`, Text: "MCP error -32000: Connection closed"}
	for file, want := range map[string]string{"": "connection_closed", "note.txt": "connection_closed", "mcp.json": "config_syntax", "mcp.jsonc": "config_syntax"} {
		in.File = file
		is.New(t).Equal(first(t, in).Category, want)
	}
}

// Nothing is said about a client that nobody named.
func TestAClientThatIsNotKnown(t *testing.T) {
	is := is.New(t)
	d := first(t, core.Input{Config: `{"mcpServers": {"notes": {"command": "notes-mcp"},}}`})
	is.Equal(d.Code, "MCP3013")
	is.Equal(d.Names["client"], "")
	is.True(strings.HasSuffix(d.Explanation, "A strict client does not read the file with it."))
}

// A file without servers is a config all the same.
func TestConfigWithoutServers(t *testing.T) {
	is := is.New(t)
	r := core.Examine(core.Input{Text: `{"mcpServers": {}}`})
	is.True(r.Config != nil)
	is.Equal(r.Diagnoses[0].Code, "MCP4013")
}

// What is not known is said, with what to look at next.
func TestHonestUnknown(t *testing.T) {
	is := is.New(t)
	d := first(t, core.Input{Text: "I followed the guide and see nothing at all", Client: "claude-desktop"})
	is.Equal(d.Category, "unknown")
	is.Equal(d.OriginalError, "I followed the guide and see nothing at all") // for who can make more of it
	is.True(strings.Contains(d.SuggestedFix, "Claude Desktop"))
	d = first(t, core.Input{Text: "MCP error -32000: Connection closed", Config: `{"mcpServers":{"notes":{"command":"npx","args":["-y","notes-mcp"]}}}`})
	is.Equal(d.Category, "connection_closed")
	is.True(strings.Contains(d.SuggestedFix, "npx -y notes-mcp"))
	is.Equal(len(core.Examine(core.Input{}).Diagnoses), 0)
}

// Only harmless values are inserted into our own sentences.
func TestUntrustedWords(t *testing.T) {
	is := is.New(t)
	d := first(t, core.Input{Text: "spawn [click](https://example.com) <b> ENOENT"})
	is.Equal(d.Category, "command_not_found")
	for _, s := range []string{d.Title, d.Explanation, d.SuggestedFix} {
		is.True(!strings.Contains(s, "click") && !strings.Contains(s, "<b>"))
	}
}

func TestInvalidBytes(t *testing.T) {
	is := is.New(t)
	text := "\xff\xfe spawn npx ENOENT \xc3\x28"
	r := core.Examine(core.Input{Text: text})
	d := r.Diagnoses[0]
	is.Equal(d.Names["command"], "npx")
	is.True(utf8.ValidString(d.OriginalError) && utf8.ValidString(d.Evidence[0].Quote))
	is.True(strings.Contains(text[d.Evidence[0].Start:d.Evidence[0].End], "spawn npx ENOENT"))
}

// JSON has lists where the contract has lists.
func TestNoNulls(t *testing.T) {
	for _, in := range []core.Input{{Text: "spawn npx ENOENT"}, {Text: "nothing"}, {Config: `{"mcpServers":{}}`}, {Config: `{"a" 1}`}} {
		out, err := json.Marshal(core.Examine(in))
		is := is.New(t)
		is.NoErr(err)
		for _, key := range []string{"diagnoses", "symptoms", "evidence", "fixes", "names", "servers", "edits"} {
			is.True(!strings.Contains(string(out), fmt.Sprintf("%q:null", key)))
		}
	}
}

func checkReport(t *testing.T, in core.Input, r core.Report) {
	t.Helper()
	if (in.Text != "" || in.Config != "") && len(r.Diagnoses) == 0 {
		t.Fatal("no diagnosis")
	}
	for _, d := range r.Diagnoses {
		if d.Confidence < 0 || d.Confidence > 1 {
			t.Fatalf("confidence %v", d.Confidence)
		}
		for _, e := range d.Evidence {
			source := in.Text
			if e.In == "config" {
				source = in.Config
			}
			if e.Start < 0 || e.End < e.Start || e.End > len(source) {
				t.Fatalf("evidence %d to %d of %d bytes", e.Start, e.End, len(source))
			}
			if strings.Count(e.Quote, "\n") > 2 || !utf8.ValidString(e.Quote) {
				t.Fatalf("quote %q", e.Quote)
			}
			if line, column := config.NewLines(source).At(e.Start); line != e.Line || column != e.Column {
				t.Fatalf("line %d column %d, want %d and %d", e.Line, e.Column, line, column)
			}
		}
	}
}

func FuzzExamine(f *testing.F) {
	f.Add("[error] [github] spawn npx ENOENT", `{"mcpServers":{"github":{"command":"npx"}}}`)
	f.Add(strings.Repeat("[cause]: ", 500), "")
	f.Add("\x1b[31mspawn \x1b]0;x\x07npx ENOENT", "")
	f.Add("{\"mcpServers\": {\"a\": {\"command\": \"x\"\n", "")
	f.Add(strings.Repeat("{\"mcpServers\":[", 300), strings.Repeat("[", 1500))
	f.Add("mcpServers:\n  a:\n    command: x\nspawn x ENOENT", "[mcp_servers.a]\ncommand = 'x'")
	f.Fuzz(func(t *testing.T, text, conf string) {
		in := core.Input{Text: text, Config: conf}
		checkReport(t, in, core.Examine(in))
	})
}
