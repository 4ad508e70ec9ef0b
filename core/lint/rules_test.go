package lint

import (
	"regexp"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

// look runs everything over an example, as Examine does.
func look(t *testing.T, e Example) (*config.Document, []Finding) {
	t.Helper()
	doc, err := config.Parse(e.Text, config.Options{Format: e.Format, Client: e.Client, File: e.File})
	if err != nil {
		t.Fatalf("%v in %s", err, e.Text)
	}
	return doc, Check(doc, Options{OS: e.OS, File: e.File})
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
		if r.Mend != "" {
			continue
		}
		t.Run(r.Code, func(t *testing.T) {
			is := is.New(t)
			doc, findings := look(t, r.Before)
			found := with(findings, r)
			is.True(len(found) > 0) // the example raises its rule
			for _, f := range found {
				is.True(f.Span.Start < f.Span.End && f.Span.End <= len(doc.Text)) // points at something
				is.True(f.Sure > 0 && f.Sure < 1)
			}
			_, findings = look(t, r.After)
			is.Equal(len(with(findings, r)), 0) // the mended example does not
			for _, f := range findings {
				is.True(f.Severity != Error) // nor any graver one
			}
		})
	}
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
		is.Equal(RuleByCode(r.Code), r)
		for _, id := range append(r.Clients, r.Before.Client, r.After.Client) {
			is.True(id == "" || config.ClientByID(id) != nil) // a client of the table
		}
	}
}
