package session

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"mcpmend/core"
	"mcpmend/core/config"
)

// choices are the fixes that the user accepted, by their places in the report.
type choices struct {
	Repair bool     `json:"repair"`
	Fixes  [][2]int `json:"fixes"` // diagnosis, fix
}

// mended is the config with the accepted fixes.
type mended struct {
	Before  string        `json:"before"`
	Text    string        `json:"text"`
	Format  config.Format `json:"format"`
	Refused [][2]int      `json:"refused"` // do not go together with those before them
	Again   again         `json:"again"`
}

// again is what a second reading finds in the mended text.
type again struct {
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Servers  int    `json:"servers"`
	First    string `json:"first"` // the title of the first of them
}

// Mend carries out the accepted fixes on the config that was examined last.
// Each is carried out on the text that the ones before it left, or not at all.
func (s *Session) Mend(asked string) (string, error) {
	var c choices
	if err := json.Unmarshal([]byte(asked), &c); err != nil {
		return "", fmt.Errorf("reading the choices: %w", err)
	}
	if s.report.Config == nil {
		return "", fmt.Errorf("there is no config to mend")
	}
	m := mended{Before: s.conf(), Format: s.report.Format, Refused: [][2]int{}}
	m.Text = m.Before
	if c.Repair && s.report.Config.Repaired != "" {
		m.Text = s.report.Config.Repaired
	}
	steps, err := s.steps(c.Fixes)
	if err != nil {
		return "", err
	}
	for _, step := range steps {
		text, _, err := config.Apply(m.Text, m.Format, step.patch)
		if err != nil {
			m.Refused = append(m.Refused, step.at)
			continue
		}
		m.Text = text
	}
	m.Again = s.readAgain(m.Text)
	return encode(m), nil
}

// step is one accepted fix.
type step struct {
	at    [2]int
	patch config.Patch
	depth int // of the highest place that it takes away
}

// steps gives the patches in an order in which they do not take the ground
// from each other: every patch names places in the config as it was, so what
// renames or removes a place comes after what changes something inside it.
func (s *Session) steps(fixes [][2]int) ([]step, error) {
	var steps []step
	for _, at := range fixes {
		diagnosis, fix := at[0], at[1]
		if diagnosis < 0 || diagnosis >= len(s.report.Diagnoses) || fix < 0 || fix >= len(s.report.Diagnoses[diagnosis].Fixes) {
			return nil, fmt.Errorf("there is no fix %d of diagnosis %d", fix, diagnosis)
		}
		patch := s.report.Diagnoses[diagnosis].Fixes[fix].Patch
		steps = append(steps, step{at, patch, taken(patch)})
	}
	sort.SliceStable(steps, func(i, j int) bool { return steps[i].depth > steps[j].depth })
	return steps, nil
}

// taken is the depth of the highest place that a patch moves or removes, past
// any real depth where it does neither.
func taken(patch config.Patch) int {
	depth := config.MaxDepth + 1
	for _, op := range patch {
		switch op.Op {
		case "move":
			depth = min(depth, strings.Count(op.From, "/"))
		case "remove":
			depth = min(depth, strings.Count(op.Path, "/"))
		}
	}
	return depth
}

// readAgain examines the mended config alone: the log beside it is of the time
// before.
func (s *Session) readAgain(text string) again {
	r := core.Examine(core.Input{Config: text, File: s.input.File, Client: s.client(), Facts: s.input.Facts})
	var a again
	if r.Config != nil {
		a.Servers = len(r.Config.Servers)
	}
	for _, d := range r.Diagnoses {
		switch d.Severity {
		case core.Error:
			a.Errors++
		case core.Warning:
			a.Warnings++
		default:
			continue
		}
		if a.First == "" {
			a.First = d.Title
		}
	}
	return a
}
