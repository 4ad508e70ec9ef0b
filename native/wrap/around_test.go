package wrap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/native/llm"
)

func TestSettings(t *testing.T) {
	is := is.New(t)
	s, err := ReadSettings([]byte(`{"wrap":{"validate":"advise","retry":"never","max_retries":0,"retryable_errors":["timeout"],"call_timeout":"0s","tool_timeout":{"slow":"1h"},
		"max_in_flight":4,"llm":{"use":"https://llm.example.com/v1","model":"small","key_env":"KEY","timeout":"3s","decide":true}}}`))
	is.NoErr(err)
	o, err := s.Options(func(name string) string { return map[string]string{"KEY": "k"}[name] })
	is.NoErr(err)
	is.Equal(o.Validate, Advise)
	is.Equal(o.Retry.Trust, heal.TrustNever)
	is.Equal(o.Retry.MaxRetries, 0)
	is.Equal(o.Retry.Retryable, []heal.Failure{heal.TimeoutFailure})
	is.True(o.CallTimeout < 0) // no limit
	is.Equal(o.ToolTimeout["slow"], time.Hour)
	is.Equal(o.Corrector.(*llm.Endpoint).Key, "k")
	is.Equal(o.Corrector.(*llm.Endpoint).Timeout, 3*time.Second)
	is.True(o.Decide != nil)
	flags := Settings{Validate: Off, CallTimeout: Duration{time.Second, true}}
	both := s.With(flags)
	is.Equal(both.Validate, Off)
	is.Equal(both.CallTimeout.Duration, time.Second)
	is.Equal(both.Retry, heal.TrustNever) // not given, so the file's
}

func TestSettingsRefused(t *testing.T) {
	for _, text := range []string{
		`{"validat":"off"}`, `{"validate":"maybe"}`, `{"retry":"always"}`, `{"retryable_errors":["security"]}`, `{"call_timeout":30}`,
		`{"llm":{"use":"http://llm.example.com/v1","model":"m"}}`, `{"llm":{"use":"https://llm.example.com"}}`,
		`{"llm":{"use":"https://llm.example.com","model":"m","key_env":"NOT_SET"}}`, `{"llm":{"use":"sampling","decide":true}}`, `{"max_retries":99}`,
	} {
		t.Run(text, func(t *testing.T) {
			s, err := ReadSettings([]byte(text))
			if err == nil {
				_, err = s.Options(func(string) string { return "" })
			}
			if err == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestBeacon(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "run")
	b, err := NewBeacon(dir, "npx server --token ghp_16C7e42F292c6912E7710c838347Ae178B4a", "127.0.0.1:1")
	is.NoErr(err)
	w := newWorld()
	s := newSession(Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func([]byte) {})
	b.Watch(s)
	is.NoErr(b.write())
	running, err := Running(dir, time.Now())
	is.NoErr(err)
	is.Equal(len(running), 1)
	is.Equal(running[0].PID, os.Getpid())
	is.Equal(len(running[0].Sessions), 1)
	is.True(!strings.Contains(running[0].Server, "16C7"))
	running, err = Running(dir, time.Now().Add(time.Hour)) // killed long ago
	is.NoErr(err)
	is.Equal(len(running), 0)
	s.Close()
	b.Close()
	files, err := os.ReadDir(dir)
	is.NoErr(err)
	is.Equal(len(files), 0)
}

func TestMetrics(t *testing.T) {
	is := is.New(t)
	m := NewMetrics()
	for i := range 100_000 {
		m.call(fmt.Sprintf("tool-%d", i), "answered", time.Millisecond, true)
		m.call(fmt.Sprintf("invented-%d", i), "tool_error", time.Millisecond, false)
	}
	m.count("starts")
	m.closure(heal.Closure{By: "server"})
	m.state(heal.Dead)
	var out bytes.Buffer
	is.NoErr(m.Write(&out))
	series := 0
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "mcpmend_call_seconds_count") {
			series++
		}
	}
	is.True(series <= maxLabels+1)
	for _, want := range []string{
		`mcpmend_calls_total{tool="tool-0",outcome="answered"} 1`, `mcpmend_events_total{event="starts"} 1`,
		`mcpmend_closures_total{by="server",expected="false"} 1`, `mcpmend_state{state="dead"} 1`, `mcpmend_state{state="healthy"} 0`,
	} {
		is.True(strings.Contains(out.String(), want+"\n"))
	}
	is.Equal(label("a\"b\\c\nd\x1b"), `"a\"b\\c d\\x1b"`)
}

func TestMetricsHandler(t *testing.T) {
	is := is.New(t)
	m := NewMetrics()
	_, err := m.Handler("0.0.0.0:9100")
	is.True(err != nil)
	h, err := m.Handler("127.0.0.1:9100")
	is.NoErr(err)
	for host, want := range map[string]int{"127.0.0.1:9100": 200, "example.com:9100": 403} {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		is.Equal(w.Code, want)
	}
}

func TestInstall(t *testing.T) {
	texts := map[string]string{
		"json": `{
  // mine
  "mcpServers": {
    "db": { "command": "npx",  "args": [ "-y", "@example/db" /* pinned? */, "a b" ], "env": {"KEY": "${KEY}"} },
    "other": {"command":"x"}
  }
}
`,
		"one line": `{"mcpServers":{"db":{"args":["-y","@example/db","a b"],"command":"npx"}}}`,
		"no args":  `{"mcpServers":{"db":{"command":"npx"}}}`,
		"url":      `{"mcpServers":{"db":{"url":"https://example.com/mcp"}}}`,
	}
	for name, before := range texts {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			memory := filepath.Join(t.TempDir(), "state", "wrapped.json")
			find := func(text string) (*config.Document, *config.Server) {
				d, err := config.Parse(text, config.Options{Client: "cursor"})
				is.NoErr(err)
				for i := range d.Servers {
					if d.Servers[i].Name == "db" {
						return d, &d.Servers[i]
					}
				}
				t.Fatal("no server")
				return nil, nil
			}
			i, err := LoadInstalled(memory)
			is.NoErr(err)
			d, s := find(before)
			wrapped, err := i.Install("/home/you/mcp.json", d, s, "/usr/local/bin/mcpmend")
			is.NoErr(err)
			is.NoErr(i.Save())
			d, s = find(wrapped)
			is.Equal(s.Command, "/usr/local/bin/mcpmend")
			is.Equal(s.Args[0], "wrap")
			_, err = i.Install("/home/you/mcp.json", d, s, "/usr/local/bin/mcpmend")
			is.True(err != nil) // once is enough

			i, err = LoadInstalled(memory) // another day
			is.NoErr(err)
			restored, err := i.Uninstall("/home/you/mcp.json", d, s)
			is.NoErr(err)
			is.Equal(restored, before)

			// Without the memory, or with an entry that was edited since, the
			// data goes back.
			forgetful, err := LoadInstalled(filepath.Join(t.TempDir(), "x"))
			is.NoErr(err)
			again, err := forgetful.Uninstall("/home/you/mcp.json", d, s)
			is.NoErr(err)
			_, was := find(before)
			_, now := find(again)
			is.Equal(now.Command, was.Command)
			is.Equal(strings.Join(now.Args, "\x00"), strings.Join(was.Args, "\x00"))
			is.Equal(now.URL, was.URL)
		})
	}
}

func TestJournalIsBounded(t *testing.T) {
	is := is.New(t)
	j := &Journal{Dir: t.TempDir()}
	big := []byte(`{"x":"` + strings.Repeat("y", 100_000) + `"}`)
	for i := range 10_000 {
		c := &call{id: []byte(fmt.Sprint(i)), method: "tools/call", tool: "t", args: big, began: time.Now()}
		j.begin(c)
		j.end(c, nil, "answered")
	}
	name, err := j.save(heal.Status{}, "test")
	is.NoErr(err)
	info, err := os.Stat(name)
	is.NoErr(err)
	is.True(info.Size() < 16<<20)
	data, err := os.ReadFile(name)
	is.NoErr(err)
	for line := range strings.Lines(string(data)) {
		is.True(json.Valid([]byte(line)))
	}
}

// Asking how a server is costs next to nothing.
func BenchmarkHealthCheck(b *testing.B) {
	w := newWorld()
	s := newSession(Options{Dialer: &fakeDialer{world: w, serve: w.faithful}}, func([]byte) {})
	defer s.Close()
	c := &call{method: "tools/call"}
	for b.Loop() {
		s.mu.Lock()
		if s.refusal(c) != nil {
			b.Fatal("refused")
		}
		s.mu.Unlock()
	}
}
