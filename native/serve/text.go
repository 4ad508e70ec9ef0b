package serve

import (
	"encoding/json"
	"fmt"
	"strings"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/report"
	"mcpmend/core/schema"
)

// The tools that look at nothing but what they are given.

type diagnoseArguments struct {
	Text   string `json:"text"`
	Config string `json:"config"`
	Client string `json:"client"`
	Server string `json:"server"`
}

// diagnoseError answers with the report that explain would print, byte for
// byte: what it quotes came from the caller.
func (c *call) diagnoseError(in diagnoseArguments) (answer, error) {
	if strings.TrimSpace(in.Text+in.Config) == "" {
		return answer{}, missingArgument("text", "the error or log, a config, or both", "Send the error or the log as text, the config as config, or both.")
	}
	r := core.Examine(core.Input{Text: in.Text, Config: in.Config, Client: in.Client, Server: in.Server})
	var out strings.Builder
	for i, d := range r.Diagnoses {
		if i == 3 {
			fmt.Fprintf(&out, "… and %d more\n", len(r.Diagnoses)-i)
			break
		}
		fmt.Fprintf(&out, "%s %s (%s, %.0f %%)\n", d.Code, safe(d.Title), d.Category, d.Confidence*100)
		if d.Explanation != "" {
			fmt.Fprintf(&out, "  %s\n", safe(d.Explanation))
		}
		if d.SuggestedFix != "" {
			fmt.Fprintf(&out, "  fix: %s\n", safe(d.SuggestedFix))
		}
	}
	return answer{strings.TrimSpace(out.String()), json.RawMessage(report.JSON(r))}, nil
}

type explainArguments struct {
	Schema    json.RawMessage `json:"schema"`
	Arguments json.RawMessage `json:"arguments"`
	Tool      string          `json:"tool"`
	Draft     string          `json:"draft"`
}

func (c *call) explainArguments(in explainArguments) (answer, error) {
	compiled, invalid := schema.Compile(in.Schema, schema.Options{Draft: in.Draft})
	if invalid != nil {
		return answer{safe(invalid.Markdown(false)), schema.Result{Error: invalid}}, nil
	}
	if len(in.Arguments) == 0 {
		documentation := compiled.Documentation()
		return answer{safe(documentation.Markdown()), struct {
			Schema  schema.Documentation `json:"schema"`
			Example json.RawMessage      `json:"valid_example,omitempty"`
		}{documentation, compiled.Example()}}, nil
	}
	result := compiled.Explain(in.Tool, in.Arguments)
	data := struct {
		schema.Result
		Error any `json:"error,omitempty"` // absent where there is none: the schema of results has an object
	}{Result: result}
	if result.Valid {
		return answer{"The arguments are valid.", data}, nil
	}
	data.Error = result.Error
	return answer{safe(result.Error.Markdown(false)), data}, nil
}

type convertArguments struct {
	Config string `json:"config"`
	To     string `json:"to"`
	From   string `json:"from"`
	OS     string `json:"os"`
}

func (c *call) convertConfig(in convertArguments) (answer, error) {
	text, mended := in.Config, 0
	options := config.Options{Client: in.From}
	doc, err := config.Parse(text, options)
	if err != nil {
		repaired := config.Repair(text, options.Format)
		if repaired.Err != nil {
			return answer{}, fmt.Errorf("the config cannot be read: %w; diagnose_error says where it breaks", repaired.Err)
		}
		mended = len(repaired.Mends)
		if doc, err = config.Parse(repaired.Text, options); err != nil {
			return answer{}, err
		}
	}
	converted, err := config.Convert(doc, config.ClientByID(in.To), config.ConvertOptions{OS: config.OS(in.OS)})
	if err != nil {
		return answer{}, err
	}
	data := struct {
		Text    string        `json:"text"`
		Format  config.Format `json:"format"`
		File    string        `json:"belongs_in"`
		Mended  int           `json:"mended"`
		Changed []config.Loss `json:"changed"`
		LeftOut []config.Loss `json:"left_out"`
	}{converted.Text, converted.Format, converted.File, mended, append([]config.Loss{}, converted.Notes...), append([]config.Loss{}, converted.Losses...)}
	say := fmt.Sprintf("%d servers as %s for %s", len(doc.Servers), converted.Format, in.To)
	if converted.File != "" {
		say += ", which belongs in " + converted.File
	}
	for _, l := range converted.Losses {
		say += "\nleft out " + safe(strings.TrimSpace(l.Server+" "+l.Field)+": "+l.Why)
	}
	return answer{say + "\n\n" + converted.Text, data}, nil
}

// missingArgument is the explainer's error for what a schema cannot say in a
// way that every client takes: that one of several is needed.
func missingArgument(field, expected, fix string) error {
	return badArgument(field, "Missing.", expected, fix)
}

func badArgument(field, problem, expected, fix string) error {
	return &schema.Error{Type: schema.Validation, Summary: "The call has invalid arguments. 1 validation error found.",
		Issues:      []schema.Issue{{Field: "/" + field, Problem: problem, Expected: expected, Fix: fix}},
		Suggestions: []string{fix}}
}
