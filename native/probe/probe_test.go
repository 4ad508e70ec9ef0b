package probe

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/core"
	"mcpmend/core/config"
)

// entry is one that starts a fixture.
func entry(name string) config.Server {
	return config.Server{Name: "x", Transport: config.Stdio, Command: os.Args[0], Env: []config.Variable{{Name: "PROBE_FIXTURE", Value: name}}}
}

func probe(t *testing.T, s config.Server, o Options) *Result {
	t.Helper()
	return Run(context.Background(), Target{Server: s, Environ: os.Environ()}, o)
}

// category is what the verdict calls the failure.
func category(t *testing.T, r *Result) string {
	t.Helper()
	report := Verdict(r, core.Input{})
	if len(report.Diagnoses) == 0 {
		return ""
	}
	return report.Diagnoses[0].Category
}

func TestStdioMatrix(t *testing.T) {
	tests := []struct {
		name  string
		stage string // "" when it works
		want  string // category of the verdict
		tools int
	}{
		{"good", "", "", 2},
		{"banner", "", "stdout_pollution", 2},
		{"binary", "", "stdout_pollution", 2},
		{"slow", "", "", 2},
		{"bad-schema", "", "invalid_schema", 2},
		{"no-tools", "", "", 0},
		{"modern", "", "", 1},
		{"silent-old", "", "", 2},
		{"exits-at-discover", "", "", 2},
		{"ignores-close", "", "", 2},
		{"exit-1", PhaseHandshake, "missing_env_var", 0},
		{"exit-0", PhaseHandshake, "connection_closed", 0},
		{"silent", PhaseHandshake, "connection_closed", 0},
		{"no-arg", PhaseHandshake, "missing_env_var", 0},
		{"crash", PhaseHandshake, "server_crash", 0},
		{"refused", PhaseHandshake, "connection_refused", 0},
		{"module", PhaseHandshake, "module_missing", 0},
		{"npm-404", PhaseHandshake, "package_not_found", 0},
		{"hang", PhaseHandshake, "timeout", 0},
		{"is-http", PhaseHandshake, "transport_mismatch", 0},
		{"bad-tools", PhaseTools, "server_crash", 0},
		{"dies", PhaseTools, "connection_closed", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			o := Options{Timeout: 20 * time.Second}
			if tt.name == "hang" || tt.name == "is-http" {
				o.Timeout = 5 * time.Second
			}
			r := probe(t, entry(tt.name), o)
			if r.Stage != tt.stage {
				t.Fatalf("stage %q, want %q: %v\n%s", r.Stage, tt.stage, r.Err, r.Text())
			}
			is.Equal(len(r.Tools), tt.tools)
			if got := category(t, r); got != tt.want {
				t.Errorf("category %q, want %q from:\n%s", got, tt.want, r.Text())
			}
			for _, p := range r.Phases {
				is.True(p.MS >= 0)
			}
		})
	}
}

func TestCommandThatIsNotThere(t *testing.T) {
	tests := []struct {
		name, command, want string
	}{
		{"not on the PATH", "no-such-program-anywhere", "command_not_found"},
		{"no such file", "/nowhere/at/all/server", "command_not_found"},
		{"not executable", "", "permission_denied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			if tt.command == "" {
				tt.command = filepath.Join(t.TempDir(), "server.sh")
				is.NoErr(os.WriteFile(tt.command, []byte("#!/bin/sh\n"), 0o644))
			}
			r := probe(t, config.Server{Command: tt.command}, Options{})
			is.Equal(r.Stage, PhaseStart)
			is.Equal(category(t, r), tt.want)
			names := core.Examine(core.Input{Text: r.Text()}).Diagnoses[0].Names
			is.Equal(names["command"]+names["path"], tt.command) // it can be told
		})
	}
}

func TestGrandchildrenDoNotOutliveTheProbe(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("only Linux can promise it")
	}
	is := is.New(t)
	r := probe(t, entry("grandchild"), Options{})
	is.NoErr(r.Err)
	m := regexp.MustCompile(`grandchild (\d+)`).FindStringSubmatch(r.Stderr)
	is.True(m != nil)
	pid, err := strconv.Atoi(m[1])
	is.NoErr(err)
	for deadline := time.Now().Add(5 * time.Second); alive(pid); {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestTheFirstRunCountsWhenTheSecondIsCut: a server that ends at the first
// message is started again, and what it said must survive that there was no
// time left for it.
func TestTheFirstRunCountsWhenTheSecondIsCut(t *testing.T) {
	is := is.New(t)
	s := entry("exits-at-discover-then-hangs")
	s.Args = []string{filepath.Join(t.TempDir(), "marker")}
	r := probe(t, s, Options{Timeout: 3 * time.Second})
	is.True(r.Exit != nil)
	is.Equal(category(t, r), "missing_env_var")
}

func alive(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func TestFloodIsBounded(t *testing.T) {
	is := is.New(t)
	r := probe(t, entry("flood"), Options{})
	is.NoErr(r.Err)
	is.True(len(r.Stderr) <= 256<<10)
}

func TestServerSeesWhatTheClientWouldGive(t *testing.T) {
	is := is.New(t)
	s := entry("environment")
	s.Env = append(s.Env, config.Variable{Name: "OWN", Value: "1"})
	t.Setenv("AWS_SECRET_ACCESS_KEY", "planted")
	r := probe(t, s, Options{})
	is.True(strings.Contains(r.Stderr, "OWN=1"))
	is.True(strings.Contains(r.Stderr, "PATH="))
	is.True(!strings.Contains(r.Stderr, "planted"))
	r = Run(context.Background(), Target{Server: s, Environ: os.Environ(), Client: &config.Client{Environment: config.InheritAll}}, Options{})
	is.True(strings.Contains(r.Stderr, "planted")) // a client that hands on everything
}

func TestStartedInAnEmptyDirectory(t *testing.T) {
	is := is.New(t)
	r := probe(t, entry("directory"), Options{})
	is.True(strings.Contains(r.Stderr, "with 0 files"))
}

func TestReferencesAreReplacedAsTheClientDoes(t *testing.T) {
	is := is.New(t)
	s := entry("environment")
	s.Env = append(s.Env, config.Variable{Name: "OWN", Value: "${THEIRS}"})
	target := Target{Server: s, Environ: os.Environ(), Client: config.ClientByID("claude-code"), Getenv: func(name string) string { return "value of " + name }}
	is.True(strings.Contains(Run(context.Background(), target, Options{}).Stderr, "OWN=value of THEIRS"))
	target.Client = config.ClientByID("claude-desktop")
	is.True(strings.Contains(Run(context.Background(), target, Options{}).Stderr, "OWN=${THEIRS}"))
}

func TestStderrIsShownAsItComes(t *testing.T) {
	is := is.New(t)
	var seen strings.Builder
	var phases []string
	probe(t, entry("exit-1"), Options{Stderr: func(p []byte) { seen.Write(p) }, Phase: func(name string) { phases = append(phases, name) }})
	is.True(strings.Contains(seen.String(), "WEATHER_API_KEY"))
	is.Equal(phases[:2], []string{PhaseStart, PhaseHandshake})
}

func server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "a"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	return s
}

func TestHTTPMatrix(t *testing.T) {
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server() }, nil)
	stateless := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server() }, &mcp.StreamableHTTPOptions{Stateless: true})
	sse := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server() }, nil)
	at := func(path string, h http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.Handle(path, h)
		return mux
	}
	tests := []struct {
		name      string
		handler   http.Handler
		transport config.Transport
		path      string
		stage     string
		want      string
	}{
		{"streamable", streamable, config.HTTP, "/", "", ""},
		{"stateless", stateless, config.HTTP, "/", "", ""},
		{"older SSE", sse, config.SSE, "/", "", ""},
		{"SSE named, streamable served", streamable, config.SSE, "/", PhaseHandshake, "transport_mismatch"},
		{"streamable named, SSE served", sse, config.HTTP, "/", PhaseHandshake, "transport_mismatch"},
		{"wrong path", at("/mcp", streamable), config.HTTP, "/wrong", PhaseHandshake, "transport_mismatch"},
		{"401 without metadata", status(401, "", "Unauthorized"), config.HTTP, "/", PhaseHandshake, "auth_failed"},
		{"401 with metadata", status(401, `WWW-Authenticate: Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource"`, ""), config.HTTP, "/", PhaseHandshake, "auth_failed"},
		{"403", status(403, "", "Forbidden"), config.HTTP, "/", PhaseHandshake, "auth_failed"},
		{"403 on Host", status(403, "", "Invalid Host header: 127.0.0.1"), config.HTTP, "/", PhaseHandshake, "transport_mismatch"},
		{"a page to sign in", status(200, "Content-Type: text/html; charset=utf-8", "<html><title>Sign in</title></html>"), config.HTTP, "/", PhaseHandshake, "transport_mismatch"},
		{"in circles", http.RedirectHandler("/", http.StatusTemporaryRedirect), config.HTTP, "/", PhaseHandshake, "transport_mismatch"},
		{"into the inside", http.RedirectHandler("http://169.254.169.254/latest/meta-data/", http.StatusTemporaryRedirect), config.HTTP, "/", PhaseHandshake, "transport_mismatch"},
		{"429", status(429, "", "Too Many Requests"), config.HTTP, "/", PhaseHandshake, "rate_limited"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			ts := httptest.NewServer(tt.handler)
			defer ts.Close()
			r := probe(t, config.Server{Transport: tt.transport, URL: ts.URL + tt.path}, Options{Timeout: 10 * time.Second})
			if r.Stage != tt.stage {
				t.Fatalf("stage %q, want %q: %v\n%s", r.Stage, tt.stage, r.Err, r.Text())
			}
			if tt.stage == "" {
				is.Equal(len(r.Tools), 1)
			}
			if got := category(t, r); got != tt.want {
				t.Errorf("category %q, want %q from:\n%s", got, tt.want, r.Text())
			}
		})
	}
}

func TestConnectionsThatFail(t *testing.T) {
	is := is.New(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	is.NoErr(err)
	free := l.Addr().String()
	l.Close()
	r := probe(t, config.Server{URL: "http://" + free + "/mcp"}, Options{})
	is.Equal(r.Stage, PhaseStart)
	is.Equal(category(t, r), "connection_refused")
	_, port, _ := net.SplitHostPort(free)
	is.Equal(core.Examine(core.Input{Text: r.Text()}).Diagnoses[0].Names["port"], port) // it can be told

	ts := httptest.NewTLSServer(status(200, "", ""))
	defer ts.Close()
	r = probe(t, config.Server{URL: ts.URL}, Options{})
	is.Equal(r.Stage, PhaseStart)
	is.Equal(category(t, r), "tls_failed")

	r = probe(t, config.Server{URL: strings.Replace(ts.URL, "https", "http", 1)}, Options{})
	is.Equal(core.Examine(core.Input{Text: r.Text()}).Diagnoses[0].Code, "MCP2583")

	plain := httptest.NewServer(status(200, "", ""))
	defer plain.Close()
	r = probe(t, config.Server{URL: strings.Replace(plain.URL, "http", "https", 1)}, Options{})
	is.Equal(core.Examine(core.Input{Text: r.Text()}).Diagnoses[0].Code, "MCP2582")

	r = probe(t, config.Server{URL: "ftp://example.com"}, Options{})
	is.Equal(r.Stage, PhaseStart)
}

// TestServersCannotSendUsInside offers redirects to addresses of the inside: a
// listener counts who comes.
func TestServersCannotSendUsInside(t *testing.T) {
	is := is.New(t)
	visits := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits++ }))
	defer inside.Close()
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(inside.URL, "http://"))
	for _, host := range []string{"localhost", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.2", "0.0.0.0"} {
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+host+":"+port+"/secret", http.StatusTemporaryRedirect)
		}))
		r := probe(t, config.Server{URL: front.URL, Headers: []config.Variable{{Name: "Authorization", Value: "Bearer planted"}}}, Options{Timeout: 5 * time.Second})
		is.True(r.Err != nil)
		front.Close()
	}
	is.Equal(visits, 0)
}

func TestHeadersStayWithTheirHost(t *testing.T) {
	is := is.New(t)
	w := &watcher{host: "127.0.0.1:1", headers: []config.Variable{{Name: "X-Api-Key", Value: "planted"}}}
	from, _ := http.NewRequest(http.MethodGet, "http://127.0.0.1:1/", nil)
	to, _ := http.NewRequest(http.MethodGet, "http://example.com/", nil)
	to.Header.Set("X-Api-Key", "planted")
	is.NoErr(w.redirect(to, []*http.Request{from}))
	is.Equal(to.Header.Get("X-Api-Key"), "")
	down, _ := http.NewRequest(http.MethodGet, "http://127.0.0.1:1/", nil)
	secure, _ := http.NewRequest(http.MethodGet, "https://127.0.0.1:1/", nil)
	is.True(w.redirect(down, []*http.Request{secure}) != nil)
}

func TestCancelEndsTheProbe(t *testing.T) {
	is := is.New(t)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	began := time.Now()
	r := Run(ctx, Target{Server: entry("hang"), Environ: os.Environ()}, Options{})
	is.True(r.Err != nil)
	is.True(time.Since(began) < defaultTimeout)
}
