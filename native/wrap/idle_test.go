package wrap

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
)

// TestTheLookBeforeACallIsFree: what is known about a server's health is kept,
// so that looking at it before each call asks nobody and allocates nothing.
func TestTheLookBeforeACallIsFree(t *testing.T) {
	is := is.New(t)
	w := newWorld()
	s := newSession(Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func([]byte) {})
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

// TestAnIdleServerIsLookedAt: a server that nobody speaks to is asked from time
// to time whether it is there, which keeps the connection in use as well. The
// client hears nothing of it, and one that ignores pings is not thought dead.
func TestAnIdleServerIsLookedAt(t *testing.T) {
	for _, answers := range []bool{true, false} {
		var pings atomic.Int32
		w := newWorld()
		d := &fakeDialer{world: w, serve: func(_ int, in <-chan []byte, out chan<- []byte) {
			for raw := range in {
				if strings.Contains(string(raw), `"ping"`) {
					pings.Add(1)
					if !answers {
						continue
					}
				}
				if answer := w.handle(raw); answer != nil {
					out <- answer
				}
			}
		}}
		bubble(t, Options{Dialer: d, HealthInterval: 10 * time.Second}, func(is *is.I, c *fakeClient) {
			c.handshake()
			c.list()
			time.Sleep(5 * time.Second) // in the bubble's time
			is.Equal(pings.Load(), int32(0))
			time.Sleep(time.Minute)
			is.True(pings.Load() >= 2)
			is.Equal(w.started(), 1)
			c.call(1, "read", `{"label":"a"}`)
			is.Equal(outcome(c.answer("1")), "")
		})
	}
}
