package wrap

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

// faults are servers with one thing wrong each. Line is what came in; the
// answer that a good server would give is handed along.
var faults = map[string]func(out io.Writer, m message, good []byte){
	"dies on start":   nil, // in faultyServer
	"closes stdin":    nil,
	"closes stdout":   nil,
	"banner":          nil,
	"ignores the end": nil,
	"endless cursor": onMethod("tools/list", func(out io.Writer, m message, _ []byte) {
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[],"nextCursor":"again"}}`+"\n", m.id)
	}),
	"dies in mid-call": onMethod("tools/call", func(io.Writer, message, []byte) { os.Exit(1) }),
	"hangs":            onMethod("tools/call", func(io.Writer, message, []byte) {}),
	"answers twice":    onMethod("tools/call", func(out io.Writer, _ message, good []byte) { fmt.Fprintf(out, "%s\n%s\n", good, good) }),
	"answers late": onMethod("tools/call", func(out io.Writer, _ message, good []byte) {
		time.Sleep(1500 * time.Millisecond)
		fmt.Fprintf(out, "%s\n", good)
	}),
	"wrong id": onMethod("tools/call", func(out io.Writer, _ message, good []byte) {
		fmt.Fprintf(out, "%s\n", bytes.Replace(good, []byte(`"id":1`), []byte(`"id":777`), 1))
	}),
	"half a line": onMethod("tools/call", func(out io.Writer, _ message, good []byte) { out.Write(good[:len(good)/2]); os.Exit(0) }),
	"100 MB line": onMethod("tools/call", func(out io.Writer, m message, _ []byte) {
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, m.id)
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for range 100 {
			out.Write(chunk)
		}
		io.WriteString(out, "\"}]}}\n")
	}),
	"100 MB line with the id at its end": onMethod("tools/call", func(out io.Writer, m message, _ []byte) {
		io.WriteString(out, `{"result":{"content":[{"type":"text","text":"`)
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for range 100 {
			out.Write(chunk)
		}
		fmt.Fprintf(out, `"}]},"jsonrpc":"2.0","id":%s}`+"\n", m.id)
	}),
	"logs in JSON": onMethod("tools/call", func(out io.Writer, m message, good []byte) {
		fmt.Fprintf(out, `{"level":"info","id":%s,"msg":"calling"}`+"\n%s\n", m.id, good)
	}),
	"10 MB answer": onMethod("tools/call", func(out io.Writer, m message, _ []byte) {
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`+"\n", m.id, strings.Repeat("y", 10<<20))
	}),
	"invalid UTF-8": onMethod("tools/call", func(out io.Writer, m message, _ []byte) {
		fmt.Fprintf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\xff\xfe\"}]}}\n", m.id)
	}),
	"NUL after it": onMethod("tools/call", func(out io.Writer, _ message, good []byte) { fmt.Fprintf(out, "%s\x00\n", good) }),
	"slow drip": onMethod("tools/call", func(out io.Writer, _ message, good []byte) {
		for _, b := range good {
			out.Write([]byte{b})
			time.Sleep(time.Second)
		}
	}),
	"ambiguous answer": onMethod("tools/call", func(out io.Writer, _ message, good []byte) {
		fmt.Fprintf(out, "%s\n", bytes.Replace(good, []byte(`"result":`), []byte(`"RESULT":{},"result":`), 1))
	}),
	"flood of logs": onMethod("tools/call", func(out io.Writer, _ message, good []byte) {
		for range 5_000 {
			io.WriteString(out, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`+"\n")
		}
		fmt.Fprintf(out, "%s\n", good)
	}),
	"list changes in a loop": onMethod("tools/call", func(out io.Writer, _ message, good []byte) {
		for range 5_000 {
			io.WriteString(out, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n")
		}
		fmt.Fprintf(out, "%s\n", good)
	}),
	"asks what was not offered": onMethod("tools/call", func(out io.Writer, _ message, good []byte) {
		io.WriteString(out, `{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{}}`+"\n")
		fmt.Fprintf(out, "%s\n", good)
	}),
}

func onMethod(method string, do func(io.Writer, message, []byte)) func(io.Writer, message, []byte) {
	return func(out io.Writer, m message, good []byte) {
		if m.method == method {
			do(out, m, good)
		} else if good != nil {
			fmt.Fprintf(out, "%s\n", good)
		}
	}
}

// faultyServer is a server process with one fault.
func faultyServer(fault string, in io.Reader, out *os.File) {
	switch fault {
	case "dies on start":
		fmt.Fprintln(os.Stderr, "Error: GITHUB_TOKEN is not set")
		os.Exit(1)
	case "closes stdin":
		os.Stdin.Close()
		time.Sleep(time.Hour)
	case "closes stdout":
		out.Close()
		time.Sleep(time.Hour)
	case "banner":
		fmt.Fprintln(out, "Starting MCP server v1.2.3 on stdio…")
		fmt.Fprint(out, "Ready. ")
		fmt.Fprintln(out)
	}
	w := newWorld()
	lines := newLineReader(in, maxMessage)
	for {
		line, err := lines.next()
		if err != nil {
			if fault == "ignores the end" {
				time.Sleep(time.Hour)
			}
			return
		}
		m, err := scan(bytes.Clone(line))
		if err != nil {
			continue
		}
		good := w.handle(m.raw)
		if do := faults[fault]; do != nil {
			do(out, m, good)
		} else if good != nil {
			fmt.Fprintf(out, "%s\n", good)
		}
	}
}

// Whatever is wrong with a server: the call is answered in time, exactly once,
// in words that say what happened, and nothing is left behind.
func TestFaults(t *testing.T) {
	want := map[string]string{ // what the answer to the call says
		"dies on start":                      "31003",
		"closes stdin":                       "", // initialize is never answered
		"closes stdout":                      "31003",
		"banner":                             "done a",
		"ignores the end":                    "done a",
		"endless cursor":                     "done a",
		"dies in mid-call":                   "may_have_run",
		"hangs":                              "may_have_run",
		"answers twice":                      "done a",
		"answers late":                       "may_have_run",
		"wrong id":                           "may_have_run",
		"half a line":                        "may_have_run",
		"100 MB line":                        "cannot be used",
		"100 MB line with the id at its end": "cannot be used",
		"logs in JSON":                       "done a",
		"10 MB answer":                       "yyyyyyyy",
		"invalid UTF-8":                      "may_have_run",
		"NUL after it":                       "may_have_run",
		"slow drip":                          "may_have_run",
		"ambiguous answer":                   "may_have_run",
		"flood of logs":                      "done a",
		"list changes in a loop":             "done a",
		"asks what was not offered":          "done a",
	}
	before := runtime.NumGoroutine()
	for name := range faults {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			limit := time.Second
			if want[name] == "done a" || strings.Contains(name, "MB") {
				limit = time.Minute // the server answers, however slow the machine
			}
			recovery := time.Minute // a slow machine takes long to start a server
			if name == "closes stdin" {
				recovery = 8 * time.Second // its handshake is never answered, and the test waits that long
			}
			c := newClient(Options{Dialer: testServer("WRAP_TEST=" + name), CallTimeout: limit, RecoveryTimeout: recovery, Validate: Off})
			closed := false
			defer func() {
				if !closed {
					c.session.Close()
				}
			}()
			begin := time.Now()
			c.say(initialize)
			m := c.answer("0")
			if m.fault != nil {
				is.True(name == "dies on start" || name == "closes stdout" || name == "closes stdin")
				if name == "dies on start" {
					is.True(strings.Contains(string(m.fault), "GITHUB_TOKEN")) // the client's initialize has the cause
				}
				is.True(time.Since(begin) < time.Minute)
				return
			}
			c.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			if name != "endless cursor" {
				c.list()
			}
			begin = time.Now()
			c.call(1, "once", `{"label":"a"}`)
			m = c.answer("1")
			is.True(strings.Contains(string(m.raw), want[name]))
			is.True(time.Since(begin) < time.Minute)
			begin = time.Now()
			c.session.Close()
			closed = true
			is.True(time.Since(begin) < time.Minute)
			c.mu.Lock()
			defer c.mu.Unlock()
			is.Equal(len(c.answers["1"]), 1)
		})
	}
	for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	is.New(t).True(runtime.NumGoroutine() <= before)
}

// Strings that only some parsers take, and ids that have to be escaped, used to
// end the wrapper when it put them into a message of its own.
func TestOddStringsAreSurvived(t *testing.T) {
	for name, test := range map[string]struct{ client, server string }{
		"an id of the client with a false escape": {client: `{"jsonrpc":"2.0","id":"\q","method":"tools/call","params":{"name":"typed","arguments":{"limit":"x"}}}`},
		"an id of the client with a tab":          {client: "{\"jsonrpc\":\"2.0\",\"id\":\"a\tb\",\"method\":\"tools/call\",\"params\":{\"name\":\"typed\",\"arguments\":{\"limit\":\"x\"}}}"},
		"an id of the server with a quote":        {server: `{"jsonrpc":"2.0","id":"a\"b","method":"roots/list"}`},
		"an id of the server with a line end":     {server: `{"jsonrpc":"2.0","id":"a\nb","method":"roots/list"}`},
		"an error of the server with a tab":       {server: "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32602,\"message\":\"no\tsuch tool\"}}"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
				for raw := range in {
					m, _ := scan(raw)
					switch tool := text(member(m.params, "name")); {
					case tool == "say":
						out <- []byte(test.server)
						continue
					case tool == "die" && life == 1:
						return
					}
					if a := w.handle(raw); a != nil {
						out <- a
					}
				}
			}}
			bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
				c.handshake()
				c.list()
				if test.client != "" {
					c.say("%s", test.client)
				} else {
					c.call(7, "say", `{}`)
				}
				synctest.Wait()
				c.call(8, "die", `{}`) // what the server asked is called off in its own spelling
				is.Equal(outcome(c.answer("8")), "may_have_run")
				c.call(9, "read", `{"label":"a"}`)
				is.Equal(answerText(c.answer("9")), "done a")
			})
		})
	}
}
