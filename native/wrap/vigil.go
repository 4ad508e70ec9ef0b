package wrap

import (
	"encoding/json"
	"time"

	"mcpmend/core/heal"
)

// stopTask ends the work for good: the journal is saved and every later call
// is answered at once.
func (s *Session) stopTask(status heal.Status) {
	why := "the server could not be brought back"
	if len(status.Reasons) > 0 {
		why = status.Reasons[len(status.Reasons)-1]
	}
	file, err := s.options.Journal.save(status, why)
	if err != nil {
		s.log.Error("saving the journal", "error", err)
	}
	s.mu.Lock()
	s.ended = &ending{why: why, journal: file}
	s.mu.Unlock()
	s.log.Error("stopped", "why", why, "journal", file)
	s.options.Metrics.count("stops")
	s.giveUpWaiting()
}

func (s *Session) observe(e heal.Event) {
	e.At = time.Now()
	s.mu.Lock()
	before := s.health.State()
	s.health.Observe(e)
	after := s.health.State()
	s.mu.Unlock()
	switch e.Kind {
	case heal.Starting:
		s.options.Metrics.count("starts")
	case heal.Connected:
		s.options.Metrics.count("connects")
	}
	if before != after {
		s.log.Info("health", "from", before, "to", after)
		s.options.Metrics.state(after)
	}
}

// watch is the session's clock: time limits, and the health of an idle server.
func (s *Session) watch() {
	tick := time.NewTicker(s.options.tick())
	defer tick.Stop()
	checked := time.Now()
	for {
		select {
		case <-s.context.Done():
			return
		case now := <-tick.C:
			s.expire(now)
			s.restartUnresponsive()
			if every := s.options.HealthInterval; every > 0 && now.Sub(checked) >= every {
				checked = now
				s.checkIdle()
			}
		}
	}
}

func (s *Session) restartUnresponsive() {
	s.mu.Lock()
	up, state := s.up, s.health.State()
	s.mu.Unlock()
	if up != nil && state == heal.Unresponsive {
		s.abort(up, heal.Closure{By: "us", Why: "the server answered no call"})
	}
}

// checkIdle asks a server that nobody has spoken to for a while whether it is
// there. Not answering a ping is no death: some servers ignore them.
func (s *Session) checkIdle() {
	s.mu.Lock()
	up, h := s.up, s.hand
	idle := up != nil && up.ready && len(s.calls) == 0
	recent := time.Since(s.health.Status().LastSuccess) < s.options.HealthInterval
	s.mu.Unlock()
	if !idle || recent {
		return
	}
	method, params := "ping", any(nil)
	switch {
	case h.result != nil && h.initialized != nil:
	case h.meta != nil:
		method, params = "server/discover", map[string]any{"_meta": json.RawMessage(h.meta)}
	default:
		return // no handshake yet
	}
	go func() {
		_, err := s.ask(up, method, params, s.options.HealthInterval)
		if err != nil && !up.isGone() && s.context.Err() == nil {
			s.observe(heal.Event{Kind: heal.PingFailed})
		}
	}()
}
