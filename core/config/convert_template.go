package config

import "strings"

// template is a string of a config taken apart: text, and references to
// variables. A string without references has one piece at most.
type template []piece

type piece struct {
	text       string // where variable is ""
	variable   string
	fallback   string
	hasDefault bool
}

func literal(s string) template { return template{{text: s}} }

func variable(name string) template { return template{{variable: name}} }

// literal gives the text, with the variables left out.
func (t template) literal() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.text)
	}
	return b.String()
}

// only gives the variable that the template consists of, or "".
func (t template) only() string {
	if len(t) != 1 || t[0].hasDefault {
		return ""
	}
	return t[0].variable
}

func (t template) empty() bool { return len(t) == 0 || len(t) == 1 && t[0] == piece{} }

// takeApart finds the references that a client expands in a field. What it
// does not expand is text, whatever it looks like.
func (c *Client) takeApart(s string, role Role) template {
	var t template
	at := 0
	for _, r := range References(s) {
		if c.Expands(r.Form, role) != Yes || !namesVariable(r.Form) {
			continue
		}
		if r.Start > at {
			t = append(t, piece{text: s[at:r.Start]})
		}
		name := r.Name
		if c.asksForPrefix() {
			name = strings.TrimPrefix(name, variablePrefixCopilot)
		}
		t = append(t, piece{variable: name, fallback: r.Default, hasDefault: r.Form == "${VAR:-default}"})
		at = r.End
	}
	if at < len(s) || len(t) == 0 {
		t = append(t, piece{text: s[at:]})
	}
	return t
}

// namesVariable tells forms that name a variable from those that name a
// folder, a file, an input or a command.
func namesVariable(form string) bool { return strings.Contains(form, "VAR") }

func (c *Client) asksForPrefix() bool {
	return len(c.Interpolation.Syntax) > 0 && strings.Contains(c.Interpolation.Syntax[0], variablePrefixCopilot)
}

// putTogether writes a template in the client's syntax. Lost is the first
// variable that it cannot write there; the text then names it in braces.
func (c *Client) putTogether(t template, role Role) (s, lost string) {
	var b strings.Builder
	for _, p := range t {
		if p.variable == "" {
			b.WriteString(p.text)
			continue
		}
		syntax, whole := c.syntaxFor(p, role)
		if !whole && lost == "" {
			lost = p.variable
		}
		b.WriteString(strings.NewReplacer("VAR", p.variable, "default", p.fallback).Replace(syntax))
	}
	return b.String(), lost
}

// syntaxFor picks the syntax for a reference, and tells whether it says all.
func (c *Client) syntaxFor(p piece, role Role) (syntax string, whole bool) {
	plain := ""
	for _, s := range c.Interpolation.Syntax {
		if form := plainForm(s); !namesVariable(form) || c.Expands(form, role) != Yes {
			continue
		}
		if strings.Contains(s, ":-default") {
			if p.hasDefault {
				return s, true
			}
		} else if plain == "" {
			plain = s
		}
	}
	switch {
	case plain != "":
		return plain, !p.hasDefault
	case p.hasDefault:
		return "${VAR:-default}", false
	}
	return "${VAR}", false
}
