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
	"cmp"

	"mcpmend/core/config"
	"mcpmend/core/fix"
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
	Probed bool      // the text is of a server that this config started: nothing in its syntax is the cause
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

// Place is what evidence stands in.
type Place string

const (
	InText   Place = "text"
	InConfig Place = "config"
	InLog    Place = "log" // of a client, where a machine was looked at
)

// Role is what evidence is for a diagnosis.
type Role string

const (
	Cause   Role = "cause"
	Symptom Role = "symptom"
	Context Role = "context" // stands around it, or is all that was said
)

// Evidence is a place in the input that shows the diagnosis. Offsets count the
// bytes of the input as given; line and column count from 1. Where a machine
// was looked at it may also be a place in a client's own log.
type Evidence struct {
	In     Place  `json:"in"`
	Role   Role   `json:"role"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Quote  string `json:"quote"`
	File   string `json:"file,omitempty"` // of a log
	Time   string `json:"time,omitempty"` // of a line in a log, as in RFC 3339
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

// Examine says what is wrong. It tells config and text apart, lets lint and
// triage find what they know, ranks both together, and asks fix what to do.
// Where any input was given there is at least one diagnosis.
func Examine(in Input) Report {
	in, found := separate(in)
	log := triage.Read(in.Text)
	e := examination{in: in, log: log, os: cmp.Or(in.Facts.OS, log.OS, systemOf(in.File))}
	e.conf = e.readConfig(found)
	id := cmp.Or(in.Client, log.Client, e.conf.client) // the user's word, then the log's own voice, then the file
	e.client = config.ClientByID(id)
	r := Report{Version: Version, Client: id, Format: e.conf.format, Diagnoses: []Diagnosis{}, Config: e.conf.report()}
	for _, c := range e.ranked() {
		r.Diagnoses = append(r.Diagnoses, e.diagnosis(c))
	}
	return r
}

// examination is one Examine under way: what was given and what the parts
// found. How it goes on from here: readConfig (configuration.go), ranked
// (rank.go), diagnosis (diagnosis.go).
type examination struct {
	in     Input // text and config apart
	log    triage.Log
	conf   configuration
	client *config.Client // nil where unknown
	os     string
	lines  *config.Lines // of in.Text, once a position was asked for
}
