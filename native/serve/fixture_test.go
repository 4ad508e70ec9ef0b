package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/native/guard"
	"mcpmend/native/probe/fixture"
)

// asServer is the name under which the test binary is the server itself.
const asServer = "mcpmend-serve"

func TestMain(m *testing.M) {
	fixture.Play()
	if filepath.Base(os.Args[0]) == asServer {
		s, err := New(Options{Version: "test"})
		if err == nil {
			err = s.Run(context.Background(), os.Stdin, os.Stdout)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			fixture.Fail(1, "%v", err)
		}
		return
	}
	os.Exit(m.Run())
}

// place is a home, a project and programs of their own, with nothing else on
// the PATH.
type place struct {
	t             *testing.T
	home, project string
	bin           string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t, filepath.Join(root, "home"), filepath.Join(root, "project"), filepath.Join(root, "bin")}
	for _, dir := range []string{filepath.Join(p.home, ".cursor"), p.project} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := fixture.Install(p.bin, "weather-server", "npx", "node"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", p.home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("PATH", p.bin)
	t.Setenv("MCPMEND_HOME", filepath.Join(root, "mcpmend"))
	return p
}

// put writes a file; ~ is the home, all else the project.
func (p *place) put(path, text string) string {
	p.t.Helper()
	path = p.path(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	text = strings.NewReplacer("{home}", p.home, "{bin}", p.bin).Replace(text)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		p.t.Fatal(err)
	}
	return text
}

func (p *place) path(path string) string {
	if below, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(p.home, below)
	}
	return filepath.Join(p.project, path)
}

func (p *place) read(path string) string {
	p.t.Helper()
	data, err := os.ReadFile(p.path(path))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

const cursorFile = "~/.cursor/mcp.json"

// twoSick is a config with two servers that can be healed and one that works.
const twoSick = `{
  "mcpServers": {
    "weather": {"command": "/opt/weather/bin/weather-server", "args": []},
    "runner": {"command": "npxx", "args": ["-y", "@example/weather"]},
    "well": {"command": "weather-server", "args": []}
  }
}
`

func (p *place) server(o Options) *Server {
	p.t.Helper()
	o.Project, o.Version = p.project, "test"
	s, err := New(o)
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// person answers the questions of a client.
type person struct {
	mu    sync.Mutex
	says  string // accept, decline or cancel
	asked []string
	after func() // called before the answer
}

func (p *person) answer(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	p.mu.Lock()
	p.asked = append(p.asked, r.Params.Message)
	after := p.after
	p.mu.Unlock()
	if after != nil {
		after()
	}
	return &mcp.ElicitResult{Action: p.says}, nil
}

// eras are the protocol versions that a client is made to speak.
var eras = map[string]string{"older": "2025-11-25", "newer": ""}

func options(who *person) *mcp.ClientOptions {
	o := &mcp.ClientOptions{}
	if who != nil {
		o.ElicitationHandler = who.answer
	}
	return o
}

// overPipes connects a client to a server over streams, as stdio does.
func overPipes(t *testing.T, s *Server, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Run(ctx, toServer, fromServer)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return connect(t, &mcp.IOTransport{Reader: toClient, Writer: fromClient}, version, o)
}

func connect(t *testing.T, transport mcp.Transport, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// listening serves a server over HTTP and gives its address and token.
func listening(t *testing.T, s *Server) (address, token string, log *bytes.Buffer) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	token, log = guard.NewToken(), &bytes.Buffer{}
	ended := make(chan error, 1)
	go func() { ended <- s.Listen(ctx, listener, token, log) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String(), token, log
}

// bearer adds the token to every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func overHTTP(t *testing.T, address, token, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return connect(t, &mcp.StreamableClientTransport{Endpoint: "http://" + address + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}}, version, o)
}

// result is a tool's answer: its text and its data.
type result struct {
	text    string
	data    map[string]any
	raw     []byte
	isError bool
}

func use(t *testing.T, session *mcp.ClientSession, tool string, arguments any) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	got, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	r := result{isError: got.IsError}
	for _, c := range got.Content {
		r.text += c.(*mcp.TextContent).Text
	}
	if r.raw, err = json.Marshal(got.StructuredContent); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(r.raw, &r.data); err != nil {
		t.Fatal(err)
	}
	return r
}

// at walks into the data by keys and indices.
func (r result) at(path ...any) any {
	var v any = r.data
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}
