package wrap

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

// front is a listener on a real port with a fake server behind it.
type front struct {
	*httptest.Server
	t *testing.T
}

func newFront(t *testing.T, o Options, l ListenOptions) *front {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	l.Address = server.Listener.Addr().String()
	listener, err := NewListener(o, l)
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = listener
	server.Start()
	t.Cleanup(func() { listener.Close(); server.Close() })
	return &front{server, t}
}

// post sends a message with headers and returns status, headers and body.
func (f *front) post(body string, headers ...string) (int, http.Header, string) {
	f.t.Helper()
	return f.do(http.MethodPost, body, append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, headers...)...)
}

func (f *front) do(method, body string, headers ...string) (int, http.Header, string) {
	f.t.Helper()
	r, err := http.NewRequest(method, f.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	answer, err := f.Client().Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// begin makes a session and returns its id.
func (f *front) begin() string {
	f.t.Helper()
	status, header, body := f.post(initialize)
	id := header.Get(headerSession)
	if status != http.StatusOK || id == "" {
		f.t.Fatalf("initialize: %d %s", status, body)
	}
	if status, _, body := f.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, headerSession, id); status != http.StatusAccepted {
		f.t.Fatalf("initialized: %d %s", status, body)
	}
	return id
}

func faithful() (*world, *fakeDialer) {
	w := newWorld()
	return w, &fakeDialer{world: w, serve: w.faithful}
}

// TestListenerExplains: without any setting, a wrong call over HTTP is answered
// with the explainer's text and its structured form.
func TestListenerExplains(t *testing.T) {
	is := is.New(t)
	_, d := faithful()
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	id := f.begin()
	status, _, body := f.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"typed","arguments":{"limit":"many"}}}`, headerSession, id)
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(body, `"isError":true`))
	for _, part := range []string{`"field":"/limit"`, `"received":"many"`, `"expected":"an integer`, `"fix":"Provide an integer`, `"suggestions":[`, `"valid_example":{`, "## Issues found", "## Valid example"} {
		if !strings.Contains(body, part) {
			t.Errorf("%s is not in %s", part, body)
		}
	}
	status, _, _ = f.do(http.MethodDelete, "", headerSession, id)
	is.Equal(status, http.StatusNoContent)
	status, _, body = f.post(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, headerSession, id)
	is.Equal(status, http.StatusNotFound)
	is.True(strings.Contains(body, "-32001"))
}

// tardy is a connection on which the handshake is answered before its sending
// is over, as a busy machine makes it seem.
type tardy struct {
	Dialer
	Conn
	over chan struct{}
}

func (d tardy) Dial(ctx context.Context) (Conn, error) {
	c, err := d.Dialer.Dial(ctx)
	return tardy{Conn: c, over: d.over}, err
}

func (d tardy) Send(message []byte) (bool, error) {
	left, err := d.Conn.Send(message)
	if bytes.Contains(message, []byte(`"initialize"`)) {
		<-d.over
	}
	return left, err
}

// A client may call as soon as the handshake is answered, and its call is
// checked like any other.
func TestTheFirstCallIsChecked(t *testing.T) {
	is := is.New(t)
	_, d := faithful()
	over := make(chan struct{})
	f := newFront(t, Options{Dialer: tardy{Dialer: d, over: over}}, ListenOptions{})
	t.Cleanup(func() { close(over) })
	id := f.begin()
	_, _, body := f.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"typed","arguments":{"limit":"many"}}}`, headerSession, id)
	is.True(strings.Contains(body, "limit")) // and not that it took too long
}

func TestGuard(t *testing.T) {
	is := is.New(t)
	_, d := faithful()
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	port := f.URL[strings.LastIndexByte(f.URL, ':')+1:]
	for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port} {
		status, _, _ := f.post(initialize, "Host", host)
		is.Equal(status, http.StatusOK)
	}
	for _, host := range []string{
		"127.0.0.1.example.com:" + port, "example.com", "localhost.:" + port, "LOCALHOST:" + port, "127.1:" + port, "0.0.0.0:" + port,
		"[::ffff:127.0.0.1]:" + port, "127.0.0.1", "127.0.0.1:1", strings.Repeat("a", 1000),
	} {
		status, _, _ := f.post(initialize, "Host", host)
		is.Equal(status, http.StatusForbidden)
	}
	for _, origin := range []string{
		"null", "http://127.0.0.1:3000", "http://127.0.0.1:" + port + ".example.com", "https://example.com", "file://", "chrome-extension://x", "http://LOCALHOST:" + port,
	} {
		status, _, _ := f.post(initialize, "Origin", origin)
		is.Equal(status, http.StatusForbidden)
	}
	status, _, _ := f.post(initialize, "Origin", "http://127.0.0.1:"+port)
	is.Equal(status, http.StatusOK)
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonp"} {
		status, _, _ := f.do(http.MethodPost, initialize, "Content-Type", kind)
		is.Equal(status, http.StatusUnsupportedMediaType)
	}
	status, _, _ = f.do(http.MethodGet, "")
	is.Equal(status, http.StatusMethodNotAllowed)
}

func TestToken(t *testing.T) {
	is := is.New(t)
	_, d := faithful()
	f := newFront(t, Options{Dialer: d}, ListenOptions{Token: "s3cret"})
	for _, value := range []string{"", "Bearer", "Bearer wrong!", "Bearer s3cre", "Bearer s3cret2", "bearer s3cret", "s3cret"} {
		status, _, _ := f.post(initialize, "Authorization", value)
		is.Equal(status, http.StatusUnauthorized)
	}
	status, header, _ := f.post(initialize, "Authorization", "Bearer s3cret")
	is.Equal(status, http.StatusOK)
	// A session is no authentication.
	status, _, _ = f.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, headerSession, header.Get(headerSession))
	is.Equal(status, http.StatusUnauthorized)

	_, err := NewListener(Options{Dialer: d}, ListenOptions{Address: "0.0.0.0:80"})
	is.True(err != nil) // others can reach it: a token is needed
	_, err = NewListener(Options{Dialer: d}, ListenOptions{Address: "0.0.0.0:80", Token: "x"})
	is.NoErr(err)
}

func TestModernHeaders(t *testing.T) {
	_, d := faithful()
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + modernMeta + `,"name":"read","arguments":{"label":"x"}}}`
	right := []string{headerVersion, "2026-07-28", headerMethod, "tools/call", headerName, "read"}
	tests := []struct {
		name    string
		body    string
		headers []string
		status  int
		code    string
	}{
		{"right", call, right, 200, ""},
		{"name in base64", call, []string{headerVersion, "2026-07-28", headerMethod, "tools/call", headerName, "=?base64?cmVhZA==?="}, 200, ""},
		{"no version", call, []string{headerMethod, "tools/call", headerName, "read"}, 400, "-32020"},
		{"another version", call, []string{headerVersion, "2026-08-01", headerMethod, "tools/call", headerName, "read"}, 400, "-32020"},
		{"another method", call, []string{headerVersion, "2026-07-28", headerMethod, "tools/list", headerName, "read"}, 400, "-32020"},
		{"another name", call, []string{headerVersion, "2026-07-28", headerMethod, "tools/call", headerName, "once"}, 400, "-32020"},
		{"no name", call, []string{headerVersion, "2026-07-28", headerMethod, "tools/call"}, 400, "-32020"},
		{"no version in the message", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{headerVersion, "2026-07-28", headerMethod, "ping"}, 400, "-32602"},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope","params":{` + modernMeta + `}}`, []string{headerVersion, "2026-07-28", headerMethod, "nope"}, 404, "-32601"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			status, _, body := f.post(test.body, test.headers...)
			is.Equal(status, test.status)
			is.Equal(string(member([]byte(body), "error", "code")), test.code)
			is.Equal(string(member([]byte(body), "id")), "1") // the client's own id
		})
	}
}

// An answer that is alone is a document and no stream, whoever is first: the one
// who writes it or the one who waits for it.
func TestALoneAnswerIsADocument(t *testing.T) {
	is := is.New(t)
	for range 2000 {
		s := newStream(1)
		go s.answer([]byte(`{}`))
		w := httptest.NewRecorder()
		is.True(s.serve(w, httptest.NewRequest(http.MethodPost, "/", nil), false, always))
		is.Equal(w.Header().Get("Content-Type"), "application/json")
	}
}

// Many clients at once, each with a secret word: none sees another's.
func TestClientsAreApart(t *testing.T) {
	w := newWorld()
	// A server that answers out of order, and reports progress.
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		var hold [][]byte
		flush := func() {
			for i := len(hold) - 1; i >= 0; i-- {
				out <- hold[i]
			}
			hold = nil
		}
		for {
			select {
			case m, ok := <-in:
				if !ok {
					return
				}
				p, err := scan(m)
				if err != nil {
					continue
				}
				if token := member(p.params, "_meta", "progressToken"); token != nil {
					out <- []byte(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"message":%s}}`, token, member(p.params, "arguments", "label")))
				}
				if a := w.handle(m); a != nil {
					hold = append(hold, bytes.Clone(a))
				}
				if len(hold) > 5 {
					flush()
				}
			case <-time.After(2 * time.Millisecond):
				flush()
			}
		}
	}}
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	var clients sync.WaitGroup
	for n := range 20 {
		clients.Go(func() {
			word := fmt.Sprintf("word-%d", n)
			for i := range 25 {
				meta := strings.Replace(modernMeta, `"_meta":{`, `"_meta":{"progressToken":1,`, 1) // everyone's token is 1, and so is the id
				status, _, body := f.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":"%s-%d"}}}`, meta, word, i),
					headerVersion, "2026-07-28", headerMethod, "tools/call", headerName, "read")
				if status != 200 || strings.Count(body, "word-") != strings.Count(body, fmt.Sprintf("%s-%d", word, i)) || !strings.Contains(body, fmt.Sprintf("done %s-%d", word, i)) {
					t.Errorf("client %d: %d %s", n, status, body)
					return
				}
				if !strings.Contains(body, `"id":1`) || !strings.Contains(body, `"progressToken":1`) {
					t.Errorf("client %d: not its own names: %s", n, body)
				}
			}
		})
	}
	clients.Wait()
}

func TestServerSpeaksUnasked(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	speak := make(chan string, 1)
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for {
			select {
			case m, ok := <-in:
				if !ok {
					return
				}
				if a := w.handle(m); a != nil {
					out <- a
				}
			case words := <-speak:
				out <- []byte(words)
			}
		}
	}}
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	id := f.begin()
	speak <- `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///early"}}`
	r, err := http.NewRequest(http.MethodGet, f.URL+"/mcp", nil)
	is.NoErr(err)
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set(headerSession, id)
	answer, err := f.Client().Do(r)
	is.NoErr(err)
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	next := func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		return ""
	}
	is.True(strings.Contains(next(), "file:///early")) // it waited for the stream
	speak <- `{"jsonrpc":"2.0","id":"s","method":"roots/list"}`
	is.True(strings.Contains(next(), "roots/list"))
	status, _, _ := f.do(http.MethodGet, "", "Accept", "text/event-stream", headerSession, id)
	is.Equal(status, http.StatusConflict) // one stream is enough
}

// A request that was called off has no answer, and its POST ends without one.
func TestCancelledPostEnds(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	got := make(chan string, 2)
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			m, _ := scan(raw)
			switch m.method {
			case "tools/call", "notifications/cancelled":
				got <- m.method
			default:
				if a := w.handle(raw); a != nil {
					out <- a
				}
			}
		}
	}}
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	id := f.begin()
	ended := make(chan string)
	go func() {
		_, _, body := f.post(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"read","arguments":{"label":"x"}}}`, headerSession, id)
		ended <- body
	}()
	is.Equal(<-got, "tools/call")
	status, _, _ := f.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`, headerSession, id)
	is.Equal(status, http.StatusAccepted)
	is.Equal(<-got, "notifications/cancelled")
	is.Equal(<-ended, "")
}

// A client that crashed leaves a session behind, and with it a server.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		_, d := faithful()
		table := sessionTable{open: map[string]*httpSession{}}
		ctx, cancel := context.WithCancel(t.Context())
		go table.sweep(ctx)
		s, err := table.add(Options{Dialer: d})
		is.NoErr(err)
		time.Sleep(sessionIdle - time.Minute)
		is.True(table.get(s.id) != nil)
		time.Sleep(3 * time.Minute)
		is.True(table.get(s.id) == nil)
		<-s.session.done
		cancel()
		table.closeAll()
		_, err = table.add(Options{Dialer: d})
		is.True(err != nil) // nothing is started after the end
	})
}

func TestSessionsAreBounded(t *testing.T) {
	is := is.New(t)
	_, d := faithful()
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	for range maxSessions {
		f.begin()
	}
	status, _, _ := f.post(initialize)
	is.Equal(status, http.StatusServiceUnavailable)
}
