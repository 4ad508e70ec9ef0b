package session

import (
	"encoding/json"
	"slices"

	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/report"
)

// Markdown is the report for an issue tracker, secrets masked.
func (s *Session) Markdown() string {
	return report.Markdown(s.report, report.Source{Text: s.input.Text, Config: s.input.Config, File: s.input.File})
}

// Agent is the report as data, for a model to read. It leaves the page by the
// clipboard, so the three fields that hold the user's own bytes are masked too.
func (s *Session) Agent() string {
	r := s.report
	r.Diagnoses = slices.Clone(r.Diagnoses)
	for i := range r.Diagnoses {
		d := &r.Diagnoses[i]
		d.Fixes = slices.Clone(d.Fixes)
		for j := range d.Fixes {
			d.Fixes[j].Patch = masked(d.Fixes[j])
		}
	}
	if r.Config != nil {
		c := *r.Config
		c.Repaired, c.Edits = config.Mask(c.Repaired), slices.Clone(c.Edits)
		for i := range c.Edits {
			c.Edits[i].Insert = config.Mask(c.Edits[i].Insert)
		}
		r.Config = &c
	}
	return encode(r)
}

// masked is a patch without secrets. A value that masking leaves without form
// is replaced as a whole.
func masked(f fix.Fix) config.Patch {
	patch := slices.Clone(f.Patch)
	for i, op := range patch {
		value := config.Mask(string(op.Value))
		if !json.Valid([]byte(value)) && len(op.Value) > 0 {
			value = `"(masked)"`
		}
		patch[i].Value = json.RawMessage(value)
	}
	return patch
}

// Masked is what was pasted, without its secrets, for a share link.
func (s *Session) Masked() string {
	return encode(struct {
		Text   string `json:"text"`
		Config string `json:"config"`
	}{config.Mask(s.input.Text), config.Mask(s.input.Config)})
}
