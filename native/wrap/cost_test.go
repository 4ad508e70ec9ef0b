package wrap

import (
	"testing"
	"time"

	"github.com/matryer/is"
)

// TestTheLookBeforeACallIsFree: what is known about a server's health is kept,
// so that looking at it before each call asks nobody and allocates nothing.
func TestTheLookBeforeACallIsFree(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	s := NewSession(Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func([]byte) {})
	defer s.Close()
	c := &call{method: "tools/call"}
	const looks = 1000
	begin := time.Now()
	allocated := testing.AllocsPerRun(looks, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.refusal(c) != nil {
			t.Error("refused")
		}
	})
	is.True(time.Since(begin)/looks < 10*time.Millisecond)
	is.True(allocated < 1)
}
