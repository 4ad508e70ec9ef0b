// Package guard decides which requests a listener on this machine answers.
//
// A listener that can start processes is reachable by every page in the user's
// browser and by every local user, so each request passes five checks, in this
// order: the Host header is one of a list, the token is right, the Origin is
// one of a list, the body says it is JSON, and it is small and arrives in time.
// Host and Origin are compared as text: nothing of them is parsed for a
// decision, since validators that parse have themselves been the way in.
package guard

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Rules are what a request must fulfil.
type Rules struct {
	Hosts   []string                        // the exact Host headers; see Hosts
	Token   func(token, origin string) bool // whether a bearer token is right; nil where a route needs none
	Origins []string                        // the exact Origin headers; a request without one is from no page
	MaxBody int64                           // of a request in bytes
	Refused func(why string)                // told the reason of every refusal; may be nil
}

// bodyTimeout is how long a body may take to arrive: some time for any, and a
// second for every MiB that it may have.
func (rules Rules) bodyTimeout() time.Duration {
	return 10*time.Second + time.Duration(rules.MaxBody>>20)*time.Second
}

// refusal is a request that is not answered.
type refusal struct {
	status int
	why    string // one of a fixed set of texts: it is logged, and quotes nothing of the request
}

var checks = []func(Rules, http.ResponseWriter, *http.Request) *refusal{host, token, origin, contentType, body}

// Wrap lets only the requests through to next that fulfil the rules. A panic
// in next is answered with 400 and reported like a refusal.
func (rules Rules) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer rules.recovered(w)
		if preflight(r) {
			rules.answerPreflight(w, r)
			return
		}
		for _, check := range checks {
			if refused := check(rules, w, r); refused != nil {
				rules.refuse(w, refused)
				return
			}
		}
		rules.share(w, r)
		next.ServeHTTP(w, r)
	})
}

func (rules Rules) refuse(w http.ResponseWriter, why *refusal) {
	if rules.Refused != nil {
		rules.Refused(why.why)
	}
	if why.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.Error(w, why.why, why.status)
}

func (rules Rules) recovered(w http.ResponseWriter) {
	switch problem := recover(); problem {
	case nil:
	case http.ErrAbortHandler: // means: cut the connection, and is no mistake
		panic(problem)
	default:
		// What it says may quote the request, so it is not told to anybody.
		rules.refuse(w, &refusal{http.StatusBadRequest, "the request could not be handled"})
	}
}

// host keeps names out that were rebound to this machine. A request line with
// a whole URL is for proxies; it would set the host past the header.
func host(rules Rules, _ http.ResponseWriter, r *http.Request) *refusal {
	if !slices.Contains(rules.Hosts, r.Host) || !strings.HasPrefix(r.RequestURI, "/") {
		return &refusal{http.StatusForbidden, "this host is not served here"}
	}
	return nil
}

func token(rules Rules, _ http.ResponseWriter, r *http.Request) *refusal {
	if rules.Token == nil {
		return nil
	}
	given := r.Header.Values("Authorization")
	if len(given) == 1 {
		if secret, ok := strings.CutPrefix(given[0], "Bearer "); ok && rules.Token(secret, r.Header.Get("Origin")) {
			return nil
		}
	}
	return &refusal{http.StatusUnauthorized, "the token is missing or wrong"}
}

func origin(rules Rules, _ http.ResponseWriter, r *http.Request) *refusal {
	given := r.Header.Values("Origin")
	if len(given) == 0 || len(given) == 1 && slices.Contains(rules.Origins, given[0]) {
		return nil
	}
	return &refusal{http.StatusForbidden, "this origin is not allowed"}
}

// contentType keeps out what a form or a beacon can send without the browser
// asking first.
func contentType(_ Rules, _ http.ResponseWriter, r *http.Request) *refusal {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodDelete:
		return nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || r.Header.Get("Content-Encoding") != "" {
		return &refusal{http.StatusUnsupportedMediaType, "the body must be application/json, not packed"}
	}
	return nil
}

// body reads the body, so that a slow sender holds up nothing behind it.
func body(rules Rules, w http.ResponseWriter, r *http.Request) *refusal {
	tooLarge := &refusal{http.StatusRequestEntityTooLarge, "the request is too large"}
	if r.ContentLength > rules.MaxBody {
		return tooLarge
	}
	connection := http.NewResponseController(w)
	// A writer of a test has no connection; a real one always has.
	if err := connection.SetReadDeadline(time.Now().Add(rules.bodyTimeout())); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return &refusal{http.StatusBadRequest, "the request broke off"}
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, rules.MaxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &refusal{http.StatusRequestTimeout, "the request took too long to arrive"}
	case err != nil:
		return &refusal{http.StatusBadRequest, "the request broke off"}
	}
	_ = connection.SetReadDeadline(time.Time{}) // as above
	r.Body = io.NopCloser(bytes.NewReader(data))
	r.ContentLength = int64(len(data))
	return nil
}

// preflight is a browser's question whether a page of another origin may send
// a request. It carries no token and changes nothing.
func preflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

func (rules Rules) answerPreflight(w http.ResponseWriter, r *http.Request) {
	for _, check := range []func(Rules, http.ResponseWriter, *http.Request) *refusal{host, origin} {
		if refused := check(rules, w, r); refused != nil {
			rules.refuse(w, refused)
			return
		}
	}
	rules.share(w, r)
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID")
	w.WriteHeader(http.StatusNoContent)
}

// share lets a page of a listed origin read the answer: that one, and never
// "*".
func (rules Rules) share(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Origin")
	if from := r.Header.Get("Origin"); from != "" { // listed, or it would not have come here
		w.Header().Set("Access-Control-Allow-Origin", from)
		w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id")
	}
}

// Hosts lists the Host headers of a listener: the names that this machine
// has for itself, and the very address where it listens elsewhere.
func Hosts(listening net.Addr) []string {
	address, ok := listening.(*net.TCPAddr)
	if !ok {
		return nil
	}
	port := strconv.Itoa(address.Port)
	hosts := []string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port}
	if !address.IP.IsLoopback() && !address.IP.IsUnspecified() {
		hosts = append(hosts, address.String())
	}
	return hosts
}

// Origins are the origins of pages that come from the hosts themselves.
func Origins(hosts []string) []string {
	origins := make([]string, len(hosts))
	for i, host := range hosts {
		origins[i] = "http://" + host
	}
	return origins
}

// NewToken makes 256 bits of chance, fit for a header and a URL.
func NewToken() string {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails: see its documentation
	return base64.RawURLEncoding.EncodeToString(secret)
}

// Is gives the check for one token, in the same time whatever was sent.
func Is(secret string) func(token, origin string) bool {
	want := sha256.Sum256([]byte(secret))
	return func(token, _ string) bool {
		got := sha256.Sum256([]byte(token))
		return subtle.ConstantTimeCompare(got[:], want[:]) == 1
	}
}

// LocalAddress refuses an address that is not on this machine's loopback. A
// port alone means loopback.
func LocalAddress(address string) (string, error) {
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("%q is no address; write 127.0.0.1:PORT", address)
	}
	if name == "" {
		name = "127.0.0.1"
	}
	if ip := net.ParseIP(name); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", fmt.Errorf("%q is not on this machine's loopback; write 127.0.0.1:%s", address, port)
	}
	return net.JoinHostPort(name, port), nil
}
