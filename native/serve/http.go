package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/native/guard"
)

// maxBody is the largest message over HTTP: a log and a config with their
// escapes.
const maxBody = 16 << 20

const (
	headerVersion = "Mcp-Protocol-Version"
	firstModern   = "2026-07-28"
)

// Listen serves streamable HTTP to holders of the token until the context
// ends. Refusals are written to log.
func (s *Server) Listen(ctx context.Context, listener net.Listener, token string, log io.Writer) error {
	server := &http.Server{Handler: s.handler(listener.Addr(), token, log),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() }) // streams never end by themselves
	defer stopped()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *Server) handler(address net.Addr, token string, log io.Writer) http.Handler {
	hosts := guard.Hosts(address)
	rules := guard.Rules{Hosts: hosts, Token: guard.Is(token), Origins: guard.Origins(hosts), MaxBody: maxBody,
		Refused: (&guard.Log{Out: log}).Refused}
	get := func(*http.Request) *mcp.Server { return s.mcp }
	// One handler of the SDK speaks to one era.
	older := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{SessionTimeout: 30 * time.Minute})
	newer := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	mux := http.NewServeMux()
	both := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if speaksNewer(r) {
			newer.ServeHTTP(w, r)
			return
		}
		older.ServeHTTP(w, r)
	})
	mux.Handle("/mcp", both)
	mux.Handle("/{$}", both)
	return rules.Wrap(mux)
}

// speaksNewer tells the eras apart by the header, or by the mark in the message
// where a client forgot the header: then the newer handler says so.
func speaksNewer(r *http.Request) bool {
	if version := r.Header.Get(headerVersion); version != "" {
		return version >= firstModern
	}
	if r.Method != http.MethodPost {
		return false
	}
	body, err := io.ReadAll(r.Body) // in memory already: the guard has read it
	if err != nil {
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return bytes.Contains(body, []byte(metaVersion))
}
