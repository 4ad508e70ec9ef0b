package probe

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/native/proc"
)

const (
	maxLine   = 16 << 20
	maxNoise  = 4 << 10
	lastOlder = "2025-11-25" // the newest version with a handshake
)

// overStdio probes a server that is a process. One that ends at the question
// for the modern era is started a second time and asked the older way, unless
// it says that it ended for another reason.
func (s *session) overStdio(ctx context.Context) {
	conn, err := s.attempt(ctx, "")
	if err != nil && conn != nil && conn.diedAtDiscover() && ctx.Err() == nil && !endsAnyway(conn.process.Stderr.String()) {
		first, phases, exit := conn, s.result.Phases, s.result.Exit
		s.result.Phases, s.result.Exit = nil, nil
		again, second := s.attempt(ctx, lastOlder)
		if second != nil && ctx.Err() != nil && (again == nil || !again.gone()) {
			// Our time is up, not the server's: what the first run showed counts.
			again, second = first, err
			s.result.Phases, s.result.Exit = phases, exit
		}
		conn, err = again, second
	}
	if conn != nil {
		s.result.Noise = conn.noise()
		s.result.Stderr = conn.process.Stderr.String()
	}
	if err != nil {
		s.fail(err)
		return
	}
	s.phase("")
}

// attempt starts the process, speaks with it, and ends it.
func (s *session) attempt(ctx context.Context, version string) (*stdioConn, error) {
	s.phase(PhaseStart)
	dir := s.server.Cwd
	if dir == "" {
		dir = s.target.Dir
	}
	if dir == "" {
		empty, err := os.MkdirTemp("", "mcpmend-probe-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(empty)
		dir = empty
	}
	command, err := s.target.command(s.server, dir)
	if err != nil {
		return nil, err
	}
	if s.options.Stderr != nil {
		command.Stderr = writerFunc(s.options.Stderr)
	}
	process, err := proc.Start(command)
	if err != nil {
		return nil, err
	}
	conn := newStdioConn(process)
	s.phase(PhaseHandshake)
	err = s.speak(ctx, transport{conn}, version)
	conn.Close()
	exit := process.Stop(stopGrace)
	conn.drain()
	if conn.gone() {
		s.result.Exit = &exit
	}
	return conn, err
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// transport hands a connection to the SDK's client.
type transport struct{ conn *stdioConn }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.conn, nil }

// stdioConn speaks lines of JSON with a process. Unlike the SDK's own it passes
// over lines that are no messages, and answers the question for the modern era
// in the server's stead when the server is silent.
type stdioConn struct {
	process  *proc.Process
	messages chan jsonrpc.Message
	closed   chan struct{}
	received chan struct{} // closed when stdout has ended
	once     sync.Once

	lock      sync.Mutex
	noisy     bytes.Buffer
	discover  *jsonrpc.ID // the question, while it is open
	abandoned *jsonrpc.ID // a question that we answered ourselves
	answered  bool        // the server has said anything
	ended     bool        // its stdout has, before we closed its stdin
}

func newStdioConn(p *proc.Process) *stdioConn {
	c := &stdioConn{process: p, messages: make(chan jsonrpc.Message, 16), closed: make(chan struct{}), received: make(chan struct{})}
	go c.receive()
	return c
}

// receive reads stdout until it ends.
func (c *stdioConn) receive() {
	defer close(c.received)
	defer func() {
		c.lock.Lock()
		defer c.lock.Unlock()
		select {
		case <-c.closed: // we ended it
		default:
			c.ended = true
		}
	}()
	lines := bufio.NewScanner(c.process.Stdout)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		message, err := jsonrpc.DecodeMessage(line)
		if err != nil || line[0] != '{' {
			c.note(line)
			continue
		}
		if !c.wanted(message) {
			continue
		}
		select {
		case c.messages <- message:
		case <-c.closed:
			return
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		c.note([]byte("a line of more than 16 MiB"))
	}
}

// note keeps the first lines that are no messages.
func (c *stdioConn) note(line []byte) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if room := maxNoise - c.noisy.Len(); room > 0 {
		c.noisy.Write(line[:min(len(line), room)])
		c.noisy.WriteByte('\n')
	}
}

func (c *stdioConn) noise() string {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.noisy.String()
}

// wanted drops an answer that comes after we gave one ourselves.
func (c *stdioConn) wanted(m jsonrpc.Message) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.answered = true
	response, ok := m.(*jsonrpc.Response)
	if !ok {
		return true
	}
	if c.abandoned != nil && response.ID == *c.abandoned {
		return false
	}
	if c.discover != nil && response.ID == *c.discover {
		c.discover = nil
	}
	return true
}

func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.messages:
		return m, nil
	case <-c.received:
		select {
		case m := <-c.messages: // the last words
			return m, nil
		default:
			return nil, io.EOF
		}
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *stdioConn) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if request, ok := m.(*jsonrpc.Request); ok && request.Method == "server/discover" {
		c.lock.Lock()
		c.discover = &request.ID
		c.lock.Unlock()
		time.AfterFunc(eraTimeout, func() { c.giveUp(request.ID) })
	}
	_, err = c.process.Stdin.Write(append(data, '\n'))
	return err
}

// giveUp answers the question for the modern era as a server would that does
// not know it, so that the client goes on to the older handshake.
func (c *stdioConn) giveUp(id jsonrpc.ID) {
	c.lock.Lock()
	open := c.discover != nil && *c.discover == id && !c.ended
	if open {
		c.abandoned, c.discover = &id, nil
	}
	c.lock.Unlock()
	if !open {
		return
	}
	select {
	case c.messages <- &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "not answered in time"}}:
	case <-c.received:
	case <-c.closed:
	}
}

// gone says whether the server ended by itself.
func (c *stdioConn) gone() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.ended
}

// diedAtDiscover says whether the server ended without a word while the
// question for the modern era was open.
func (c *stdioConn) diedAtDiscover() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.ended && !c.answered
}

func (c *stdioConn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		_ = c.process.Stdin.Close()
	})
	return nil
}

// drain waits for the last of what an ended server wrote and closes its stdout.
// Nobody waits for long: a grandchild that was not found may hold the other end.
func (c *stdioConn) drain() {
	select {
	case <-c.received:
	case <-time.After(200 * time.Millisecond):
	}
	_ = c.process.Stdout.Close()
	<-c.received
}

func (c *stdioConn) SessionID() string { return "" }
