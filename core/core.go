// Package core is mcpmend without a machine: give it what a person pasted, a
// config, an error, a log or all of it, and it says what is wrong, where that
// can be seen, and what to do.
//
//	text ──► triage ─┐
//	                 ├─► Examine ranks ──► fix proposes ──► Report
//	config ─► lint ──┘
//
// Everything below this package is pure: no file, no network, no process, no
// clock, no goroutine. The page, the command, the wrapper and the MCP server
// all make the one call [Examine], so that they give the same answer.
package core

import (
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/lint"
	"mcpmend/core/triage"
)

// Version is the version of the Report's JSON shape.
const Version = 1

// Input is what is known. Any part may be empty.
type Input struct {
	Text   string    // an error, a log, or a paste that mixes both with a config
	Config string    // the config beside it
	File   string    // the config's file name, a hint for its client and format
	Client string    // the client's id, where the user named it
	Server string    // look at this server alone
	Facts  fix.Facts // about the machine; empty in explain and in the page

	base   int    // where Config begins in source
	source string // what Config was found in: the text, or a command around it
	within bool   // source is the text
}

// Report is the answer. Its JSON form is the contract between all faces.
type Report struct {
	Version   int           `json:"version"`
	Client    string        `json:"client"`
	Format    config.Format `json:"format"`
	Diagnoses []Diagnosis   `json:"diagnoses"`
	Config    *ConfigReport `json:"config,omitempty"`
}

// Severity of a diagnosis; only errors and warnings make a failing exit code.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Diagnosis is one thing that is wrong: the root cause comes first in a
// Report, and what merely follows from it is listed in its Symptoms.
type Diagnosis struct {
	Code          string            `json:"code"`
	Category      string            `json:"category"`
	Severity      Severity          `json:"severity"`
	Server        string            `json:"server"`
	File          string            `json:"file"`
	Title         string            `json:"title"`
	OriginalError string            `json:"original_error"`
	Explanation   string            `json:"explanation"`
	SuggestedFix  string            `json:"suggested_fix"`
	Confidence    float64           `json:"confidence"`
	Names         map[string]string `json:"names"`
	Symptoms      []string          `json:"symptoms"`
	Evidence      []Evidence        `json:"evidence"`
	Fixes         []fix.Fix         `json:"fixes"`
}

// Evidence is a place in the input that shows the diagnosis. Offsets count the
// bytes of the input as given; line and column count from 1.
type Evidence struct {
	In     string `json:"in"`   // "text" or "config"
	Role   string `json:"role"` // "cause", "symptom", "context"
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Quote  string `json:"quote"`
}

// ConfigReport tells what was found in the config. Repaired and Edits are the
// user's own bytes, unmasked: they belong in local output only.
type ConfigReport struct {
	Servers  []ServerReport `json:"servers"`
	Repaired string         `json:"repaired"`
	Edits    []config.Edit  `json:"edits"`
}

// ServerReport names one server of the config.
type ServerReport struct {
	Name      string           `json:"name"`
	Pointer   string           `json:"pointer"`
	Transport config.Transport `json:"transport"`
}

// Examine says what is wrong. It reads the config and the text apart, lets
// lint and triage find what they know, and ranks both together: see rank.go
// for how. Where any input was given there is at least one diagnosis.
func Examine(in Input) Report {
	in = separate(in)
	log := triage.Read(in.Text)
	conf := examineConfig(in, log)
	r := Report{Version: Version, Client: clientOf(in, conf, log), Format: conf.format, Diagnoses: []Diagnosis{}}
	if conf.given {
		r.Config = conf.report()
	}
	e := examination{in: in, conf: conf, log: log, client: config.ClientByID(r.Client), os: systemOf(in, log)}
	for _, c := range e.ranked() {
		r.Diagnoses = append(r.Diagnoses, e.diagnosis(c))
	}
	return r
}

// examination is one Examine under way: what the parts found.
type examination struct {
	in     Input
	conf   configuration
	log    triage.Log
	client *config.Client // nil where unknown
	os     string
	lines  *config.Lines // of in.Text, once a position was asked for
}

// clientOf trusts the user first, then the log's own voice, then the file.
func clientOf(in Input, conf configuration, log triage.Log) string {
	switch {
	case in.Client != "":
		return in.Client
	case log.Client != "":
		return log.Client
	}
	return conf.client
}

func systemOf(in Input, log triage.Log) string {
	if in.Facts.OS != "" {
		return in.Facts.OS
	}
	return log.OS
}

// configuration is the config as far as it could be read.
type configuration struct {
	given    bool
	text     string // as given
	base     int    // where it begins in source
	source   string // what it was found in
	within   bool   // source is the text
	whole    bool   // as far as can be told, it is a whole file and not a piece of one
	format   config.Format
	client   string
	document *config.Document // of the repaired text; nil when there is no repair
	repaired config.Repaired
	findings []lint.Finding
}

// examineConfig reads the config the way its client would. The client is the
// one that was named, else the one that the file shows; a text that speaks of
// a client decides between those that could own the file.
func examineConfig(in Input, log triage.Log) configuration {
	c := configuration{given: in.Config != "", text: in.Config, base: in.base, source: in.source, within: in.within}
	if !c.given {
		return c
	}
	named := in.File != ""
	if !named {
		in.File = fileIn(in.Text)
	}
	seen := config.Detect(in.Config, in.File)
	c.format = seen.Format
	c.repaired = config.Repair(in.Config, seen.Format)
	c.whole = named || strings.TrimSpace(in.Text) == "" && !slices.ContainsFunc(c.repaired.Mends, func(m config.Mend) bool { return m.Kind == config.MendFragment })
	client := config.ClientByID(in.Client)
	options := lint.Options{OS: systemOf(in, log), File: in.File}
	if spoken := config.ClientByID(log.Client); client == nil && spoken != nil && seen.Confidence < 0.8 {
		client = spoken
		options.Certainty = config.Medium
	}
	if client == nil {
		client = seen.Client
		options.Certainty = certainty(seen.Confidence)
	}
	if client.ID != config.Generic().ID {
		c.client = client.ID
	}
	syntax := options
	if !named {
		syntax.File = "" // what was pasted may be a piece of the file that the text names
	}
	c.findings = lint.Syntax(c.repaired, client, syntax)
	if c.repaired.Err != nil {
		return c
	}
	document, err := config.Parse(c.repaired.Text, config.Options{Format: c.repaired.Format, Client: client.ID, File: in.File})
	if err != nil {
		return c
	}
	c.document = document
	c.findings = append(c.findings, lint.Check(document, options)...)
	return c
}

// certainty translates how sure a detection is.
func certainty(confidence float64) config.Certainty {
	switch {
	case confidence >= 0.8:
		return config.High
	case confidence >= 0.5:
		return config.Medium
	}
	return config.Low
}

func (c configuration) report() *ConfigReport {
	r := &ConfigReport{Servers: []ServerReport{}, Edits: []config.Edit{}}
	if c.document != nil {
		for _, s := range c.document.Servers {
			r.Servers = append(r.Servers, ServerReport{s.Name, s.Pointer, s.Transport})
		}
	}
	if c.repaired.Err == nil {
		r.Repaired = c.repaired.Text
	}
	for _, m := range c.repaired.Mends {
		r.Edits = append(r.Edits, m.Edit)
	}
	if !c.within && c.base > 0 {
		c.unwrap(r)
	}
	return r
}

// unwrap makes the edits those of the config as given, where it stood inside a
// shell command.
func (c configuration) unwrap(r *ConfigReport) {
	for i := range r.Edits {
		r.Edits[i].Start += c.base
		r.Edits[i].End += c.base
	}
	const why = "the command around the config"
	end := c.base + len(c.text)
	r.Edits = append([]config.Edit{{Start: 0, End: c.base, Why: why}}, r.Edits...)
	r.Edits = append(r.Edits, config.Edit{Start: end, End: len(c.source), Why: why})
}
