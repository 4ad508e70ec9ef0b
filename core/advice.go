package core

import (
	"strings"

	"mcpmend/core/config"
)

// fromNothing is the honest answer: nothing in the input tells the cause.
func (e *examination) fromNothing(d *Diagnosis) {
	d.Title = "Nothing here tells the cause"
	d.Explanation = "No known failure was recognised in this text."
	d.Severity = Warning
	if strings.TrimSpace(e.in.Text) == "" {
		d.Title = "Nothing wrong was found in this config"
		d.Explanation = "The config reads well. Whether its servers start cannot be seen from the file alone."
		d.Severity = Note
	}
	d.SuggestedFix = e.collect("")
	text := strings.TrimSpace(strings.ToValidUTF8(e.log.Last, "\uFFFD"))
	d.OriginalError = quote(text)
}

// collect says what would tell more: the client's log, and the command itself.
func (e *examination) collect(server string) string {
	var steps []string
	if e.client != nil {
		for _, l := range e.client.Logs {
			if (l.OS == "" || string(l.OS) == e.os) && l.Kind != config.UIPath {
				steps = append(steps, e.client.Name+" keeps the server's own output in "+strings.ReplaceAll(l.Path, "NAME", orElse(server, "NAME"))+".")
				break
			}
		}
	}
	if command := e.commandLine(server); command != "" {
		steps = append(steps, "Run it by hand and watch what it prints: "+command)
	} else {
		steps = append(steps, "Run the server's command by hand in a terminal and watch what it prints.")
	}
	return strings.Join(steps, " ")
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
