package core

import (
	"slices"

	"mcpmend/core/config"
	"mcpmend/core/lint"
)

// configuration is the config as far as it could be read; the zero value where
// none was given.
type configuration struct {
	origin
	given    bool
	text     string // as it stood there
	whole    bool   // as far as can be told, it is a whole file and not a piece of one
	format   config.Format
	client   string           // whose file it is, "" where nothing tells
	document *config.Document // of the repaired text; nil when there is no repair
	repaired config.Repaired
	lines    *config.Lines // of the source, once they were asked for
	findings []lint.Finding
}

// readConfig reads the config the way its client would.
func (e *examination) readConfig(found origin) configuration {
	c := configuration{origin: found, given: e.in.Config != "", text: e.in.Config}
	if !c.given {
		return c
	}
	file := e.in.File
	named := isConfigFile(file) // a piece that was saved under some name is a piece
	if !named {
		file = fileIn(e.in.Text)
	}
	seen := config.Detect(c.text, file)
	c.format = seen.Format
	c.repaired = config.Repair(c.text, seen.Format)
	c.whole = named || !e.complained() && !slices.ContainsFunc(c.repaired.Mends, func(m config.Mend) bool { return m.Kind == config.MendFragment })
	client, certainty := e.owner(seen)
	if client.ID != config.Generic().ID {
		c.client = client.ID
	}
	options := lint.Options{OS: e.os, File: file, Certainty: certainty}
	syntax := options
	if !named {
		syntax.File = "" // what was pasted may be a piece of the file that the text names
	}
	c.findings = lint.Syntax(c.repaired, client, syntax)
	if c.repaired.Err != nil {
		return c
	}
	document, err := config.Parse(c.repaired.Text, config.Options{Format: c.repaired.Format, Client: client.ID, File: file})
	if err != nil {
		return c
	}
	c.document = document
	c.findings = append(c.findings, lint.Check(document, options)...)
	if e.in.Probed { // it was read, whatever a stricter program would say
		c.findings = slices.DeleteFunc(c.findings, func(f lint.Finding) bool { return f.Rule.Category == "config_syntax" })
	}
	return c
}

// owner is the client whose config this is, and how sure that is: the one that
// was named, else the one that the file shows. A text that speaks of a client
// decides where the file leaves it open.
func (e *examination) owner(seen config.Detection) (*config.Client, config.Certainty) {
	if named := config.ClientByID(e.in.Client); named != nil {
		return named, config.High
	}
	if spoken := config.ClientByID(e.log.Client); spoken != nil && seen.Confidence < telling {
		return spoken, config.Medium
	}
	switch {
	case seen.Confidence >= telling:
		return seen.Client, config.High
	case seen.Confidence >= likely:
		return seen.Client, config.Medium
	}
	return seen.Client, config.Low
}

// How sure a detection is.
const (
	telling = 0.8
	likely  = 0.5
)

// report is what a Report says of the config, nil where there is none.
func (c *configuration) report() *ConfigReport {
	if !c.given {
		return nil
	}
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
func (c *configuration) unwrap(r *ConfigReport) {
	for i := range r.Edits {
		r.Edits[i].Start += c.base
		r.Edits[i].End += c.base
	}
	const why = "the command around the config"
	end := c.base + len(c.text)
	r.Edits = append([]config.Edit{{Start: 0, End: c.base, Why: why}}, r.Edits...)
	r.Edits = append(r.Edits, config.Edit{Start: end, End: len(c.source), Why: why})
}
