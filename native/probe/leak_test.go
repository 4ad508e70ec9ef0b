package probe

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/core/config"
	"mcpmend/native/leaktest"
)

// TestNothingIsLeft: whatever a server does, a probe ends with all of it.
func TestNothingIsLeft(t *testing.T) {
	for _, name := range []string{"good", "modern", "banner", "exit-1", "crash", "dies", "bad-tools", "hang", "ignores-close", "exits-at-discover", "grandchild", "flood"} {
		t.Run(name, func(t *testing.T) {
			if name == "grandchild" {
				if _, err := os.Stat("/proc/self/stat"); err != nil {
					t.Skip("only Linux can promise it")
				}
			}
			o := Options{}
			if name == "hang" {
				o.Timeout = 300 * time.Millisecond
			}
			leaktest.Repeat(t, 5, func() { probe(t, entry(name), o) })
		})
	}
	t.Run("given up", func(t *testing.T) {
		leaktest.Repeat(t, 5, func() {
			ctx, cancel := context.WithCancel(t.Context())
			Run(ctx, Target{Server: entry("hang"), Environ: os.Environ()}, Options{Phase: func(phase string) {
				if phase == PhaseHandshake {
					cancel()
				}
			}})
			cancel()
		})
	})
}

func TestNothingIsLeftOverHTTP(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "x", Version: "1"}, nil)
	get := func(*http.Request) *mcp.Server { return server }
	for name, handler := range map[string]http.Handler{
		"streamable": mcp.NewStreamableHTTPHandler(get, nil),
		"SSE":        mcp.NewSSEHandler(get, nil),
		"refused":    status(http.StatusUnauthorized, "WWW-Authenticate: Bearer", "no"),
		"a page":     status(http.StatusOK, "Content-Type: text/html", "<html>"),
		"never": http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // or nobody would look whether the caller is still there
			<-r.Context().Done()
		}),
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{}
			if name == "never" {
				o.Timeout = 300 * time.Millisecond
			}
			leaktest.Repeat(t, 5, func() {
				listening := httptest.NewServer(handler)
				defer listening.Close() // waits for every handler to end
				probe(t, config.Server{Transport: config.HTTP, URL: listening.URL}, o)
			})
		})
	}
}
