package core

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode"

	"mcpmend/core/lint"
	"mcpmend/core/triage"
)

// How the root cause is chosen. Every match and every finding gets a weight;
// the heaviest comes first. The weight of a match is the specificity of its
// rule, from 0 to 100, changed by what the rule cannot know:
//
//   - a symptom stands behind every cause, and before it what a server hints at;
//   - what is reported behind "caused by" is nearer to the root;
//   - a name that stands in the config too makes it more likely;
//   - of equals the first in the text wins, since later ones are echoes.
//
// A finding of lint says what is wrong with the config whether or not it
// matters here. It goes before the log only if it explains what the log says
// (see explains), or if the log says nothing of weight.
const (
	symptomPenalty = 60.0
	hintBonus      = 20.0 // what a server hints at goes before that it ended
	depthBonus     = 5.0
	agreementBonus = 4.0
	weak           = 45.0 // causes below say that something failed, not what
	maxDiagnoses   = 6
)

// candidate is a diagnosis in the making.
type candidate struct {
	category triage.Category
	weight   float64
	symptom  bool
	match    *triage.Match // or
	finding  *lint.Finding
	over     *candidate        // what the log says, where this finding explains it
	also     []*triage.Match   // further places of the same category
	follows  []triage.Category // what merely follows
	echoes   []*triage.Match   // where that shows
	beside   []*lint.Finding   // of the same category, each a diagnosis of its own
	leads    bool              // this is the answer, and the rest stands behind it
	rivals   int               // other causes that were in the running
	margin   float64           // weight above the strongest rival
}

// ranked gives the candidates in order, those that only follow folded into
// the first.
func (e *examination) ranked() []*candidate {
	matches := e.matched()
	findings := e.found(matches)
	all := append(matches, findings...)
	sort.SliceStable(all, func(i, j int) bool { return all[i].weight > all[j].weight })
	if len(all) == 0 {
		if e.in.Text == "" && e.in.Config == "" {
			return nil
		}
		if m := e.onlyNoise(); m != nil {
			return []*candidate{{category: triage.Unknown, match: m, symptom: true}}
		}
		if e.conf.given && e.complained() && e.brief() {
			return []*candidate{{category: triage.ConfigShape}} // it is what they show to be looked at
		}
		return []*candidate{{category: triage.Unknown}}
	}
	return fold(all)
}

// complained tells whether there is more than a config: then something went
// wrong, and what merely might is no answer.
func (e *examination) complained() bool { return strings.TrimSpace(e.in.Text) != "" }

// brief tells whether the text is what somebody says, and not a log.
func (e *examination) brief() bool {
	const sentences = 3
	text := strings.TrimSpace(e.in.Text)
	return strings.Count(text, "\n") < sentences && !strings.ContainsAny(strings.ReplaceAll(text, "${", ""), "[]{")
}

// matched makes one candidate of all matches of a category in a server.
func (e *examination) matched() []*candidate {
	type key struct {
		category triage.Category
		server   string
	}
	var all []*candidate
	byKey := map[key]*candidate{}
	for i := range e.log.Matches {
		m := &e.log.Matches[i]
		if e.noisy(m) || e.in.Server != "" && m.Server != "" && m.Server != e.in.Server {
			continue
		}
		w := e.weigh(m)
		k := key{m.Rule.Category, m.Server}
		c := byKey[k]
		if c == nil {
			c = &candidate{category: m.Rule.Category, match: m, weight: w, symptom: m.Rule.Role != triage.Cause}
			byKey[k] = c
			all = append(all, c)
			continue
		}
		if w > c.weight {
			c.also = append(c.also, c.match)
			c.match, c.weight, c.symptom = m, w, m.Rule.Role != triage.Cause
			continue
		}
		c.also = append(c.also, m)
	}
	return all
}

// noisy tells whether a match is of a line that only looks like an error.
func (e *examination) noisy(m *triage.Match) bool {
	return slices.ContainsFunc(e.log.Matches, func(n triage.Match) bool {
		return n.Rule.Role == triage.Noise && overlap(m, &n)
	})
}

// onlyNoise gives the first match where the text holds nothing but lines that
// only look like errors.
func (e *examination) onlyNoise() *triage.Match {
	var rest []byte
	var first *triage.Match
	for i := range e.log.Matches {
		m := &e.log.Matches[i]
		if m.Rule.Role != triage.Noise {
			continue
		}
		if first == nil {
			first, rest = m, []byte(e.in.Text)
		}
		clear(rest[m.Start:m.End])
	}
	if bytes.ContainsFunc(rest, unicode.IsLetter) {
		return nil
	}
	return first
}

func (e *examination) weigh(m *triage.Match) float64 {
	w := float64(m.Rule.Specificity)
	if m.Rule.Role != triage.Cause {
		w -= symptomPenalty
	}
	if m.Rule.Role == triage.Hint {
		w += hintBonus
	}
	w += depthBonus * float64(min(m.Depth, 2))
	for _, name := range []string{"command", "package", "host", "port", "path", "variable"} {
		if v := m.Names[name]; v != "" && e.conf.mentions(v) {
			w += agreementBonus
			break
		}
	}
	return w
}

// mentions tells whether a name stands in an entry of the config.
func (c *configuration) mentions(name string) bool {
	if c.document == nil {
		return false
	}
	for _, s := range c.document.Servers {
		if s.Command == name || slices.Contains(s.Args, name) {
			return true
		}
		for _, v := range s.Env {
			if v.Name == name || v.Value == name {
				return true
			}
		}
	}
	return false
}

// found weighs lint's findings against what the text says.
func (e *examination) found(matches []*candidate) []*candidate {
	top := &candidate{category: triage.Unknown}
	for _, m := range matches {
		if m.weight > top.weight || top.match == nil {
			top = m
		}
	}
	var all []*candidate
	for i := range e.conf.findings {
		f := &e.conf.findings[i]
		if !e.matters(f, top) {
			continue
		}
		c := &candidate{category: triage.Category(f.Rule.Category), finding: f}
		own := worth(f)
		switch {
		case e.explains(f, top):
			c.weight, c.over = max(own, top.weight+1), top
		case top.match == nil || top.symptom, top.weight < weak && f.Severity == lint.Error && f.Sure >= sureEnough:
			c.weight = own
		case c.category == top.category, ofConfig(c.category) && ofConfig(top.category) && f.Severity == lint.Error && !readPast(f, top):
			c.weight, c.over = max(own, top.weight+1), top // the log names the file, lint the place in it
		default:
			c.weight = min(own, top.weight) - behindLog
		}
		all = append(all, c)
	}
	return all
}

// matters tells whether a finding is worth showing beside the strongest thing
// that the text says.
func (e *examination) matters(f *lint.Finding, top *candidate) bool {
	switch {
	case e.in.Server != "" && f.Server != "" && f.Server != e.in.Server:
		return false // of another server
	case f.Severity == lint.Note && e.complained() && !e.explains(f, top):
		return false // what merely might go wrong is no answer to what did
	case !ofConfig(top.category) && e.conf.cutOff(f):
		return false // the edge of a piece that was copied, and nobody complains of the file
	}
	return true
}

// What a finding weighs by itself, on the scale of a rule's specificity.
const (
	findingBase    = 40.0
	findingSure    = 50.0 // times how sure lint is
	warningPenalty = 25.0
	notePenalty    = 60.0
	syntaxBonus    = 5.0  // a file that does not parse loads nothing, whatever else is wrong with it
	behindLog      = 20.0 // below what the log says, where neither explains the other
)

func worth(f *lint.Finding) float64 {
	w := findingBase + findingSure*f.Sure
	switch f.Severity {
	case lint.Warning:
		w -= warningPenalty
	case lint.Note:
		w -= notePenalty
	}
	if triage.Category(f.Rule.Category) == triage.ConfigSyntax {
		w += syntaxBonus
	}
	return w
}

func overlap(a, b *triage.Match) bool { return a.Start < b.End && b.Start < a.End }

func ofConfig(c triage.Category) bool {
	return c == triage.ConfigSyntax || c == triage.ConfigShape
}

// fold puts what follows from the first candidate under it.
func fold(all []*candidate) []*candidate {
	first := all[0]
	first.leads = true
	kept := []*candidate{first}
	for _, c := range all[1:] {
		same := c.category == first.category && c.match != nil
		switch {
		case c == first.over:
			first.echoes = append(first.echoes, c.match)
			if c.category != first.category {
				first.follows = append(first.follows, c.category)
			}
		case same && first.match != nil && c.match.Server == first.match.Server:
			first.also = append(first.also, c.match)
		case c.match != nil && (c.symptom || c.weight < weak && first.weight >= weak):
			if c.match.Rule.Role == triage.Hint || first.match != nil && overlap(first.match, c.match) {
				continue // other words for the same
			}
			if c.category != first.category && !slices.Contains(first.follows, c.category) {
				first.follows = append(first.follows, c.category)
				first.echoes = append(first.echoes, c.match)
			}
		default:
			if c.category != first.category {
				if first.rivals == 0 {
					first.margin = first.weight - c.weight
				}
				first.rivals++
			} else if c.finding != nil && first.finding != nil {
				first.beside = append(first.beside, c.finding)
			}
			if len(kept) < maxDiagnoses {
				kept = append(kept, c)
			}
		}
	}
	if first.rivals == 0 {
		first.margin = first.weight
	}
	return kept
}
