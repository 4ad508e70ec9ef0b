package companion

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"sync"
	"time"

	"mcpmend/native/guard"
)

// pairing turns a code from the terminal into a token for one tab. The code
// travels in the fragment of a link, which browsers send to nobody.
type pairing struct {
	mu     sync.Mutex
	code   [sha256.Size]byte
	until  time.Time
	wrong  int
	tokens []held
}

// held is a token with the origin of the tab that has it.
type held struct {
	token  [sha256.Size]byte
	origin string
}

const (
	codeFor   = time.Minute
	maxWrong  = 5 // then only the terminal can go on
	maxTokens = 8 // tabs; the oldest is let go
)

// Code makes a code for one tab, good for a minute and for one use. The one
// before is void.
func (c *Companion) Code() string {
	p := &c.pairing
	code := guard.NewToken()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.code, p.until, p.wrong = sha256.Sum256([]byte(code)), time.Now().Add(codeFor), 0
	return code
}

func (c *Companion) pair(w http.ResponseWriter, _ *http.Request, a ask) error {
	token, err := c.pairing.trade(a.code, a.origin)
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"token": token})
}

func (p *pairing) trade(code, origin string) (token string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	given := sha256.Sum256([]byte(code))
	right := subtle.ConstantTimeCompare(given[:], p.code[:]) == 1
	switch {
	case p.wrong >= maxWrong || p.until.IsZero() || time.Now().After(p.until):
		return "", problem{http.StatusForbidden, "this link is no longer good; get a new one in the terminal"}
	case !right:
		p.wrong++
		return "", problem{http.StatusForbidden, "this link is no longer good; get a new one in the terminal"}
	}
	p.until = time.Time{}
	token = guard.NewToken()
	p.tokens = append(p.tokens, held{sha256.Sum256([]byte(token)), origin})
	if len(p.tokens) > maxTokens {
		p.tokens = p.tokens[1:]
	}
	return token, nil
}

// holds says whether a tab of this origin has the token. Every token is looked
// at, so that the time tells nothing.
func (p *pairing) holds(token, origin string) bool {
	given := sha256.Sum256([]byte(token))
	p.mu.Lock()
	defer p.mu.Unlock()
	found := 0
	for _, h := range p.tokens {
		found |= subtle.ConstantTimeCompare(given[:], h.token[:]) & subtle.ConstantTimeCompare([]byte(origin), []byte(h.origin))
	}
	return found == 1
}
