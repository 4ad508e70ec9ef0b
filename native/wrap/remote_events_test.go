package wrap

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// say writes server-sent events and lets them go.
func say(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		fmt.Fprintf(w, "%s\n\n", e)
	}
	http.NewResponseController(w).Flush()
}

// A server may answer a POST with a stream. One that breaks off is taken up
// again where the server numbers its events, and is a lost connection otherwise.
func TestAnswersInAStream(t *testing.T) {
	const progress = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
	tests := []struct {
		name   string
		tool   string
		events []string // before it breaks off; %s is the answer
		want   string   // our outcome
		lives  int      // sessions
	}{
		{"whole", "once", []string{progress, "event: message\ndata: %s"}, "", 1},
		{"in two lines, with a comment", "once", []string{": hello", "data: %s\ndata:"}, "", 1},
		{"breaks off and is taken up", "once", []string{"id: 7\n" + progress}, "", 1},
		{"breaks off for good", "once", []string{progress}, "may_have_run", 2},
		{"a read that breaks off for good", "read", []string{progress}, "", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			s, address := newWebServer(t)
			s.lost = func(w http.ResponseWriter, _ string) { http.Error(w, "session not found", 404) }
			var answer string
			broke := false
			s.fault = func(w http.ResponseWriter, m message) bool {
				if m.method != "tools/call" || broke {
					return false
				}
				broke = true
				answer = string(s.handle(m.raw))
				for _, e := range test.events {
					say(w, strings.ReplaceAll(e, "%s", answer))
				}
				return true
			}
			s.get = func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Last-Event-ID") == "7" {
					say(w, "id: 8\ndata: "+answer)
				} else {
					w.WriteHeader(http.StatusMethodNotAllowed)
				}
			}
			c := remoteClient(t, address, Options{})
			c.handshake()
			c.list()
			c.call(1, test.tool, `{"label":"a"}`)
			m := c.answer("1")
			is.Equal(outcome(m), test.want)
			if test.want == "" {
				is.Equal(answerText(m), "done a")
			}
			if test.tool == "once" {
				is.Equal(s.ran("once a"), 1)
			}
			c.call(2, "read", `{"label":"b"}`) // it goes on
			is.Equal(answerText(c.answer("2")), "done b")
			is.Equal(s.begun, test.lives)
		})
	}
}

// What a server says unasked comes on a stream of its own, which is opened again
// when it ends.
func TestWhatARemoteSaysUnasked(t *testing.T) {
	is := is.New(t)
	s, address := newWebServer(t)
	opened := make(chan string, 10)
	s.get = func(w http.ResponseWriter, r *http.Request) {
		opened <- r.Header.Get("Last-Event-ID")
		say(w, "id: 1\nevent: message\ndata: "+`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		if len(opened) > 1 {
			<-r.Context().Done()
		}
	}
	c := remoteClient(t, address, Options{})
	c.handshake()
	is.Equal(<-opened, "")
	is.Equal(<-opened, "1") // it says where it was
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		n := len(c.others)
		c.mu.Unlock()
		if n >= 2 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d notifications", n)
		}
	}
	is.Equal(c.others[0].method, "notifications/tools/list_changed")
}

// In the newer era a request over HTTP is called off by hanging up.
func TestCancellingIsHangingUp(t *testing.T) {
	is := is.New(t)
	s, address := newWebServer(t)
	got, left := make(chan struct{}), make(chan struct{})
	s.fault = func(w http.ResponseWriter, m message) bool {
		if m.method != "tools/call" {
			return false
		}
		say(w, ": wait")
		close(got)
		for { // until writing fails, which is how one learns of it here
			if _, err := fmt.Fprint(w, ": still\n\n"); err != nil || http.NewResponseController(w).Flush() != nil {
				close(left)
				return true
			}
			time.Sleep(time.Millisecond)
		}
	}
	c := remoteClient(t, address, Options{Validate: Off})
	c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":"a"}}}`, modernMeta)
	<-got
	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	<-left
	c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{%s}}`, modernMeta)
	is.True(c.answer("2").result != nil)
	is.Equal(len(c.answers["1"]), 0)
}

// Arguments that a schema wants in headers are there, as they are after a mend.
func TestArgumentsInHeaders(t *testing.T) {
	is := is.New(t)
	s, address := newWebServer(t)
	s.fault = func(w http.ResponseWriter, m message) bool {
		if m.method != "tools/list" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"read","inputSchema":{"type":"object","properties":{
			"label":{"type":"string","x-mcp-header":"Label"},"n":{"type":"integer","x-mcp-header":"N"},
			"in":{"type":"object","properties":{"deep":{"type":"string","x-mcp-header":"Deep"}}}}}}]}}`, m.id)
		return true
	}
	c := remoteClient(t, address, Options{})
	c.say(`{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{%s}}`, modernMeta)
	c.answer(`"list"`)
	c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":" ä","n":"5","in":{"deep":"x"}}}}`, modernMeta)
	c.answer("1")
	last := s.headers[len(s.headers)-1]
	is.Equal(last.Get("Mcp-Param-Label"), "=?base64?IMOk?=")
	is.Equal(last.Get("Mcp-Param-N"), "5")
	is.Equal(last.Get("Mcp-Param-Deep"), "x")
}
