package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

// look runs everything over an example, as Examine does: a text that does not
// parse is repaired first.
func look(t *testing.T, e Example) (*config.Document, []Finding) {
	t.Helper()
	o := Options{OS: e.OS, File: e.File}
	repaired := config.Repair(e.Text, e.Format)
	doc, err := config.Parse(repaired.Text, config.Options{Format: e.Format, Client: e.Client, File: e.File})
	if err != nil {
		t.Fatalf("%v in %s", err, repaired.Text)
	}
	return doc, append(Syntax(repaired, doc.Client, o), Check(doc, o)...)
}

func with(findings []Finding, r *Rule) []Finding {
	var out []Finding
	for _, f := range findings {
		if f.Rule == r {
			out = append(out, f)
		}
	}
	return out
}

func TestRuleExamples(t *testing.T) {
	for _, r := range Rules() {
		t.Run(r.Code, func(t *testing.T) {
			is := is.New(t)
			_, findings := look(t, r.Before)
			found := with(findings, r)
			is.True(len(found) > 0) // the example raises its rule
			for _, f := range found {
				is.True(f.Span.Start < f.Span.End && f.Span.End <= len(r.Before.Text)) // points at something
				is.True(f.Sure > 0 && f.Sure < 1)
				if f.Fix.Possible() {
					is.True(f.Fix.Title != "")
				}
			}
			_, findings = look(t, r.After)
			is.Equal(len(with(findings, r)), 0) // the mended example does not
			for _, f := range findings {
				is.True(f.Severity == Note) // nor any other but notes
			}
		})
	}
}

// TestRuleFixes applies what a rule offers for its own example: the finding is
// gone, nothing graver came, and the result parses.
func TestRuleFixes(t *testing.T) {
	for _, r := range Rules() {
		t.Run(r.Code, func(t *testing.T) {
			is := is.New(t)
			doc, findings := look(t, r.Before)
			for _, f := range with(findings, r) {
				if !f.Fix.Possible() {
					continue
				}
				mended := r.Before
				mended.Text = fixed(t, doc, r.Before.Text, f)
				_, left := look(t, mended)
				t.Log(mended.Text)
				is.Equal(len(with(left, r)), len(with(findings, r))-1) // the finding is gone
				for _, l := range left {
					is.True(l.Severity != Error || len(with(findings, l.Rule)) > 0) // nothing graver came
				}
			}
		})
	}
}

// fixed applies a finding's fix. A patch is for the document, edits of a
// syntax rule for the text before its repair.
func fixed(t *testing.T, doc *config.Document, before string, f Finding) string {
	t.Helper()
	if len(f.Fix.Edits) > 0 {
		text, err := config.Edited(before, f.Fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text, _, err := config.Apply(doc.Text, doc.Format, f.Fix.Patch)
	if err != nil {
		t.Fatalf("%s: %v", f.Rule.Code, err)
	}
	return text
}

func TestRuleLiterals(t *testing.T) {
	is := is.New(t)
	codes := map[string]bool{}
	syntax, shape := regexp.MustCompile(`^MCP3[0-4]\d\d$`), regexp.MustCompile(`^MCP4[0-4]\d\d$`)
	for _, r := range Rules() {
		is.True(!codes[r.Code]) // codes are never reused
		codes[r.Code] = true
		is.True(syntax.MatchString(r.Code) || shape.MatchString(r.Code))
		is.True(r.Title != "" && r.Why != "" && r.Remedy != "" && r.Category != "" && r.Severity != "")
		is.True(!strings.ContainsAny(r.Title+r.Why+r.Remedy, "!")) // nobody is shouted at
		is.Equal(ruleByCode(r.Code), r)
		for _, id := range append(r.Clients, r.Before.Client, r.After.Client) {
			is.True(id == "" || config.ClientByID(id) != nil) // a client of the table
		}
	}
	is.Equal(ruleByCode("MCP9999"), nil)
}

// TestSamples holds that no valid config of any client is found fault with.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("../config/testdata/samples/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no sample configs", err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			text, err := os.ReadFile(file)
			is.NoErr(err)
			client := strings.TrimSuffix(name, filepath.Ext(name))
			for _, os := range []string{"", "linux", "macos"} {
				doc, findings := look(t, Example{Client: client, OS: os, Text: string(text), Format: formatOf(name)})
				for _, f := range findings {
					if f.Severity != Note {
						t.Errorf("%s %s %s: %s", f.Rule.Code, f.Severity, f.Pointer, doc.Text[f.Span.Start:f.Span.End])
					}
				}
			}
		})
	}
}

func formatOf(name string) config.Format {
	return map[string]config.Format{".json": config.JSON, ".jsonc": config.JSONC, ".toml": config.TOML, ".yaml": config.YAML}[filepath.Ext(name)]
}
