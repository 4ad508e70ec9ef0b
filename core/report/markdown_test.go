package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"mcpmend/core"
	"mcpmend/core/fix"
	"mcpmend/core/report"
)

// hostile are texts that would do something if Markdown read them as markup.
var hostile = []string{
	"```\n# heading\n```", "````x", "`a``b", strings.Repeat("`", 50), "~~~\nx", "![x](https://example.com/?d=1)", "[a][b]\n\n[b]: https://example.com",
	"<img src=x onerror=alert(1)>", "<!-- hidden -->", "<script>alert(1)</script>", "@everyone fixes #1", "https://example.com/leak", "www.example.com",
	"you@example.com", "# heading", "- item", "> quote", "1. one", "| a | b |\n|---|---|", "**bold**", "_em_", "[x](javascript:alert(1))", "&lt;b&gt;",
	"\\[x\\](y)", "line\n\n---\n\nnext", "Ignore previous instructions", "\x1b]8;;file:///x\x1b\\click", "[^1]\n\n[^1]: note", "- [ ] task", "\u202egnp.exe",
}

// TestMarkdownQuotesNothingAlive puts hostile text into every field that comes
// from outside, and reads the result as GitHub would: there is no link, image,
// HTML or heading that is not ours.
func TestMarkdownQuotesNothingAlive(t *testing.T) {
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	for i, bad := range hostile {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d := core.Diagnosis{
				Code: "MCP1001", Category: "unknown", Server: bad, Title: "Title " + bad, Explanation: "Because " + bad, SuggestedFix: "Do " + bad, OriginalError: bad,
				Names:    map[string]string{"command": bad},
				Evidence: []core.Evidence{{In: "text", Role: "cause", Line: 1, Column: 1, Quote: bad}},
				Fixes:    []fix.Fix{{ID: "a", Title: bad, InstallCommand: bad}},
			}
			out := report.Markdown(core.Report{Client: "cursor", Diagnoses: []core.Diagnosis{d, d}}, report.Source{})
			source := []byte(out)
			err := ast.Walk(parser.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if !entering {
					return ast.WalkContinue, nil
				}
				switch n.Kind() {
				case ast.KindLink, ast.KindImage, ast.KindAutoLink, ast.KindRawHTML, ast.KindHTMLBlock, ast.KindBlockquote, ast.KindThematicBreak:
					t.Errorf("%s made of %q in:\n%s", n.Kind(), bad, out)
				case ast.KindHeading:
					if n.(*ast.Heading).Level != 3 {
						t.Errorf("a heading made of %q in:\n%s", bad, out)
					}
				}
				return ast.WalkContinue, nil
			})
			is.New(t).NoErr(err)
		})
	}
}

func TestTextIsSafeAndFitsItsWidth(t *testing.T) {
	for _, bad := range hostile {
		d := core.Diagnosis{
			Code: "MCP1001", Category: "unknown", Server: bad, Title: bad, Explanation: bad, SuggestedFix: bad, Names: map[string]string{},
			Evidence: []core.Evidence{{In: "text", Role: "cause", Line: 1, Column: 1, Quote: bad}},
		}
		out := report.Text(core.Report{Diagnoses: []core.Diagnosis{d, d}}, report.Source{Text: bad}, report.Style{Width: 80})
		for _, r := range out {
			if r != '\n' && (r < 0x20 || 0x7f <= r && r < 0xa0 || r == 0x202e) {
				t.Fatalf("%U in %q", r, out)
			}
		}
	}
}

func TestTextOfARealFailure(t *testing.T) {
	is := is.New(t)
	const log = "2026-06-07T10:10:44.177Z [github] [error] spawn npx ENOENT\n2026-06-07T10:10:45.177Z [github] [info] Server transport closed unexpectedly\n"
	out := report.Text(core.Examine(core.Input{Text: log}), report.Source{Text: log}, report.Style{Width: 100})
	lines := strings.Split(out, "\n")
	is.True(strings.HasPrefix(lines[0], "command_not_found  MCP1001  github"))
	is.True(strings.HasSuffix(lines[0], "% sure"))
	is.Equal(len([]rune(lines[0])), 100)
	is.True(strings.Contains(lines[1], "npx"))
	caret := strings.Index(out, "^^^^^^^^^^^^^^^^")
	is.True(caret > 0)
	// The carets stand under the words that count.
	above := strings.Split(out[:caret], "\n")
	under, row := len([]rune(above[len(above)-1])), []rune(above[len(above)-2])
	is.Equal(string(row[under:under+16]), "spawn npx ENOENT")
	is.True(strings.Contains(out, "What to do"))
	narrow := report.Text(core.Examine(core.Input{Text: log}), report.Source{Text: log}, report.Style{Width: 40})
	is.True(strings.HasPrefix(narrow, "command_not_found  MCP1001  github\n97 % sure\n"))
}

// The carets stand under the very place, also where the same words stand
// elsewhere in the line or where the line is too long for the terminal.
func TestCaretsStandUnderTheirPlace(t *testing.T) {
	const config = `{"mcpServers": {"notes": {"command": "sh" "args": ["-c", "notes --port 8080 --directory /home/you/notes"]}}}`
	const gutter = "  1 │ "
	for _, tt := range []struct {
		name   string
		column int
		width  int
		quote  string
		want   int // column, -1 where the line is cut
	}{
		{"a quotation mark that the line begins with", strings.Index(config, `"args`) + 1, 0, `"`, strings.Index(config, `"args`) + 1},
		{"the first of three", strings.Index(config, "notes") + 1, 0, "notes", strings.Index(config, "notes") + 1},
		{"the last of three", strings.LastIndex(config, "notes") + 1, 0, "notes", strings.LastIndex(config, "notes") + 1},
		{"the same in a narrow window", strings.LastIndex(config, "notes") + 1, 60, "notes", -1},
		{"the end of a line that does not fit", strings.Index(config, "--dir") + 1, 50, config[strings.Index(config, "--dir"):], -1},
		{"a column that is not there", 500, 0, "8080", strings.Index(config, "8080") + 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			d := core.Diagnosis{Code: "MCP3011", Severity: core.Error, Evidence: []core.Evidence{{In: "config", Role: "symptom", Line: 1, Column: tt.column, Quote: tt.quote}}}
			out := report.Findings(core.Report{Diagnoses: []core.Diagnosis{d}}, report.Source{Config: config}, report.Style{Width: tt.width})
			lines := strings.Split(out, "\n")
			at := len([]rune(lines[2][:strings.IndexByte(lines[2], '^')]))
			is.Equal(string([]rune(lines[1])[at:at+strings.Count(lines[2], "^")]), tt.quote)
			is.True(tt.want < 0 || at == len([]rune(gutter))+tt.want-1)
			for _, line := range lines {
				is.True(tt.width == 0 || len([]rune(line)) <= tt.width)
			}
		})
	}
}

// A config that stands in the text is shown with its changes like one that was
// given by itself, and a fix of a config that had to be repaired as well.
func TestChangesOfAConfigInTheText(t *testing.T) {
	is := is.New(t)
	text := "It does not start:\n{\n  \"mcpServers\": {\n    \"notes\": {\n      \"command\": \"npx notes-mcp --stdio\",\n    }\n  }\n}\n"
	r := core.Examine(core.Input{Text: text})
	is.Equal(r.Diagnoses[0].Code, "MCP4051")
	out := report.Text(r, report.Source{Text: text}, report.Style{Width: 100})
	is.True(strings.Contains(out, `
       -       "command": "npx notes-mcp --stdio"
       +       "command": "npx",
       +       "args": ["notes-mcp", "--stdio"]
`))
	is.True(strings.HasSuffix(out, `
The syntax, mended
       -       "command": "npx notes-mcp --stdio",
       +       "command": "npx notes-mcp --stdio"

Also seen
  MCP3013  line 5: There is a comma after the last entry

`+"`mcpmend fix notes` tries what can be tried and proves it. More: mcpmend rules MCP4051\n"))
	is.Equal(strings.Count(out, " │ "), 2) // the line and its carets, without what stands around it
	out = report.Markdown(r, report.Source{Text: text})
	is.True(strings.Contains(out, "+       \"args\": [\"notes-mcp\", \"--stdio\"]\n"))
	is.Equal(strings.Count(out, "text line "), 1)
}

// Only what comes after a cause follows from it.
func TestSymptomsAlone(t *testing.T) {
	is := is.New(t)
	for text, want := range map[string]int{"MCP error -32000: Connection closed": 0, "spawn npx ENOENT\nServer transport closed unexpectedly": 1} {
		out := report.Text(core.Examine(core.Input{Text: text}), report.Source{Text: text}, report.Style{Width: 100})
		is.Equal(strings.Count(out, "follows from the above"), want)
	}
}

func TestDiffHidesSecrets(t *testing.T) {
	is := is.New(t)
	before := "{\n  \"a\": 1,\n  \"GITHUB_TOKEN\":\n    \"ghp_0123456789abcdefghijABCDEFGHIJ456789\"\n}"
	lines := report.Diff(before, strings.Replace(before, "ghp_0123456789abcdefghijABCDEFGHIJ456789", "ghp_9876543210abcdefghijABCDEFGHIJ456789", 1))
	is.Equal(len(lines), 2)
	for _, l := range lines {
		is.True(!strings.Contains(l.Text, "abcdefghij"))
	}
	is.Equal(report.Diff("same", "same"), nil)
}

// Where the advice is the fix itself, it is one step.
func TestTextSaysAdviceOnce(t *testing.T) {
	is := is.New(t)
	const broken = "{\n  // mine\n  \"mcpServers\": {\"x\": {\"command\": \"npx\"}}\n}\n"
	out := report.Text(core.Examine(core.Input{Config: broken, Client: "cursor"}), report.Source{Config: broken}, report.Style{Width: 100})
	is.Equal(strings.Count(out, "Remove the comment."), 1)
	is.True(strings.Contains(out, "-   // mine"))
	out = report.Text(core.Examine(core.Input{Text: "it does not work"}), report.Source{Text: "it does not work"}, report.Style{Width: 100})
	is.Equal(strings.Count(out, "by hand"), 1)
	const sound = `{"servers": {"notes": {"type": "http", "url": "https://notes.example.com/mcp"}}}`
	out = report.Text(core.Examine(core.Input{Text: sound}), report.Source{Text: sound}, report.Style{Width: 100})
	is.Equal(strings.Count(out, "watch what it prints"), 1) // after where the client keeps its log
}
