package wrap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"time"

	"mcpmend/core/heal"
)

// handshake is what a new server must be told so that the client need not
// know that it is new. Servers of 2026-07-28 need none of it: their clients
// say everything with every request.
type handshake struct {
	initialize    []byte // the client's request
	result        []byte // the server's answer to it
	initialized   []byte // the client's notification
	level         []byte // params of the last logging/setLevel
	subscriptions map[string][]byte
	meta          []byte // _meta of the client's last request, of a modern one
}

// made tells whether client and server ever came to speak.
func (h *handshake) made() bool { return h.result != nil || h.meta != nil }

// see notes what is to be replayed; the session's lock is held.
func (h *handshake) see(c *call, m message) {
	switch c.method {
	case "initialize":
		h.initialize, h.result, h.initialized = c.raw, nil, nil
	case "logging/setLevel":
		h.level = m.params
	case "resources/subscribe":
		if h.subscriptions == nil {
			h.subscriptions = map[string][]byte{}
		}
		if uri := text(member(m.params, "uri")); uri != "" && len(h.subscriptions) < maxHeld {
			h.subscriptions[uri] = m.params
		}
	case "resources/unsubscribe":
		delete(h.subscriptions, text(member(m.params, "uri")))
	}
	if c.modern {
		h.meta = member(m.params, "_meta")
	}
}

// supervise keeps a connection to the server for as long as the session lives
// and the policy allows. It is the only one that makes and ends connections.
func (s *Session) supervise() {
	for s.awaitTurn() {
		s.observe(heal.Event{Kind: heal.Starting})
		conn, err := s.options.Dialer.Dial(s.context)
		if err != nil {
			s.startFailed(err)
			continue
		}
		up := s.attach(conn)
		if up == nil {
			conn.Close()
			return
		}
		stop := s.closeWithSession(up)
		s.receive(up)
		conn.Close()
		stop()
		s.detach(up)
	}
}

// closeWithSession ends the connection when the session ends.
func (s *Session) closeWithSession(up *upstream) (stop func()) {
	left := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(over)
		select {
		case <-s.context.Done():
			up.conn.Close()
		case <-left:
		}
	}()
	return func() { close(left); <-over }
}

// awaitTurn waits as long as the policy says; false means that there will be
// no more connection.
func (s *Session) awaitTurn() bool {
	s.mu.Lock()
	own, wait := s.health.Plan(time.Now(), s.options.Chance())
	status := s.health.Status()
	s.mu.Unlock()
	if s.context.Err() != nil {
		return false
	}
	decision := own
	if status.Starts > 0 && status.State != heal.Healthy && s.options.Decide != nil {
		decision = heal.Temper(own, s.options.Decide(s.context, status, own))
		s.log.Info("decided", "decision", decision, "policy", own, "state", status.State)
	}
	if decision == heal.StopTask {
		s.stopTask(status)
		<-s.context.Done()
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.context.Done():
		return false
	}
}

// startFailed notes that no connection came about.
func (s *Session) startFailed(err error) {
	closure := heal.Closure{By: "server", Why: "the server cannot be started: " + err.Error()}
	s.log.Error("start", "server", s.options.Dialer.Name(), "error", err)
	s.options.Metrics.count("start_failures")
	s.mu.Lock()
	s.failure = failure{closure: closure, evidence: err.Error(), hopeless: errors.Is(err, exec.ErrNotFound) || errors.Is(err, exec.ErrDot) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)}
	s.health.Observe(heal.Event{Kind: heal.Failed, At: time.Now(), Closure: closure})
	s.mu.Unlock()
	s.giveUpWaiting()
}

// attach makes a new connection the current one. A first one is open for the
// client at once; a later one has to be brought up to date before.
func (s *Session) attach(conn Conn) *upstream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.context.Err() != nil {
		return nil
	}
	s.connects++
	s.up = &upstream{conn: conn, number: s.connects, gone: make(chan struct{})}
	up := s.up
	if c, ok := conn.(*bridgeConn); ok {
		c.useSession(func(raw []byte) { s.fromServer(up, raw) }, s.tools.schema)
	}
	go s.replay(up, s.hand)
	return up
}

// replay brings a server up to date and opens it for the client.
func (s *Session) replay(up *upstream, h handshake) {
	if h.result != nil {
		if err := s.replayHandshake(up, h); err != nil {
			if !up.isGone() {
				s.log.Warn("replaying the handshake", "error", err)
				s.abort(up, heal.Closure{By: "server", Why: "the restarted server did not take the handshake: " + err.Error()})
			}
			return
		}
		s.observe(heal.Event{Kind: heal.Connected})
	} else if up.number > 1 && h.meta != nil {
		s.observe(heal.Event{Kind: heal.Connected}) // stateless: nothing to replay
	}
	if up.number > 1 && !s.acceptTools(up) {
		return
	}
	s.open(up)
}

func (s *Session) replayHandshake(up *upstream, h handshake) error {
	limit := s.options.RecoveryTimeout
	params := member(h.initialize, "params")
	m, err := s.ask(up, "initialize", json.RawMessage(params), limit)
	if err != nil {
		return err
	}
	if was, is := text(member(h.result, "protocolVersion")), text(member(m.result, "protocolVersion")); was != is {
		return fmt.Errorf("it speaks protocol %q now, and spoke %q", is, was)
	}
	if h.initialized != nil {
		s.send(up, h.initialized)
	}
	// What follows helps the client but is no condition for going on.
	if h.level != nil {
		if _, err := s.ask(up, "logging/setLevel", json.RawMessage(h.level), limit); err != nil {
			s.log.Warn("replaying the log level", "error", err)
		}
	}
	for uri, params := range h.subscriptions {
		if _, err := s.ask(up, "resources/subscribe", json.RawMessage(params), limit); err != nil {
			s.log.Warn("replaying a subscription", "uri", uri, "error", err)
		}
	}
	if up.isGone() {
		return errGone
	}
	return nil
}

// open lets the client's messages flow, those that waited first. Retries that
// the budget has no room for go to the end of the queue until it has.
func (s *Session) open(up *upstream) {
	const pause = 20 * time.Millisecond
	for idle := 0; ; {
		s.mu.Lock()
		if s.up != up {
			s.mu.Unlock()
			return
		}
		up.greeted = true
		if len(s.held) == 0 {
			up.ready = true
			s.mu.Unlock()
			return
		}
		p := s.held[0]
		s.held = s.held[1:]
		if p.call == nil {
			s.mu.Unlock()
			s.send(up, p.raw)
			continue
		}
		c := p.call
		if s.calls[c.key] != c {
			s.mu.Unlock()
			continue // answered meanwhile
		}
		if c.throttled = c.throttled && !s.retries.Take(time.Now()); c.throttled {
			s.held = append(s.held, p)
			idle++
			all := idle >= len(s.held)
			s.mu.Unlock()
			if all {
				idle = 0
				time.Sleep(pause)
			}
			continue
		}
		idle = 0
		c.waits = time.Time{}
		s.limit(c, time.Now())
		c.reach, c.number = heal.Sent, up.number
		s.mu.Unlock()
		s.transmit(up, c)
	}
}

// receive forwards what the server says until the connection ends.
func (s *Session) receive(up *upstream) {
	for {
		raw, err := up.conn.Receive()
		switch {
		case err == nil:
			s.fromServer(up, raw)
		case errors.Is(err, errTooLong):
			s.badAnswer(raw, err)
		default:
			return
		}
	}
}
