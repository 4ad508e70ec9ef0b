package wrap

import (
	"fmt"
	"net"
	"slices"

	"mcpmend/native/guard"
)

// rules are who may speak to a listener: whole strings that are compared, as
// package guard says why. An address that others can reach needs a token.
func (l ListenOptions) rules() (guard.Rules, error) {
	host, port, err := net.SplitHostPort(l.Address)
	if err != nil {
		return guard.Rules{}, fmt.Errorf("the address %q: %w", l.Address, err)
	}
	names := []string{"127.0.0.1", "localhost", "[::1]"}
	if !isLoopback(host) {
		if l.Token == "" {
			return guard.Rules{}, fmt.Errorf("listening on %s, which others can reach, needs a token: --token-env NAME", l.Address)
		}
		if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
			names = append(names, host)
		}
	}
	hosts := make([]string, len(names))
	for i, name := range names {
		hosts[i] = name + ":" + port
	}
	r := guard.Rules{Hosts: append(slices.Clone(l.Hosts), hosts...), Origins: append(slices.Clone(l.Origins), guard.Origins(hosts)...), MaxBody: maxMessage}
	if l.Token != "" {
		r.Token = guard.Is(l.Token)
	}
	return r, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
