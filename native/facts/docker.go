package facts

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcpmend/core/fix"
)

// docker asks the daemon whether it is there, on its local socket. A daemon on
// another host is not asked.
func docker(ctx context.Context, m Machine, _ Question, found *fix.Facts) {
	sockets := []string{"/var/run/docker.sock", filepath.Join(m.Home, ".docker", "run", "docker.sock")}
	if host := m.Getenv("DOCKER_HOST"); host != "" {
		path, ok := strings.CutPrefix(host, "unix://")
		if !ok {
			return
		}
		sockets = []string{path}
	}
	if m.OS == "windows" {
		_, err := os.Stat(`\\.\pipe\docker_engine`)
		answers := err == nil
		found.Docker = &answers
		return
	}
	answers := false
	for _, socket := range sockets {
		answers = answers || pings(ctx, socket)
	}
	found.Docker = &answers
}

func pings(ctx context.Context, socket string) bool {
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		},
		DisableKeepAlives: true,
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://docker/_ping", nil)
	if err != nil {
		return false
	}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}
