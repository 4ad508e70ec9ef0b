package companion

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/matryer/is"

	"mcpmend/native/leaktest"
)

// TestNothingIsLeft: pairing, probing and healing over and over, with a server
// that works, one that ends, and one that hangs until the page goes away.
func TestNothingIsLeft(t *testing.T) {
	is := is.New(t)
	m := newMachine(t, Options{})
	m.put(".cursor/mcp.json", `{"mcpServers":{
		"weather": {"command": "{home}/.bin/weather-server", "args": []},
		"well": {"command": "weather-server"}, "loud": {"command": "{home}/loud.sh"},
		"slow": {"command": "weather-server", "args": ["--start", "1h"]}}}`)
	leaktest.Repeat(t, 3, func() {
		page := m.pair()
		for name, state := range map[string]string{"well": "ok", "loud": "broken"} {
			_, events := page.post("/api/probe", page.server(name))
			is.Equal(events[len(events)-1]["outcome"].(map[string]any)["state"], state)
		}
		_, events := page.post("/api/heal", page.server("weather"))
		is.Equal(events[len(events)-1]["fixed"], true)
		page.leave("/api/probe", page.server("slow"))
		http.DefaultClient.CloseIdleConnections()
	})
}

// leave sends a request and goes away when the first of the answer is there.
func (p tab) leave(path string, body any) {
	p.m.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		p.m.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.m.address+path, bytes.NewReader(data))
	if err != nil {
		p.m.t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Origin": {p.origin}, "Authorization": {"Bearer " + p.token}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.m.t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := answer.Body.Read(make([]byte, 1)); err != nil {
		p.m.t.Fatal(err)
	}
}
