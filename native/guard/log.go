package guard

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Log writes each reason once a minute, with how often it came in between, so
// that ten thousand requests are one line.
type Log struct {
	Out io.Writer

	mu     sync.Mutex
	now    func() time.Time // time.Now unless a test says otherwise
	lately map[string]*repeated
}

type repeated struct {
	since time.Time
	more  int
}

// Refused is the Rules.Refused that writes to the log.
func (l *Log) Refused(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		l.now = time.Now
	}
	if l.lately == nil {
		l.lately = map[string]*repeated{}
	}
	now := l.now()
	last := l.lately[why]
	if last != nil && now.Sub(last.since) < time.Minute {
		last.more++
		return
	}
	line := "refused: " + why
	if last != nil && last.more > 0 {
		line += fmt.Sprintf(" (and %d times before)", last.more)
	}
	l.lately[why] = &repeated{since: now}
	_, _ = fmt.Fprintln(l.Out, line) // nobody to tell
}
