package wrap

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// open posts a message and reads the answer event by event.
func (f *front) open(body string, headers ...string) (next func() string, hangUp func()) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(f.t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := f.Client().Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { cancel(); answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	return func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		return ""
	}, cancel
}

func modernHeaders(method, name string) []string {
	all := []string{headerVersion, "2026-07-28", headerMethod, method}
	if name != "" {
		all = append(all, headerName, name)
	}
	return all
}

func TestPostsThatAreRefused(t *testing.T) {
	_, d := faithful()
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	id := f.begin()
	tests := []struct {
		name, body string
		headers    []string
		status     int
		code       string
	}{
		{"no JSON", `{"jsonrpc"`, nil, 400, "-32700"},
		{"ambiguous", `{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"x"}`, nil, 400, "-32600"},
		{"unknown version", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{headerVersion, "1999-01-01", headerSession, id}, 400, "-32600"},
		{"no session", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil, 400, "-32600"},
		{"another session", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{headerSession, "guessed"}, 404, "-32001"},
		{"a batch with something else in it", `[{"jsonrpc":"2.0","id":1,"method":"ping"},7]`, []string{headerSession, id}, 400, "-32600"},
		{"half a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{headerSession, id}, 400, "-32700"},
		{"wants a page", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Accept", "text/html", headerSession, id}, 406, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			status, _, body := f.post(test.body, test.headers...)
			is.Equal(status, test.status)
			is.Equal(string(member([]byte(body), "error", "code")), test.code)
		})
	}
	is := is.New(t)
	status, header, _ := f.do(http.MethodPut, "{}", "Content-Type", "application/json")
	is.Equal(status, http.StatusMethodNotAllowed)
	is.Equal(header.Get("Allow"), "POST, GET, DELETE")
	status, _, body := f.post(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, headerSession, id)
	is.Equal(status, http.StatusOK)
	is.Equal(strings.Count(body, `"result"`), 2) // a batch is answered on one stream
}

// A server asks its client in the middle of a call, on that call's own stream,
// and the answer comes in another POST.
func TestServerAsksInMidCall(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		var waiting []byte
		for raw := range in {
			m, _ := scan(raw)
			switch {
			case m.method == "tools/call":
				waiting = m.id
				out <- []byte(`{"jsonrpc":"2.0","id":"s1","method":"elicitation/create","params":{"message":"who?"}}`)
			case m.kind == response:
				out <- fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`, waiting, member(m.result, "content", "name"))
			default:
				if a := w.handle(raw); a != nil {
					out <- a
				}
			}
		}
	}}
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	id := f.begin()
	next, _ := f.open(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"label":"a"}}}`, headerSession, id)
	is.True(strings.Contains(next(), "elicitation/create"))
	status, _, _ := f.post(`{"jsonrpc":"2.0","id":"s1","result":{"action":"accept","content":{"name":"you"}}}`, headerSession, id)
	is.Equal(status, http.StatusAccepted)
	is.True(strings.Contains(next(), `"text":"you"`))
}

// Two clients of the newer era listen at one server, each under its own id; who
// leaves is called off.
func TestModernSubscriptions(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	change, off := make(chan struct{}), make(chan string, 1)
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		var listening [][]byte
		for {
			select {
			case raw, ok := <-in:
				if !ok {
					return
				}
				m, _ := scan(raw)
				switch m.method {
				case "subscriptions/listen":
					listening = append(listening, m.id)
					out <- notificationMessage("notifications/subscriptions/acknowledged", map[string]any{"_meta": map[string]any{metaSubscription: rawID(m.id)}})
				case "notifications/cancelled":
					off <- string(member(m.params, "requestId"))
				default:
					if a := w.handle(raw); a != nil {
						out <- a
					}
				}
			case <-change:
				for _, id := range listening {
					out <- notificationMessage("notifications/tools/list_changed", map[string]any{"_meta": map[string]any{metaSubscription: rawID(id)}})
				}
			}
		}
	}}
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	listen := `{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":true}}}`
	first, hangUp := f.open(fmt.Sprintf(listen, `"mine"`), modernHeaders("subscriptions/listen", "")...)
	is.True(strings.Contains(first(), `"mine"`))
	second, _ := f.open(fmt.Sprintf(listen, `"mine too"`), modernHeaders("subscriptions/listen", "")...)
	is.True(strings.Contains(second(), `"mine too"`))
	change <- struct{}{}
	got := first()
	is.True(strings.Contains(got, "list_changed") && strings.Contains(got, `"mine"`))
	is.True(strings.Contains(second(), `"mine too"`))
	hangUp()
	is.Equal(<-off, `"c1"`) // the id by which the server knows it
}

// A log message says nothing of whose call it is about: it reaches a client only
// where there is no other, and where it asked for such.
func TestModernLogs(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			if m, _ := scan(raw); m.method == "tools/call" {
				out <- []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a secret"}}`)
			}
			if a := w.handle(raw); a != nil {
				out <- a
			}
		}
	}}
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":"x"}}}`
	_, _, body := f.post(fmt.Sprintf(call, modernMeta), modernHeaders("tools/call", "read")...)
	is.True(!strings.Contains(body, "secret"))
	_, _, body = f.post(fmt.Sprintf(call, strings.Replace(modernMeta, `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"info",`, 1)), modernHeaders("tools/call", "read")...)
	is.True(strings.Contains(body, "secret"))
}

// What a schema wants in headers must be there, and be what the message says.
func TestParameterHeaders(t *testing.T) {
	w := newWorld()
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			if m, _ := scan(raw); m.method == "tools/list" {
				out <- fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"read","inputSchema":{"type":"object","properties":{
					"label":{"type":"string","x-mcp-header":"Label"},"n":{"type":"number","x-mcp-header":"N"},
					"in":{"type":"object","properties":{"deep":{"type":"string","x-mcp-header":"Deep"}}}}}}]}}`, m.id)
			} else if a := w.handle(raw); a != nil {
				out <- a
			}
		}
	}}
	f := newFront(t, Options{Dialer: d}, ListenOptions{})
	if status, _, body := f.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernHeaders("tools/list", "")...); status != http.StatusOK {
		t.Fatal(body)
	}
	for _, test := range []struct {
		name, args string
		headers    []string
		status     int
	}{
		{"right", `{"label":"ä","n":1.0}`, []string{"Mcp-Param-Label", "=?base64?w6Q=?=", "Mcp-Param-N", "1"}, 200},
		{"none to say", `{"n":null}`, nil, 200},
		{"missing", `{"label":"a"}`, nil, 400},
		{"another value", `{"label":"a"}`, []string{"Mcp-Param-Label", "b"}, 400},
		{"no argument", `{}`, []string{"Mcp-Param-Label", "b"}, 400},
		{"no base64", `{"label":"a"}`, []string{"Mcp-Param-Label", "=?base64?%%?="}, 400},
		{"deeper", `{"in":{"deep":"x"}}`, []string{"Mcp-Param-Deep", "y"}, 400},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			status, _, body := f.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+modernMeta+`,"name":"read","arguments":`+test.args+`}}`,
				append(modernHeaders("tools/call", "read"), test.headers...)...)
			is.Equal(status, test.status)
			is.Equal(string(member([]byte(body), "error", "code")) == "-32020", test.status == 400)
		})
	}
}

// A listener that is told to end ends its sessions, the streams that are open,
// and takes no more.
func TestListenerEnds(t *testing.T) {
	is := is.New(t)
	w, d := faithful()
	listening, err := net.Listen("tcp", "127.0.0.1:0")
	is.NoErr(err)
	l, err := NewListener(Options{Dialer: d}, ListenOptions{Address: listening.Addr().String()})
	is.NoErr(err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Serve(ctx, listening) }()
	r, err := http.NewRequest(http.MethodPost, "http://"+listening.Addr().String()+"/", strings.NewReader(initialize))
	is.NoErr(err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	is.NoErr(err)
	_, err = io.ReadAll(answer.Body)
	is.NoErr(err)
	answer.Body.Close()
	stream, err := http.NewRequest(http.MethodGet, "http://"+listening.Addr().String()+"/", nil)
	is.NoErr(err)
	stream.Header.Set("Accept", "text/event-stream")
	stream.Header.Set(headerSession, answer.Header.Get(headerSession))
	open, err := http.DefaultClient.Do(stream)
	is.NoErr(err)
	defer open.Body.Close()
	cancel()
	select {
	case err := <-ended:
		is.True(errors.Is(err, http.ErrServerClosed))
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	_, err = io.ReadAll(open.Body)
	is.NoErr(err) // in good order
	is.Equal(w.started(), 1)
}
