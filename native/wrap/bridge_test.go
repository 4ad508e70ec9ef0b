package wrap

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

// modernOnly is a server that knows no handshake and wants _meta everywhere.
func (w *world) modernOnly(_ int, in <-chan []byte, out chan<- []byte) {
	for raw := range in {
		m, err := scan(raw)
		if err != nil || m.kind != request {
			continue
		}
		if m.method == "initialize" || member(m.params, "_meta", metaVersion) == nil {
			out <- errorMessage(m.id, rpcError{Code: codeVersion, Message: "unsupported", Data: json.RawMessage(`{"supported":["2026-07-28"]}`)})
			continue
		}
		switch m.method {
		case "ping", "logging/setLevel", "resources/subscribe":
			out <- errorMessage(m.id, rpcError{Code: codeUnknownMethod, Message: "removed"})
		case "subscriptions/listen":
			w.mu.Lock()
			w.listens++
			w.mu.Unlock()
			out <- notificationMessage("notifications/subscriptions/acknowledged", map[string]any{"_meta": map[string]any{metaSubscription: rawID(m.id)}})
			out <- notificationMessage("notifications/tools/list_changed", map[string]any{"_meta": map[string]any{metaSubscription: rawID(m.id)}})
		case "tools/call":
			if text(member(m.params, "arguments", "label")) == "ask" {
				if text(member(m.params, "requestState")) != "opaque" {
					out <- resultMessage(m.id, json.RawMessage(`{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"who?"}},"roots":{"method":"roots/list"}},"requestState":"opaque"}`))
					continue
				}
				w.effect("asked " + string(member(m.params, "inputResponses", "who", "content", "name")) + string(member(m.params, "inputResponses", "roots", "roots")))
			}
			out <- withMember(w.handle(raw), "x", []byte("1"))
		default:
			out <- w.handle(raw)
		}
	}
}

func TestOlderClientNewerServer(t *testing.T) {
	w := newWorld()
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.modernOnly}}, func(is *is.I, c *fakeClient) {
		m := c.handshake()
		is.Equal(text(member(m.result, "protocolVersion")), "2025-11-25")
		is.True(member(m.result, "capabilities", "tools") != nil)
		c.list()
		c.say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
		is.Equal(string(c.answer(`"p"`).result), "{}")
		c.say(`{"jsonrpc":"2.0","id":"l","method":"logging/setLevel","params":{"level":"debug"}}`)
		is.Equal(string(c.answer(`"l"`).result), "{}")
		c.call(1, "read", `{"label":"a"}`)
		is.Equal(answerText(c.answer("1")), "done a")
		synctest.Wait()
		is.Equal(c.others[0].method, "notifications/tools/list_changed") // from the subscription, which the client never made
		is.Equal(len(c.others), 1)

		c.call(2, "read", `{"label":"ask"}`)
		synctest.Wait()
		is.Equal(len(c.others), 3)
		for _, ask := range c.others[1:] {
			if ask.method == "roots/list" {
				c.say(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[7]}}`, ask.id)
			} else {
				is.Equal(ask.method, "elicitation/create")
				c.say(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"you"}}}`, ask.id)
			}
		}
		is.Equal(answerText(c.answer("2")), "done ask")
		is.Equal(w.ran(`asked "you"[7]`), 1)

		// A call that was called off while the client was asked is not made
		// again when the answers come.
		seen := len(c.others)
		c.call(3, "read", `{"label":"ask"}`)
		synctest.Wait()
		c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
		for _, ask := range c.others[seen:] {
			c.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":{"name":"late"}}}`, ask.id)
		}
		synctest.Wait()
		is.Equal(w.ran(`asked "late"`), 0)
		is.Equal(len(c.answers["3"]), 0)
	})
}

// A call that asked back goes by another id at a server of the newer era, which
// has to be told that one.
func TestCancellationAfterARound(t *testing.T) {
	w := newWorld()
	var calls, cancelled []string
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			m, _ := scan(raw)
			switch {
			case m.method == "initialize":
				out <- errorMessage(m.id, rpcError{Code: codeVersion, Message: "unsupported"})
			case m.method == "tools/call" && member(m.params, "inputResponses") == nil:
				out <- resultMessage(m.id, json.RawMessage(`{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}}`))
			case m.method == "tools/call":
				calls = append(calls, string(m.id))
			case m.method == "notifications/cancelled":
				cancelled = append(cancelled, string(member(m.params, "requestId")))
			default:
				if a := w.handle(raw); a != nil {
					out <- a
				}
			}
		}
	}}
	bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		c.call(1, "read", `{"label":"a"}`)
		synctest.Wait()
		c.say(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, c.others[len(c.others)-1].id)
		synctest.Wait()
		c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		synctest.Wait()
		is.Equal(len(calls), 1)
		is.Equal(cancelled, calls)
	})
}

// An older server does not say in which call it asks. Where several clients
// share it, none of them gets to see what may be another's.
func TestNobodyIsAskedInDoubt(t *testing.T) {
	for _, shared := range []bool{false, true} {
		w := newWorld()
		var refused []string
		d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
			for raw := range in {
				m, _ := scan(raw)
				switch label := text(member(m.params, "arguments", "label")); {
				case m.method == "server/discover":
					out <- errorMessage(m.id, rpcError{Code: codeUnknownMethod, Message: "no"})
				case label == "wait":
				case label == "ask":
					out <- requestMessage("s1", "sampling/createMessage", map[string]string{"secret": "of the first"})
				case m.kind == response && m.fault != nil:
					refused = append(refused, string(m.id))
				default:
					if a := w.handle(raw); a != nil {
						out <- a
					}
				}
			}
		}}
		bubble(t, Options{Dialer: &bridge{Dialer: d, shared: shared}, Validate: Off}, func(is *is.I, c *fakeClient) {
			for id, label := range []string{"ask", "wait", "ask"} {
				c.say(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":%q}}}`, id, modernMeta, label)
				synctest.Wait()
				if id == 0 {
					is.Equal(text(member(c.answer("0").result, "resultType")), "input_required") // no doubt
					time.Sleep(comeBack + time.Second)                                           // and no answer either
				}
			}
			is.Equal(len(c.answers["2"]) == 0, shared)
			is.Equal(refused, map[bool][]string{false: {`"s1"`}, true: {`"s1"`, `"s1"`}}[shared])
		})
	}
}

// legacyOnly is a server that has never heard of server/discover, and answers
// nothing before the handshake.
func (w *world) legacyOnly(discover func(id []byte) []byte) func(int, <-chan []byte, chan<- []byte) {
	return func(_ int, in <-chan []byte, out chan<- []byte) {
		ready := false
		for raw := range in {
			m, err := scan(raw)
			switch {
			case err != nil:
			case m.method == "server/discover":
				if discover == nil {
					return // it ends, as some do
				}
				if a := discover(m.id); a != nil {
					out <- a
				}
			case m.method == "initialize":
				out <- w.handle(raw)
			case m.method == "notifications/initialized":
				ready = true
			case !ready && m.kind == request:
				out <- errorMessage(m.id, rpcError{Code: -32602, Message: "Received request before initialization was complete"})
			case m.kind == response:
				w.effect("heard " + string(m.result))
				out <- resultMessage([]byte(text(member(m.result, "for"))), json.RawMessage(`{"content":[{"type":"text","text":"thanks"}]}`))
			case text(member(m.params, "arguments", "label")) == "ask":
				out <- requestMessage("s1", "elicitation/create", map[string]string{"message": "who?"})
			default:
				if a := w.handle(raw); a != nil {
					out <- a
				}
			}
		}
	}
}

func TestNewerClientOlderServer(t *testing.T) {
	ways := map[string]func(id []byte) []byte{
		"refuses to say": func(id []byte) []byte { return errorMessage(id, rpcError{Code: -32601, Message: "Method not found"}) },
		"odd refusal": func(id []byte) []byte {
			return errorMessage(id, rpcError{Code: -32602, Message: "before initialization"})
		},
		"silent": func([]byte) []byte { return nil },
		"ends":   nil,
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.legacyOnly(way)}}, func(is *is.I, c *fakeClient) {
				begin := time.Now()
				c.say(`{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{%s}}`, modernMeta)
				m := c.answer(`"d"`)
				is.Equal(text(member(m.result, "resultType")), "complete")
				is.True(strings.Contains(string(member(m.result, "supportedVersions")), "2026-07-28"))
				is.True(time.Since(begin) < 5*time.Second)
				c.say(`{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{%s}}`, modernMeta)
				m = c.answer(`"list"`)
				is.Equal(text(member(m.result, "resultType")), "complete")
				is.Equal(string(member(m.result, "ttlMs")), "0")
				c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":"a"}}}`, modernMeta)
				m = c.answer("1")
				is.Equal(answerText(m), "done a")
				is.Equal(text(member(m.result, "resultType")), "complete")

				c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":"ask"}}}`, modernMeta)
				m = c.answer("2")
				is.Equal(text(member(m.result, "resultType")), "input_required")
				is.Equal(text(member(m.result, "inputRequests", inputKey, "method")), "elicitation/create")
				c.say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":"ask"},"requestState":%s,"inputResponses":{%q:{"action":"accept","for":"2"}}}}`, modernMeta, member(m.result, "requestState"), inputKey)
				is.Equal(answerText(c.answer("3")), "thanks")
				is.Equal(w.ran(`heard {"action":"accept","for":"2"}`), 1)
			})
		})
	}
}

// Log level and calling off are said in the older era's own way, and what the
// client brings back too late is refused in words.
func TestNewerClientOlderServerInPassing(t *testing.T) {
	w := newWorld()
	var heard []string
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			m, _ := scan(raw)
			switch m.method {
			case "server/discover":
				out <- errorMessage(m.id, rpcError{Code: codeUnknownMethod, Message: "no"})
			case "tools/call", "notifications/cancelled":
				heard = append(heard, m.method+" "+string(m.id)+string(member(m.params, "requestId")))
			default:
				if a := w.handle(raw); a != nil {
					out <- a
				}
			}
		}
	}}
	bubble(t, Options{Dialer: d, Validate: Off}, func(is *is.I, c *fakeClient) {
		meta := strings.Replace(modernMeta, `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"debug",`, 1)
		for _, id := range []string{`"a\"b"`, `2`} {
			c.say(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{%s,"name":"read","arguments":{"label":"a"}}}`, id, meta)
			synctest.Wait()
			c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
		}
		synctest.Wait()
		is.Equal(heard, []string{`tools/call "a\"b"`, `notifications/cancelled "a\"b"`, "tools/call 2", "notifications/cancelled 2"})
		is.Equal(w.levels, []string{"debug"}) // once
		c.say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{%s,"name":"read","arguments":{},"requestState":"mcpmend-old","inputResponses":{}}}`, modernMeta)
		is.True(strings.Contains(string(c.answer("3").fault), "from the start"))
	})
}

func TestSubscriptionBeforeOlderServer(t *testing.T) {
	w := newWorld()
	var changes chan string
	serve := func(life int, in <-chan []byte, out chan<- []byte) {
		inner := make(chan []byte)
		go w.legacyOnly(func(id []byte) []byte { return errorMessage(id, rpcError{Code: -32601}) })(life, inner, out)
		defer close(inner)
		for {
			select {
			case m, ok := <-in:
				if !ok {
					return
				}
				inner <- m
			case method := <-changes:
				out <- notificationMessage(method, map[string]string{"uri": "file:///a"})
			}
		}
	}
	bubbleWith(t, func() Options {
		changes = make(chan string)
		return Options{Dialer: &fakeDialer{world: w, serve: serve}}
	}, func(is *is.I, c *fakeClient) {
		c.say(`{"jsonrpc":"2.0","id":"sub","method":"subscriptions/listen","params":{%s,"notifications":{"toolsListChanged":true}}}`, modernMeta)
		synctest.Wait()
		c.say(`{"jsonrpc":"2.0","id":"other","method":"subscriptions/listen","params":{%s,"notifications":{"resourceSubscriptions":["file:///a"]}}}`, modernMeta)
		synctest.Wait()
		time.Sleep(time.Second)
		changes <- "notifications/tools/list_changed"
		changes <- "notifications/resources/updated"
		synctest.Wait()
		var got []string
		for _, m := range c.others {
			got = append(got, m.method+" for "+text(member(m.params, "_meta", metaSubscription)))
		}
		is.Equal(got, []string{ // each what it asked for
			"notifications/subscriptions/acknowledged for sub", "notifications/subscriptions/acknowledged for other",
			"notifications/tools/list_changed for sub", "notifications/resources/updated for other",
		})
	})
}

// A first request that is wrong in itself does not make the server look old.
func TestFaultyFirstRequest(t *testing.T) {
	w := newWorld()
	strict := func(life int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			m, err := scan(raw)
			if err == nil && m.kind == request && member(m.params, "_meta", metaCapabilities) == nil {
				out <- errorMessage(m.id, rpcError{Code: codeInvalidParams, Message: "no capabilities"})
			} else if a := w.handle(raw); a != nil {
				out <- a
			}
		}
	}
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: strict}}, func(is *is.I, c *fakeClient) {
		c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{%q:"2026-07-28"}}}`, metaVersion)
		is.Equal(string(member(c.answer("1").fault, "code")), "-32602")
		synctest.Wait()
		is.Equal(passage(c.session.up.conn.(*bridgeConn).mode.Load()), straight)
	})
}

// Where both are of one era the bridge is not there.
func TestBridgeStandsAside(t *testing.T) {
	w := newWorld()
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func(is *is.I, c *fakeClient) {
		c.handshake()
		synctest.Wait()
		is.Equal(passage(c.session.up.conn.(*bridgeConn).mode.Load()), straight)
	})
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func(is *is.I, c *fakeClient) {
		c.say(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{%s}}`, modernMeta)
		c.answer("1")
		synctest.Wait()
		is.Equal(passage(c.session.up.conn.(*bridgeConn).mode.Load()), straight)
	})
}

func TestWithMember(t *testing.T) {
	is := is.New(t)
	is.Equal(string(withMember([]byte(`{}`), "a", []byte("1"))), `{"a":1}`)
	is.Equal(string(withMember([]byte(` { "b":2}`), "a", []byte("1"))), ` {"a":1, "b":2}`)
	is.Equal(string(withMember([]byte(`{"a": {"x":1},"b":2}`), "a", []byte("1"))), `{"a": 1,"b":2}`)
}
