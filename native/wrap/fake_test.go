package wrap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"mcpmend/core/heal"
)

// world is what outlives a fake server: the effects that its tools had.
type world struct {
	mu      sync.Mutex
	effects map[string]int // by the call's label
	starts  int
	tools   string // replaces the tool list after the first start, when set
	levels  []string
	subs    []string
	listens int
}

func newWorld() *world { return &world{effects: map[string]int{}} }

func (w *world) effect(label string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.effects[label]++
}

func (w *world) ran(label string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.effects[label]
}

func (w *world) started() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.starts
}

// fakeTools is the list of every fake server.
const fakeTools = `[
{"name":"read","description":"Reads.","inputSchema":{"type":"object","properties":{"label":{"type":"string"}},"required":["label"]},"annotations":{"readOnlyHint":true}},
{"name":"once","description":"Has an effect.","inputSchema":{"type":"object","properties":{"label":{"type":"string"}},"required":["label"]}},
{"name":"twice","description":"Can be repeated.","inputSchema":{"type":"object","properties":{"label":{"type":"string"}},"required":["label"]},"annotations":{"idempotentHint":true}},
{"name":"typed","description":"Is picky.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":50},"city":{"type":"string"}},"required":["limit"],"additionalProperties":false}},
{"name":"strict","description":"Rejects by itself.","inputSchema":{"type":"object","properties":{"when":{"type":"string"}},"required":["when"]},"annotations":{"readOnlyHint":true}}]`

// handle is a plain, correct server: the answer to one message, or nil.
func (w *world) handle(raw []byte) []byte {
	m, err := scan(raw)
	if err != nil {
		return errorMessage(m.id, rpcError{Code: codeParseError, Message: err.Error()})
	}
	if m.kind == batch {
		return w.handleBatch(raw)
	}
	if m.kind != request {
		return nil
	}
	result := func(v string) []byte { return resultMessage(m.id, json.RawMessage(v)) }
	switch m.method {
	case "initialize":
		return result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{},"resources":{"subscribe":true}},"serverInfo":{"name":"fake","version":"1"}}`)
	case "ping":
		return result(`{}`)
	case "server/discover":
		return result(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
	case "logging/setLevel":
		w.mu.Lock()
		w.levels = append(w.levels, text(member(m.params, "level")))
		w.mu.Unlock()
		return result(`{}`)
	case "resources/subscribe":
		w.mu.Lock()
		w.subs = append(w.subs, text(member(m.params, "uri")))
		w.mu.Unlock()
		return result(`{}`)
	case "tools/list":
		w.mu.Lock()
		tools := fakeTools
		if w.tools != "" && w.starts > 1 {
			tools = w.tools
		}
		w.mu.Unlock()
		return result(`{"tools":` + tools + `}`)
	case "tools/call":
		args := member(m.params, "arguments")
		switch name := text(member(m.params, "name")); name {
		case "read", "once", "twice":
			w.effect(name + " " + text(member(args, "label")))
			return result(`{"content":[{"type":"text","text":` + string(encode("done "+text(member(args, "label")))) + `}]}`)
		case "typed":
			return result(`{"content":[{"type":"text","text":` + string(encode("limit "+string(member(args, "limit")))) + `}]}`)
		case "strict":
			if text(member(args, "when")) == "2026-01-01" {
				return result(`{"content":[{"type":"text","text":"fine"}]}`)
			}
			return result(`{"content":[{"type":"text","text":"ValueError: when must be a date like 2026-01-01"}],"isError":true}`)
		default:
			return errorMessage(m.id, rpcError{Code: -32602, Message: "Unknown tool: " + name})
		}
	}
	return errorMessage(m.id, rpcError{Code: -32601, Message: "Method not found"})
}

func (w *world) handleBatch(raw []byte) []byte {
	parts, _ := elements(raw)
	var answers [][]byte
	for _, part := range parts {
		if a := w.handle(part); a != nil {
			answers = append(answers, a)
		}
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(answers, []byte(", ")))
}

// fakeDialer makes in-memory connections to servers that live in goroutines.
type fakeDialer struct {
	world *world
	// serve is one life of a server: it reads from in, writes to out, and dies
	// when it returns.
	serve func(life int, in <-chan []byte, out chan<- []byte)
	fail  func(life int) error
}

func (d *fakeDialer) Name() string { return "fake" }

func (d *fakeDialer) Dial(ctx context.Context) (Conn, error) {
	d.world.mu.Lock()
	d.world.starts++
	life := d.world.starts
	d.world.mu.Unlock()
	if d.fail != nil {
		if err := d.fail(life); err != nil {
			return nil, err
		}
	}
	c := &fakeConn{in: make(chan []byte, 1), out: make(chan []byte), dead: make(chan struct{}), gone: make(chan struct{})}
	go func() {
		defer close(c.dead)
		in := make(chan []byte)
		go func() {
			defer close(in)
			for {
				select {
				case m := <-c.in:
					select {
					case in <- m:
					case <-c.gone:
						return
					case <-c.dead:
						return
					}
				case <-c.gone:
					return
				case <-c.dead:
					return
				}
			}
		}()
		out := make(chan []byte)
		over := make(chan struct{})
		go func() {
			defer close(over)
			for m := range out {
				select {
				case c.out <- m:
				case <-c.gone:
				}
			}
		}()
		d.serve(life, in, out)
		close(out)
		<-over
	}()
	return c, nil
}

type fakeConn struct {
	in, out    chan []byte
	dead, gone chan struct{}
	once       sync.Once
}

func (c *fakeConn) Receive() ([]byte, error) {
	select {
	case m := <-c.out:
		return m, nil
	case <-c.dead:
		return nil, io.EOF
	case <-c.gone:
		return nil, io.ErrClosedPipe
	}
}

func (c *fakeConn) Send(m []byte) (bool, error) {
	select {
	case <-c.dead:
		return false, errors.New("broken pipe")
	case <-c.gone:
		return false, io.ErrClosedPipe
	default:
	}
	m = append([]byte(nil), m...)
	select {
	case c.in <- m:
		return true, nil
	case <-c.dead:
		return false, errors.New("broken pipe")
	case <-c.gone:
		return false, io.ErrClosedPipe
	}
}

func (c *fakeConn) Close()                { c.once.Do(func() { close(c.gone) }); <-c.dead }
func (c *fakeConn) Abort()                { c.Close() }
func (c *fakeConn) Closure() heal.Closure { return heal.Closure{By: "server", Why: "it died"} }
func (c *fakeConn) Evidence() string      { return "" }

// faithful serves correctly for ever.
func (w *world) faithful(_ int, in <-chan []byte, out chan<- []byte) {
	for m := range in {
		if answer := w.handle(m); answer != nil {
			out <- answer
		}
	}
}

// fakeClient collects what a session says.
type fakeClient struct {
	session *Session
	mu      sync.Mutex
	answers map[string][]message // by id
	others  []message
	arrived chan struct{}
}

func newClient(o Options) *fakeClient {
	c := &fakeClient{answers: map[string][]message{}, arrived: make(chan struct{}, 1)}
	c.session = newSession(o, c.take)
	return c
}

func (c *fakeClient) take(raw []byte) {
	m, err := scan(append([]byte(nil), raw...))
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && m.kind == response {
		c.answers[idKey(m.id)] = append(c.answers[idKey(m.id)], m)
	} else {
		c.others = append(c.others, m)
	}
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

func (c *fakeClient) say(format string, args ...any) {
	c.session.FromClient([]byte(fmt.Sprintf(format, args...)))
}

// answer waits for the answer to an id.
func (c *fakeClient) answer(id string) message {
	for deadline := time.Now().Add(time.Hour); time.Now().Before(deadline); {
		c.mu.Lock()
		if got := c.answers[id]; len(got) > 0 {
			c.mu.Unlock()
			return got[0]
		}
		c.mu.Unlock()
		select {
		case <-c.arrived:
		case <-time.After(10 * time.Millisecond):
		}
	}
	return message{}
}

func (c *fakeClient) handshake() message {
	c.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	m := c.answer("0")
	c.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return m
}

func (c *fakeClient) list() {
	c.say(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
	c.answer(`"list"`)
}

func (c *fakeClient) call(id any, tool, args string) {
	c.say(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

// outcome reads ours out of an answer: "" for an answer of the server.
func outcome(m message) string {
	return text(member(m.result, "structuredContent", "mcpmend", "outcome"))
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 42)) }
