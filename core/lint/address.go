package lint

import (
	"strings"

	"mcpmend/core/config"
)

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// host gives the host and port of a URL.
func host(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	end := strings.IndexAny(rest, "/?#")
	if end >= 0 {
		rest = rest[:end]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

// local tells whether a host with or without port is this machine.
func local(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	return name == "localhost" || strings.HasPrefix(name, "127.") || strings.HasPrefix(host, "[::1]")
}

// pathSays gives the transport that the end of an address speaks for, or "".
func pathSays(url string) config.Transport {
	switch lastSegment(url) {
	case "/sse":
		return config.SSE
	case "/mcp", "/http", "/stream", "/streamable":
		return config.HTTP
	}
	return ""
}

// lastSegment gives the last part of a URL's path, with its slash.
func lastSegment(url string) string {
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		url = url[:end]
	}
	url = strings.TrimRight(url, "/")
	if slash := strings.LastIndexByte(url, '/'); slash > 0 && url[slash-1] != '/' {
		return url[slash:]
	}
	return ""
}
