package proc

import "sync"

// Ring keeps the last bytes that were written to it. It may be read while it
// is written to.
type Ring struct {
	mu      sync.Mutex
	bytes   []byte
	next    int // where the next byte goes, once full
	size    int
	dropped int64
}

// NewRing makes a ring that keeps size bytes. It takes memory only as it fills.
func NewRing(size int) *Ring { return &Ring{size: size} }

// Write never fails and never blocks on a reader.
func (r *Ring) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(p)
	if over := len(p) - r.size; over > 0 {
		p = p[over:]
		r.dropped += int64(over)
	}
	if free := r.size - len(r.bytes); free > 0 {
		take := min(free, len(p))
		r.bytes = append(r.bytes, p[:take]...)
		p = p[take:]
	}
	r.dropped += int64(len(p))
	for len(p) > 0 {
		k := copy(r.bytes[r.next:], p)
		r.next = (r.next + k) % r.size
		p = p[k:]
	}
	return n, nil
}

// String is what is kept, oldest first.
func (r *Ring) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.bytes[r.next:]) + string(r.bytes[:r.next])
}

// Dropped is how many bytes were written and are no longer kept.
func (r *Ring) Dropped() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dropped
}
