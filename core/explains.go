package core

import (
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/core/lint"
	"mcpmend/core/triage"
)

// explanations says which failures a mistake in the config leads to. A finding
// whose consequences are seen in the log is their cause.
var explanations = []struct {
	codes []string // of lint's rules
	leads []triage.Category
	notes bool // what lint only notes is enough beside such a log
}{
	{ // the command line is cut or joined in the wrong places
		codes: []string{"MCP4050", "MCP4051", "MCP4052", "MCP4053", "MCP4055", "MCP4058", "MCP4072", "MCP4075", "MCP4076", "MCP4079",
			"MCP4106", "MCP4107", "MCP4108", "MCP4109", "MCP4110", "MCP4207", "MCP4212", "MCP4313"},
		leads: []triage.Category{triage.CommandNotFound, triage.PackageNotFound, triage.PathNotFound, triage.ModuleMissing, triage.ServerCrash},
	},
	{ // a path is not what it was meant to be
		codes: []string{"MCP4054", "MCP4077", "MCP4078", "MCP4403", "MCP4404", "MCP4407", "MCP4409"},
		leads: []triage.Category{triage.CommandNotFound, triage.PathNotFound, triage.ModuleMissing},
	},
	{ // the container is started in a way that no client can talk to
		codes: []string{"MCP4090", "MCP4091", "MCP4092", "MCP4093", "MCP4097"},
		leads: []triage.Category{triage.ContainerUnavailable, triage.CommandNotFound},
	},
	{ // the client does not read what was meant for the server
		codes: []string{"MCP4101", "MCP4102", "MCP4104", "MCP4111", "MCP4116", "MCP4117", "MCP4118", "MCP4301", "MCP4302", "MCP4303", "MCP4306", "MCP4312", "MCP4314"},
		leads: []triage.Category{triage.AuthFailed, triage.MissingEnvVar, triage.OAuthFailed},
	},
	{ // variables beside an address, headers beside a program
		codes: []string{"MCP4122"},
		leads: []triage.Category{triage.AuthFailed, triage.MissingEnvVar},
		notes: true,
	},
	{ // the client takes the entry for another kind of server
		codes: []string{"MCP4101", "MCP4120", "MCP4201", "MCP4203", "MCP4204", "MCP4205", "MCP4206", "MCP4208", "MCP4211"},
		leads: []triage.Category{triage.TransportMismatch, triage.CommandNotFound, triage.ProtocolMismatch},
	},
}

// sureEnough is what an error must be to overrule a log. A warning is one
// because it may not matter; that its consequences are seen says that it does.
const sureEnough = 0.7

// explains tells whether a finding accounts for what the log says.
func (e *examination) explains(f *lint.Finding, top *candidate) bool {
	if top.match == nil {
		return false
	}
	if f.Rule.Mend != "" && top.match.Rule.Code == "MCP2301" {
		return strings.Contains(e.conf.text, top.match.Names["fragment"]) // "is not valid JSON" is said of a config file as well
	}
	if f.Rule.Code == "MCP4402" {
		return startedElsewhere(f.Names["value"], top.match.Names)
	}
	if f.Severity == lint.Error && f.Sure < sureEnough {
		return false
	}
	for _, x := range explanations {
		if f.Severity == lint.Note && !x.notes {
			continue
		}
		if slices.Contains(x.codes, f.Rule.Code) && slices.Contains(x.leads, top.category) {
			return true
		}
	}
	return false
}

// startedElsewhere tells whether the log looks for a relative path of the config
// below a folder that nobody keeps servers in: the client was started there.
func startedElsewhere(relative string, names map[string]string) bool {
	tail := "/" + strings.TrimPrefix(slashed(relative), "./")
	for _, name := range []string{"module", "path", "command"} {
		folder, ok := strings.CutSuffix(slashed(names[name]), tail)
		if !ok {
			continue
		}
		folder = strings.ToLower(folder)
		if strings.Trim(folder, "/") == "" || strings.HasSuffix(folder, ":") {
			return true // the root of the disk
		}
		if slices.ContainsFunc(clientFolders, func(part string) bool { return strings.Contains(folder+"/", part) }) {
			return true
		}
	}
	return false
}

// clientFolders are parts of paths where programs live that start servers.
var clientFolders = []string{"/windows/system32/", "/program files", "/appdata/local/", "/applications/", ".app/contents/"}

func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// readPast tells whether the client has seen what a finding says that it would
// stop at: one that complains about a key has read past every comment.
func readPast(f *lint.Finding, top *candidate) bool {
	return top.category == triage.ConfigShape && (f.Rule.Mend == config.MendComment || f.Rule.Mend == config.MendTrailingComma)
}

// cutOff tells whether a finding is about the edge of a piece that was copied
// out of a larger file, where the rest of the file may well be in order.
func (c *configuration) cutOff(f *lint.Finding) bool {
	if f.Rule.Mend == "" || c.whole {
		return false
	}
	start, end := min(f.Span.Start, len(c.text)), min(f.Span.End, len(c.text))
	return strings.TrimSpace(c.text[end:]) == "" || !strings.ContainsAny(c.text[:start], "{[:=")
}
