package fix

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

// propose asks for the fixes of a problem of the one server in a config.
func propose(t *testing.T, client, text, category string, names map[string]string, facts Facts) []Fix {
	t.Helper()
	doc, err := config.Parse(text, config.Options{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	return Propose(Problem{Category: category, Names: names, Document: doc, Server: &doc.Servers[0], Client: doc.Client}, facts)
}

func TestUsualPathsKeepTheQuery(t *testing.T) {
	tests := []struct{ url, status, transport, want string }{
		{"https://example.com/", "404", "", "https://example.com/mcp"},
		{"https://example.com?key=1", "404", "", "https://example.com/mcp?key=1"},
		{"https://example.com/wrong?key=1#x", "404", "", "https://example.com/mcp?key=1#x"},
		{"https://example.com/mcp", "404", "", "https://example.com/sse"},
		{"https://example.com/", "405", "", ""},
		{"https://example.com/", "404", "sse", ""},
	}
	for _, tt := range tests {
		t.Run(tt.url+" "+tt.status+tt.transport, func(t *testing.T) {
			is := is.New(t)
			text := `{"servers":{"x":{"type":"http","url":"` + tt.url + `"}}}`
			fixes := propose(t, "vscode", text, "transport_mismatch", map[string]string{"status": tt.status, "transport": tt.transport}, Facts{})
			got := ""
			if len(fixes) > 0 && (fixes[0].ID == "path-mcp" || fixes[0].ID == "path-sse") {
				changed, err := fixes[0].Apply(text, config.JSONC)
				is.NoErr(err)
				doc, err := config.Parse(changed, config.Options{Client: "vscode"})
				is.NoErr(err)
				got = doc.Servers[0].URL
			}
			is.Equal(got, tt.want)
		})
	}
}

func TestSchemes(t *testing.T) {
	tests := []struct{ url, code, want string }{
		{"http://example.com:8443/mcp", "MCP2583", "https://example.com:8443/mcp"},
		{"https://localhost:3000/mcp?key=1", "MCP2582", "http://localhost:3000/mcp?key=1"},
		{"https://example.com/mcp", "MCP2582", ""}, // never down to http elsewhere
		{"https://example.com/mcp", "MCP6401", ""},
	}
	for _, tt := range tests {
		t.Run(tt.url, func(t *testing.T) {
			is := is.New(t)
			text := `{"mcpServers":{"x":{"url":"` + tt.url + `"}}}`
			doc, err := config.Parse(text, config.Options{Client: "cursor"})
			is.NoErr(err)
			f := Propose(Problem{Code: tt.code, Category: "tls_failed", Document: doc, Server: &doc.Servers[0], Client: doc.Client}, Facts{})[0]
			is.Equal(f.Applicable(), tt.want != "")
			if f.Applicable() {
				after, err := f.Apply(text, config.JSON)
				is.NoErr(err)
				is.Equal(after, strings.Replace(text, tt.url, tt.want, 1))
			}
		})
	}
}

// TestNoFixTouchesAnotherServer, names a package that is not in the config, or
// writes a value of a variable: over every category with rich facts.
func TestFixesKeepTheirPromises(t *testing.T) {
	const text = `{"mcpServers":{"x":{"command":"npx","args":["@example/thing","~/notes","postgresql://localhost:5432/app"],"env":{"TOKEN":"planted"}},"other":{"command":"y"}}}`
	facts := Facts{
		OS: "linux", Commands: map[string]string{"npx": "/opt/bin/npx", "bunx": "/opt/bin/bunx", "thing": "/opt/bin/thing", "mcpmend": "/opt/bin/mcpmend", "node": "/opt/bin/node"},
		Paths:     map[string]Path{"~": {Exists: true, Near: "/home/you"}},
		Published: []Published{{Service: "db", Container: 5432, Host: 54320, File: "compose.yaml"}},
		EnvNames:  []EnvName{{Name: "GH_TOKEN", File: ".env"}},
		Runtimes:  []Runtime{{Name: "node", Version: "22.1.0", Path: "/opt/node22/bin/node"}},
	}
	names := map[string]string{"command": "npx", "port": "5432", "variable": "GITHUB_TOKEN", "runtime": "node", "path": "~/notes"}
	for _, row := range fixers {
		category := row.category
		t.Run(category, func(t *testing.T) {
			is := is.New(t)
			before, err := config.Parse(text, config.Options{Client: "cursor"})
			is.NoErr(err)
			for _, f := range propose(t, "cursor", text, category, names, facts) {
				is.True(f.Title != "")
				is.True(f.By == "core")
				is.Equal(f.RequiresUserAction, !f.Applicable())
				if !f.Applicable() {
					continue
				}
				after, err := f.Apply(text, config.JSON)
				is.NoErr(err)
				doc, err := config.Parse(after, config.Options{Client: "cursor"})
				is.NoErr(err)
				is.Equal(doc.Servers[1].Node.Value(), before.Servers[1].Node.Value()) // the other server
				for _, v := range doc.Servers[0].Env {
					is.True(v.Name == "TOKEN" && v.Value == "planted" || v.Name == "PATH")
				}
			}
		})
	}
}

// TestFixesOfStartedServers: what a server's own last words lead to.
func TestFixesOfStartedServers(t *testing.T) {
	const entry = `{"mcpServers":{"x":{"command":"npx","args":["-y","@example/thing@1.2.3","--tools=all"]}}}`
	tests := []struct {
		name, code, category string
		names                map[string]string
		want                 []string // ids of the fixes
		after                string   // what the first leaves
	}{
		{"a flag that it does not take", "MCP4504", "config_shape", map[string]string{"argument": "--tools"}, []string{"without-flag"}, `["-y","@example/thing@1.2.3"]`},
		{"a flag that is not there", "MCP4504", "config_shape", map[string]string{"argument": "--other"}, nil, ""},
		{"a flag of npx", "MCP4504", "config_shape", map[string]string{"argument": "-y"}, nil, ""},
		{"it serves HTTP", "MCP2504", "transport_mismatch", map[string]string{"url": "http://localhost:3001/mcp"}, []string{"flag-stdio", "flag-transport-stdio", "start-it-yourself", "check-transport"}, `"--tools=all","--stdio"]`},
		{"it says something else", "MCP2504", "transport_mismatch", map[string]string{"url": "http://localhost:1/ run this"}, []string{"check-transport"}, ""},
		{"it serves HTTP elsewhere", "MCP2504", "transport_mismatch", map[string]string{"url": "http://example.com/mcp"}, []string{"check-transport"}, ""},
		{"no such version", "MCP1103", "package_not_found", map[string]string{"package": "@example/thing", "version": "1.2.3"}, []string{"drop-version", "check-package"}, `"@example/thing"`},
		{"given up", "MCP1107", "package_not_found", map[string]string{"package": "@example/thing"}, []string{"follow-publisher"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			doc, err := config.Parse(entry, config.Options{Client: "cursor"})
			is.NoErr(err)
			fixes := Propose(Problem{Code: tt.code, Category: tt.category, Names: tt.names, Document: doc, Server: &doc.Servers[0], Client: doc.Client}, Facts{})
			var ids []string
			for _, f := range fixes {
				ids = append(ids, f.ID)
			}
			is.Equal(ids, tt.want)
			if tt.after != "" {
				after, err := fixes[0].Apply(entry, config.JSON)
				is.NoErr(err)
				is.True(strings.Contains(strings.ReplaceAll(after, ", ", ","), tt.after))
			}
		})
	}
}
