package companion

import (
	"bytes"
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
	rest   []byte // of stderr: a line that has not ended
	stderr int    // bytes shown
}

// maxStderr is how much of what a server prints is shown, maxLine how long a
// line may be before it is shown without its end.
const (
	maxStderr = 256 << 10
	maxLine   = 8 << 10
)

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "application/x-ndjson")
	s := &stream{w: w}
	s.flush, _ = w.(http.Flusher)
	return s
}

func (s *stream) send(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines(true)
	s.put(event)
}

func (s *stream) put(event any) {
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
		Stderr: func(_ doctor.Subject, written []byte) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.stderr >= maxStderr {
				return
			}
			s.stderr += len(written)
			s.rest = append(s.rest, written...)
			s.lines(false)
		},
		Ended: func(o doctor.Outcome) {
			s.send(map[string]any{"event": "tried", "state": o.State, "why": shown(o.Why), "ms": o.MS})
		},
	}
}

// lines shows what has been printed, by whole lines: a secret that is cut in
// two cannot be masked.
func (s *stream) lines(all bool) {
	for len(s.rest) > 0 {
		end := bytes.IndexByte(s.rest, '\n')
		if end < 0 {
			if !all && len(s.rest) < maxLine {
				return
			}
			end = len(s.rest)
		}
		s.put(map[string]string{"event": "stderr", "text": shown(string(s.rest[:end]))})
		s.rest = s.rest[min(end+1, len(s.rest)):]
	}
}
