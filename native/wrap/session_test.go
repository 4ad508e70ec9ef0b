package wrap

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/heal"
)

// bubble runs a test on fake time, with a session that is closed at its end.
func bubble(t *testing.T, o Options, test func(is *is.I, c *fakeClient)) {
	t.Helper()
	bubbleWith(t, func() Options { return o }, test)
}

// bubbleWith makes the options inside the bubble, where channels have to be
// made that are to be waited for. Waits before a restart are not left to chance:
// some of the many would be longer than a test expects.
func bubbleWith(t *testing.T, options func() Options, test func(is *is.I, c *fakeClient)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := options()
		if o.Chance == nil {
			o.Chance = func() float64 { return 0.5 }
		}
		c := newClient(o)
		defer c.session.Close()
		test(is.New(t), c)
	})
}

func TestBytesPassUntouched(t *testing.T) {
	var got []string
	w := newWorld()
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for m := range in {
			got = append(got, string(m))
			out <- []byte(`{ "jsonrpc" : "2.0", "id" : "x\u0031", "result" : { "unknown" : 1e3 , "é" : "\u00e9" } }`)
		}
	}}
	bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
		odd := `{ "id":"x1",  "method":"future/method", "params":{"b":1,"a":[ ]}, "extension":{"deep":[{}]} ,"jsonrpc":"2.0"}`
		c.say("%s", odd)
		m := c.answer(`"x1"`)
		synctest.Wait()
		is.Equal(got, []string{odd})
		is.Equal(string(m.raw), `{ "jsonrpc" : "2.0", "id" : "x\u0031", "result" : { "unknown" : 1e3 , "é" : "\u00e9" } }`)
	})
}

func TestDeathInMidCall(t *testing.T) {
	for _, test := range []struct {
		tool    string
		trust   heal.Trust
		want    string // our outcome; "" means that it was answered by the server
		effects int
	}{
		{"read", heal.TrustIdempotent, "", 2},
		{"twice", heal.TrustIdempotent, "", 2},
		{"once", heal.TrustIdempotent, "may_have_run", 1},
		{"twice", heal.TrustReadOnly, "may_have_run", 1},
		{"read", heal.TrustReadOnly, "", 2},
		{"read", heal.TrustNever, "may_have_run", 1},
	} {
		t.Run(test.tool+" "+string(test.trust), func(t *testing.T) {
			w := newWorld()
			d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
				for m := range in {
					answer := w.handle(m)
					if life == 1 && strings.Contains(string(m), "tools/call") {
						return // it ran, and its answer is lost
					}
					if answer != nil {
						out <- answer
					}
				}
			}}
			retry := heal.DefaultRetryPolicy()
			retry.Trust = test.trust
			bubble(t, Options{Dialer: d, Retry: retry}, func(is *is.I, c *fakeClient) {
				c.handshake()
				c.list()
				c.call(1, test.tool, `{"label":"a"}`)
				m := c.answer("1")
				is.Equal(outcome(m), test.want)
				is.Equal(w.ran(test.tool+" a"), test.effects)
				if test.want != "" {
					is.Equal(string(member(m.result, "isError")), "true")
					is.True(strings.Contains(string(m.result), "Connection error, not an error of the tool"))
				}
				c.call(2, "read", `{"label":"after"}`) // the session lives on
				is.Equal(outcome(c.answer("2")), "")
			})
		})
	}
}

func TestTimeout(t *testing.T) {
	w := newWorld()
	var cancelled []string
	d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
		for m := range in {
			parsed, _ := scan(m)
			if parsed.method == "notifications/cancelled" {
				cancelled = append(cancelled, string(member(parsed.params, "requestId")))
			}
			if parsed.method == "tools/call" {
				continue
			}
			if answer := w.handle(m); answer != nil {
				out <- answer
			}
		}
	}}
	o := Options{Dialer: d, CallTimeout: time.Second, ToolTimeout: map[string]time.Duration{"twice": 3 * time.Second}}
	bubble(t, o, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		begin := time.Now()
		c.call(1, "once", `{"label":"x"}`)
		m := c.answer("1")
		is.Equal(outcome(m), "may_have_run")
		is.Equal(text(member(m.result, "structuredContent", "mcpmend", "kind")), "timeout")
		is.True(time.Since(begin) < 1200*time.Millisecond)
		synctest.Wait()
		is.Equal(cancelled, []string{"1"})
		begin = time.Now()
		c.call(2, "twice", `{"label":"x"}`)
		c.answer("2")
		is.True(time.Since(begin) > 2900*time.Millisecond)
	})
}

func TestLimits(t *testing.T) {
	w := newWorld()
	var release chan struct{}
	under, most := 0, 0
	d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
		var waiting [][]byte
		for {
			select {
			case m, ok := <-in:
				if !ok {
					return
				}
				if strings.Contains(string(m), "tools/call") {
					under++
					most = max(most, under)
					waiting = append(waiting, m)
					continue
				}
				if answer := w.handle(m); answer != nil {
					out <- answer
				}
			case <-release:
				under--
				out <- w.handle(waiting[0])
				waiting = waiting[1:]
			}
		}
	}}
	bubbleWith(t, func() Options {
		release = make(chan struct{})
		return Options{Dialer: d, MaxInFlight: 3, ToolMaxInFlight: map[string]int{"once": 1}}
	}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		for i := range 10 {
			c.call(100+i, []string{"read", "once"}[i%2], fmt.Sprintf(`{"label":"%d"}`, i))
		}
		c.say(`{"jsonrpc":"2.0","id":109,"method":"ping"}`) // an id that waits is in use
		is.True(strings.Contains(string(c.answers["109"][0].fault), "in use"))
		delete(c.answers, "109")
		for range 10 {
			synctest.Wait()
			release <- struct{}{}
		}
		for i := range 10 {
			is.Equal(outcome(c.answer(fmt.Sprint(100+i))), "")
		}
		is.Equal(most, 3)
		is.Equal(len(c.session.inFlight), 1)
		is.Equal(c.session.inFlight[""], 0)
	})
}

func TestCancellation(t *testing.T) {
	w := newWorld()
	var seen []string
	d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
		for m := range in {
			parsed, _ := scan(m)
			seen = append(seen, parsed.method)
			if parsed.method == "tools/call" {
				continue
			}
			if answer := w.handle(m); answer != nil {
				out <- answer
			}
		}
	}}
	bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		c.call(1, "once", `{"label":"x"}`)
		c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		synctest.Wait()
		is.Equal(seen[len(seen)-1], "notifications/cancelled")
		is.Equal(len(c.session.calls), 0)
	})
}

func TestServerRequests(t *testing.T) {
	w := newWorld()
	var heard []string
	var ask chan struct{}
	d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
		for {
			select {
			case m, ok := <-in:
				if !ok {
					return
				}
				if parsed, _ := scan(m); parsed.kind == response {
					heard = append(heard, string(m))
				} else if strings.Contains(string(m), `"die"`) && life == 1 {
					return
				}
				if answer := w.handle(m); answer != nil {
					out <- answer
				}
			case <-ask:
				out <- []byte(`{"jsonrpc":"2.0","id":"s1","method":"roots/list"}`)
			}
		}
	}}
	bubbleWith(t, func() Options {
		ask = make(chan struct{})
		return Options{Dialer: d}
	}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		ask <- struct{}{}
		synctest.Wait()
		is.Equal(c.others[0].method, "roots/list")
		c.say(`{"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}`)
		synctest.Wait()
		is.Equal(len(heard), 1)
		// One that is open when the server dies: the client is told, and its
		// late answer does not reach the successor, who never asked.
		ask <- struct{}{}
		synctest.Wait()
		c.call(5, "read", `{"label":"die"}`)
		c.answer("5")
		is.Equal(c.others[len(c.others)-1].method, "notifications/cancelled")
		c.say(`{"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}`)
		synctest.Wait()
		is.Equal(len(heard), 1)
	})
}

func TestBatches(t *testing.T) {
	w := newWorld()
	var got []string
	d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
		for m := range in {
			got = append(got, string(m))
			if answer := w.handle(m); answer != nil {
				out <- answer
			}
		}
	}}
	bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		whole := `[{"jsonrpc":"2.0","id":1,"method":"ping"} , {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"label":"b"}}},{"jsonrpc":"2.0","method":"notifications/x"}]`
		c.say("%s", whole)
		synctest.Wait()
		is.Equal(got[len(got)-1], whole)
		is.Equal(len(c.others), 1) // the batch of answers, as one
		is.Equal(c.others[0].kind, batch)
		is.Equal(len(c.session.calls), 0)
		c.say(`[]`)
		c.say(`[{"jsonrpc":"2.0","id":3,"method":"ping"},{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"typed","arguments":{"limit":"x"}}}]`)
		is.Equal(outcome(c.answer("4")), "not_run") // one part is refused, the other goes on
		is.True(c.answer("3").result != nil)
	})
}

func TestAmbiguousMessagesAreRefused(t *testing.T) {
	w := newWorld()
	reached := 0
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for range in {
			reached++
		}
	}}
	bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
		for i, raw := range []string{
			`{"jsonrpc":"2.0","id":%d,"method":"tools/list","METHOD":"tools/call"}`,
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","Name":"rm"}}`,
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","name":"rm"}}`,
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","argumentſ":{}}}`,
		} {
			c.say(raw, i)
			synctest.Wait()
		}
		is.Equal(reached, 0)
		var codes []string
		for _, m := range append(c.answers["null"], c.others...) {
			codes = append(codes, string(member(m.fault, "code")))
		}
		for i := range 4 {
			for _, m := range c.answers[fmt.Sprint(i)] {
				codes = append(codes, string(member(m.fault, "code")))
			}
		}
		is.Equal(codes, []string{"-32600", "-32600", "-32600", "-32600"})
	})
}

// A storm of retries is spread out, and nothing of it is lost.
func TestRetriesHaveABudget(t *testing.T) {
	w := newWorld()
	var second []time.Time
	d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
		for m := range in {
			call := strings.Contains(string(m), "tools/call")
			if life == 1 && strings.Contains(string(m), `"last"`) {
				return
			}
			if life == 1 && call {
				continue
			}
			if call {
				second = append(second, time.Now())
			}
			if answer := w.handle(m); answer != nil {
				out <- answer
			}
		}
	}}
	bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		for i := range 60 {
			c.call(100+i, "read", fmt.Sprintf(`{"label":"%d"}`, i))
		}
		c.call(1, "read", `{"label":"last"}`)
		for i := range 60 {
			is.Equal(outcome(c.answer(fmt.Sprint(100+i))), "")
		}
		is.Equal(outcome(c.answer("1")), "")
		is.True(second[len(second)-1].Sub(second[0]) > 2*time.Second) // 61 retries: ten, a fifth of the calls, and ten a second
	})
}

// A server that answers what is cancelled does so too late: the client hears
// from us why there is no answer.
func TestTimedOutIsSaidByUs(t *testing.T) {
	w := newWorld()
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			m, _ := scan(raw)
			switch m.method {
			case "tools/call":
			case "notifications/cancelled":
				out <- fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"context canceled"}],"isError":true}}`, member(m.params, "requestId"))
			default:
				if answer := w.handle(raw); answer != nil {
					out <- answer
				}
			}
		}
	}}
	for range 100 { // who is first depended on chance
		bubble(t, Options{Dialer: d, CallTimeout: time.Second, Validate: Off}, func(is *is.I, c *fakeClient) {
			c.handshake()
			c.call(1, "read", `{"label":"a"}`)
			is.Equal(outcome(c.answer("1")), string(heal.MayHaveRun))
		})
	}
}
