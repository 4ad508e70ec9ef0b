package wrap

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
)

// webServer is a remote server for tests, of the older era with sessions.
type webServer struct {
	*world
	mu       sync.Mutex
	sessions map[string]bool
	lost     func(w http.ResponseWriter, id string) // how it says that it does not know a session
	fault    func(w http.ResponseWriter, m message) bool
	get      func(w http.ResponseWriter, r *http.Request) // nil for none
	headers  []http.Header
	begun    int
}

func newWebServer(t *testing.T) (*webServer, string) {
	s := &webServer{world: newWorld(), sessions: map[string]bool{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

func (s *webServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && s.get != nil {
		w.Header().Set("Content-Type", "text/event-stream")
		s.get(w, r)
		return
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, _ := io.ReadAll(r.Body)
	m, err := scan(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.headers = append(s.headers, r.Header)
	id := r.Header.Get(headerSession)
	known := s.sessions[id]
	if m.method == "initialize" {
		s.begun++
		id = fmt.Sprintf("session-%d", s.begun)
		s.sessions[id] = true
		w.Header().Set(headerSession, id)
	}
	s.mu.Unlock()
	switch {
	case m.method != "initialize" && !known && member(m.params, "_meta", metaVersion) == nil:
		s.lost(w, string(m.id))
	case s.fault != nil && s.fault(w, m):
	case m.kind != request:
		w.WriteHeader(http.StatusAccepted)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.Write(s.handle(body))
	}
}

func (s *webServer) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions)
}

func remoteClient(t *testing.T, address string, o Options) *fakeClient {
	t.Helper()
	d, err := NewRemote(address, []string{"X-Key: ${KEY}"}, func(string) string { return "v" })
	if err != nil {
		t.Fatal(err)
	}
	o.Dialer = d
	c := newClient(o)
	t.Cleanup(c.session.Close)
	return c
}

// A lost session in all its spellings: the client does not notice, and an
// effect runs once.
func TestLostSession(t *testing.T) {
	spellings := map[string]func(w http.ResponseWriter, id string){
		"404": func(w http.ResponseWriter, _ string) { http.Error(w, "session not found", 404) },
		"404 with an error": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(404)
			io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`)
		},
		"400 no valid session": func(w http.ResponseWriter, _ string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(400)
			io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`)
		},
		"400 missing": func(w http.ResponseWriter, _ string) { http.Error(w, "Bad Request: Missing session ID", 400) },
		"200 with -32001": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"Session not found"}}`, id)
		},
		"503": func(w http.ResponseWriter, _ string) { http.Error(w, "unknown session", http.StatusServiceUnavailable) },
	}
	for name, spelling := range spellings {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s, address := newWebServer(t)
			s.lost = spelling
			c := remoteClient(t, address, Options{})
			c.handshake()
			c.list()
			s.forget()
			c.call(1, "once", `{"label":"a"}`)
			is.Equal(outcome(c.answer("1")), "")
			is.Equal(s.ran("once a"), 1)
			is.Equal(s.begun, 2)
			is.Equal(len(c.others), 0)
		})
	}
}

func TestRemoteThatRestarts(t *testing.T) {
	is := is.New(t)
	s := &webServer{world: newWorld(), sessions: map[string]bool{}, lost: func(w http.ResponseWriter, _ string) { http.Error(w, "session not found", 404) }}
	listening, err := net.Listen("tcp", "127.0.0.1:0")
	is.NoErr(err)
	address := listening.Addr().String()
	first := &http.Server{Handler: s}
	go first.Serve(listening)
	c := remoteClient(t, "http://"+address, Options{RecoveryTimeout: 10 * time.Second})
	c.handshake()
	c.list()
	first.Close()
	// Nobody is there. A call with an effect might be answered "may have run":
	// bytes may go out on a connection that is closed, but not yet seen to be.
	c.call(1, "read", `{"label":"a"}`)
	time.Sleep(300 * time.Millisecond)
	listening, err = net.Listen("tcp", address)
	is.NoErr(err)
	second := &http.Server{Handler: s}
	go second.Serve(listening)
	defer second.Close()
	s.forget()
	is.Equal(outcome(c.answer("1")), "") // it waited
	is.Equal(s.ran("read a"), 1)
}

func TestRemoteFaults(t *testing.T) {
	tests := []struct {
		name     string
		fault    func(w http.ResponseWriter)
		contains string
	}{
		{"500", func(w http.ResponseWriter) { http.Error(w, "kaboom", 500) }, "HTTP 500"},
		{"401", func(w http.ResponseWriter) { http.Error(w, "no", http.StatusUnauthorized) }, "not retried"},
		{"html", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<!DOCTYPE html>")
		}, "address of an MCP server"},
		{"elsewhere", func(w http.ResponseWriter) { w.Header().Set("Location", "http://169.254.169.254/"); w.WriteHeader(307) }, "Connection error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			s, address := newWebServer(t)
			s.fault = func(w http.ResponseWriter, m message) bool {
				if m.method != "tools/call" {
					return false
				}
				test.fault(w)
				return true
			}
			c := remoteClient(t, address, Options{RecoveryTimeout: time.Second, CallTimeout: 3 * time.Second})
			c.handshake()
			c.list()
			c.call(1, "once", `{"label":"a"}`)
			m := c.answer("1")
			is.True(strings.Contains(string(m.raw), test.contains))
			is.Equal(s.ran("once a"), 0)
		})
	}
}

// A gateway answers 502 when the server behind it broke off in the middle of a
// call: the effect may have happened, and is not brought about again.
func TestGatewayErrorsAreNotRepeated(t *testing.T) {
	for _, status := range []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			is := is.New(t)
			s, address := newWebServer(t)
			s.lost = func(w http.ResponseWriter, _ string) { http.Error(w, "session not found", 404) }
			broke := false
			s.fault = func(w http.ResponseWriter, m message) bool {
				if m.method != "tools/call" || broke {
					return false
				}
				broke = true
				s.handle(m.raw)
				http.Error(w, "Bad Gateway", status)
				return true
			}
			c := remoteClient(t, address, Options{})
			c.handshake()
			c.list()
			c.call(1, "once", `{"label":"a"}`)
			is.Equal(outcome(c.answer("1")), "may_have_run")
			is.Equal(s.ran("once a"), 1)
			c.call(2, "read", `{"label":"b"}`)
			is.Equal(answerText(c.answer("2")), "done b")
		})
	}
}

// The text of a result may speak of lost sessions without one being lost.
func TestResultThatSpeaksOfSessions(t *testing.T) {
	is := is.New(t)
	s, address := newWebServer(t)
	s.fault = func(w http.ResponseWriter, m message) bool {
		if m.method != "tools/call" {
			return false
		}
		s.handle(m.raw)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"log: -32001 session not found"}]}}`, m.id)
		return true
	}
	c := remoteClient(t, address, Options{})
	c.handshake()
	c.list()
	c.call(1, "once", `{"label":"a"}`)
	is.Equal(answerText(c.answer("1")), "log: -32001 session not found")
	is.Equal(s.ran("once a"), 1)
	is.Equal(s.begun, 1)
}

func TestRemoteHeaders(t *testing.T) {
	is := is.New(t)
	s, address := newWebServer(t)
	c := remoteClient(t, address, Options{})
	c.handshake()
	c.list()
	is.Equal(s.headers[0].Get("X-Key"), "v")
	is.Equal(s.headers[0].Get(headerVersion), "")
	last := s.headers[len(s.headers)-1]
	is.Equal(last.Get(headerVersion), "2025-11-25") // once it is agreed on
	is.Equal(last.Get(headerSession), "session-1")

	m := remoteClient(t, address, Options{})
	m.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"name":"wörd","arguments":{}}}`, modernMeta)
	m.answer("1")
	last = s.headers[len(s.headers)-1]
	is.Equal(last.Get(headerVersion), "2026-07-28")
	is.Equal(last.Get(headerMethod), "tools/call")
	decoded, ok := decodeHeader(last.Get(headerName))
	is.True(ok)
	is.Equal(decoded, "wörd")
}

// olderServer speaks HTTP with server-sent events as of 2024-11-05.
func olderServer(t *testing.T, w *world, endpoint string) string {
	return faultyOlderServer(t, w, endpoint, nil)
}

// faultyOlderServer lets a function answer a POST in its own way.
func faultyOlderServer(t *testing.T, w *world, endpoint string, fault func(http.ResponseWriter, message) bool) string {
	out := make(chan []byte, 10)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.starts++
		w.mu.Unlock()
		rw.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(rw, "event: endpoint\ndata: %s\n\n", endpoint)
		rw.(http.Flusher).Flush()
		for {
			select {
			case m := <-out:
				fmt.Fprintf(rw, "event: message\r\ndata: %s\r\n\r\n", m)
				rw.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /messages", func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if m, err := scan(body); err == nil && fault != nil && fault(rw, m) {
			return
		}
		rw.WriteHeader(http.StatusAccepted)
		if a := w.handle(body); a != nil {
			out <- a
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL + "/sse"
}

func TestOlderRemote(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	c := remoteClient(t, olderServer(t, w, "/messages?id=1"), Options{})
	c.handshake()
	c.list()
	c.call(1, "read", `{"label":"a"}`)
	is.Equal(answerText(c.answer("1")), "done a")
	c.session.Close()
}

func TestOlderRemoteFaults(t *testing.T) {
	tests := []struct {
		name     string
		status   int
		runs     bool // before it answers so
		contains string
		effects  int
		streams  int
	}{
		{"lost session", http.StatusNotFound, false, "done a", 1, 2},
		{"lost session, said otherwise", http.StatusBadRequest, false, "done a", 1, 2},
		{"broke off", http.StatusInternalServerError, true, "may_have_run", 1, 2},
		{"refused for good", http.StatusUnauthorized, false, "not retried", 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld()
			var broke atomic.Bool
			address := faultyOlderServer(t, w, "/messages", func(rw http.ResponseWriter, m message) bool {
				if m.method != "tools/call" || broke.Swap(true) {
					return false
				}
				if test.runs {
					w.handle(m.raw)
				}
				http.Error(rw, "no", test.status)
				return true
			})
			c := remoteClient(t, address, Options{})
			c.handshake()
			c.list()
			c.call(1, "once", `{"label":"a"}`)
			is.True(strings.Contains(string(c.answer("1").raw), test.contains))
			is.Equal(w.ran("once a"), test.effects)
			c.call(2, "read", `{"label":"b"}`)
			is.Equal(answerText(c.answer("2")), "done b") // it goes on
			is.Equal(w.started(), test.streams)
			c.session.Close()
		})
	}
}

func TestOlderRemoteMayNotSendUsElsewhere(t *testing.T) {
	is := is.New(t)
	for _, endpoint := range []string{"//example.com/x", "http://10.0.0.1/", "file:///etc/passwd"} {
		c := remoteClient(t, olderServer(t, newWorld(), endpoint), Options{RecoveryTimeout: time.Second})
		c.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
		is.True(c.answer("0").fault != nil)
		c.session.Close()
	}
}

func TestRemoteAddress(t *testing.T) {
	is := is.New(t)
	for _, address := range []string{"", "ftp://x", "x", "javascript:alert(1)", "http://"} {
		_, err := NewRemote(address, nil, os.Getenv)
		is.True(err != nil)
	}
	_, err := NewRemote("http://x", []string{"no colon"}, os.Getenv)
	is.True(err != nil)
}

func TestReadSSE(t *testing.T) {
	is := is.New(t)
	var got []string
	err := readSSE(strings.NewReader(": hello\n\nid: 7\ndata: a\ndata: b\n\nevent: endpoint\r\ndata:/x\r\n\r\nretry: 5\n\ndata: cut"), func(e sse) bool {
		got = append(got, fmt.Sprintf("%s|%s|%s", e.name, e.id, e.data))
		return true
	})
	is.NoErr(err)
	is.Equal(got, []string{"|7|a\nb", "endpoint||/x"})
}
