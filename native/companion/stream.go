package companion

import (
	"encoding/json"
	"net/http"
	"sync"

	"mcpmend/native/doctor"
)

// stream sends events to the page as they come, one JSON object a line.
type stream struct {
	mu     sync.Mutex
	w      http.ResponseWriter
	flush  http.Flusher
	stderr int // bytes shown
}

// maxStderr is how much of what a server prints is shown.
const maxStderr = 256 << 10

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "application/x-ndjson")
	s := &stream{w: w}
	s.flush, _ = w.(http.Flusher)
	return s
}

func (s *stream) send(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := json.NewEncoder(s.w)
	e.SetEscapeHTML(false)
	_ = e.Encode(event) // the page went away: nobody to tell
	if s.flush != nil {
		s.flush.Flush()
	}
}

func (s *stream) watch() doctor.Watch {
	return doctor.Watch{
		Phase: func(_ doctor.Subject, phase string) { s.send(map[string]string{"event": "phase", "name": phase}) },
		Stderr: func(_ doctor.Subject, line string) {
			if s.stderr < maxStderr {
				s.stderr += len(line) + 1
				s.send(map[string]string{"event": "stderr", "text": shown(line)})
			}
		},
		Ended: func(o doctor.Outcome) {
			s.send(map[string]any{"event": "tried", "state": o.State, "why": shown(o.Why), "ms": o.MS})
		},
	}
}
