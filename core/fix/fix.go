// Package fix turns a recognised problem into candidate fixes, best first, as
// alternatives of which at most one is applied.
//
// A fixer is a pure function of the [Problem] and of [Facts] about the
// machine. With no facts (in the page, or in explain) it says what it can;
// with facts it names the very path or port. A fix never touches another
// server, never writes a secret, never names a package that neither the config
// nor the catalogue knows, and never weakens security.
package fix

import (
	"slices"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
	"mcpmend/core/lint"
)

// Safety says what applying a fix asks of the user.
type Safety string

const (
	Safe   Safety = "safe"   // reversible and of the same meaning
	Review Safety = "review" // wants a look before it is written
)

// Fix is one candidate. Patch is empty where the mend is not in the config.
type Fix struct {
	ID                 string        `json:"id"`
	Title              string        `json:"title"`
	Description        string        `json:"description"`
	Patch              config.Patch  `json:"patch"`
	Edits              []config.Edit `json:"edits,omitempty"` // where no patch can say it, as of comments
	InstallCommand     string        `json:"install_command"`
	EnvVarHint         string        `json:"env_var_hint"`
	RequiresUserAction bool          `json:"requires_user_action"`
	HelpURL            string        `json:"help_url"`
	Safety             Safety        `json:"safety"`
	Confidence         float64       `json:"confidence"`
	By                 string        `json:"by"` // "core", or the module's name
}

// Applicable says whether there is something that a program can carry out.
func (f Fix) Applicable() bool { return len(f.Patch)+len(f.Edits) > 0 && !f.RequiresUserAction }

// Apply carries a fix out on the text of a config.
func (f Fix) Apply(text string, format config.Format) (string, error) {
	if len(f.Edits) > 0 {
		return config.Edited(text, f.Edits)
	}
	changed, _, err := config.Apply(text, format, f.Patch)
	return changed, err
}

// Problem is a diagnosis as a fixer sees it.
type Problem struct {
	Code     string
	Category string
	Names    map[string]string // what the log or the config says: command, port, …
	Finding  *lint.Finding     // where the diagnosis is a finding about the config
	Document *config.Document  // nil where no config is known
	Server   *config.Server    // in Document; nil where none is meant
	Client   *config.Client    // nil where unknown
	OS       string            // linux, macos, windows, or ""
}

// fixer proposes fixes for one category.
type fixer func(*bench) []Fix

// fixers is every category with what is tried for it, best first: mends, and
// advice that gives way to what a rule has of its own.
var fixers = []struct {
	category      string
	mends, advice []fixer
}{
	{"command_not_found", []fixer{absoluteCommand, windowsShell, typoCommand, otherRunner, installCommand}, nil},
	{"package_not_found", []fixer{successor, pinCorrected, confirmInstall}, []fixer{checkPackage}},
	{"module_missing", nil, []fixer{buildFirst, clearCache}},
	{"runtime_version", []fixer{otherRuntime}, []fixer{installRuntime}},
	{"path_not_found", []fixer{expandedPath, nearPath}, []fixer{checkPath}},
	{"permission_denied", []fixer{executable, homePrefix, dockerGroup}, []fixer{checkPermission}},
	{"missing_env_var", []fixer{missingVariable, missingArgument}, nil},
	{"auth_failed", nil, []fixer{rejectedKey}},
	{"oauth_failed", []fixer{signInAgain}, nil},
	{"connection_refused", []fixer{outOfContainer, publishedPort, listeningPort, startBackend}, nil},
	{"network_unreachable", []fixer{outOfContainer, proxyVariables}, nil},
	{"tls_failed", []fixer{otherScheme}, []fixer{extraCertificates}},
	{"timeout", []fixer{confirmInstall, longerTimeout}, []fixer{installedBeforehand}},
	{"transport_mismatch", []fixer{usualPath, stdioFlag, rightTransport, bridge}, []fixer{checkTransport}},
	{"stdout_pollution", []fixer{quietFlag, wrapped}, nil},
	{"protocol_mismatch", nil, []fixer{updateServer}},
	{"connection_closed", []fixer{runByHand}, nil},
	{"server_crash", nil, []fixer{updateServer, runByHand}},
	{"invalid_arguments", nil, []fixer{explainArguments}},
	{"invalid_schema", []fixer{updateServer}, nil},
	{"config_syntax", nil, nil},
	{"config_shape", []fixer{bridge, handedOn, headerVariable, withoutFlag, otherRoot, otherWord, canonicalEntry, olderKey}, nil},
	{"port_in_use", []fixer{freePort}, nil},
	{"container_unavailable", nil, []fixer{startContainers}},
	{"rate_limited", []fixer{waitForQuota}, nil},
	{"session_expired", []fixer{reconnect}, nil},
	{"unknown", []fixer{outOfContainer, runByHand}, nil},
}

// Propose gives the candidates for a problem, best first. The finding's own
// mend, where there is one, comes before all others. There is never a nil
// list, so that JSON says [].
func Propose(p Problem, f Facts) []Fix {
	b := &bench{Problem: p, facts: f}
	if b.OS == "" {
		b.OS = f.OS
	}
	if p.Server != nil {
		b.launch = catalog.Parse(p.Server.Command, p.Server.Args)
		b.entry = catalog.Of(*p.Server)
	}
	if b.entry == nil && p.Names["package"] != "" {
		b.entry = catalog.ByPackage(p.Names["package"])
	}
	fixes := append([]Fix{}, ofFinding(p.Finding)...)
	for _, row := range fixers {
		if row.category != p.Category {
			continue
		}
		for _, mend := range row.mends {
			fixes = added(fixes, mend(b))
		}
		if own := b.ownAdvice(); own != nil && row.advice != nil {
			return added(fixes, own)
		}
		for _, advise := range row.advice {
			fixes = added(fixes, advise(b))
		}
	}
	return fixes
}

// added adds those that are not there yet.
func added(fixes, more []Fix) []Fix {
	for _, fix := range more {
		if !slices.ContainsFunc(fixes, func(f Fix) bool { return f.ID == fix.ID }) {
			fixes = append(fixes, finished(fix))
		}
	}
	return fixes
}

// finished fills in what is the same for all fixes of ours.
func finished(f Fix) Fix {
	f.By = "core"
	if f.Safety == "" {
		f.Safety = Review
	}
	if f.Patch == nil {
		f.Patch = config.Patch{}
	}
	if len(f.Patch)+len(f.Edits) == 0 {
		f.RequiresUserAction = true
	}
	return f
}

// ofFinding is the mend that lint found.
func ofFinding(f *lint.Finding) []Fix {
	if f == nil || !f.Fix.Possible() {
		return nil
	}
	safety := Review
	if f.Fix.Safe {
		safety = Safe
	}
	return []Fix{finished(Fix{ID: f.Rule.Code, Title: f.Fix.Title, Patch: f.Fix.Patch, Edits: f.Fix.Edits, Safety: safety, Confidence: f.Sure})}
}

// bench is a problem on the table of a fixer.
type bench struct {
	Problem
	facts  Facts
	launch catalog.Launch
	entry  *catalog.Entry // of the package in question, nil where unknown
}

// stdio says whether there is an entry with a command to change.
func (b *bench) stdio() bool {
	return b.Document != nil && b.Server != nil && b.Server.Node != nil && b.Server.Node.Kind == config.Object && b.Server.Command != ""
}

// remote says whether there is an entry with a URL to change.
func (b *bench) remote() bool {
	return b.Document != nil && b.Server != nil && b.Server.Node != nil && b.Server.Node.Kind == config.Object && b.Server.URL != ""
}

// changed gives the patch that makes the server what edit makes of it.
func (b *bench) changed(edit func(*config.Server)) config.Patch {
	want := *b.Server
	want.Args = slices.Clone(want.Args)
	want.Env = slices.Clone(want.Env)
	want.Headers = slices.Clone(want.Headers)
	edit(&want)
	return b.Document.Rewrite(b.Server, want)
}

// client is the client's name, or words for it.
func (b *bench) client() string {
	if b.Client != nil && b.Client.ID != config.Generic().ID {
		return b.Client.Name
	}
	return "the client"
}
