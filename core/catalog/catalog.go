// Package catalog knows well-known MCP servers: which variables and arguments
// they need and where to get the key, which flags make them speak stdio or be
// quiet, which packages were renamed or given up. It is what lets a diagnosis
// say "set AIRTABLE_API_KEY; keys are made on this page" instead of "a
// variable is missing".
//
// It is data, not advice to install anything: a package that is not in the
// user's own config is named only as the successor of one that is.
package catalog

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

// Entry is one published server.
type Entry struct {
	Package   string   // as the runner knows it
	Runner    string   // npm, pypi or docker
	Needs     []string // variables without which it does not start
	May       []string // variables that it reads and can do without
	Arguments []string // required, in order, as the package documents them
	Help      string   // page where a key is made or the set-up is told
	Stdio     []string // arguments that make it speak stdio
	Quiet     []string // arguments that keep its stdout clean
	HTTPPath  string   // where it serves streamable HTTP, if it does
	Port      int      // its default port, or its backend's
	Successor string   // the package that took its place
	Remote    string   // the hosted server that took its place
}

// Reads tells whether the server reads a variable of the environment.
func (e *Entry) Reads(variable string) bool {
	return slices.Contains(e.Needs, variable) || slices.Contains(e.May, variable)
}

// ByPackage finds a package by its name, without a version.
func ByPackage(name string) *Entry {
	name = Unversioned(name)
	for i := range entries {
		if strings.EqualFold(entries[i].Package, name) {
			return &entries[i]
		}
	}
	return nil
}

// ByVariable lists the packages that read a variable.
func ByVariable(name string) []*Entry {
	var found []*Entry
	for i := range entries {
		if entries[i].Reads(name) {
			found = append(found, &entries[i])
		}
	}
	return found
}

// Of finds the entry of the package that a server's command line runs.
func Of(s config.Server) *Entry {
	launch := Parse(s.Command, s.Args)
	if launch.Package == "" {
		return nil
	}
	return ByPackage(launch.Package)
}

// Aliases are other names under which the value of a variable is kept, such as
// GH_TOKEN for GITHUB_TOKEN.
func Aliases(variable string) []string {
	for _, group := range sameValue {
		for _, name := range group {
			if name != variable {
				continue
			}
			var others []string
			for _, other := range group {
				if other != variable {
					others = append(others, other)
				}
			}
			return others
		}
	}
	return nil
}

// sameValue groups variables that hold the same thing.
var sameValue = [][]string{
	{"GITHUB_PERSONAL_ACCESS_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "GITHUB_PAT", "GH_PAT"},
	{"GITLAB_PERSONAL_ACCESS_TOKEN", "GITLAB_TOKEN", "GL_TOKEN"},
	{"SLACK_BOT_TOKEN", "SLACK_TOKEN", "SLACK_API_TOKEN"},
	{"NOTION_TOKEN", "NOTION_API_KEY", "NOTION_API_TOKEN", "NOTION_SECRET"},
	{"OPENAI_API_KEY", "OPENAI_KEY", "OPENAI_TOKEN"},
	{"ANTHROPIC_API_KEY", "CLAUDE_API_KEY"},
	{"GOOGLE_API_KEY", "GEMINI_API_KEY"},
	{"DATABASE_URL", "POSTGRES_URL", "POSTGRES_CONNECTION_STRING", "PG_CONNECTION_STRING", "DATABASE_URI"},
	{"REDIS_URL", "REDIS_URI"},
	{"MONGODB_URI", "MONGO_URL", "MONGO_URI", "MDB_MCP_CONNECTION_STRING"},
	{"BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"},
	{"FIGMA_API_KEY", "FIGMA_TOKEN", "FIGMA_ACCESS_TOKEN"},
	{"LINEAR_API_KEY", "LINEAR_API_TOKEN", "LINEAR_TOKEN"},
	{"JIRA_API_TOKEN", "JIRA_TOKEN", "ATLASSIAN_API_TOKEN", "CONFLUENCE_API_TOKEN"},
	{"STRIPE_SECRET_KEY", "STRIPE_API_KEY"},
	{"AWS_REGION", "AWS_DEFAULT_REGION"},
	{"DIGITALOCEAN_API_TOKEN", "DIGITALOCEAN_ACCESS_TOKEN", "DO_TOKEN"},
	{"SUPABASE_ACCESS_TOKEN", "SUPABASE_TOKEN"},
	{"SENTRY_AUTH_TOKEN", "SENTRY_ACCESS_TOKEN", "SENTRY_TOKEN"},
}

// Packages lists the names of all packages.
func Packages() []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Package
	}
	return names
}
