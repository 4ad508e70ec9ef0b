package wrap

import (
	"crypto/subtle"
	"fmt"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
)

// guard decides who may speak to a listener. A page in the user's browser can
// send requests to this machine, also under a name of its own that it points
// here, so each check compares whole strings with a fixed list: nothing of a
// Host or an Origin is parsed.
type guard struct {
	hosts   []string
	origins []string
	token   string
}

func newGuard(l ListenOptions) (guard, error) {
	host, port, err := net.SplitHostPort(l.Address)
	if err != nil {
		return guard{}, fmt.Errorf("the address %q: %w", l.Address, err)
	}
	g := guard{hosts: slices.Clone(l.Hosts), origins: slices.Clone(l.Origins), token: l.Token}
	names := []string{"127.0.0.1", "localhost", "[::1]"}
	if !isLoopback(host) {
		if l.Token == "" {
			return guard{}, fmt.Errorf("listening on %s, which others can reach, needs a token: --token-env NAME", l.Address)
		}
		if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
			names = append(names, host)
		}
	}
	for _, name := range names {
		g.hosts = append(g.hosts, name+":"+port)
		g.origins = append(g.origins, "http://"+name+":"+port)
	}
	return g, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// check returns a status and a reason to refuse a request, or 0. The order
// matters: the first checks cost nothing and tell nothing.
func (g guard) check(r *http.Request) (status int, why string) {
	if !slices.Contains(g.hosts, r.Host) {
		return http.StatusForbidden, "this Host is not served here"
	}
	if g.token != "" {
		want, got := "Bearer "+g.token, strings.Join(r.Header.Values("Authorization"), "\x00")
		if subtle.ConstantTimeCompare([]byte(want), []byte(got)) != 1 {
			return http.StatusUnauthorized, "the token is missing or wrong"
		}
	}
	if origins := r.Header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && !slices.Contains(g.origins, origins[0]) {
		return http.StatusForbidden, "this Origin may not ask here"
	}
	if r.Method == http.MethodPost {
		// A page can send text/plain and forms without being asked first.
		media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || media != "application/json" {
			return http.StatusUnsupportedMediaType, "the Content-Type must be application/json"
		}
	}
	return 0, ""
}
