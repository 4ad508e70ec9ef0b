package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"

	"mcpmend/core/fix"
)

// proposal is a fix that was shown and may be applied: once, by the session
// that saw it, to the very text that it was made for, within ten minutes.
type proposal struct {
	session string
	server  string // handle
	text    [sha256.Size]byte
	fix     fix.Fix
	until   time.Time
}

const (
	proposedFor  = 10 * time.Minute
	maxProposals = 1000
)

type proposals struct {
	mu   sync.Mutex
	now  func() time.Time
	open map[string]proposal
}

func (p *proposals) add(one proposal) (id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	for id, old := range p.open {
		if now.After(old.until) {
			delete(p.open, id)
		}
	}
	if p.open == nil || len(p.open) >= maxProposals {
		p.open = map[string]proposal{} // somebody lists without end; the older ones are gone
	}
	one.until = now.Add(proposedFor)
	id = rand.Text()
	p.open[id] = one
	return id
}

// look finds a proposal of a session.
func (p *proposals) look(id, session string) (proposal, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one, ok := p.open[id]
	if !ok || one.session != session || p.now().After(one.until) {
		return proposal{}, failure{"unknown", "no fix with this id is open; ids hold for ten minutes and one use, so test the server again"}
	}
	return one, nil
}

// take finds a proposal and uses it up.
func (p *proposals) take(id, session string) (proposal, error) {
	one, err := p.look(id, session)
	if err != nil {
		return one, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, still := p.open[id]; !still {
		return proposal{}, failure{"unknown", "this fix has just been used"}
	}
	delete(p.open, id)
	return one, nil
}
