// Package companion is what the page cannot do from a browser: it lists the
// servers of this machine, probes them live, heals them, and writes back what
// the person has seen as a diff.
//
// It is an API that starts processes, and every page in the browser can reach
// its port. So it answers only to its own names, to holders of a token that
// one tab got by a link from the terminal, and to the origin of that tab. A
// request names a server by a random id and by the hash of the entry that was
// shown: it has no way to say what is started. What a project defines is
// started only after a yes in the terminal.
package companion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"mcpmend/core/report"
	"mcpmend/native/guard"
	"mcpmend/native/install"
	"mcpmend/native/roster"
)

// Options of a companion.
type Options struct {
	Project string   // "" for the working directory
	Origins []string // of hosted pages that may be paired, beside the page that is served here
	// Confirm asks at the terminal before a project's server is started; nil
	// where there is no terminal, and then none is.
	Confirm func(ctx context.Context, question string) (bool, error)
	Log     io.Writer // of refusals
	Timeout time.Duration
}

// Companion serves the API for a listener.
type Companion struct {
	options Options
	roster  *roster.Roster
	log     *guard.Log
	pairing pairing
	changes changes
	probes  chan struct{} // slots
	rate    rate
	mux     http.Handler
}

// Bounds on what one page can set going.
const (
	maxBody   = 64 << 10
	maxProbes = 8
)

// New makes a companion for the address that is listened on.
func New(listening net.Addr, o Options) *Companion {
	if o.Log == nil {
		o.Log = io.Discard
	}
	c := &Companion{options: o, roster: roster.New(o.Project), log: &guard.Log{Out: o.Log}, probes: make(chan struct{}, maxProbes)}
	hosts := guard.Hosts(listening)
	open := guard.Rules{Hosts: hosts, Origins: append(guard.Origins(hosts), o.Origins...), MaxBody: maxBody, Refused: c.log.Refused}
	paired := open
	paired.Token = c.pairing.holds
	mux := http.NewServeMux()
	// No GET changes anything: there is none.
	mux.Handle("POST /api/pair", open.Wrap(c.answer(c.pair, "code")))
	mux.Handle("POST /api/servers", paired.Wrap(c.answer(c.servers)))
	mux.Handle("POST /api/probe", paired.Wrap(c.answer(c.probe, "id", "hash")))
	mux.Handle("POST /api/heal", paired.Wrap(c.answer(c.heal, "id", "hash")))
	mux.Handle("POST /api/write", paired.Wrap(c.answer(c.write, "change")))
	mux.Handle("POST /api/undo", paired.Wrap(c.answer(c.undo, "change")))
	mux.Handle("/", paired.Wrap(http.NotFoundHandler()))
	c.mux = mux
	return c
}

func (c *Companion) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	c.mux.ServeHTTP(w, r)
}

// ask is a request: words that were given out by this very companion. There is
// no field for a command, an argument, a variable, a directory or an address.
type ask struct {
	id, hash, change, code string
	origin                 string
}

// problem is an answer other than 200.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

// answer reads a request that must have exactly these members, and hands it on.
func (c *Companion) answer(do func(http.ResponseWriter, *http.Request, ask) error, members ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := c.rate.take()
		var a ask
		if err == nil {
			a, err = read(r, members)
		}
		if err == nil {
			err = do(w, r, a)
		}
		if err != nil {
			c.fail(w, err)
		}
	})
}

func (c *Companion) fail(w http.ResponseWriter, err error) {
	p := problem{http.StatusInternalServerError, err.Error()}
	switch {
	case errors.As(err, &p):
	case errors.Is(err, roster.ErrChanged), errors.Is(err, install.ErrChanged):
		p.status = http.StatusConflict
	case errors.Is(err, roster.ErrUnknown):
		p.status = http.StatusNotFound
	}
	c.log.Refused(http.StatusText(p.status))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(p.status)
	writeJSON(w, map[string]string{"error": report.SafeLines(p.text)})
}

// read takes a request apart. Keys count as they are spelt, every one of them
// must be there, and no other.
func read(r *http.Request, members []string) (ask, error) {
	var given map[string]string
	d := json.NewDecoder(r.Body)
	if err := d.Decode(&given); err != nil {
		return ask{}, problem{http.StatusBadRequest, "the request is not what is expected here"}
	}
	if _, err := d.Token(); err != io.EOF || len(given) != len(members) {
		return ask{}, problem{http.StatusBadRequest, "the request is not what is expected here"}
	}
	a := ask{origin: r.Header.Get("Origin")}
	into := map[string]*string{"id": &a.id, "hash": &a.hash, "change": &a.change, "code": &a.code}
	for _, name := range members {
		value, ok := given[name]
		if !ok {
			return ask{}, problem{http.StatusBadRequest, "the request is not what is expected here"}
		}
		*into[name] = value
	}
	return a, nil
}

func writeJSON(w io.Writer, v any) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // the page went away: nobody to tell
}

func reply(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	writeJSON(w, v)
	return nil
}

// rate is a bucket that fills by refill a second.
type rate struct {
	mu   sync.Mutex
	left float64
	last time.Time
}

const (
	refill = 20
	burst  = 60
)

func (r *rate) take() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if r.last.IsZero() {
		r.left = burst
	} else {
		r.left = min(burst, r.left+now.Sub(r.last).Seconds()*refill)
	}
	r.last = now
	if r.left < 1 {
		return problem{http.StatusTooManyRequests, fmt.Sprintf("more than %d requests a second", refill)}
	}
	r.left--
	return nil
}
