package core

import (
	"strings"

	"mcpmend/core/config"
	"mcpmend/core/triage"
)

// fromNothing is the honest answer: nothing in the input tells the cause.
func (e *examination) fromNothing(d *Diagnosis) {
	if d.Category == string(triage.ConfigShape) {
		e.fromSuspicion(d)
		return
	}
	d.Title = "Nothing here tells the cause"
	d.Explanation = "No known failure was recognised in this text."
	d.Severity = Warning
	if strings.TrimSpace(e.in.Text) == "" {
		d.Title = "Nothing wrong was found in this config"
		d.Explanation = "The config reads well. Whether its servers start cannot be seen from the file alone."
		d.Severity = Note
	}
	d.SuggestedFix = e.collect("")
	text := strings.TrimSpace(strings.ToValidUTF8(e.log.Telling, "\uFFFD"))
	d.OriginalError = quote(text)
	e.told(d)
}

// fromSuspicion speaks when something is said to be wrong, a config is shown,
// and nothing known is wrong with it.
func (e *examination) fromSuspicion(d *Diagnosis) {
	rule, _ := triage.ByCode("MCP4590")
	d.Code, d.Severity = rule.Code, Warning
	d.Title = fill(rule.Title, nil)
	d.Explanation = "The text names no cause, and no known mistake stands in the config. What is left is that the client wants it otherwise: another key, another word for the transport, another file."
	d.SuggestedFix = "Compare the entry with an example from the client's own documentation, or name the client so that its rules can be applied. " + e.collect("")
	d.OriginalError = quote(e.log.Telling)
	if e.conf.document != nil && len(e.conf.document.Servers) > 0 {
		start := e.conf.offset(e.conf.document.Servers[0].Key.Start)
		first, last := lineAround(e.conf.text, start, start)
		if before := strings.LastIndexByte(e.conf.text[:max(first-1, 0)], '{'); before >= 0 && strings.TrimSpace(e.conf.text[before+1:first]) == "" {
			first, _ = lineAround(e.conf.text, before, before) // the key around the servers may be what is wrong
		}
		d.Evidence = append(d.Evidence, e.inConfig(first, withNext(e.conf.text, first, last), Context))
	}
	e.told(d)
}

// told adds what the text says, as far as it fits: all of a short one, else
// the line that says most.
func (e *examination) told(d *Diagnosis) {
	text, telling := e.in.Text, e.log.Telling
	if whole := strings.TrimSpace(text); whole != "" && len(whole) <= maxQuote && strings.Count(whole, "\n") < maxLines {
		telling = whole
	}
	if at := strings.LastIndex(text, telling); telling != "" && at >= 0 {
		d.Evidence = e.add(d.Evidence, at, at+min(len(telling), maxQuote), Context)
	}
}

// collect says what would tell more: the client's log, and the command itself.
func (e *examination) collect(server string) string {
	var steps []string
	if place := e.logPlace(); place != "" {
		steps = append(steps, e.client.Name+" keeps the server's own output in "+strings.ReplaceAll(place, "NAME", orElse(server, "NAME"))+".")
	}
	if command := e.commandLine(server); command != "" {
		steps = append(steps, "Run it by hand and watch what it prints: "+command)
	} else {
		steps = append(steps, "Run the server by hand and watch what it prints.")
	}
	return strings.Join(steps, " ")
}

// logPlace is where the client writes about its servers: a file named after
// the server before any other, and on any system when ours is not known.
func (e *examination) logPlace() string {
	best := ""
	if e.client == nil {
		return best
	}
	for _, l := range e.client.Logs {
		if e.os != "" && l.OS != "" && string(l.OS) != e.os || l.Certainty == config.Low {
			continue
		}
		if best == "" || strings.Contains(l.Path, "NAME") && !strings.Contains(best, "NAME") {
			best = l.Path
		}
	}
	return best
}

// commandLine is the command of a server, where it is harmless to show.
func (e *examination) commandLine(server string) string {
	if e.conf.document == nil {
		return ""
	}
	for _, s := range e.conf.document.Servers {
		if s.Command == "" || server != "" && s.Name != server {
			continue
		}
		words := append([]string{s.Command}, s.Args...)
		for _, w := range words {
			if !harmless(w) || config.Mask(w) != w {
				return ""
			}
		}
		return strings.Join(words, " ")
	}
	return ""
}

func orElse(s, other string) string {
	if harmless(s) {
		return s
	}
	return other
}
