package core

import (
	"maps"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
	"mcpmend/core/triage"
)

// Bounds on what is quoted.
const (
	maxQuote    = 400
	maxLines    = 3
	maxOriginal = 2000
	maxEvidence = 4
)

// diagnosis writes a candidate out.
func (e *examination) diagnosis(c *candidate) Diagnosis {
	d := Diagnosis{
		Category:   string(c.category),
		Severity:   Error,
		File:       e.in.File,
		Confidence: confidence(c),
		Names:      map[string]string{},
		Symptoms:   []string{},
		Evidence:   []Evidence{},
	}
	for _, f := range c.follows {
		d.Symptoms = append(d.Symptoms, string(f))
	}
	switch {
	case c.finding != nil:
		e.fromFinding(&d, c)
	case c.match != nil:
		e.fromMatch(&d, c)
	default:
		e.fromNothing(&d)
	}
	for _, m := range c.echoes {
		d.Evidence = e.add(d.Evidence, m.Start, m.End, Symptom)
	}
	for _, f := range c.beside {
		if len(d.Evidence) < maxEvidence && (f.Server == d.Server || d.Server == "") {
			start, end := e.conf.span(f)
			start, end = lineAround(e.conf.text, start, end)
			d.Evidence = append(d.Evidence, e.inConfig(start, withNext(e.conf.text, start, end), Context))
		}
	}
	if c.leads && c.finding != nil && len(e.log.Matches) == 0 && !e.conf.within {
		e.told(&d) // what is complained of, beside what explains it
	}
	d.Fixes = e.fixes(&d, c.finding)
	return d
}

func (e *examination) fromMatch(d *Diagnosis, c *candidate) {
	m, r := c.match, c.match.Rule
	d.Code, d.Severity, d.Server = r.Code, Severity(r.Severity), e.serverOf(m)
	maps.Copy(d.Names, m.Names)
	for _, a := range c.also { // one rule names the port, another the host
		for k, v := range a.Names {
			if a.Server == m.Server && d.Names[k] == "" {
				d.Names[k] = v
			}
		}
	}
	e.complete(d, e.in.Text[m.Start:m.End])
	for k, v := range d.Names {
		d.Names[k] = config.Mask(v)
	}
	words := e.words(d.Names)
	d.Title, d.Explanation, d.SuggestedFix = fill(r.Title, words), e.spelled(fill(r.Explanation, words)), e.spelled(fill(r.Remedy, words))
	if c.category == triage.ConnectionClosed {
		d.SuggestedFix = e.collect(d.Server) // the cause is elsewhere: say where
	}
	d.OriginalError = original(e.in.Text, m.Start, m.End)
	role := Cause
	if c.symptom {
		role = Symptom
	}
	d.Evidence = append(d.Evidence, e.inText(m.Start, m.End, role))
	e.messageBelow(d, m, role)
	for _, a := range c.also {
		d.Evidence = e.add(d.Evidence, a.Start, a.End, role)
		e.messageBelow(d, a, role)
	}
	e.named(d)
	if c.symptom {
		e.told(d) // the cause may stand in it, in words that no rule knows
	}
}

func (e *examination) fromFinding(d *Diagnosis, c *candidate) {
	f := c.finding
	d.Code, d.Severity, d.Server = f.Rule.Code, Severity(f.Severity), f.Server
	if c.over != nil {
		d.Severity = Error // the log says that it matters
	}
	for k, v := range f.Names {
		d.Names[k] = config.Mask(v)
	}
	words := e.words(d.Names)
	d.Title, d.Explanation, d.SuggestedFix = fill(f.Rule.Title, words), fill(f.Rule.Why, words), fill(f.Rule.Remedy, words)
	start, end := e.conf.span(f)
	d.Evidence = append(d.Evidence, e.inConfig(start, end, Cause))
	first, last := lineAround(e.conf.text, start, end)
	d.OriginalError = quote(e.conf.text[first:last])
	first = previousLine(e.conf.text, first) // what is wrong with a key is often seen in its neighbours
	d.Evidence = append(d.Evidence, e.inConfig(first, withNext(e.conf.text, first, last), Context))
}

// complete takes from the config what the log left out: whose package it was,
// which program, which variable.
func (e *examination) complete(d *Diagnosis, message string) {
	s := e.entry(d.Server)
	if s == nil {
		return
	}
	set := func(name, value string) {
		if d.Names[name] == "" && value != "" {
			d.Names[name] = value
		}
	}
	switch triage.Category(d.Category) {
	case triage.CommandNotFound:
		set("command", s.Command)
	case triage.PackageNotFound:
		set("package", catalog.Unversioned(catalog.Parse(s.Command, s.Args).Package))
	case triage.MissingEnvVar:
		if isSet(s, d.Names["variable"]) {
			if other := unsetAmong(message, s); other != "" {
				d.Names["variable"] = other
			}
		}
		if known := catalog.Of(*s); known != nil && d.Names["variable"] == "" {
			set("variable", firstUnset(known, s))
		}
	}
}

// entry is the config's entry of a server, or nil.
func (e *examination) entry(name string) *config.Server {
	if e.conf.document == nil || name == "" {
		return nil
	}
	for i := range e.conf.document.Servers {
		if s := &e.conf.document.Servers[i]; s.Name == name {
			return s
		}
	}
	return nil
}

// firstUnset is the first variable that a well-known server requires and its
// entry does not set.
func firstUnset(known *catalog.Entry, s *config.Server) string {
	for _, name := range known.Needs {
		if !isSet(s, name) {
			return name
		}
	}
	return ""
}

// words adds to the names what templates may say about the surroundings.
func (e *examination) words(names map[string]string) map[string]string {
	words := maps.Clone(names)
	if e.client != nil && e.client.ID != config.Generic().ID {
		words["client"] = e.client.Name
	}
	if e.os == "windows" {
		words["which"] = "where"
	}
	return words
}

// serverOf finds the config's name for the server that a log names. Some
// clients log only the last letters of it.
func (e *examination) serverOf(m *triage.Match) string {
	if e.conf.document == nil {
		return m.Server
	}
	servers := e.conf.document.Servers
	for _, s := range servers {
		if m.Server != "" && (s.Name == m.Server || strings.HasSuffix(s.Name, m.Server)) {
			return s.Name
		}
	}
	switch {
	case m.Server != "":
		return m.Server
	case e.in.Server != "": // what is examined is about this one, whatever else the config holds
		return e.in.Server
	case len(servers) == 1:
		return servers[0].Name
	}
	return ""
}

// original is the line that the diagnosis is about, as it was printed.
func original(text string, start, end int) string {
	from := strings.LastIndexByte(text[:start], '\n') + 1
	to := len(text)
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		to = end + i
	}
	from, to = max(from, start-maxOriginal/2), min(to, start+maxOriginal)
	return config.Mask(strings.TrimSpace(strings.ToValidUTF8(text[from:to], "\uFFFD")))
}
