package doctor

import (
	"bytes"
	"sync"

	"mcpmend/native/probe"
)

// Watch is told how a check goes on; each function may be nil. They may be
// called from several goroutines, one subject at a time.
type Watch struct {
	Phase func(s Subject, phase string)
	// Stderr is told what a server prints, by whole lines: a secret that is cut
	// in two cannot be masked.
	Stderr func(s Subject, line string)
	Ended  func(Outcome)
}

// options makes a probe report to the watch. What is called at its end shows
// the line that was not ended.
func (w Watch) options(s Subject) (o probe.Options, ended func()) {
	ended = func() {}
	if w.Stderr != nil {
		p := &printed{show: func(line string) { w.Stderr(s, line) }}
		o.Stderr, ended = p.add, p.flush
	}
	if w.Phase != nil {
		o.Phase = func(name string) {
			ended() // what was printed before stands before
			w.Phase(s, name)
		}
	}
	return o, ended
}

// maxLine is how long a line may become before it is shown without its end.
const maxLine = 8 << 10

// printed cuts what a server prints into lines.
type printed struct {
	show func(line string)
	mu   sync.Mutex
	rest []byte // a line that has not ended
}

func (p *printed) add(data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = append(p.rest, data...)
	for {
		line, rest, ended := bytes.Cut(p.rest, []byte("\n"))
		if !ended && len(line) < maxLine {
			return
		}
		p.show(string(bytes.TrimSuffix(line, []byte("\r"))))
		p.rest = rest
	}
}

func (p *printed) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.rest) > 0 {
		p.show(string(p.rest))
		p.rest = nil
	}
}
