package wrap

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"mcpmend/core/heal"
)

// Session is one client's conversation, which outlives the connections to the
// server behind it. Messages of the client go in by [Session.FromClient], one
// at a time; those for it come out by the function given to [newSession].
//
//	client ──FromClient──► judge ──► register ──► send ──► server
//	       ◄───toClient─── settle ◄── look up ◄─── receive ◄──
//
// Two goroutines do the forwarding, each on its own: the caller of FromClient
// writes to the server, and the supervisor, which owns the connection, writes
// to the client. What they share is under one lock that is never held while
// something is written.
type Session struct {
	options  Options
	toClient func([]byte)
	log      *slog.Logger
	prefix   string // of the ids of our own requests

	mu          sync.Mutex
	up          *upstream // nil while there is no connection
	health      *heal.Health
	retries     heal.RetryBudget
	calls       map[string]*call // under way, by id
	held        []parcel         // waiting for a connection, in order
	queued      []*call          // waiting for their turn under the limits
	inFlight    map[string]int   // by tool; "" for all
	asked       map[string]int   // the server's requests, by id: connection number
	own         map[string]*inquiry
	hand        handshake
	tools       toolCache
	faults      map[string]int // argument errors in a row, by tool
	parked      map[string]parked
	corrections []time.Time // asked of a model, within the hour
	ended       *ending     // after stop_task
	failure     failure     // of the last connection
	dropped     bool        // the server sent something that is no message
	connects    int
	sequence    uint64
	serial      uint64

	context context.Context
	cancel  context.CancelFunc
	done    chan struct{}
}

// upstream is one connection to the server.
type upstream struct {
	conn    Conn
	number  int
	greeted bool          // the handshake is over, or left to the client
	ready   bool          // the client's messages may flow
	gone    chan struct{} // closed when it is lost
	why     *heal.Closure // of an end that we brought about

	unlisted bool // it did not tell us its tools, and is not asked again
}

// parcel is a message that waits for a connection: a call, or a notification
// or response, which has no call.
type parcel struct {
	call *call
	raw  []byte
}

// failure is why the last connection ended or did not come about.
type failure struct {
	closure  heal.Closure
	evidence string
	hopeless bool // trying again at once cannot help

	diagnosed bool
	cause     *cause
}

// ending is the final state after stop_task.
type ending struct {
	why     string
	journal string // the file's name
}

// newSession begins a conversation. The server is started at once, as the
// client would have done.
func newSession(o Options, toClient func([]byte)) *Session {
	o = o.withDefaults()
	o.Dialer = bridged(o.Dialer)
	s := &Session{
		options: o, toClient: toClient, log: o.Log,
		prefix:   "mcpmend-" + rand.Text()[:10] + "-",
		health:   heal.NewHealth(o.Policy),
		retries:  heal.RetryBudget{Share: 0.2, Floor: 10},
		calls:    map[string]*call{},
		inFlight: map[string]int{},
		asked:    map[string]int{},
		own:      map[string]*inquiry{},
		faults:   map[string]int{},
		parked:   map[string]parked{},
		done:     make(chan struct{}),
	}
	s.context, s.cancel = context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(s.supervise)
	running.Go(s.watch)
	go func() {
		running.Wait()
		close(s.done)
	}()
	return s
}

// Close ends the conversation because the client left, and returns when
// nothing of the server is left.
func (s *Session) Close() {
	s.mu.Lock()
	s.closeUp(heal.Closure{By: "client", Why: "the client left", Expected: true})
	s.mu.Unlock()
	s.cancel()
	<-s.done
}

// closeUp names the reason for an end that is about to come.
func (s *Session) closeUp(why heal.Closure) {
	if s.up != nil && s.up.why == nil {
		s.up.why = &why
	}
}

// Status is what is known about the connection.
func (s *Session) Status() heal.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.health.Status()
}

// FromClient takes the next message of the client. It is not called from two
// goroutines at once.
func (s *Session) FromClient(raw []byte) {
	m, err := scan(raw)
	if err != nil {
		s.refuseMessage(m, err)
		return
	}
	switch m.kind {
	case batch:
		s.batchFromClient(raw)
	case request:
		if c := s.prepare(m); c != nil {
			s.dispatch(c)
		}
	case notification:
		if s.notice(m) {
			s.forward(slices.Clone(raw))
		}
	case response:
		s.responseFromClient(m)
	}
}

// refuseMessage answers what cannot be judged and is therefore not forwarded.
func (s *Session) refuseMessage(m message, err error) {
	code := codeInvalidRequest
	if m.kind == 0 && m.method == "" && m.id == nil && !errors.Is(err, errAmbiguous) {
		code = codeParseError
	}
	s.log.Warn("refused a message of the client", "reason", err.Error())
	s.options.Metrics.count("refused")
	s.toClient(errorMessage(m.id, rpcError{Code: code, Message: "refused: " + err.Error()}))
}

// batchFromClient handles the batches of 2025-03-26. What needs no attention
// stays one batch, byte for byte.
func (s *Session) batchFromClient(raw []byte) {
	parts, err := elements(raw)
	if err != nil || len(parts) == 0 {
		if err == nil {
			err = errors.New("an empty batch")
		}
		s.refuseMessage(message{kind: batch}, err)
		return
	}
	var calls []*call
	var rest [][]byte
	for _, part := range parts {
		m, err := scan(part)
		switch {
		case err != nil || m.kind == batch:
			s.refuseMessage(m, errors.Join(err, errors.New("part of a batch")))
		case m.kind == request:
			if c := s.prepare(m); c != nil {
				calls = append(calls, c)
			}
		case m.kind == notification:
			if s.notice(m) {
				rest = append(rest, slices.Clone(part))
			}
		case m.kind == response:
			s.responseFromClient(m)
		}
	}
	untouched := len(calls)+len(rest) == len(parts)
	for _, c := range calls {
		untouched = untouched && !c.changed
	}
	if !untouched || !s.dispatchTogether(calls, slices.Clone(raw)) {
		for _, c := range calls {
			s.dispatch(c)
		}
		for _, part := range rest {
			s.forward(part)
		}
	}
}

// notice looks at a notification of the client; false means that it ends here.
func (s *Session) notice(m message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.method {
	case "notifications/initialized":
		s.hand.initialized = slices.Clone(m.raw)
	case "notifications/cancelled":
		return s.cancelCall(member(m.params, "requestId"))
	}
	return true
}

// responseFromClient passes on the answer to a request of the server, if that
// server still lives to hear it.
func (s *Session) responseFromClient(m message) {
	key := idKey(m.id)
	s.mu.Lock()
	if q, ok := s.own[key]; ok {
		delete(s.own, key)
		s.mu.Unlock()
		q.settle(slices.Clone(m.raw), nil)
		return
	}
	number, known := s.asked[key]
	delete(s.asked, key)
	alive := s.up != nil && s.up.number == number
	s.mu.Unlock()
	switch {
	case !known && m.fault != nil && isNull(m.id):
		s.forward(slices.Clone(m.raw)) // an error about something unreadable
	case !known:
		s.log.Warn("dropped an answer of the client that nobody asked for", "id", string(m.id))
	case !alive:
		s.log.Info("dropped an answer of the client to a server that is no more", "id", string(m.id))
	default:
		s.forward(slices.Clone(m.raw))
	}
}

// forward sends a message that expects no answer, now or when there is a
// connection again.
func (s *Session) forward(raw []byte) {
	s.mu.Lock()
	up := s.up
	if up == nil || !up.ready {
		if s.ended == nil && len(s.held) < maxHeld {
			s.held = append(s.held, parcel{raw: raw})
		}
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	s.send(up, raw)
}

// send writes to the server. An error ends the connection; the supervisor then
// sees to the calls that were under way.
func (s *Session) send(up *upstream, raw []byte) (left bool) {
	left, err := up.conn.Send(raw)
	if err != nil {
		s.log.Debug("writing to the server", "error", err)
		s.abort(up, heal.Closure{By: "server", Why: "the server stopped reading: " + err.Error()})
	}
	return left
}

// abort ends a connection that is of no more use.
func (s *Session) abort(up *upstream, why heal.Closure) {
	s.mu.Lock()
	if up.why == nil {
		up.why = &why
	}
	s.mu.Unlock()
	go up.conn.Abort()
}

// inquiry is a request of our own that waits for its answer.
type inquiry struct {
	answer chan reply
	number int // of the connection; 0 when the client was asked
}

type reply struct {
	raw []byte
	err error
}

func (q *inquiry) settle(raw []byte, err error) { q.answer <- reply{raw, err} }

var errGone = errors.New("the connection was lost")

// ask sends a request of our own to the server and waits for the answer.
func (s *Session) ask(up *upstream, method string, params any, within time.Duration) (message, error) {
	s.mu.Lock()
	id, q := s.inquire(up.number)
	if up.isGone() {
		delete(s.own, strconv.Quote(id))
		s.mu.Unlock()
		return message{}, errGone
	}
	s.mu.Unlock()
	s.send(up, requestMessage(id, method, params))
	return s.await(q, id, method, within)
}

// inquire registers a request of our own; the lock is held.
func (s *Session) inquire(number int) (string, *inquiry) {
	s.serial++
	id := s.prefix + strconv.FormatUint(s.serial, 10)
	q := &inquiry{answer: make(chan reply, 1), number: number}
	s.own[strconv.Quote(id)] = q
	return id, q
}

func (s *Session) await(q *inquiry, id, what string, within time.Duration) (message, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	var err error
	select {
	case r := <-q.answer:
		if r.err != nil {
			return message{}, r.err
		}
		m, err := scan(r.raw)
		if err == nil && m.fault != nil {
			err = fmt.Errorf("%s was answered with an error: %s", what, m.fault)
		}
		return m, err
	case <-timer.C:
		err = fmt.Errorf("%s was not answered within %v", what, within)
	case <-s.context.Done():
		err = s.context.Err()
	}
	s.mu.Lock()
	delete(s.own, strconv.Quote(id))
	s.mu.Unlock()
	return message{}, err
}

func (u *upstream) isGone() bool {
	select {
	case <-u.gone:
		return true
	default:
		return false
	}
}
