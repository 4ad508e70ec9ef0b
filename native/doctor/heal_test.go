package doctor

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	cursorFile = "~/.cursor/mcp.json"
	codeFile   = "~/.config/Code/User/mcp.json"
	codexFile  = "~/.codex/config.toml"
)

// cursor is a config of Cursor with one server.
func cursor(members string) string {
	return "{\n  \"mcpServers\": {\n    \"weather\": {" + members + "}\n  }\n}\n"
}

// code is one of VS Code, with a comment.
func code(members string) string {
	return "{\n  // checked every spring\n  \"servers\": {\n    \"weather\": {" + members + "}, // the only one\n  },\n}\n"
}

// TestBrokenSetupsEndConnected heals setups with real processes and servers.
// What is wanted is the whole file: nothing else in it may change.
func TestBrokenSetupsEndConnected(t *testing.T) {
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return remoteServer() }, nil)
	sse := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return remoteServer() }, nil)
	remote := httptest.NewServer(paths{"/mcp": streamable, "/old/sse": sse})
	defer remote.Close()
	backend, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	published := strconv.Itoa(backend.Addr().(*net.TCPAddr).Port)
	tests := []struct {
		name         string
		file         string
		before, want string
		also         map[string]string // further files
		trust        bool              // of the project
	}{
		{name: "wrong path of the command", file: cursorFile,
			before: cursor(`"command": "/opt/weather/bin/weather-server", "args": []`),
			want:   cursor(`"command": "{bin}/weather-server", "args": []`)},
		{name: "misspelt runner", file: cursorFile,
			before: cursor(`"command": "npxx", "args": ["-y", "@example/weather"]`),
			want:   cursor(`"command": "npx", "args": ["-y", "@example/weather"]`)},
		{name: "port of a compose file", file: codeFile,
			before: code(`"type": "stdio", "command": "weather-server", "args": ["postgresql://localhost:5432/app"]`),
			want:   code(`"type": "stdio", "command": "weather-server", "args": ["postgresql://localhost:{published}/app"]`),
			also:   map[string]string{"compose.yaml": "services:\n  db:\n    image: postgres:17\n    ports: [\"{published}:5432\"]\n"}},
		{name: "SSE named, streamable HTTP served", file: codeFile,
			before: code(`"type": "sse", "url": "{remote}/mcp"`),
			want:   code(`"type": "http", "url": "{remote}/mcp"`)},
		{name: "streamable HTTP named, SSE served", file: codeFile,
			before: code(`"type": "http", "url": "{remote}/old/sse"`),
			want:   code(`"type": "sse", "url": "{remote}/old/sse"`)},
		{name: "tilde in the arguments", file: cursorFile,
			before: cursor(`"command": "weather-server", "args": ["--root", "~/notes"]`),
			want:   cursor(`"command": "weather-server", "args": ["--root", "{home}/notes"]`),
			also:   map[string]string{"~/notes/a.md": ""}},
		{name: "arguments in one string", file: cursorFile,
			before: cursor(`"command": "npx", "args": ["-y @example/weather"]`),
			want:   cursor(`"command": "npx", "args": ["-y", "@example/weather"]`)},
		{name: "the whole command line in the command", file: cursorFile,
			before: cursor(`"command": "npx -y @example/weather"`),
			want:   cursor(`"command": "npx", "args": ["-y", "@example/weather"]`)},
		{name: "variables under a key that the client does not read", file: cursorFile,
			before: cursor(`"command": "weather-server", "args": ["--need", "UNITS"], "environment": {"UNITS": "metric"}`),
			want:   cursor(`"command": "weather-server", "args": ["--need", "UNITS"], "env": {"UNITS": "metric"}`)},
		{name: "time limit too short", file: codexFile,
			before: "# mine\n[mcp_servers.weather]\ncommand = \"weather-server\"\nargs = [\"--start\", \"2s\"]\nstartup_timeout_sec = 1 # quick\n",
			want:   "# mine\n[mcp_servers.weather]\ncommand = \"weather-server\"\nargs = [\"--start\", \"2s\"]\nstartup_timeout_sec = 30 # quick\n"},
		{name: "script that is not executable", file: cursorFile,
			before: cursor(`"command": "{home}/weather.js"`),
			want:   cursor(`"command": "{bin}/node", "args": ["{home}/weather.js"]`),
			also:   map[string]string{"~/weather.js": "#!/usr/bin/env node\n"}},
		{name: "npx asks", file: codexFile,
			before: "[mcp_servers.weather]\ncommand = \"npx\"\nargs = [\"@example/weather\"]\nstartup_timeout_sec = 4\n",
			want:   "[mcp_servers.weather]\ncommand = \"npx\"\nargs = [\"-y\", \"@example/weather\"]\nstartup_timeout_sec = 4\n"},
		{name: "path of the URL", file: codeFile,
			before: code(`"type": "http", "url": "{remote}/"`),
			want:   code(`"type": "http", "url": "{remote}/mcp"`)},
		{name: "relative path in the wrong case", file: ".vscode/mcp.json", trust: true,
			before: code(`"type": "stdio", "command": "weather-server", "args": ["--root", "./Data/Notes"]`),
			want:   code(`"type": "stdio", "command": "weather-server", "args": ["--root", "./data/notes"]`),
			also:   map[string]string{"data/notes/a.md": ""}},
		{name: "absolute path with a slip", file: cursorFile,
			before: cursor(`"command": "node", "args": ["{home}/servers/wether/index.js"]`),
			want:   cursor(`"command": "node", "args": ["{home}/servers/weather/index.js"]`),
			also:   map[string]string{"~/servers/weather/index.js": ""}},
		{name: "key of another client", file: codeFile,
			before: "{\n  // by hand\n  \"mcpServers\": {\n    \"weather\": {\"type\": \"stdio\", \"command\": \"weather-server\"}\n  }\n}\n",
			want:   "{\n  // by hand\n  \"servers\": {\n    \"weather\": {\"type\": \"stdio\", \"command\": \"weather-server\"}\n  }\n}\n"},
		{name: "cmd outside Windows", file: cursorFile,
			before: cursor(`"command": "cmd", "args": ["/c", "npx", "-y", "@example/weather"]`),
			want:   cursor(`"command": "npx", "args": ["-y", "@example/weather"]`)},
		{name: "mark before the text and a missing comma", file: cursorFile,
			before: "\ufeff" + cursor(`"command": "weather-server" "args": []`),
			want:   cursor(`"command": "weather-server", "args": []`)},
		{name: "missing comma, and a wrong path behind it", file: cursorFile,
			before: cursor(`"command": "/opt/weather-server" "args": []`),
			want:   cursor(`"command": "{bin}/weather-server", "args": []`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t, "{remote}", remote.URL, "{published}", published)
			for path, text := range tt.also {
				p.put(path, text, 0o644)
			}
			p.put(tt.file, tt.before, 0o600)
			d := p.doctor()
			d.TrustProject = tt.trust
			writes := p.heal(d)
			if got, want := p.read(tt.file), p.words.Replace(tt.want); got != want {
				t.Fatalf("written\n%s\nwant\n%s", got, want)
			}
			o := d.Probe(context.Background(), p.weather(d), Watch{})
			is.True(o.State == OK || o.State == Warns) // what was written works
			for range writes {
				_, err := d.Undo("")
				is.NoErr(err)
			}
			is.Equal(p.read(tt.file), p.words.Replace(tt.before)) // undo gives the very bytes
			info, err := os.Stat(p.path(tt.file))
			is.NoErr(err)
			is.Equal(info.Mode().Perm(), os.FileMode(0o600))
		})
	}
}

// heal does what fix does: syntax first, then the server; both are written.
// It tells how many writes there were.
func (p *place) heal(d *Doctor) int {
	p.t.Helper()
	writes := 0
	files, err := d.Files(Selection{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, r := range d.Repairs(files) {
		if err := d.Save(r.File, r.After, "syntax"); err != nil {
			p.t.Fatal(err)
		}
		writes++
	}
	h, err := d.Heal(context.Background(), p.weather(d), 3, Watch{})
	if err != nil {
		p.t.Fatal(err)
	}
	if !h.Record.Fixed {
		for _, a := range h.Record.Attempts {
			p.t.Logf("attempt %d: %s (%s): %s: %s", a.Number, a.FixApplied.ID, a.FixApplied.Title, a.Result, a.Diagnosis.Title)
		}
		p.t.Fatalf("not healed: asked for %q; last seen:\n%s", h.Record.UserActionNeeded, h.Outcome.Result.Text())
	}
	if h.After != "" {
		if h.After != h.Record.FinalConfig {
			p.t.Fatal("other bytes would be written than were probed")
		}
		if err := d.Write(h, "test"); err != nil {
			p.t.Fatal(err)
		}
		writes++
	}
	return writes
}

// TestSetupsThatNeedTheUser end with a question and are not written.
func TestSetupsThatNeedTheUser(t *testing.T) {
	protected := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", resource_metadata="https://example.com/.well-known/oauth-protected-resource"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer protected.Close()
	tests := []struct {
		name   string
		config string
		also   map[string]string
		want   []string // in what the user is told
	}{
		{"Docker is stopped", cursor(`"command": "docker", "args": ["run", "-i", "--rm", "mcp/fetch"]`), nil,
			[]string{"Start Docker"}},
		{"key is missing", cursor(`"command": "weather-server", "args": ["--need", "WEATHER_API_KEY"]`), nil,
			[]string{"Set WEATHER_API_KEY", `"env"`}},
		{"key has another name in .env", cursor(`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"]`),
			map[string]string{".env": "GH_TOKEN=planted-value-1234567890\n"},
			[]string{"Set GITHUB_PERSONAL_ACCESS_TOKEN", ".env has GH_TOKEN", "github.com"}},
		{"package that nobody published", cursor(`"command": "npx", "args": ["-y", "@example/wether"]`), nil,
			[]string{"Check the package's name"}},
		{"sign-in is wanted", cursor(`"url": "{remote}/mcp"`), nil,
			[]string{"Sign in"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t, "{remote}", protected.URL)
			for path, text := range tt.also {
				p.put(path, text, 0o600)
			}
			p.put(cursorFile, tt.config, 0o600)
			d := p.doctor()
			h, err := d.Heal(context.Background(), p.weather(d), 3, Watch{})
			is.NoErr(err)
			is.True(!h.Record.Fixed)
			is.Equal(h.After, "")
			is.True(d.Write(h, "test") != nil) // nothing was proven
			for _, want := range tt.want {
				if !strings.Contains(h.Record.UserActionNeeded, want) {
					t.Errorf("the user is told %q, which lacks %q; seen:\n%s", h.Record.UserActionNeeded, want, h.Outcome.Result.Text())
				}
			}
			if strings.Contains(h.Record.UserActionNeeded, "planted") {
				t.Error("a value of .env is shown")
			}
			is.Equal(p.read(cursorFile), p.words.Replace(tt.config))
		})
	}
}

// paths is a server that knows exact paths only.
type paths map[string]http.Handler

func (p paths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := p[r.URL.Path]; h != nil {
		h.ServeHTTP(w, r)
		return
	}
	http.NotFound(w, r)
}

func remoteServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "a"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	return s
}
