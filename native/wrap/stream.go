package wrap

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// stream is what one HTTP request gets as its answer: one JSON document where
// a single message is all there is, server-sent events otherwise.
type stream struct {
	mu      sync.Mutex
	waiting [][]byte
	wake    chan struct{}
	left    int  // answers that are still to come
	over    bool // nothing more will come
}

func newStream(answers int) *stream {
	return &stream{wake: make(chan struct{}, 1), left: answers}
}

// put adds a message that is said beside the answers.
func (s *stream) put(raw []byte) { s.add(raw, 0) }

// answer adds one of the answers that are waited for.
func (s *stream) answer(raw []byte) { s.add(raw, 1) }

// forgo says that one of them will not come.
func (s *stream) forgo() { s.add(nil, 1) }

// add does it in one step: a last answer that is seen before it is known to be
// the last would not be sent as a document.
func (s *stream) add(raw []byte, answers int) {
	s.mu.Lock()
	if raw != nil {
		s.waiting = append(s.waiting, slices.Clone(raw))
	}
	s.left -= answers
	s.over = s.over || answers > 0 && s.left <= 0
	s.mu.Unlock()
	s.poke()
}

// end says that nothing more will come.
func (s *stream) end() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.poke()
}

func (s *stream) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *stream) take() (messages [][]byte, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages, s.waiting = s.waiting, nil
	return messages, s.over
}

// keepAlive is how often an open stream shows that it is one, so that proxies
// on the way do not close it.
const keepAlive = 15 * time.Second

// serve writes the stream until it is over or the client has left, which is
// false. The status is asked for only where the answer is a single document.
func (s *stream) serve(w http.ResponseWriter, r *http.Request, events bool, status func(raw []byte) int) (whole bool) {
	flusher := http.NewResponseController(w)
	begun := false
	begin := func() {
		if !begun {
			begun = true
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("X-Accel-Buffering", "no")
			w.WriteHeader(http.StatusOK)
		}
	}
	if events {
		begin()
		flusher.Flush()
	}
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		messages, over := s.take()
		if over && !begun && len(messages) == 1 && accepts(r, "application/json") {
			writeJSON(w, status(messages[0]), messages[0])
			return true
		}
		if len(messages) > 0 {
			begin()
			for _, m := range messages {
				if _, err := w.Write(event(m)); err != nil {
					return false
				}
			}
			flusher.Flush()
		}
		if over {
			begin()
			return true
		}
		select {
		case <-s.wake:
		case <-alive.C:
			if begun {
				w.Write([]byte(": alive\n\n"))
				flusher.Flush()
			}
		case <-r.Context().Done():
			return false
		}
	}
}

// event is a message as a server-sent event. A message has no line breaks of
// its own on stdio; those of an HTTP server may, between tokens.
func event(raw []byte) []byte {
	out := make([]byte, 0, len(raw)+32)
	out = append(out, "event: message\ndata: "...)
	for _, c := range raw {
		if c == '\r' || c == '\n' {
			c = ' '
		}
		out = append(out, c)
	}
	return append(out, "\n\n"...)
}

func always([]byte) int { return http.StatusOK }
