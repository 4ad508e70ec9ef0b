package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// drained lets a client send its requests and close its end at once, as a pipe
// in a shell does: the end of the input is seen only when what was asked has
// been answered.
func drained(in io.ReadCloser, out io.WriteCloser) (io.ReadCloser, io.WriteCloser) {
	d := &drain{closed: make(chan struct{}), progress: make(chan struct{}, 1)}
	return &drainReader{ReadCloser: in, drain: d}, &drainWriter{WriteCloser: out, drain: d}
}

// drainFor bounds the wait for the last answers.
const drainFor = time.Minute

type drain struct {
	mu       sync.Mutex
	open     int // requests without an answer
	progress chan struct{}
	once     sync.Once
	closed   chan struct{}
}

// heard counts a request of the client. A message without a method is its
// answer to a question of ours.
func (d *drain) heard(line []byte) {
	if id, method := envelope(line); id && method {
		d.count(1)
	}
}

// said counts an answer of ours. A message with a method is a question.
func (d *drain) said(line []byte) {
	if id, method := envelope(line); id && !method {
		d.count(-1)
	}
}

// envelope tells what a message has.
func envelope(line []byte) (id, method bool) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
	}
	err := json.Unmarshal(line, &m)
	return err == nil && m.ID != nil, m.Method != nil
}

func (d *drain) count(more int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open += more
	select {
	case d.progress <- struct{}{}:
	default:
	}
}

func (d *drain) wait() {
	end := time.After(drainFor)
	for {
		d.mu.Lock()
		open := d.open
		d.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-d.progress:
		case <-d.closed:
			return
		case <-end:
			return
		}
	}
}

// lines calls for each whole line and gives what is left.
func lines(rest, more []byte, each func([]byte)) []byte {
	rest = append(rest, more...)
	for {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			return rest
		}
		each(rest[:end])
		rest = rest[end+1:]
	}
}

type drainReader struct {
	io.ReadCloser
	drain *drain
	rest  []byte
}

func (r *drainReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.rest = lines(r.rest, p[:n], r.drain.heard)
	if err == io.EOF && n == 0 {
		r.drain.heard(r.rest) // a last line without its end
		r.rest = nil
		r.drain.wait()
	}
	return n, err
}

func (r *drainReader) Close() error {
	r.drain.once.Do(func() { close(r.drain.closed) })
	return r.ReadCloser.Close()
}

type drainWriter struct {
	io.WriteCloser
	drain *drain
	rest  []byte
}

func (w *drainWriter) Write(p []byte) (int, error) {
	n, err := w.WriteCloser.Write(p)
	w.rest = lines(w.rest, p[:n], w.drain.said)
	return n, err
}
