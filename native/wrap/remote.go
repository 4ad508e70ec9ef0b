package wrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpmend/core/config"
	"mcpmend/core/heal"
)

// Remote is a server at an address, over streamable HTTP or, where that is
// not spoken, the older HTTP with server-sent events. It is a [Dialer].
type Remote struct {
	address *url.URL
	header  http.Header
	client  *http.Client
}

// NewRemote makes a dialer. Headers are lines such as "Authorization: Bearer
// ${TOKEN}", with variables of the environment filled in.
func NewRemote(address string, headers []string, getenv func(string) string) (*Remote, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the address %q: want http://… or https://…", config.Mask(address))
	}
	r := &Remote{address: u, header: http.Header{}}
	for _, line := range headers {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("the header %q: want Name: value", config.Mask(line))
		}
		r.header.Set(strings.TrimSpace(name), os.Expand(strings.TrimSpace(value), getenv))
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext
	transport.MaxResponseHeaderBytes = 256 << 10
	transport.MaxIdleConnsPerHost = 64
	r.client = &http.Client{Transport: transport, CheckRedirect: sameOrigin}
	return r, nil
}

// sameOrigin keeps a server from sending us, and our headers, elsewhere.
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	if len(via) > 5 || next.URL.Host != first.Host || first.Scheme == "https" && next.URL.Scheme != "https" {
		return fmt.Errorf("the server redirects to another place, %s, which is not followed", next.URL.Redacted())
	}
	return nil
}

// Name is the address without what must not be shown.
func (r *Remote) Name() string { return config.Mask(r.address.Redacted()) }

// Dial begins a conversation; nothing is sent before the first message.
func (r *Remote) Dial(context.Context) (Conn, error) {
	ctx, cancel := context.WithCancel(context.Background())
	return &remoteConn{
		remote: r, context: ctx, cancel: cancel,
		incoming: make(chan []byte), gone: make(chan struct{}),
		posts: map[string]context.CancelFunc{}, unsent: map[string]bool{},
	}, nil
}

// remoteConn is one session with a remote server.
type remoteConn struct {
	remote   *Remote
	context  context.Context
	cancel   context.CancelFunc
	incoming chan []byte
	gone     chan struct{}
	running  sync.WaitGroup

	mu      sync.Mutex
	session string // Mcp-Session-Id
	version string // agreed on
	older   *olderTransport
	posts   map[string]context.CancelFunc // open requests, by id
	unsent  map[string]bool               // requests that certainly did not run
	closure *heal.Closure
	last    string // what the server said last that was wrong
	tools   func(name string) []byte
}

// useTools lets the connection know the tools' schemas, which say what of the
// arguments has to be repeated in headers.
func (c *remoteConn) useTools(schema func(name string) []byte) { c.tools = schema }

func (c *remoteConn) Receive() ([]byte, error) {
	select {
	case m := <-c.incoming:
		return m, nil
	case <-c.gone:
		return nil, io.EOF
	}
}

// deliver hands a message to the session.
func (c *remoteConn) deliver(raw []byte) {
	select {
	case c.incoming <- raw:
	case <-c.gone:
	}
}

// start runs something that Abort waits for; false means that it is too late.
func (c *remoteConn) start(do func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closure != nil {
		return false
	}
	c.running.Go(do)
	return true
}

// lose ends the connection, once.
func (c *remoteConn) lose(why heal.Closure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closure == nil {
		c.closure = &why
		close(c.gone)
		c.cancel()
	}
}

// Close ends a session in the older era's way, where there is one.
func (c *remoteConn) Close() {
	c.mu.Lock()
	session, ended := c.session, c.closure != nil
	c.mu.Unlock()
	if session != "" && !ended {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if request, err := c.request(ctx, http.MethodDelete, c.remote.address.String(), nil); err == nil {
			if answer, err := c.remote.client.Do(request); err == nil {
				answer.Body.Close()
			}
		}
	}
	c.Abort()
}

func (c *remoteConn) Abort() {
	c.lose(heal.Closure{By: "us", Why: "the wrapper closed it"})
	c.running.Wait()
	c.remote.client.CloseIdleConnections()
}

func (c *remoteConn) Closure() heal.Closure {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closure == nil {
		return heal.Closure{By: "us", Why: "the wrapper closed it"}
	}
	return *c.closure
}

func (c *remoteConn) Evidence() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// Unsent tells of a request that certainly did not run, although it was sent:
// it could not be written, or the server refused the session.
func (c *remoteConn) Unsent(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unsent[key]
}

// request makes an HTTP request with the headers of this session.
func (c *remoteConn) request(ctx context.Context, method, address string, body io.Reader) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	for name, values := range c.remote.header {
		r.Header[name] = values
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != "" {
		r.Header.Set(headerSession, c.session)
	}
	if c.version != "" {
		r.Header.Set(headerVersion, c.version)
	}
	return r, nil
}

// keepSession takes a session id that can be sent back as it came.
func (c *remoteConn) keepSession(id string) {
	if id == "" || len(id) > 4096 {
		return
	}
	for _, b := range []byte(id) {
		if b < 0x21 || b > 0x7e {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = id
}

var errLostSession = errors.New("the server does not know the session any more")

// lossWords are what libraries say beside "session" when they have lost one,
// by the status that they say it with. The protocol's own way is a plain 404.
var lossWords = map[int][]string{
	http.StatusBadRequest:         {"no valid session", "missing session", "invalid session", "unknown session", "not found", "expired", "not initialized"},
	http.StatusUnauthorized:       {"invalid session", "unknown session", "not found", "expired"},
	http.StatusForbidden:          {"invalid session", "unknown session", "not found", "expired"},
	http.StatusGone:               {"invalid session", "unknown session", "not found", "expired"},
	http.StatusServiceUnavailable: {"invalid session", "unknown session", "not found", "expired"},
	http.StatusOK:                 {"not found"},
}

// lostSession recognises the spellings of "I do not know your session". Had
// tells whether there was one.
func lostSession(status int, body []byte, had bool) bool {
	if !had {
		return false
	}
	if status == http.StatusOK {
		// Only an error with the code that libraries use: the text of a result
		// may say anything.
		if body = member(body, "error"); string(member(body, "code")) != "-32001" {
			return false
		}
	}
	words := strings.ToLower(string(body[:min(len(body), 4096)]))
	speaks := strings.Contains(words, "session")
	if status == http.StatusNotFound {
		// A modern server says 404 for an unknown method too, but has no
		// sessions to lose.
		return speaks || !strings.Contains(words, "-32601")
	}
	return speaks && slices.ContainsFunc(lossWords[status], func(w string) bool { return strings.Contains(words, w) })
}
