package fix

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

// TestFailuresHaveTheirFixes: what is proposed for each of the classic failures,
// given what the machine is known to have.
func TestFailuresHaveTheirFixes(t *testing.T) {
	const npx = `"command":"npx","args":["-y","@example/thing","--all"]`
	const uvx = `"command":"uvx","args":["example-thing","--all"]`
	no := false
	tests := []struct {
		name, category, entry string
		names                 map[string]string
		facts                 Facts
		want                  string // id of a fix
		after                 string // in the config, or in its instruction
	}{
		{"npx is elsewhere", "command_not_found", npx, nil,
			Facts{Commands: map[string]string{"npx": "/opt/node/bin/npx"}}, "absolute-command", `"/opt/node/bin/npx"`},
		{"no npx, but bunx", "command_not_found", npx, nil,
			Facts{Commands: map[string]string{"npx": "", "bunx": "/opt/bun/bunx"}}, "runner-bunx", `"/opt/bun/bunx","args":["@example/thing","--all"]`},
		{"no npx, but the package's own program", "command_not_found", npx, nil,
			Facts{Commands: map[string]string{"npx": "", "thing": "/usr/local/bin/thing"}}, "global-binary", `"/usr/local/bin/thing","args":["--all"]`},
		{"no pipx, but uvx", "command_not_found", `"command":"pipx","args":["run","example-thing","--all"]`, nil,
			Facts{Commands: map[string]string{"pipx": "", "uvx": "/opt/uv/uvx"}}, "runner-uvx", `"/opt/uv/uvx","args":["example-thing","--all"]`},
		{"no uvx, but pip has installed it", "command_not_found", uvx, nil,
			Facts{Commands: map[string]string{"uvx": "", "example-thing": "/home/you/.local/bin/example-thing"}}, "global-binary", `"/home/you/.local/bin/example-thing","args":["--all"]`},
		{"no uvx, but python has the module", "command_not_found", uvx, nil,
			Facts{Commands: map[string]string{"uvx": "", "python3": "/usr/bin/python3"}, Paths: map[string]Path{"python-module:example_thing": {Exists: true}}}, "python-module", `"/usr/bin/python3","args":["-m","example_thing","--all"]`},
		{"no runner at all", "command_not_found", uvx, nil, Facts{OS: "linux", Commands: map[string]string{"uvx": ""}}, "install-uv", "pipx install uv"},
		{"compose publishes another port", "connection_refused", `"command":"npx","args":["-y","@example/thing","postgresql://localhost:5432/app"]`,
			map[string]string{"port": "5432"}, Facts{Published: []Published{{Service: "db", Container: 5432, Host: 54320, File: "compose.yaml"}}}, "published-port-54320", "localhost:54320/app"},
		{"Docker does not run", "connection_refused", `"command":"npx","args":["-y","@example/thing","postgresql://localhost:5432/app"]`,
			map[string]string{"port": "5432"}, Facts{Docker: &no, Published: []Published{{Service: "db", Container: 5432, Host: 5432, File: "compose.yaml"}}}, "start-service", "Start Docker,then the service db"},
		{"a container calls its own localhost", "connection_refused", `"command":"docker","args":["run","-i","--rm","-p","127.0.0.1:80:80","-e","DB=postgres://u@localhost:5432/app","example/db","--cache=127.0.0.1:6379"]`,
			map[string]string{"port": "5432"}, Facts{OS: "linux"}, "out-of-container",
			`"run","--add-host=host.docker.internal:host-gateway","-i","--rm","-p","127.0.0.1:80:80","-e","DB=postgres://u@host.docker.internal:5432/app","example/db","--cache=host.docker.internal:6379"`},
		{"a container gets localhost in a variable", "connection_refused", `"command":"docker","args":["run","-i","--rm","-e","API_URL","example/db"],"env":{"API_URL":"http://localhost:8080/v1"}`,
			nil, Facts{OS: "macos"}, "out-of-container", `"API_URL":"http://host.docker.internal:8080/v1"`},
		{"a container does not know the machine around it", "network_unreachable", `"command":"docker","args":["run","-i","example/db","http://host.docker.internal:8080"]`,
			map[string]string{"host": "host.docker.internal"}, Facts{}, "host-gateway", `"run","--add-host=host.docker.internal:host-gateway","-i"`},
		{"npm wants to write where only root may", "permission_denied", npx,
			map[string]string{"path": "/usr/lib/node_modules"}, Facts{}, "npm-prefix", "npm config set prefix ~/.local"},
		{"a script is not executable", "permission_denied", `"command":"/opt/thing/run.sh"`,
			map[string]string{"path": "/opt/thing/run.sh"}, Facts{Paths: map[string]Path{"/opt/thing/run.sh": {Exists: true, Mode: "0644"}}}, "make-executable", "/opt/thing/run.sh"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			text := `{"mcpServers":{"x":{` + tt.entry + `}}}`
			doc, err := config.Parse(text, config.Options{Client: "cursor"})
			is.NoErr(err)
			fixes := Propose(Problem{Category: tt.category, Names: tt.names, Document: doc, Server: &doc.Servers[0], Client: doc.Client, OS: tt.facts.OS}, tt.facts)
			var ids []string
			for _, f := range fixes {
				ids = append(ids, f.ID)
			}
			at := slices.Index(ids, tt.want)
			if at < 0 {
				t.Fatalf("%s is not among %s", tt.want, ids)
			}
			got := fixes[at].Title + fixes[at].Description + fixes[at].InstallCommand
			if len(fixes[at].Patch) > 0 {
				got, err = fixes[at].Apply(text, config.JSON)
				is.NoErr(err)
			}
			if !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(got, ", ", ","), ": ", ":"), tt.after) {
				t.Errorf("%s lacks %s", got, tt.after)
			}
		})
	}
}
