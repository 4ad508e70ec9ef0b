package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/core"
	"mcpmend/core/report"
	"mcpmend/core/schema"
)

// everyWay runs a test for both eras, over streams and over HTTP.
func everyWay(t *testing.T, test func(t *testing.T, dial func(*Server, *person) *mcp.ClientSession)) {
	for era, version := range eras {
		t.Run(era+" over streams", func(t *testing.T) {
			test(t, func(s *Server, who *person) *mcp.ClientSession { return overPipes(t, s, version, options(who)) })
		})
		t.Run(era+" over HTTP", func(t *testing.T) {
			test(t, func(s *Server, who *person) *mcp.ClientSession {
				address, token, _ := listening(t, s)
				return overHTTP(t, address, token, version, options(who))
			})
		})
	}
}

func TestToolsAreFitForEveryClient(t *testing.T) {
	is := is.New(t)
	session := overPipes(t, newPlace(t).server(Options{}), "", nil)
	listed, err := session.ListTools(context.Background(), nil)
	is.NoErr(err)
	is.Equal(len(listed.Tools), len(table))
	clients := append(schema.LintClients(), "")
	for _, tool := range listed.Tools {
		input, err := json.Marshal(tool.InputSchema)
		is.NoErr(err)
		for _, client := range clients {
			for _, f := range schema.LintTool(schema.Tool{Name: tool.Name, Description: tool.Description, InputSchema: input}, client) {
				t.Errorf("%s for %q: %s %s %s", tool.Name, client, f.Code, f.Title, f.Pointer)
			}
		}
		output, err := json.Marshal(tool.OutputSchema)
		is.NoErr(err)
		_, invalid := schema.Compile(output, schema.Options{})
		is.True(invalid == nil)
		is.True(tool.Annotations != nil && tool.Title != "")
	}
}

func TestDiagnosisIsTheReportOfExplain(t *testing.T) {
	is := is.New(t)
	session := overPipes(t, newPlace(t).server(Options{}), "", nil)
	in := core.Input{Text: "spawn npx ENOENT\nMCP error -32000: Connection closed", Config: `{"mcpServers":{"a":{"command":"npx","args":["-y","x"],}}}`}
	got := use(t, session, "diagnose_error", map[string]any{"text": in.Text, "config": in.Config})
	is.True(!got.isError)
	var want any
	is.NoErr(json.Unmarshal(report.JSON(core.Examine(in)), &want))
	is.Equal(any(got.data), want)
	is.True(strings.HasPrefix(got.text, "MCP"))
	// A path is a text like any other.
	got = use(t, session, "diagnose_error", map[string]any{"config": "/etc/passwd"})
	is.True(!strings.Contains(string(got.raw), "root:"))
}

func TestWrongArgumentsAreExplained(t *testing.T) {
	p := newPlace(t)
	session := overPipes(t, p.server(Options{AllowWrites: true}), "", &mcp.ClientOptions{})
	tests := []struct {
		name, tool string
		arguments  string
		says       string
	}{
		{"missing", "test_connection", `{}`, "server"},
		{"wrong type", "test_connection", `{"server":"a","auto_heal":"yes"}`, "auto_heal"},
		{"unknown", "list_servers", `{"path":"/etc"}`, "path"},
		{"a flag for a name", "configure_server", `{"name":"--config=/x","client":"cursor","command":"sh"}`, "name"},
		{"a path for a client", "configure_server", `{"name":"a","client":"../../etc","command":"sh"}`, "client"},
		{"a path for a registry name", "configure_server", `{"name":"a","client":"cursor","registry":"io.github.x/../../y"}`, "registry"},
		{"a file for a URL", "configure_server", `{"name":"a","client":"cursor","url":"file:///etc/passwd"}`, "url"},
		{"command and URL", "configure_server", `{"name":"a","client":"cursor","url":"https://example.com/mcp","command":"sh"}`, "exactly one"},
		{"nothing to diagnose", "diagnose_error", `{"text":" "}`, "text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := use(t, session, tt.tool, json.RawMessage(tt.arguments))
			is.True(got.isError)
			is.True(strings.Contains(got.text, tt.says))
			is.Equal(got.at("error", "type"), "validation")
			is.True(got.at("error", "issues", 0, "fix") != nil)
		})
	}
}

func TestTextTools(t *testing.T) {
	is := is.New(t)
	session := overPipes(t, newPlace(t).server(Options{}), "2025-06-18", nil)
	got := use(t, session, "explain_arguments", json.RawMessage(`{"schema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"arguments":{"n":"5"}}`))
	is.True(!got.isError)
	is.Equal(got.at("valid"), false)
	is.Equal(got.at("repaired", "n"), float64(5))
	got = use(t, session, "explain_arguments", json.RawMessage(`{"schema":{"type":"object","properties":{"n":{"type":"integer"}}}}`))
	is.True(got.at("schema", "properties", "n") != nil)
	got = use(t, session, "convert_config", map[string]any{"to": "vscode", "config": `{"mcpServers":{"a":{"command":"npx","args":["x"]}}}`})
	is.True(strings.Contains(got.at("text").(string), `"servers"`))
	got = use(t, session, "convert_config", map[string]any{"to": "vscode", "config": "no config at all"})
	is.True(got.isError)
}

func TestCheckHealthHealsExactlyTheSick(t *testing.T) {
	everyWay(t, func(t *testing.T, dial func(*Server, *person) *mcp.ClientSession) {
		is := is.New(t)
		p := newPlace(t)
		before := p.put(cursorFile, twoSick)
		who := &person{says: "accept"}
		at := time.Unix(0, 0)
		who.after = func() { at = at.Add(time.Second) } // a person takes time
		s := p.server(Options{now: func() time.Time { return at }})
		session := dial(s, who)

		listed := use(t, session, "list_servers", nil)
		is.Equal(len(listed.at("servers").([]any)), 3)

		looked := use(t, session, "check_health", nil)
		is.Equal(looked.at("healthy"), float64(1))
		is.Equal(looked.at("sick"), float64(2))
		is.Equal(p.read(cursorFile), before)
		is.Equal(len(who.asked), 0)
		is.Equal(looked.at("servers", 0, "healing", "fixed"), false)

		healed := use(t, session, "check_health", map[string]any{"auto_heal": true})
		is.Equal(healed.at("healed"), float64(2))
		is.Equal(healed.at("healthy"), float64(3))
		is.Equal(len(who.asked), 2)
		is.True(strings.Contains(who.asked[0], p.bin+"/weather-server")) // the very command
		is.Equal(healed.at("servers", 0, "healing", "fixed"), true)
		is.Equal(healed.at("servers", 0, "healing", "attempts", 0, "attempt_number"), float64(1))
		want := strings.NewReplacer("/opt/weather/bin", p.bin, "npxx", "npx").Replace(before)
		is.Equal(p.read(cursorFile), want)

		again := use(t, session, "check_health", nil)
		is.Equal(again.at("sick"), float64(0))

		for range 2 {
			is.Equal(use(t, session, "undo", nil).at("undone"), true)
		}
		is.Equal(p.read(cursorFile), before)
		is.True(use(t, session, "undo", nil).isError)
	})
}

func TestTestConnectionAndApplyFix(t *testing.T) {
	everyWay(t, func(t *testing.T, dial func(*Server, *person) *mcp.ClientSession) {
		is := is.New(t)
		p := newPlace(t)
		before := p.put(cursorFile, twoSick)
		session := dial(p.server(Options{}), &person{says: "accept"})
		got := use(t, session, "test_connection", map[string]any{"server": "weather"})
		is.Equal(got.at("state"), "broken")
		id, _ := got.at("diagnoses", 0, "fixes", 0, "fix_id").(string)
		if id == "" {
			t.Log(got.text, string(got.raw))
		}
		is.True(id != "")
		is.True(strings.Contains(got.text, id))

		shown := use(t, session, "apply_fix", map[string]any{"fix_id": id})
		is.Equal(shown.at("dry_run"), true)
		is.Equal(shown.at("healing", "fixed"), true)
		is.Equal(p.read(cursorFile), before)

		done := use(t, session, "apply_fix", map[string]any{"fix_id": id, "dry_run": false})
		is.Equal(done.at("written"), true)
		is.True(p.read(cursorFile) != before)
		is.True(use(t, session, "apply_fix", map[string]any{"fix_id": id, "dry_run": false}).isError) // one use
		is.Equal(use(t, session, "test_connection", map[string]any{"server": "weather"}).at("state"), "ok")
	})
}

func TestConfigureABrokenServer(t *testing.T) {
	broken := map[string]any{"name": "forecast", "client": "cursor", "command": "npxx", "args": []string{"-y", "@example/weather"}}
	everyWay(t, func(t *testing.T, dial func(*Server, *person) *mcp.ClientSession) {
		is := is.New(t)
		p := newPlace(t)
		who := &person{says: "accept"}
		session := dial(p.server(Options{}), who)
		shown := use(t, session, "configure_server", broken)
		is.True(!shown.isError)
		is.Equal(shown.at("dry_run"), true)
		is.Equal(len(who.asked), 0) // nothing was started either

		broken["dry_run"] = false
		defer delete(broken, "dry_run")
		done := use(t, session, "configure_server", broken)
		is.Equal(done.at("written"), true)
		is.Equal(done.at("healing", "fixed"), true)
		is.Equal(done.at("tools"), float64(2))
		is.Equal(len(who.asked), 2) // to start the command, and to write what it became
		is.True(strings.Contains(who.asked[0], `"npxx"`))
		is.True(strings.Contains(p.read(cursorFile), `"npx"`))
		is.Equal(use(t, session, "test_connection", map[string]any{"server": "forecast"}).at("state"), "ok")
	})
}

func TestWithoutElicitation(t *testing.T) {
	raw := map[string]any{"name": "a", "client": "cursor", "command": "weather-server", "dry_run": false}
	known := map[string]any{"name": "gh", "client": "cursor", "command": "npx", "args": []string{"-y", "@modelcontextprotocol/server-github"},
		"env": map[string]string{"GITHUB_PERSONAL_ACCESS_TOKEN": "x"}, "dry_run": false}
	everyWay(t, func(t *testing.T, dial func(*Server, *person) *mcp.ClientSession) {
		is := is.New(t)
		p := newPlace(t)
		before := p.put(cursorFile, twoSick)
		session := dial(p.server(Options{}), nil)
		is.True(use(t, session, "configure_server", raw).isError)
		got := use(t, session, "configure_server", known)
		is.Equal(got.at("written"), false)
		is.Equal(p.read(cursorFile), before)

		allowed := dial(p.server(Options{AllowWrites: true}), nil)
		is.True(use(t, allowed, "configure_server", raw).isError)
		is.Equal(p.read(cursorFile), before)
		got = use(t, allowed, "configure_server", known)
		is.Equal(got.at("written"), true)
		is.True(strings.Contains(p.read(cursorFile), "server-github"))
		is.True(!strings.Contains(string(got.raw), `ACCESS_TOKEN\":\"x`))
		is.Equal(use(t, allowed, "undo", nil).at("undone"), true)
		is.Equal(p.read(cursorFile), before)
		// What a check has seen before may be healed; what is new may not.
		is.Equal(use(t, allowed, "check_health", map[string]any{"auto_heal": true}).at("healed"), float64(0))
		is.Equal(use(t, allowed, "check_health", map[string]any{"auto_heal": true}).at("healed"), float64(2))
	})
}

func TestProgressAndCancellation(t *testing.T) {
	for era, version := range eras {
		t.Run(era, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.put(cursorFile, `{"mcpServers":{"slow":{"command":"weather-server","args":["--start","30s"]}}}`)
			told := make(chan string, 100)
			session := overPipes(t, p.server(Options{}), version, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { told <- r.Params.Message },
			})
			ctx, cancel := context.WithCancel(context.Background())
			params := &mcp.CallToolParams{Name: "test_connection", Arguments: map[string]any{"server": "slow"}}
			params.SetProgressToken("t")
			ended := make(chan error, 1)
			go func() {
				_, err := session.CallTool(ctx, params)
				ended <- err
			}()
			for message := range told {
				if strings.HasPrefix(message, "slow: ") {
					break
				}
			}
			began := time.Now()
			cancel()
			is.True(<-ended != nil)
			is.True(time.Since(began) < 10*time.Second)
			// The slot is free again and the server answers.
			is.True(!use(t, session, "list_servers", nil).isError)
		})
	}
}

// A shell sends its requests and closes the pipe; the answers come all the same.
func TestInputThatEndsIsAnswered(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.put(cursorFile, twoSick)
	var out bytes.Buffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check_health"}}`)
	_ = p.server(Options{}).Run(context.Background(), io.NopCloser(in), nopWriter{&out})
	is.Equal(strings.Count(out.String(), `"result"`), 2)
	is.True(strings.Contains(out.String(), "3 servers: 1 work, 2 do not"))
}

type nopWriter struct{ io.Writer }

func (nopWriter) Close() error { return nil }
