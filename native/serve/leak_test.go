package serve

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/native/leaktest"
)

// TestNothingIsLeft: a client comes, has servers tested that work, end and
// hang, goes away in the middle of one, and comes again.
func TestNothingIsLeft(t *testing.T) {
	p := newPlace(t)
	p.put(cursorFile, `{"mcpServers":{
		"well": {"command": "weather-server"}, "sick": {"command": "weather-server", "args": ["--root", "/nowhere/at/all"]},
		"slow": {"command": "weather-server", "args": ["--start", "1h"]}}}`)
	server := p.server(Options{Timeout: 500 * time.Millisecond})
	visit := func(t *testing.T, session *mcp.ClientSession) {
		is := is.New(t)
		got := use(t, session, "check_health", map[string]any{})
		is.True(!got.isError)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "test_connection", Arguments: map[string]any{"server": "slow"}})
		is.True(err != nil)
		is.NoErr(session.Close())
	}
	for era, version := range eras {
		t.Run(era+" over streams", func(t *testing.T) {
			leaktest.Repeat(t, 3, func() {
				t.Run("once", func(t *testing.T) { visit(t, overPipes(t, server, version, nil)) })
			})
		})
		t.Run(era+" over HTTP", func(t *testing.T) {
			address, token, _ := listening(t, server)
			leaktest.Repeat(t, 3, func() {
				t.Run("once", func(t *testing.T) { visit(t, overHTTP(t, address, token, version, nil)) })
				http.DefaultTransport.(*http.Transport).CloseIdleConnections()
			})
		})
	}
}
