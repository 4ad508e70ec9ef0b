package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// everyTransport has what the samples of single clients have not: every transport, a
// switch, times, lists of tools, references with and without defaults.
const everyTransport = `{"mcpServers": {
  "local": {"command": "npx", "args": ["-y", "pkg", "--flag=a b"], "env": {"TOKEN": "${TOKEN}", "MODE": "x"}, "cwd": "/srv"},
  "events": {"type": "sse", "url": "https://e.example.com/sse", "headers": {"Authorization": "Bearer ${TOKEN}"}},
  "issues": {"type": "http", "url": "https://i.example.com/mcp", "headers": {"X-Key": "${KEY}", "X-Team": "shop"}},
  "plain": {"type": "http", "url": "http://10.0.0.5:8080/mcp"}
}}`

// sources are the configs that go round: the samples, and some more.
func sources(t testing.TB) []*Document {
	t.Helper()
	var docs []*Document
	add := func(id, text string, format Format) {
		doc, err := Parse(text, Options{Format: format, Client: id})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		docs = append(docs, doc)
	}
	for id, text := range samples(t) {
		if c := ClientByID(id); len(c.Fields) > 0 && !c.alone() {
			add(id, text, c.Formats[0])
		}
	}
	add("claude-code", everyTransport, JSON)
	add("roo-code", `{"mcpServers": {"a": {"command": "cmd", "args": ["/c", "npx", "-y", "x"], "timeout": 30, "disabled": true}, "b": {"type": "sse", "url": "https://e", "timeout": 5}}}`, JSON)
	add("kilo-code", `{"mcpServers": {"a": {"command": "x", "env": {"A": "${env:A}"}, "timeout": 30}}}`, JSON)
	add("codex", "[mcp_servers.a]\ncommand = \"x\"\nenv_vars = [\"A\", \"B\"]\n[mcp_servers.b]\nurl = \"https://e\"\nenv_http_headers = { \"X-Key\" = \"KEY\" }\n", TOML)
	slices.SortStableFunc(docs, func(a, b *Document) int { return cmp.Compare(a.Client.ID, b.Client.ID) })
	return docs
}

// meaning is what a server says, whatever the dialect.
func meaning(doc *Document, s *Server) string {
	v := conversion{to: Generic(), taken: map[string]bool{}}
	p := v.read(s, doc.Dialect(s))
	order := func(a, b setting) int { return cmp.Compare(a.name, b.name) }
	slices.SortFunc(p.env, order)
	slices.SortFunc(p.headers, order)
	return fmt.Sprintf("%+v", p)
}

// From A to B and back to A every server is the same, unless one of the two
// ways says what it lost.
func TestConvertGoesRound(t *testing.T) {
	compared, lossless := 0, map[string]int{}
	for _, doc := range sources(t) {
		for _, to := range Clients() {
			if len(to.Fields) == 0 || to.alone() {
				continue
			}
			name := doc.Client.ID + " to " + to.ID
			there, err := Convert(doc, to, ConvertOptions{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			middle, err := Parse(there.Text, Options{Format: there.Format, Client: to.ID})
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, there.Text)
			}
			lost := losers(there)
			if len(middle.Servers) == 0 {
				if len(lost) < len(doc.Servers) {
					t.Errorf("%s: servers vanished\n%s", name, there.Text)
				}
				continue
			}
			back, err := Convert(middle, doc.Client, ConvertOptions{})
			if err != nil {
				t.Fatalf("%s and back: %v", name, err)
			}
			again, err := Parse(back.Text, Options{Format: back.Format, Client: doc.Client.ID})
			if err != nil {
				t.Fatalf("%s and back: %v\n%s", name, err, back.Text)
			}
			for who := range losers(back) {
				lost[who] = true
			}
			for i := range doc.Servers {
				s := &doc.Servers[i]
				if lost[s.Name] {
					continue
				}
				j := slices.IndexFunc(again.Servers, func(x Server) bool { return x.Name == s.Name })
				if j < 0 {
					t.Errorf("%s: %s is gone, and no loss is told\n%s", name, s.Name, there.Text)
					continue
				}
				compared++
				lossless[to.ID]++
				if a, b := meaning(doc, s), meaning(again, &again.Servers[j]); a != b {
					t.Errorf("%s: %s changed\n%s\n%s\n%s", name, s.Name, a, b, there.Text)
				}
			}
		}
	}
	t.Logf("%d servers went round", compared)
	for _, c := range Clients() {
		if len(c.Fields) > 0 && !c.alone() && lossless[c.ID] < 10 {
			t.Errorf("only %d servers go through %s without a loss", lossless[c.ID], c.ID)
		}
	}
}

func losers(c Converted) map[string]bool {
	m := map[string]bool{}
	for _, l := range c.Losses {
		m[l.Server] = true
	}
	return m
}

func convert(t *testing.T, from, text, to string, o ConvertOptions) Converted {
	t.Helper()
	doc, err := Parse(text, Options{Client: from, Format: ClientByID(from).Formats[0]})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Convert(doc, ClientByID(to), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConvert(t *testing.T) {
	for _, tt := range []struct {
		name, from, to string
		os             OS
		text, want     string
		losses         []string // server/field
	}{
		{name: "another root and a type", from: "cursor", to: "vscode",
			text: `{"mcpServers": {"a": {"command": "npx", "args": ["x"], "env": {"A": "${env:A}"}}}}`,
			want: "{\n  \"servers\": {\n    \"a\": {\n      \"type\": \"stdio\",\n      \"command\": \"npx\",\n      \"args\": [\"x\"],\n      \"env\": {\n        \"A\": \"${env:A}\"\n      }\n    }\n  }\n}\n"},
		{name: "one array, another name for variables, another syntax", from: "claude-code", to: "opencode",
			text: `{"mcpServers": {"a": {"command": "npx", "args": ["x"], "env": {"A": "${B}"}}}}`,
			want: "{\n  \"mcp\": {\n    \"a\": {\n      \"type\": \"local\",\n      \"command\": [\"npx\", \"x\"],\n      \"environment\": {\n        \"A\": \"{env:B}\"\n      }\n    }\n  }\n}\n"},
		{name: "variables by name where none is put in", from: "claude-code", to: "codex",
			text: `{"mcpServers": {"a": {"command": "x", "env": {"A": "${A}", "C": "d"}}, "b": {"type": "http", "url": "https://e", "headers": {"Authorization": "Bearer ${T}", "X-K": "${K}", "X-L": "l"}}}}`,
			want: "[mcp_servers.a]\ncommand = \"x\"\nenv_vars = [\"A\"]\n\n[mcp_servers.a.env]\nC = \"d\"\n\n[mcp_servers.b]\nurl = \"https://e\"\nbearer_token_env_var = \"T\"\n\n[mcp_servers.b.http_headers]\nX-L = \"l\"\n\n[mcp_servers.b.env_http_headers]\nX-K = \"K\"\n"},
		{name: "a variable that cannot be said", from: "claude-code", to: "codex",
			text:   `{"mcpServers": {"a": {"command": "x", "env": {"A": "pre-${B}"}}}}`,
			want:   "[mcp_servers.a]\ncommand = \"x\"\n\n[mcp_servers.a.env]\nA = \"pre-${B}\"\n",
			losses: []string{"a/env.A"}},
		{name: "a default that cannot be said", from: "claude-code", to: "cline",
			text:   `{"mcpServers": {"a": {"command": "x", "env": {"A": "${B:-c}"}}}}`,
			want:   "{\n  \"mcpServers\": {\n    \"a\": {\n      \"type\": \"stdio\",\n      \"command\": \"x\",\n      \"env\": {\n        \"A\": \"${env:B}\"\n      }\n    }\n  }\n}\n",
			losses: []string{"a/env.A"}},
		{name: "a list with names, nested headers", from: "cursor", to: "continue",
			text: `{"mcpServers": {"a": {"url": "https://e", "headers": {"K": "${env:T}"}}}}`,
			want: "name: mcp-servers\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: a\n    type: streamable-http\n    url: https://e\n    requestOptions:\n      headers:\n        K: ${{ secrets.T }}\n"},
		{name: "milliseconds become seconds", from: "gemini-cli", to: "zed",
			text: `{"mcpServers": {"a": {"command": "x", "timeout": 30000}}}`,
			want: "{\n  \"context_servers\": {\n    \"a\": {\n      \"command\": \"x\",\n      \"timeout\": 30\n    }\n  }\n}\n"},
		{name: "more seconds than it takes", from: "gemini-cli", to: "roo-code",
			text:   `{"mcpServers": {"a": {"command": "x", "timeout": 7200000}}}`,
			want:   "{\n  \"mcpServers\": {\n    \"a\": {\n      \"type\": \"stdio\",\n      \"command\": \"x\",\n      \"timeout\": 3600\n    }\n  }\n}\n",
			losses: []string{"a/timeout"}},
		{name: "a bridge, with the token in a variable", from: "claude-code", to: "claude-desktop",
			text: `{"mcpServers": {"a": {"type": "http", "url": "https://e", "headers": {"Authorization": "Bearer abc"}}}}`,
			want: "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"mcp-remote\", \"https://e\", \"--header\", \"Authorization:${MCP_HEADER_AUTHORIZATION}\"],\n      \"env\": {\n        \"MCP_HEADER_AUTHORIZATION\": \"Bearer abc\"\n      }\n    }\n  }\n}\n"},
		{name: "a bridge for SSE over plain HTTP", from: "claude-code", to: "zed",
			text: `{"mcpServers": {"a": {"type": "sse", "url": "http://10.0.0.5/sse"}}}`,
			want: "{\n  \"context_servers\": {\n    \"a\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"mcp-remote\", \"http://10.0.0.5/sse\", \"--transport\", \"sse-only\", \"--allow-http\"]\n    }\n  }\n}\n"},
		{name: "cmd /c where it is needed", from: "cursor", to: "claude-code", os: Windows,
			text: `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}}`,
			want: "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"cmd\",\n      \"args\": [\"/c\", \"npx\", \"-y\", \"x\"]\n    }\n  }\n}\n"},
		{name: "no cmd /c where it is not", from: "claude-code", to: "vscode", os: Windows,
			text: `{"mcpServers": {"a": {"command": "cmd", "args": ["/c", "npx", "-y", "x"]}}}`,
			want: "{\n  \"servers\": {\n    \"a\": {\n      \"type\": \"stdio\",\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"x\"]\n    }\n  }\n}\n"},
		{name: "never cmd /c with its own characters", from: "vscode", to: "claude-code", os: Windows,
			text:   `{"servers": {"a": {"command": "npx", "args": ["-y", "x", "a&calc"]}}}`,
			want:   "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"x\", \"a&calc\"]\n    }\n  }\n}\n",
			losses: []string{"a/args"}},
		{name: "what is off stays off", from: "cline", to: "zed",
			text: `{"mcpServers": {"a": {"command": "x", "disabled": true}}}`,
			want: "{\n  \"context_servers\": {\n    \"a\": {\n      \"command\": \"x\",\n      \"enabled\": false\n    }\n  }\n}\n"},
		{name: "what is off is not started", from: "cline", to: "lm-studio",
			text:   `{"mcpServers": {"a": {"command": "x", "disabled": true}, "b": {"command": "y"}}}`,
			want:   "{\n  \"mcpServers\": {\n    \"b\": {\n      \"command\": \"y\"\n    }\n  }\n}\n",
			losses: []string{"a/"}},
		{name: "all tools where a list is wanted", from: "cursor", to: "copilot-cli",
			text: `{"mcpServers": {"a": {"command": "x"}}}`,
			want: "{\n  \"mcpServers\": {\n    \"a\": {\n      \"type\": \"local\",\n      \"command\": \"x\",\n      \"args\": [],\n      \"tools\": [\"*\"]\n    }\n  }\n}\n"},
		{name: "a name that is not allowed", from: "cursor", to: "codex",
			text: `{"mcpServers": {"my server": {"command": "x"}}}`,
			want: "[mcp_servers.my-server]\ncommand = \"x\"\n"},
		{name: "an input becomes a variable", from: "vscode", to: "cursor",
			text:   `{"servers": {"a": {"type": "http", "url": "https://e", "headers": {"K": "Bearer ${input:api-key}"}}}}`,
			want:   "{\n  \"mcpServers\": {\n    \"a\": {\n      \"url\": \"https://e\",\n      \"headers\": {\n        \"K\": \"Bearer ${env:API_KEY}\"\n      }\n    }\n  }\n}\n",
			losses: []string{"a/headers.K"}},
		{name: "the coding agent's secrets", from: "copilot-cli", to: "copilot-cloud-agent",
			text: `{"mcpServers": {"a": {"type": "local", "command": "x", "args": [], "tools": ["y"], "env": {"A": "$B"}}}}`,
			want: "{\n  \"mcpServers\": {\n    \"a\": {\n      \"type\": \"local\",\n      \"command\": \"x\",\n      \"args\": [],\n      \"env\": {\n        \"A\": \"${COPILOT_MCP_B}\"\n      },\n      \"tools\": [\"y\"]\n    }\n  }\n}\n"},
		{name: "names for the keychain", from: "claude-code", to: "goose",
			text: `{"mcpServers": {"a": {"command": "x", "env": {"A": "${A}"}}, "b": {"type": "http", "url": "https://e", "headers": {"K": "Bearer ${T}"}}}}`,
			want: "extensions:\n  a:\n    name: a\n    type: stdio\n    cmd: x\n    args: []\n    env_keys:\n      - A\n  b:\n    name: b\n    type: streamable_http\n    uri: https://e\n    headers:\n      K: Bearer ${T}\n    env_keys:\n      - T\n"},
		{name: "what nobody else has", from: "roo-code", to: "cursor",
			text:   `{"mcpServers": {"a": {"command": "x", "watchPaths": ["y"], "alwaysAllow": ["z"]}}}`,
			want:   "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
			losses: []string{"a/watchPaths", "a/approved tools"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			c := convert(t, tt.from, tt.text, tt.to, ConvertOptions{OS: tt.os})
			var losses []string
			for _, l := range c.Losses {
				losses = append(losses, l.Server+"/"+l.Field)
				is.True(l.Why != "")
			}
			if c.Text != tt.want {
				t.Errorf("got\n%s\nwant\n%s", c.Text, tt.want)
			}
			is.Equal(losses, tt.losses)
			is.True(c.File != "" || tt.to == "copilot-cloud-agent")
		})
	}
}

func TestConvertRefuses(t *testing.T) {
	is := is.New(t)
	doc, err := Parse(`{"mcpServers": {"a": {"command": "x"}}}`, Options{Client: "cursor"})
	is.NoErr(err)
	for _, id := range []string{"mcp-remote", "docker-mcp", "mcpb-manifest", "mcp-registry-server-json"} {
		_, err := Convert(doc, ClientByID(id), ConvertOptions{})
		is.True(err != nil && strings.Contains(err.Error(), ClientByID(id).Name))
	}
	empty, err := Parse(`{}`, Options{Client: "cursor"})
	is.NoErr(err)
	_, err = Convert(empty, ClientByID("zed"), ConvertOptions{})
	is.True(err != nil)
}

func TestConvertTakesTheLastOfTwo(t *testing.T) {
	is := is.New(t)
	c := convert(t, "cursor", `{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}`, "zed", ConvertOptions{})
	is.Equal(c.Text, "{\n  \"context_servers\": {\n    \"a\": {\n      \"command\": \"y\"\n    }\n  }\n}\n")
}

func TestConvertNotesWhatItChanged(t *testing.T) {
	is := is.New(t)
	c := convert(t, "claude-code", `{"projects": {"/home/you/a/b": {"mcpServers": {"x y": {"type": "sse", "url": "https://e"}}}}}`, "codex", ConvertOptions{})
	is.Equal(c.Losses, nil)
	var notes []string
	for _, n := range c.Notes {
		notes = append(notes, n.Why)
	}
	is.Equal(notes, []string{
		"OpenAI Codex cannot reach it by sse itself, so it goes through mcp-remote, which needs Node",
		`it is called "x-y": OpenAI Codex does not take the name it had`,
		"it was for the project /home/you/a/b alone",
	})
}

// The characters that cmd.exe reads never reach it.
func TestConvertNeverHandsCmdItsOwnSyntax(t *testing.T) {
	for _, arg := range []string{"a&calc", `a"&calc`, "%CMDCMDLINE:~-1%&calc", "^&", "a\nb", "!PATH!", "(x)", "a|b", "<a", "a>b", "\r", "${A}"} {
		t.Run(arg, func(t *testing.T) {
			text := `{"servers": {"a": {"command": "npx", "args": ["-y", ` + jsonText(arg) + `]}}}`
			for _, to := range Clients() {
				if to.WindowsCmd != Yes {
					continue
				}
				c := convert(t, "vscode", text, to.ID, ConvertOptions{OS: Windows})
				if strings.Contains(c.Text, `"cmd"`) && arg != "${A}" {
					t.Errorf("%s: %s", to.ID, c.Text)
				}
			}
		})
	}
}

func FuzzConvert(f *testing.F) {
	for id, text := range samples(f) {
		f.Add(text, id, "codex")
		f.Add(text, id, "goose")
		f.Add(text, id, "claude-desktop")
	}
	f.Add(everyTransport, "claude-code", "continue")
	f.Add(`{"mcpServers": {"a": {"command": [], "args": 1, "env": [1], "url": {}, "headers": null}}}`, "generic", "opencode")
	f.Add(`[{"command": {"path": 1}}]`, "zed", "zed")
	f.Fuzz(func(t *testing.T, text, from, to string) {
		target := ClientByID(to)
		doc, err := Parse(text, Options{Client: from})
		if err != nil || target == nil {
			return
		}
		c, err := Convert(doc, target, ConvertOptions{OS: Windows})
		if err != nil {
			return
		}
		if _, err := Parse(c.Text, Options{Format: c.Format, Client: to}); err != nil {
			t.Fatalf("what was written does not parse: %v\n%s", err, c.Text)
		}
	})
}
