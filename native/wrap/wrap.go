// Package wrap stands between an MCP client and a server and keeps a flaky
// server usable.
//
// Bytes that need no attention pass through untouched, in order, in both
// directions, whatever the protocol's revision. The rest:
//
//   - The server dies: it is started again, told what its predecessor was
//     told, and the calls that were under way are sent again where that can do
//     no harm, or answered with an error that says whether they may have run.
//   - A tool call does not fit the tool's schema: its arguments are mended
//     where no guess is needed, or it is answered with an explanation that a
//     model can act on.
//   - The server cannot be brought back: the work is stopped in good order, its
//     journal is saved, and every later call is answered at once.
//
// A [Session] is one client's conversation; a [Dialer] makes connections to
// the server behind it; [Serve] and [Listener] are the two sides to a client.
// What is decided, and not done, lives in core/heal; what is explained, in
// core/schema.
//
// A tool call goes through these files:
//
//	wrap.go, listen*.go     it comes in, as a line or in a POST
//	message.go, json.go     its parts are found, and what is ambiguous refused
//	session.go              Session.FromClient, the way of every message
//	calls.go                prepare, dispatch, launch: it is registered and sent
//	arguments.go, tools.go  its arguments are checked against the tool's schema
//	bridge*.go              it is translated where client and server are of two eras
//	stdio.go, remote*.go    it leaves, to a process or over HTTP
//	server.go               the answer is found to belong to it, and passed on
//	correct.go, sampling.go a rejected one is corrected by a model and made again
//	loss.go, rebirth.go     the connection ended: it is sent again, or answered
//	failure.go, compose.go  what a failed one is answered with
//	vigil.go                time limits and health
package wrap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// Serve speaks to one client over a pair of streams, one message a line, until
// the client closes its side. It returns when nothing of the server is left.
func Serve(o Options, in io.Reader, out io.Writer) error {
	if err := o.Check(); err != nil {
		return err
	}
	writer := &lineWriter{w: out}
	lost := make(chan error, 1)
	s := newSession(o, func(raw []byte) {
		if _, err := writer.write(raw); err != nil {
			select {
			case lost <- err:
			default:
			}
		}
	})
	defer s.Close()
	if o.Started != nil {
		o.Started(s)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.readClient(in) }()
	select {
	case err := <-ended:
		if err == nil {
			s.drain(defaultGrace)
		}
		return err
	case err := <-lost:
		return fmt.Errorf("cannot write to the client: %w", err)
	}
}

// drain waits for the answers that a client still expects when it has closed
// its side, as one does that was fed from a file.
func (s *Session) drain(within time.Duration) {
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		waiting := len(s.queued)
		for _, c := range s.calls {
			if !endless[c.method] {
				waiting++
			}
		}
		s.mu.Unlock()
		if waiting == 0 {
			return
		}
	}
}

// readClient feeds a session line by line.
func (s *Session) readClient(in io.Reader) error {
	lines := newLineReader(in, maxMessage)
	for {
		line, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errTooLong):
			s.refuseMessage(message{id: bytes.Clone(brokenID(line, func(string) {}))}, err)
		case err != nil:
			return fmt.Errorf("cannot read from the client: %w", err)
		case len(line) > 0:
			s.FromClient(line)
		}
	}
}
