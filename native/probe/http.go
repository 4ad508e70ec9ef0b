package probe

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/core/config"
)

const (
	maxBody      = 64 << 10
	maxRedirects = 5
)

// overHTTP probes a server behind a URL: the connection first, then the
// transport that the entry names, then, if that is refused as such, the other.
func (s *session) overHTTP(ctx context.Context) {
	s.phase(PhaseStart)
	at, err := url.Parse(s.server.URL)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		s.fail(fmt.Errorf("%q is no http or https address", s.server.URL))
		return
	}
	if err := reach(ctx, at); err != nil {
		s.fail(err)
		return
	}
	s.phase(PhaseHandshake)
	order := []config.Transport{config.HTTP, config.SSE}
	if s.server.Transport == config.SSE {
		order = []config.Transport{config.SSE, config.HTTP}
	}
	first := s.overTransport(ctx, at, order[0])
	if first == nil {
		s.phase("")
		return
	}
	saw := s.result.HTTP
	if saw == nil && at.Scheme == "http" && speaksTLS(ctx, at) {
		s.fail(errors.New("the port speaks TLS, and the address says http"))
		return
	}
	if !refusesTransport(saw) || ctx.Err() != nil {
		s.fail(first)
		return
	}
	phases := len(s.result.Phases)
	if err := s.overTransport(ctx, at, order[1]); err == nil {
		// It works the other way: not for this entry, but now we know.
		s.result.Speaks, s.result.HTTP, s.result.Tools = order[1], saw, nil
		s.result.Phases = s.result.Phases[:phases]
		s.fail(fmt.Errorf("the server answers %s and not %s: %w", words[order[1]], words[order[0]], first))
		return
	}
	s.result.HTTP = saw
	s.fail(first)
}

var words = map[config.Transport]string{config.HTTP: "streamable HTTP", config.SSE: "SSE"}

// refusesTransport says whether an answer means "not this way" rather than
// "not you" or "not now".
func refusesTransport(e *Exchange) bool {
	if e == nil {
		return true
	}
	switch e.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusUnsupportedMediaType, http.StatusOK:
		return true
	}
	return false
}

// reach looks up the name, connects and does the TLS handshake, so that each
// can fail under its own name.
func reach(ctx context.Context, at *url.URL) error {
	conn, err := dial(ctx, at)
	if err != nil {
		return err
	}
	defer conn.Close()
	if at.Scheme == "https" {
		return tls.Client(conn, &tls.Config{ServerName: at.Hostname()}).HandshakeContext(ctx)
	}
	return nil
}

func dial(ctx context.Context, at *url.URL) (net.Conn, error) {
	port := at.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[at.Scheme]
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", net.JoinHostPort(at.Hostname(), port))
}

// speaksTLS finds out whether a port that does not take plain HTTP takes TLS.
// Nothing is sent after the handshake, so whose certificate it is does not matter.
func speaksTLS(ctx context.Context, at *url.URL) bool {
	conn, err := dial(ctx, at)
	if err != nil {
		return false
	}
	defer conn.Close()
	return tls.Client(conn, &tls.Config{ServerName: at.Hostname(), InsecureSkipVerify: true}).HandshakeContext(ctx) == nil
}

func (s *session) overTransport(ctx context.Context, at *url.URL, t config.Transport) error {
	watch := &watcher{until: ctx, host: at.Host, headers: s.server.Headers, base: guarded(at.Host)}
	client := &http.Client{Transport: watch, CheckRedirect: watch.redirect}
	defer watch.base.CloseIdleConnections()
	var err error
	if t == config.SSE {
		err = s.speak(ctx, &mcp.SSEClientTransport{Endpoint: at.String(), HTTPClient: client}, "")
	} else {
		err = s.speak(ctx, &mcp.StreamableClientTransport{Endpoint: at.String(), HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true}, "")
	}
	if err != nil {
		s.result.HTTP = watch.refusal()
	}
	return err
}

// guarded dials. The host of the entry may be anywhere, also on this machine;
// any other host, to which a server may send us, must be a public address, so
// that no answer leads into the user's own network.
func guarded(trusted string) *http.Transport {
	host, _, err := net.SplitHostPort(trusted)
	if err != nil {
		host = trusted
	}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			name, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			var d net.Dialer
			if name == strings.Trim(host, "[]") {
				return d.DialContext(ctx, network, address)
			}
			addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", name)
			if err != nil {
				return nil, err
			}
			for _, a := range addresses {
				if !public(a) {
					return nil, fmt.Errorf("not followed to %s: the server sent us to an address inside this network", name)
				}
			}
			return d.DialContext(ctx, network, net.JoinHostPort(addresses[0].String(), port))
		},
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  20 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
	}
}

// public says whether an address is one of the open internet.
func public(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsGlobalUnicast() && !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() &&
		!netip.MustParsePrefix("100.64.0.0/10").Contains(a) && !netip.MustParsePrefix("64:ff9b::/96").Contains(a)
}

// watcher sends the entry's headers to the entry's host and to no other, and
// keeps the last answer that was a refusal. No request outlives the probe: the
// SDK tells a server that is waited for in vain about it, and waits again.
type watcher struct {
	until   context.Context
	host    string
	headers []config.Variable
	base    *http.Transport

	lock sync.Mutex
	last *Exchange
}

func (w *watcher) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(request.Context())
	context.AfterFunc(w.until, cancel) // which comes at the end of the probe at the latest
	request = request.Clone(ctx)
	if request.URL.Host == w.host {
		for _, h := range w.headers {
			request.Header.Set(h.Name, h.Value)
		}
	}
	response, err := w.base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	e := &Exchange{URL: request.URL.Redacted(), Status: response.StatusCode, Header: response.Header}
	if response.StatusCode >= 400 || e.page() {
		body, _ := io.ReadAll(io.LimitReader(response.Body, maxBody)) // what came is enough
		response.Body.Close()
		response.Body = io.NopCloser(bytes.NewReader(body))
		w.lock.Lock()
		e.Body = string(body)
		w.last = e
		w.lock.Unlock()
	}
	return response, nil
}

func (w *watcher) refusal() *Exchange {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.last
}

// redirect follows a few steps, never down to plain HTTP.
func (w *watcher) redirect(request *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case via[0].URL.Scheme == "https" && request.URL.Scheme != "https":
		return errors.New("a redirect leads from https to http")
	case request.URL.Scheme != "http" && request.URL.Scheme != "https":
		return fmt.Errorf("a redirect leads to %s", request.URL.Scheme)
	}
	if request.URL.Host != w.host {
		for _, h := range w.headers {
			request.Header.Del(h.Name)
		}
	}
	return nil
}
