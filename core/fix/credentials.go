package fix

import (
	"fmt"
	"slices"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
)

// missingVariable says which variable, where this client reads it, under which
// other name a .env file has it, and where its value is made. A value is never
// looked at and never written.
func missingVariable(b *bench) []Fix {
	name := b.Names["variable"]
	if name == "" && b.Names["argument"] == "" {
		name = b.lacking()
	}
	if name == "" {
		return nil
	}
	fix := Fix{
		ID:          "set-variable",
		Title:       fmt.Sprintf("Set %s", name),
		Description: b.whereToSet(name),
		EnvVarHint:  name,
		HelpURL:     b.help(name),
		Confidence:  0.8,
	}
	if alias := b.alias(name); alias != nil {
		if alias.Name == name {
			fix.Description = fmt.Sprintf("%s stands in %s, which the client does not read. %s", name, alias.File, fix.Description)
		} else {
			fix.Description = fmt.Sprintf("%s has %s, which looks like the same value under another name. %s", alias.File, alias.Name, fix.Description)
			fix.EnvVarHint = fmt.Sprintf("%s (like %s in %s)", name, alias.Name, alias.File)
		}
	}
	return []Fix{fix}
}

// lacking is the first variable that the package needs and the entry has not.
func (b *bench) lacking() string {
	if b.entry == nil || b.Server == nil {
		return ""
	}
	for _, name := range b.entry.Needs {
		if !slices.ContainsFunc(b.Server.Env, func(e config.Variable) bool { return e.Name == name && e.Value != "" }) {
			return name
		}
	}
	return ""
}

// whereToSet words the place in the client's own spelling.
func (b *bench) whereToSet(name string) string {
	key := "env"
	if b.Client != nil {
		if f := b.Client.Spelling(config.RoleEnv, config.Stdio); f != nil {
			key = f.Name
		}
		if forms := b.Client.Interpolation.Syntax; b.Client.Interpolation.Supported == config.Yes && len(forms) > 0 && strings.Contains(forms[0], "VAR") {
			return fmt.Sprintf("Add it to %q of the server's entry; %s can take it from your environment as %s.", key, b.client(), strings.Replace(forms[0], "VAR", name, 1))
		}
	}
	return fmt.Sprintf("Add it to %q of the server's entry; %s does not pass on your shell's variables by itself.", key, b.client())
}

// help is the page where a value is made: of the package in question, else of
// the one package that reads the variable.
func (b *bench) help(variable string) string {
	if b.entry != nil && b.entry.Help != "" {
		return b.entry.Help
	}
	page := ""
	for _, e := range catalog.ByVariable(variable) {
		if page != "" && e.Help != page {
			return ""
		}
		page = e.Help
	}
	return page
}

// alias finds the variable, or one that holds the same thing, in a .env file.
func (b *bench) alias(name string) *EnvName {
	for _, candidate := range append([]string{name}, catalog.Aliases(name)...) {
		for i := range b.facts.EnvNames {
			if b.facts.EnvNames[i].Name == candidate {
				return &b.facts.EnvNames[i]
			}
		}
	}
	return nil
}

// missingArgument is for a value that goes on the command line.
func missingArgument(b *bench) []Fix {
	argument := b.Names["argument"]
	if argument == "" && b.entry != nil && len(b.entry.Arguments) > 0 && b.Names["variable"] == "" {
		argument = b.entry.Arguments[0]
	}
	if argument == "" {
		if b.Names["variable"] == "" && b.lacking() == "" {
			return []Fix{{
				ID: "read-set-up", Title: "Look up what the server needs",
				Description: "It stops because a value is missing and does not say under which name. Its own page lists the variables and arguments.",
				HelpURL:     b.help(""), Confidence: 0.4,
			}}
		}
		return nil
	}
	return []Fix{{
		ID:          "add-argument",
		Title:       "Pass the missing argument",
		Description: fmt.Sprintf("The server takes it on its command line: add it at the end of the entry's arguments. It is documented as %s.", strings.TrimSpace(argument)),
		HelpURL:     b.help(""),
		Confidence:  0.7,
	}}
}

// rejectedKey is for a remote that does not take the key it got.
func rejectedKey(b *bench) []Fix {
	name := b.Names["variable"]
	if name == "" {
		name = b.keyVariable()
	}
	fix := Fix{
		ID:          "renew-key",
		Title:       "Replace the key that was rejected",
		Description: "The other side knows no such key, or the key lacks a right that the call needs. Make a new one with the rights the server's page names.",
		EnvVarHint:  name,
		HelpURL:     b.help(name),
		Confidence:  0.7,
	}
	if name != "" {
		fix.Title = fmt.Sprintf("Replace the value of %s", name)
		if alias := b.alias(name); alias != nil && alias.Name != name {
			fix.Description += fmt.Sprintf(" %s has %s, which may be the right one.", alias.File, alias.Name)
		}
	} else if b.remote() {
		if len(b.Server.Headers) == 0 {
			fix.ID, fix.Title = "sign-in", "Sign in to it from "+b.client()
		}
		fix.Description = "The other side wants a sign-in or a header such as Authorization, and did not accept what it got. " + b.headerAdvice()
	}
	return []Fix{fix}
}

// keyVariable is the one variable of the entry that holds a key.
func (b *bench) keyVariable() string {
	if b.Server == nil {
		return ""
	}
	found := ""
	for _, v := range b.Server.Env {
		upper := strings.ToUpper(v.Name)
		for _, word := range []string{"TOKEN", "KEY", "SECRET", "PASS", "PAT"} {
			if strings.Contains(upper, word) {
				if found != "" && found != v.Name {
					return ""
				}
				found = v.Name
			}
		}
	}
	if found != "" || b.entry == nil {
		return found
	}
	for _, known := range [][]string{b.entry.Needs, b.entry.May} {
		if len(known) > 0 {
			return known[0]
		}
	}
	return ""
}

func (b *bench) headerAdvice() string {
	if b.Client != nil {
		if f := b.Client.Spelling(config.RoleHeaders, config.HTTP); f != nil {
			return fmt.Sprintf("In %s headers stand under %q of the entry.", b.client(), f.Name)
		}
	}
	return "Sign in from the client, or add the header where the client keeps it."
}

// signInAgain is for the OAuth flow itself.
func signInAgain(b *bench) []Fix {
	fix := Fix{
		ID:          "sign-in-again",
		Title:       "Sign in again",
		Description: "Remove the stored sign-in and start over from the client. A server that does not let clients register themselves needs a client id that its operator gives out.",
		HelpURL:     b.help(""),
		Confidence:  0.6,
	}
	if catalog.Unversioned(b.launch.Package) == "mcp-remote" {
		fix.Description = "mcp-remote keeps sign-ins below ~/.mcp-auth; move that directory away and start the client again."
	}
	return []Fix{fix}
}
