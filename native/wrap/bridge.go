package wrap

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"mcpmend/core/heal"
)

// bridge makes connections that translate where client and server are of
// different eras, which otherwise cannot speak to each other at all. Where
// they are of the same era, which the first exchange shows, every byte passes
// as it is.
type bridge struct {
	Dialer
	shared bool        // several clients of the newer era use one connection
	legacy atomic.Bool // the server is known to be of the older era only
}

// bridged puts a bridge before a dialer, once.
func bridged(d Dialer) Dialer {
	if _, ok := d.(*bridge); ok || d == nil {
		return d
	}
	return &bridge{Dialer: d}
}

func (b *bridge) Dial(ctx context.Context) (Conn, error) {
	conn, err := b.Dialer.Dial(ctx)
	if err != nil {
		return nil, err
	}
	return &bridgeConn{Conn: conn, bridge: b, own: map[string]chan message{}, gone: make(chan struct{})}, nil
}

// passage is what a bridge does with messages.
type passage int32

const (
	undecided     passage = iota
	straight              // both are of one era
	toModern              // an older client before a newer server
	toLegacy              // a newer client before an older server
	probingModern         // waiting to learn the server's era
)

// probeTime is how long a server may be silent on a question that older
// servers do not know.
const probeTime = 3 * time.Second

// bridgeConn is one connection with the state of its translation.
type bridgeConn struct {
	Conn
	bridge *bridge
	inject func([]byte) // gives the session a message of our making
	mode   atomic.Int32
	gone   chan struct{}
	ending sync.Once

	mu     sync.Mutex
	serial int
	own    map[string]chan message // our own requests
	first  message                 // the client's, on which the era turns
	held   [][]byte                // what the client said before it was decided
	down   *downward
	up     *upward
}

// useSession is told how to reach the session and its tools.
func (c *bridgeConn) useSession(inject func([]byte), schema func(string) []byte) {
	c.inject = inject
	if inner, ok := c.Conn.(interface{ useTools(func(string) []byte) }); ok {
		inner.useTools(schema)
	}
}

// Unsent passes on what the connection knows.
func (c *bridgeConn) Unsent(key string) bool {
	inner, ok := c.Conn.(interface{ Unsent(string) bool })
	return ok && inner.Unsent(key)
}

func (c *bridgeConn) Close() { c.end(); c.Conn.Close() }
func (c *bridgeConn) Abort() { c.end(); c.Conn.Abort() }

func (c *bridgeConn) end() {
	c.ending.Do(func() {
		if passage(c.mode.Load()) == probingModern {
			// Some older servers end when they are asked what they do not
			// know; the next connection does not ask.
			c.bridge.legacy.Store(true)
		}
		close(c.gone)
	})
}

// Closure is the connection's own.
func (c *bridgeConn) Closure() heal.Closure { return c.Conn.Closure() }

func (c *bridgeConn) Send(raw []byte) (bool, error) {
	switch passage(c.mode.Load()) {
	case straight:
		return c.Conn.Send(raw)
	case toModern:
		return c.down.send(raw)
	case toLegacy:
		return c.up.send(raw)
	}
	m, err := scan(raw)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	if passage(c.mode.Load()) == probingModern {
		c.held = append(c.held, slices.Clone(raw))
		c.mu.Unlock()
		return true, nil
	}
	c.mu.Unlock()
	switch {
	case m.method == "initialize":
		c.mu.Lock()
		c.first = cloned(m)
		c.mu.Unlock()
	case m.kind == request && member(m.params, "_meta", metaVersion) != nil:
		c.mu.Lock()
		c.first = cloned(m)
		c.held = append(c.held, slices.Clone(raw))
		c.mode.Store(int32(probingModern))
		c.mu.Unlock()
		go c.probe()
		return true, nil
	}
	return c.Conn.Send(raw)
}

func (c *bridgeConn) Receive() ([]byte, error) {
	for {
		raw, err := c.Conn.Receive()
		if err != nil {
			c.end()
			return raw, err
		}
		mode := passage(c.mode.Load())
		if mode == straight {
			return raw, nil
		}
		m, err := scan(raw)
		if err != nil {
			return raw, nil // the session knows what to do about it
		}
		if c.settleOwn(m) {
			continue
		}
		switch mode {
		case toModern:
			raw = c.down.receive(m)
		case toLegacy:
			raw = c.up.receive(m)
		case undecided:
			raw = c.judge(m)
		}
		if raw != nil {
			return raw, nil
		}
	}
}

// judge looks at the answer to an older client's handshake.
func (c *bridgeConn) judge(m message) []byte {
	c.mu.Lock()
	first := c.first
	c.mu.Unlock()
	if m.kind != response || first.method != "initialize" || idKey(m.id) != idKey(first.id) {
		return m.raw
	}
	if m.result != nil {
		c.mode.Store(int32(straight))
		return m.raw
	}
	go c.tryModern(first, slices.Clone(m.raw))
	return nil
}

// tryModern asks a server that refused the older handshake whether it is of
// the newer era. If it is not, its refusal stands.
func (c *bridgeConn) tryModern(first message, refusal []byte) {
	d := newDownward(c, first)
	m, err := c.ask("server/discover", map[string]any{"_meta": d.meta()}, probeTime)
	if err != nil || m.result == nil {
		c.mode.Store(int32(straight))
		c.inject(refusal)
		return
	}
	c.mu.Lock()
	c.down = d
	c.mu.Unlock()
	c.mode.Store(int32(toModern))
	c.inject(d.initialized(m.result))
}

// probe asks the server of a newer client for its era.
func (c *bridgeConn) probe() {
	c.mu.Lock()
	first := c.first
	c.mu.Unlock()
	modern := false
	if !c.bridge.legacy.Load() {
		// The question is ours: a client's first request may be faulty, and an
		// answer about that fault says nothing about the server's era.
		meta := map[string]any{metaVersion: firstModern, metaCapabilities: struct{}{}}
		m, err := c.ask("server/discover", map[string]any{"_meta": meta}, probeTime)
		code, _ := strconv.Atoi(string(member(m.fault, "code")))
		modern = err == nil && (m.result != nil || code <= codeHeaderMismatch && code >= codeVersion)
	}
	select {
	case <-c.gone:
		return
	default:
	}
	mode := straight
	if !modern {
		up, err := newUpward(c, first)
		if err == nil {
			c.bridge.legacy.Store(true)
			c.mu.Lock()
			c.up = up
			c.mu.Unlock()
			mode = toLegacy
		}
	}
	for { // what waited goes first, in order
		c.mu.Lock()
		if len(c.held) == 0 {
			c.mode.Store(int32(mode))
			c.mu.Unlock()
			return
		}
		raw := c.held[0]
		c.held = c.held[1:]
		c.mu.Unlock()
		var err error
		if mode == toLegacy {
			_, err = c.up.send(raw)
		} else {
			_, err = c.Conn.Send(raw)
		}
		if err != nil {
			c.Conn.Abort()
			return
		}
	}
}

// ask sends a request of our own and waits for the answer, which may be an
// error of the server.
func (c *bridgeConn) ask(method string, params any, within time.Duration) (message, error) {
	answer := make(chan message, 1)
	id := c.ownID(answer)
	defer func() {
		c.mu.Lock()
		delete(c.own, strconv.Quote(id))
		c.mu.Unlock()
	}()
	if _, err := c.Conn.Send(requestMessage(id, method, params)); err != nil {
		return message{}, err
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case m := <-answer:
		return m, nil
	case <-timer.C:
		return message{}, fmt.Errorf("%s was not answered within %v", method, within)
	case <-c.gone:
		return message{}, errGone
	}
}

func (c *bridgeConn) ownID(answer chan message) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	id := "mcpmend-bridge-" + strconv.Itoa(c.serial)
	c.own[strconv.Quote(id)] = answer
	return id
}

func (c *bridgeConn) settleOwn(m message) bool {
	if m.kind != response {
		return false
	}
	c.mu.Lock()
	answer, ok := c.own[idKey(m.id)]
	delete(c.own, idKey(m.id))
	c.mu.Unlock()
	if ok && answer != nil {
		answer <- cloned(m)
	}
	return ok
}

func cloned(m message) message {
	copied, err := scan(slices.Clone(m.raw))
	if err != nil {
		panic("a scanned message does not scan again: " + err.Error())
	}
	return copied
}

// withMember adds a member to an object, or replaces it.
func withMember(object []byte, name string, value []byte) []byte {
	if old := member(object, name); old != nil {
		return splice(object, old, value)
	}
	p := parser{text: object}
	p.space()
	at := p.at + 1
	p.at = at
	p.space()
	insert := append(append(encode(name), ':'), value...)
	if p.at < len(object) && object[p.at] != '}' {
		insert = append(insert, ',')
	}
	return slices.Concat(object[:at], insert, object[at:])
}
