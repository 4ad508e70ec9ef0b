package wrap

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/native/leaktest"
)

// TestNothingIsLeft: connect, call, kill, call again, close, over and over.
func TestNothingIsLeft(t *testing.T) {
	is := is.New(t)
	t.Run("a process", func(t *testing.T) {
		leaktest.Repeat(t, 10, func() {
			c := newClient(Options{Dialer: testServer()})
			c.handshake()
			c.list()
			c.call(1, "once", `{"label":"a"}`)
			c.answer("1")
			c.session.mu.Lock()
			kill(c.session.up.conn.(*bridgeConn).Conn.(*child).process.Pid())
			c.session.mu.Unlock()
			c.call(2, "read", `{"label":"b"}`)
			is.Equal(outcome(c.answer("2")), "")
			c.session.Close()
		})
	})
	t.Run("a process that hangs", func(t *testing.T) {
		leaktest.Repeat(t, 5, func() {
			c := newClient(Options{Dialer: testServer("WRAP_TEST=hangs"), CallTimeout: 50 * time.Millisecond})
			c.handshake()
			c.call(1, "once", `{"label":"a"}`)
			c.answer("1")
			c.call(2, "once", `{"label":"b"}`) // under way when the session ends
			c.session.Close()
		})
	})
	t.Run("a client that goes away", func(t *testing.T) {
		leaktest.Repeat(t, 5, func() {
			in, out, end := wrapped(t, Options{Dialer: testServer("WRAP_PAUSE=20ms")})
			fmt.Fprintf(in, "%s\n", initialize)
			out.Read(make([]byte, 1))
			fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"once","arguments":{"label":"a"}}}`)
			end()
		})
	})
	t.Run("over HTTP to the server", func(t *testing.T) {
		leaktest.Repeat(t, 10, func() {
			web := &webServer{world: newWorld(), sessions: map[string]bool{}, lost: func(w http.ResponseWriter, _ string) { http.Error(w, "session not found", http.StatusNotFound) }}
			server := httptest.NewServer(web)
			d, err := NewRemote(server.URL, nil, func(string) string { return "" })
			is.NoErr(err)
			c := newClient(Options{Dialer: d})
			c.handshake()
			web.forget()
			c.call(1, "read", `{"label":"a"}`)
			is.Equal(outcome(c.answer("1")), "")
			c.session.Close()
			server.Close()
		})
	})
	t.Run("over HTTP to the client", func(t *testing.T) {
		leaktest.Repeat(t, 10, func() {
			_, d := faithful()
			server := httptest.NewUnstartedServer(nil)
			listener, err := NewListener(Options{Dialer: d}, ListenOptions{Address: server.Listener.Addr().String()})
			is.NoErr(err)
			server.Config.Handler = listener
			server.Start()
			f := &front{server, t}
			ended, left := f.begin(), f.begin() // one is ended, one is left to the listener
			f.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"label":"a"}}}`, headerSession, left)
			f.do(http.MethodDelete, "", headerSession, ended)
			stream := f.stream(left)
			modern := `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"` + metaVersion + `":"2026-07-28","` + metaCapabilities + `":{}}}}`
			status, _, _ := f.post(modern, headerVersion, "2026-07-28", headerMethod, "tools/list")
			is.Equal(status, http.StatusOK)
			stream.Close()
			listener.Close()
			server.Close()
		})
	})
}

// stream opens what a session says unasked.
func (f *front) stream(session string) io.Closer {
	f.t.Helper()
	r, err := http.NewRequest(http.MethodGet, f.URL+"/mcp", nil)
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header = http.Header{headerSession: {session}, "Accept": {"text/event-stream"}}
	answer, err := f.Client().Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		f.t.Fatalf("a stream: %d", answer.StatusCode)
	}
	return answer.Body
}
