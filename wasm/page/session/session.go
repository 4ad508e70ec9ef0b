// Package session is what the page asks of the core. It remembers what was
// examined last, so that the questions that follow (mend it, copy it, share
// it) need not carry the text again, and a patch never passes through
// JavaScript, whose numbers would change some of its values.
package session

import (
	"encoding/json"
	"fmt"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/report"
)

// Session is one tab's. The zero value has examined nothing.
type Session struct {
	input  core.Input
	report core.Report
}

// Examine reads what was pasted. The answer is the report, byte for byte what
// `mcpmend explain --format json` prints for the same input.
func (s *Session) Examine(text, conf, file, client, facts string) (string, error) {
	in := core.Input{Text: text, Config: conf, File: file, Client: client}
	if err := json.Unmarshal([]byte(facts), &in.Facts); err != nil {
		return "", fmt.Errorf("reading the facts about the machine: %w", err)
	}
	s.input, s.report = in, core.Examine(in)
	return string(report.JSON(s.report)), nil
}

// part is a run of the pasted text that is one thing.
type part struct {
	Kind  string `json:"kind"` // "text" or "config"
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Parts tells where in the text the config stands that was found there.
func (s *Session) Parts() string {
	parts := []part{}
	start, end := s.place()
	if s.input.Config == "" && end > start {
		all := []part{{"text", 0, start}, {"config", start, end}, {"text", end, len(s.input.Text)}}
		for _, p := range all {
			if !blank(s.input.Text[p.Start:p.End]) {
				parts = append(parts, p)
			}
		}
	}
	return encode(parts)
}

// place is where the config stands in the text, both 0 when it does not.
func (s *Session) place() (start, end int) {
	if s.input.Config != "" {
		return 0, 0
	}
	return core.ConfigIn(s.input.Text)
}

// conf is the config as it was given.
func (s *Session) conf() string {
	if s.input.Config != "" {
		return s.input.Config
	}
	start, end := s.place()
	return s.input.Text[start:end]
}

func blank(s string) bool {
	for _, c := range s {
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}

// client is the one that the report speaks of, by its id.
func (s *Session) client() string {
	if c := config.ClientByID(s.report.Client); c != nil {
		return c.ID
	}
	return ""
}

func encode(v any) string {
	// IndentedJSON is the one encoder that leaves <, > and & alone.
	return string(report.IndentedJSON(v))
}
