package wrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Listener serves streamable HTTP in front of a server, for clients of both
// eras. A client of the older era has a session and a server of its own; those
// of 2026-07-28 and later have no sessions and share one server, with every id
// and token replaced so that none can see or guess another's.
type Listener struct {
	options  Options
	guarded  http.Handler
	sessions sessionTable

	mu     sync.Mutex
	shared *shared // made when the first modern client comes
	closed bool
}

// ListenOptions are about the HTTP side.
type ListenOptions struct {
	Address string   // host:port, as it is listened on
	Hosts   []string // further values of Host that are ours
	Origins []string // further values of Origin that may ask
	Token   string   // every request must bear it, when set
}

// NewListener makes a handler; Close ends all that it started.
func NewListener(o Options, l ListenOptions) (*Listener, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	rules, err := l.rules()
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Dialer = &bridge{Dialer: o.Dialer, shared: true} // what is learnt of the server serves all sessions
	listener := &Listener{options: o, sessions: sessionTable{open: map[string]*httpSession{}}}
	listener.guarded = rules.Wrap(http.HandlerFunc(listener.serve))
	return listener, nil
}

// Close ends every session and the shared server.
func (l *Listener) Close() {
	l.mu.Lock()
	l.closed = true
	shared := l.shared
	l.mu.Unlock()
	if shared != nil {
		shared.session.Close()
	}
	l.sessions.closeAll()
}

// Serve serves until the context ends.
func (l *Listener) Serve(ctx context.Context, listening net.Listener) error {
	server := &http.Server{Handler: l, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var sweeping sync.WaitGroup
	sweeping.Go(func() { l.sessions.sweep(ctx) })
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listening) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = http.ErrServerClosed
	}
	cancel()
	l.Close()
	sweeping.Wait()
	ending, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if server.Shutdown(ending) != nil {
		server.Close()
	}
	return err
}

// Headers of the protocol.
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerParam   = "Mcp-Param-"

	firstModern = "2026-07-28"
)

// legacyVersions are the revisions with a handshake.
var legacyVersions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

func (l *Listener) ServeHTTP(w http.ResponseWriter, r *http.Request) { l.guarded.ServeHTTP(w, r) }

func (l *Listener) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" && r.URL.Path != "/mcp" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	switch r.Method {
	case http.MethodPost:
		l.post(w, r)
	case http.MethodGet, http.MethodDelete:
		l.sessionRequest(w, r)
	default:
		w.Header().Set("Allow", "POST, GET, DELETE")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

// sessionRequest handles what only a session can have: a stream for what the
// server says unasked, and an end.
func (l *Listener) sessionRequest(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(headerSession)
	if id == "" || r.Header.Get(headerVersion) >= firstModern {
		w.Header().Set("Allow", "POST")
		http.Error(w, "there is no session to speak of", http.StatusMethodNotAllowed)
		return
	}
	s := l.sessions.get(id)
	if s == nil {
		writeError(w, http.StatusNotFound, nil, -32001, "session not found")
		return
	}
	if r.Method == http.MethodDelete {
		l.sessions.remove(id)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if !accepts(r, "text/event-stream") {
		http.Error(w, "a GET must accept text/event-stream", http.StatusNotAcceptable)
		return
	}
	s.serveStream(w, r)
}

func (l *Listener) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		var big *http.MaxBytesError
		if errors.As(err, &big) {
			http.Error(w, fmt.Sprintf("the message is larger than %d bytes", maxMessage), http.StatusRequestEntityTooLarge)
		} else {
			http.Error(w, "the message could not be read", http.StatusBadRequest)
		}
		return
	}
	m, err := scan(body)
	if err != nil {
		code := codeParseError
		if m.method != "" || m.id != nil || errors.Is(err, errAmbiguous) {
			code = codeInvalidRequest
		}
		writeError(w, http.StatusBadRequest, m.id, code, err.Error())
		return
	}
	version := r.Header.Get(headerVersion)
	switch {
	case m.kind != batch && (version >= firstModern || member(m.params, "_meta", metaVersion) != nil):
		l.postModern(w, r, m)
	case version != "" && !isLegacy(version):
		writeError(w, http.StatusBadRequest, m.id, codeInvalidRequest, "unsupported protocol version "+plain(version, 50)+"; supported: "+strings.Join(legacyVersions, ", "))
	default:
		l.postLegacy(w, r, m)
	}
}

func isLegacy(version string) bool {
	for _, v := range legacyVersions {
		if v == version {
			return true
		}
	}
	return false
}

func (l *Listener) postLegacy(w http.ResponseWriter, r *http.Request, m message) {
	if !accepts(r, "application/json") && !accepts(r, "text/event-stream") {
		http.Error(w, "a POST must accept application/json and text/event-stream", http.StatusNotAcceptable)
		return
	}
	if m.method == "initialize" && m.kind == request {
		s, err := l.sessions.add(l.options)
		if err != nil {
			w.Header().Set("Retry-After", "5")
			writeError(w, http.StatusServiceUnavailable, m.id, codeBusy, err.Error())
			return
		}
		w.Header().Set(headerSession, s.id)
		s.servePost(w, r, m)
		return
	}
	id := r.Header.Get(headerSession)
	if id == "" {
		writeError(w, http.StatusBadRequest, m.id, codeInvalidRequest, "the header Mcp-Session-Id is missing; begin with initialize")
		return
	}
	s := l.sessions.get(id)
	if s == nil {
		writeError(w, http.StatusNotFound, m.id, -32001, "session not found")
		return
	}
	s.servePost(w, r, m)
}

func writeError(w http.ResponseWriter, status int, id []byte, code int, text string) {
	writeJSON(w, status, errorMessage(id, rpcError{Code: code, Message: text}))
}

func writeJSON(w http.ResponseWriter, status int, raw []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(raw)
}

// accepts tells whether a client takes a kind of answer. No Accept at all is
// taken for "anything", as HTTP has it.
func accepts(r *http.Request, kind string) bool {
	values := r.Header.Values("Accept")
	if len(values) == 0 {
		return true
	}
	major, _, _ := strings.Cut(kind, "/")
	for _, part := range strings.Split(strings.Join(values, ","), ",") {
		media, _, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(media)) {
		case kind, "*/*", major + "/*":
			return true
		}
	}
	return false
}
