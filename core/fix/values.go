package fix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
)

// The fixers here are for a value that stands where it does not arrive: it is
// moved to a place of the same entry that the client hands on.

// handedOn names a variable in the client's list of those that it passes on,
// where the client replaces no references. The list has no other names for
// them, so a reference to another name stays.
func handedOn(b *bench) []Fix {
	if b.Code != "MCP4301" || !b.stdio() || b.Client == nil {
		return nil
	}
	list := b.Client.Spelling(config.RoleEnvNames, config.Stdio)
	if list == nil {
		return nil
	}
	var names []string
	if given := b.Server.Node.Get(list.Name); given != nil {
		for _, e := range given.Elements {
			names = append(names, e.Text)
		}
	}
	had := len(names)
	patch := b.changed(func(s *config.Server) {
		s.Env = slices.DeleteFunc(s.Env, func(v config.Variable) bool {
			references := config.References(v.Value)
			itself := len(references) == 1 && references[0].Name == v.Name && references[0].Default == "" && references[0].End-references[0].Start == len(v.Value)
			if itself && !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
			return itself
		})
	})
	if patch == nil || len(names) == had {
		return nil
	}
	value, _ := json.Marshal(names) // strings always encode
	op := config.Op{Op: "add", Path: b.Server.Pointer + config.Pointer(list.Name), Value: value}
	return []Fix{{
		ID:          "hand-on",
		Title:       fmt.Sprintf("Name it in %s", list.Name),
		Description: fmt.Sprintf("%s passes on the variables of your environment that stand in %s, and replaces no references.", b.client(), list.Name),
		Patch:       append(config.Patch{op}, patch...),
		Confidence:  0.85,
	}}
}

// headerVariable takes the value of a header out of mcp-remote's arguments,
// where a client may split it at its space. mcp-remote itself replaces the
// reference; a client that would do so first has no such variable.
func headerVariable(b *bench) []Fix {
	const variable = "AUTH_HEADER"
	if b.Code != "MCP4217" || !b.stdio() || catalog.Unversioned(b.launch.Package) != "mcp-remote" {
		return nil
	}
	taken := slices.ContainsFunc(b.Server.Env, func(v config.Variable) bool { return v.Name == variable })
	if taken || b.Client != nil && b.Client.Expands("${VAR}", config.RoleArgs) != config.No {
		return nil
	}
	patch := b.changed(func(s *config.Server) {
		for i, arg := range s.Args {
			name, value, ok := strings.Cut(arg, ": ")
			if i == 0 || s.Args[i-1] != "--header" || !ok || !strings.Contains(value, " ") {
				continue
			}
			s.Args[i] = name + ":${" + variable + "}"
			s.Env = append(s.Env, config.Variable{Name: variable, Value: value})
			return // another header wants another name, once this one is written
		}
	})
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "header-variable",
		Title:       fmt.Sprintf("Keep the header's value in %s", variable),
		Description: "mcp-remote takes it from the entry's environment, where no space can split it.",
		Patch:       patch,
		Confidence:  0.8,
	}}
}
