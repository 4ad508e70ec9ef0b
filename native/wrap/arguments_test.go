package wrap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/heal"
	"mcpmend/native/llm"
)

// answerText is the first text of a tool's result.
func answerText(m message) string {
	parts, err := elements(member(m.result, "content"))
	if err != nil || len(parts) == 0 {
		return ""
	}
	return text(member(parts[0], "text"))
}

func TestArguments(t *testing.T) {
	tests := []struct {
		name, tool, args string
		mode             Validation
		outcome          string // ours; "" where the server answered
		contains         []string
	}{
		{"valid", "typed", `{"limit":5}`, Enforce, "", []string{"limit 5"}},
		{"mended without a guess", "typed", `{"limit":"5"}`, Enforce, "", []string{"limit 5"}},
		{"wrong", "typed", `{"limit":"many"}`, Enforce, "not_run", []string{"limit", "integer"}},
		{"out of range", "typed", `{"limit":500}`, Enforce, "not_run", []string{"limit", "50"}},
		{"missing", "typed", `{}`, Enforce, "not_run", []string{"limit"}},
		{"unknown property", "typed", `{"limit":5,"limitt":6}`, Enforce, "not_run", []string{"limitt"}},
		{"advise passes it on", "typed", `{"limit":"many"}`, Advise, "", []string{`limit "many"`}},
		{"off passes it on", "typed", `{"limit":"many"}`, Off, "", []string{`limit "many"`}},
		{"the server's own prose is explained", "strict", `{"when":"tomorrow"}`, Enforce, "may_have_run", []string{"ValueError: when must be a date like 2026-01-01", "fit the tool's schema"}},
		{"and not when that is switched off", "strict", `{"when":"tomorrow"}`, Off, "", []string{"ValueError"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}, Validate: test.mode}, func(is *is.I, c *fakeClient) {
				c.handshake()
				c.list()
				c.call(1, test.tool, test.args)
				m := c.answer("1")
				is.Equal(outcome(m), test.outcome)
				for _, words := range test.contains {
					if !strings.Contains(answerText(m), words) {
						t.Errorf("no %q in %s", words, answerText(m))
					}
				}
				if test.outcome != "" {
					is.Equal(string(member(m.result, "isError")), "true")
				}
			})
		})
	}
}

func TestSecondFailureIsExplainedInFull(t *testing.T) {
	w := newWorld()
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		c.call(1, "typed", `{"limit":"many"}`)
		short := answerText(c.answer("1"))
		c.call(2, "typed", `{"limit":"many"}`)
		full := answerText(c.answer("2"))
		is.True(len(full) > len(short))
		c.call(3, "typed", `{"limit":1}`)
		c.answer("3")
		c.call(4, "typed", `{"limit":"many"}`)
		is.Equal(answerText(c.answer("4")), short) // a success begins anew
	})
}

func TestUnknownToolGetsNearNames(t *testing.T) {
	w := newWorld()
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		c.call(1, "reed", `{}`)
		m := c.answer("1")
		is.Equal(string(member(m.fault, "code")), "-32602")
		is.True(strings.Contains(text(member(m.fault, "message")), "Unknown tool: reed"))
		is.True(strings.Contains(text(member(m.fault, "message")), "read"))
	})
}

// Some libraries say it in a result, and a tool that is not listed may be there.
func TestUnknownToolInAResult(t *testing.T) {
	for words, near := range map[string]bool{"MCP error -32602: Tool reed not found": true, "reed: the disk is full": false} {
		w := newWorld()
		d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
			for raw := range in {
				if m, _ := scan(raw); m.method == "tools/call" {
					out <- resultMessage(m.id, toolError(false, words, nil))
				} else if a := w.handle(raw); a != nil {
					out <- a
				}
			}
		}}
		bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
			c.handshake()
			c.list()
			c.call(1, "reed", `{}`)
			m := c.answer("1")
			is.True(strings.HasPrefix(answerText(m), words))
			is.Equal(strings.Contains(answerText(m), "The nearest names are: read."), near)
			is.Equal(outcome(m) == "not_run", near)
		})
	}
}

func TestToolsAreListedForAClientThatDoesNot(t *testing.T) {
	w := newWorld()
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.call(1, "typed", `{"limit":"5"}`)
		is.Equal(answerText(c.answer("1")), "limit 5")
	})
}

// A server that does not say what tools it has is asked once, and calls are
// passed on unchecked.
func TestToolsThatAreNotListed(t *testing.T) {
	w := newWorld()
	d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			if m, _ := scan(raw); m.method == "tools/list" {
				w.effect("list")
			} else if a := w.handle(raw); a != nil {
				out <- a
			}
		}
	}}
	bubble(t, Options{Dialer: d}, func(is *is.I, c *fakeClient) {
		c.handshake()
		begin := time.Now()
		for i := range 10 {
			c.call(i+1, "typed", `{"limit":"x"}`)
			is.Equal(outcome(c.answer(fmt.Sprint(i+1))), "")
		}
		is.Equal(w.ran("list"), 1)
		is.True(time.Since(begin) < listTime+time.Second)
	})
}

func TestMendedMessageKeepsTheRest(t *testing.T) {
	is := is.New(t)
	for _, raw := range []string{
		`{"jsonrpc":"2.0", "id" : 7,"method":"tools/call","params":{"_meta":{"x":1.50}, "arguments": {"limit": "5"} ,"name":"typed"},"ext":[1]}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"typed"}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{ }}`,
	} {
		m, err := scan([]byte(raw))
		is.NoErr(err)
		c := &call{raw: m.raw, id: m.id, args: member(m.params, "arguments")}
		(&Session{}).replaceArguments(c, []byte(`{"limit":5}`))
		is.True(json.Valid(c.raw))
		is.Equal(string(c.args), `{"limit":5}`)
		is.Equal(string(c.id), "7")
		if before := string(member(m.params, "arguments")); before != "" {
			is.Equal(string(c.raw), strings.Replace(raw, before, `{"limit":5}`, 1))
		}
	}
}

// model is a stub of an endpoint.
type model struct {
	mu      sync.Mutex
	answer  string
	err     error
	hang    bool
	prompts []llm.Prompt
}

func (m *model) Complete(ctx context.Context, p llm.Prompt) (string, error) {
	m.mu.Lock()
	m.prompts = append(m.prompts, p)
	m.mu.Unlock()
	if m.hang {
		<-ctx.Done()
		return "", ctx.Err()
	}
	return m.answer, m.err
}

func (m *model) asked() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.prompts)
}

func TestCorrection(t *testing.T) {
	tests := []struct {
		name       string
		tool, args string
		model      *model
		asked      int
		outcome    string
		contains   string
	}{
		{"not asked on success", "typed", `{"limit":5}`, &model{}, 0, "", "limit 5"},
		{"not asked where a mend needs no guess", "typed", `{"limit":"5"}`, &model{}, 0, "", "limit 5"},
		{"valid", "typed", `{"limit":"seven"}`, &model{answer: `{"arguments":{"limit":7}}`}, 1, "", "limit 7"},
		{"fenced", "typed", `{"limit":"seven"}`, &model{answer: "```json\n{\"arguments\":{\"limit\":7}}\n```"}, 1, "", "limit 7"},
		{"no JSON", "typed", `{"limit":"seven"}`, &model{answer: "seven is 7"}, 1, "not_run", "limit"},
		{"declined", "typed", `{"limit":"seven"}`, &model{answer: `{"corrected":false,"reason":"?"}`}, 1, "not_run", "limit"},
		{"still wrong", "typed", `{"limit":"seven"}`, &model{answer: `{"arguments":{"limit":700}}`}, 1, "not_run", "limit"},
		{"the model fails", "typed", `{"limit":"seven"}`, &model{err: errors.New("500")}, 1, "not_run", "limit"},
		{"the model hangs", "typed", `{"limit":"seven"}`, &model{hang: true}, 1, "not_run", "limit"},
		{"changes what did not fail", "typed", `{"limit":"seven","city":"Bern"}`, &model{answer: `{"arguments":{"limit":7,"city":"Rome"}}`}, 1, "not_run", "limit"},
		{"adds a property", "strict", `{"when":"tomorrow"}`, &model{answer: `{"arguments":{"when":"2026-01-01","path":"/etc"}}`}, 1, "may_have_run", "ValueError"},
		{"the server's rejection of a reading tool", "strict", `{"when":"tomorrow"}`, &model{answer: `{"arguments":{"when":"2026-01-01"}}`}, 1, "", "fine"},
		{"fails twice, both errors kept", "strict", `{"when":"tomorrow"}`, &model{answer: `{"arguments":{"when":"2027"}}`}, 1, "may_have_run", "Second error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}, Corrector: test.model}, func(is *is.I, c *fakeClient) {
				c.handshake()
				c.list()
				begin := time.Now()
				c.call(1, test.tool, test.args)
				m := c.answer("1")
				is.Equal(test.model.asked(), test.asked)
				is.Equal(outcome(m), test.outcome)
				is.True(strings.Contains(answerText(m), test.contains))
				is.True(time.Since(begin) < 25*time.Second)
				is.Equal(len(c.answers["1"]), 1)
			})
		})
	}
}

// A call that is made once more has a time limit like any other. While the
// model thinks it is the model that is late, and not the server.
func TestCorrectedCallsEndInTime(t *testing.T) {
	w := newWorld()
	deaf := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
		for raw := range in {
			m, _ := scan(raw)
			if text(member(m.params, "name")) == "typed" {
				continue
			}
			if a := w.handle(raw); a != nil {
				out <- a
			}
		}
	}}
	bubble(t, Options{Dialer: deaf, Corrector: &model{answer: `{"arguments":{"limit":7}}`}, CallTimeout: time.Minute}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		begin := time.Now()
		c.call(1, "typed", `{"limit":"seven"}`)
		is.Equal(outcome(c.answer("1")), "may_have_run")
		is.True(time.Since(begin) < 2*time.Minute)
	})
	bubble(t, Options{Dialer: deaf, Corrector: &model{hang: true}, CallTimeout: 5 * time.Second}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		c.call(1, "strict", `{"when":"tomorrow"}`) // which the server rejects
		is.True(strings.Contains(answerText(c.answer("1")), "ValueError"))
		time.Sleep(time.Minute)
		is.Equal(len(c.answers["1"]), 1)
	})
}

func TestNeverCorrected(t *testing.T) {
	for _, words := range []string{"Access denied - path outside allowed directories", "401 Unauthorized", "EACCES: permission denied", "KeyError: 'x'", "no idea"} {
		t.Run(words, func(t *testing.T) {
			w := newWorld()
			m := &model{answer: `{"arguments":{"when":"2026-01-01"}}`}
			d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
				for raw := range in {
					if p, _ := scan(raw); p.method == "tools/call" {
						out <- resultMessage(p.id, json.RawMessage(`{"content":[{"type":"text","text":`+string(encode(words))+`}],"isError":true}`))
					} else if a := w.handle(raw); a != nil {
						out <- a
					}
				}
			}}
			bubble(t, Options{Dialer: d, Corrector: m}, func(is *is.I, c *fakeClient) {
				c.handshake()
				c.list()
				c.call(1, "strict", `{"when":"tomorrow"}`)
				is.Equal(answerText(c.answer("1")), words) // as the server said it
				is.Equal(m.asked(), 0)
			})
		})
	}
}

func TestCorrectionsHaveABudget(t *testing.T) {
	w := newWorld()
	m := &model{answer: `{"corrected":false,"reason":"no"}`}
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}, Corrector: m}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		for i := range 200 {
			c.call(i+10, "typed", `{"limit":"seven"}`)
			c.answer(fmt.Sprint(i + 10))
		}
		is.Equal(m.asked(), correctionsPerHour)
	})
}

func TestSamplingOfTheOlderEra(t *testing.T) {
	w := newWorld()
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}, Corrector: Sampling{}}, func(is *is.I, c *fakeClient) {
		c.handshake()
		c.list()
		c.call(1, "typed", `{"limit":"seven"}`)
		synctest.Wait()
		ask := c.others[len(c.others)-1]
		is.Equal(ask.method, "sampling/createMessage")
		is.True(strings.Contains(string(ask.params), "seven"))
		c.say(`{"jsonrpc":"2.0","id":%s,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"{\"arguments\":{\"limit\":7}}"}}}`, ask.id)
		is.Equal(answerText(c.answer("1")), "limit 7")
	})
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}`

func TestSamplingOfTheNewerEra(t *testing.T) {
	w := newWorld()
	bubble(t, Options{Dialer: &fakeDialer{world: w, serve: w.faithful}, Corrector: Sampling{}}, func(is *is.I, c *fakeClient) {
		c.say(`{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{%s}}`, modernMeta)
		c.answer(`"list"`)
		c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"name":"typed","arguments":{"limit":"seven"}}}`, modernMeta)
		m := c.answer("1")
		is.Equal(text(member(m.result, "resultType")), "input_required")
		is.Equal(text(member(m.result, "inputRequests", samplingKey, "method")), "sampling/createMessage")
		state := member(m.result, "requestState")
		c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{%s,"name":"typed","arguments":{"limit":"seven"},"requestState":%s,"inputResponses":{%q:{"role":"assistant","content":{"type":"text","text":"{\"arguments\":{\"limit\":7}}"}}}}}`, modernMeta, state, samplingKey)
		is.Equal(answerText(c.answer("2")), "limit 7")
		// The state is good for one use.
		c.say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{%s,"name":"typed","arguments":{"limit":"seven"},"requestState":%s,"inputResponses":{}}}`, modernMeta, state)
		is.Equal(string(member(c.answer("3").result, "isError")), "true")
	})
}

func TestDecisions(t *testing.T) {
	for _, test := range []struct {
		says heal.Decision
		want string
	}{
		{heal.Continue, "dies on"}, {heal.RetryConnection, "dies on"}, {heal.StopTask, "stops"},
	} {
		t.Run(string(test.says), func(t *testing.T) {
			w := newWorld()
			dir := t.TempDir()
			var asked atomic.Int32
			d := &fakeDialer{world: w, serve: func(life int, in <-chan []byte, out chan<- []byte) {
				for raw := range in {
					if p, _ := scan(raw); p.method == "tools/call" && life == 1 {
						return
					}
					if a := w.handle(raw); a != nil {
						out <- a
					}
				}
			}}
			o := Options{Dialer: d, Journal: &Journal{Dir: dir}, Decide: func(_ context.Context, status heal.Status, own heal.Decision) heal.Decision {
				asked.Add(1)
				return test.says
			}}
			bubble(t, o, func(is *is.I, c *fakeClient) {
				c.handshake()
				c.list()
				c.call(1, "once", `{"label":"x","token":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}`)
				is.Equal(outcome(c.answer("1")), "may_have_run")
				time.Sleep(time.Second)
				is.Equal(asked.Load(), int32(1)) // only when not healthy
				begin := time.Now()
				c.call(2, "read", `{"label":"y"}`)
				m := c.answer("2")
				if test.want != "stops" {
					is.Equal(outcome(m), "")
					return
				}
				is.Equal(outcome(m), "refused")
				is.True(time.Since(begin) < 10*time.Millisecond)
				name := text(member(m.result, "structuredContent", "mcpmend", "journal"))
				is.True(strings.HasPrefix(name, dir))
				is.True(strings.Contains(answerText(m), name))
				checkJournal(t, name)
			})
		})
	}
}

// checkJournal reads a journal back.
func checkJournal(t *testing.T, name string) {
	is := is.New(t)
	data, err := os.ReadFile(name)
	is.NoErr(err)
	info, err := os.Stat(name)
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o600))
	is.True(!strings.Contains(string(data), "ghp_16C7"))
	events := map[string]int{}
	for line := range strings.Lines(string(data)) {
		var e entry
		is.NoErr(json.Unmarshal([]byte(line), &e))
		events[e.Event]++
	}
	is.Equal(events["stop"], 1)
	is.True(events["call"] >= 3)
	is.True(events["result"] >= 3)
	is.True(events["health"] >= 1)
}
