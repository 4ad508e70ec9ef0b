package config

import (
	"slices"
	"strings"
)

// Reference is a place in a string that some client replaces by the value of a
// variable, an input or a folder.
type Reference struct {
	Start, End int
	Form       string // as in Interpolation.Syntax: "${VAR}", "${env:VAR}", "${workspaceFolder}", …
	Name       string // of the variable or the input
	Default    string // what "${NAME:-default}" has after the sign
}

// maxReference bounds how far the end of a reference is looked for.
const maxReference = 256

// References finds what looks like a reference in any client's syntax, from
// left to right. Whether it is one depends on the client: see [Client.Expands].
func References(s string) []Reference {
	var list []Reference
	for i := 0; i < len(s); {
		switch s[i] {
		case '$', '{', '%':
			if r, ok := referenceAt(s, i); ok {
				list = append(list, r)
				i = r.End
				continue
			}
		}
		i++
	}
	return list
}

// A notation is one way to write a reference. Longer openings come before
// those that they begin with.
type notation struct {
	open, close string
	form        string // the syntax, where it is the same for every name
	braces      bool   // "${name}": the name itself decides the form
}

var notations = []notation{
	{open: "${{ secrets.", close: " }}", form: "${{ secrets.VAR }}"},
	{open: "${{ inputs.", close: " }}", form: "${{ inputs.VAR }}"},
	{open: "${env:", close: "}", form: "${env:VAR}"},
	{open: "${input:", close: "}", form: "${input:ID}"},
	{open: "${config:", close: "}", form: "${config:NAME}"},
	{open: "${file:", close: "}", form: "${file:PATH}"},
	{open: "${user_config.", close: "}", form: "${user_config.KEY}"},
	{open: "${", close: "}", braces: true},
	{open: "$(", close: ")", form: "$(COMMAND)"},
	{open: "{env:", close: "}", form: "{env:VAR}"},
	{open: "{file:", close: "}", form: "{file:PATH}"},
	{open: "{{", close: "}}", form: "{{VAR}}"},
	{open: "%", close: "%", form: "%VAR%"},
}

func referenceAt(s string, i int) (Reference, bool) {
	rest := s[i:min(len(s), i+maxReference)]
	for _, n := range notations {
		if !strings.HasPrefix(rest, n.open) {
			continue
		}
		name, _, ok := strings.Cut(rest[len(n.open):], n.close)
		if !ok || name == "" || strings.ContainsAny(name, "\r\n") {
			return Reference{}, false
		}
		r := Reference{Start: i, End: i + len(n.open) + len(name) + len(n.close), Form: n.form, Name: name}
		if n.open == "%" && !isVariable(name) {
			return Reference{}, false // a percent-encoded URL, or a percentage
		}
		if n.braces {
			return r.braced()
		}
		return r, true
	}
	if s[i] != '$' {
		return Reference{}, false
	}
	name := variablePrefix(rest[1:])
	return Reference{Start: i, End: i + 1 + len(name), Form: "$VAR", Name: name}, name != ""
}

// braced tells the forms of "${…}" apart: a variable in capitals, with or
// without a default, or a word that clients know, such as workspaceFolder.
func (r Reference) braced() (Reference, bool) {
	name, value, hasDefault := strings.Cut(r.Name, ":-")
	switch {
	case isVariable(name) && hasDefault:
		r.Name, r.Default, r.Form = name, value, "${VAR:-default}"
	case !isVariable(name) || slices.Contains(folders, name):
		r.Form = "${" + r.Name + "}"
	default:
		r.Form = "${VAR}"
	}
	return r, true
}

// folders are words in capitals or not that are no variables.
var folders = []string{
	"workspaceFolder", "workspaceFolderBasename", "userHome", "pathSeparator",
	"__dirname", "DESKTOP", "DOCUMENTS", "DOWNLOADS",
}

func isVariable(s string) bool { return s != "" && variablePrefix(s) == s }

func variablePrefix(s string) string {
	for i := range len(s) {
		b := s[i]
		if !(b == '_' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || i > 0 && b >= '0' && b <= '9') {
			return s[:i]
		}
	}
	return s
}

// Expands tells whether the client replaces a reference of that form in a
// field of that role.
func (c *Client) Expands(form string, role Role) Answer {
	in := &c.Interpolation
	switch {
	case in.Supported != Yes:
		return in.Supported
	case len(in.Where) > 0 && !slices.Contains(in.Where, role):
		return No
	case slices.ContainsFunc(in.Syntax, func(s string) bool { return plainForm(s) == form }):
		return Yes
	}
	return No
}

// plainForm is the form of a syntax that wants a prefix before the name.
func plainForm(syntax string) string { return strings.Replace(syntax, variablePrefixCopilot, "", 1) }

// variablePrefixCopilot begins every variable that the coding agent hands on.
const variablePrefixCopilot = "COPILOT_MCP_"
