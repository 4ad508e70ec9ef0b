package wrap

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpmend/core/heal"
)

// Metrics counts what a wrapper does and writes it in Prometheus' text format,
// which is small enough not to need its library. A nil Metrics counts nothing.
type Metrics struct {
	mu       sync.Mutex
	calls    map[callLabels]int64
	latency  map[string]*histogram // by tool
	events   map[string]int64
	closures map[closureLabels]int64
	current  heal.State
}

type callLabels struct{ tool, outcome string }

type closureLabels struct {
	by       string
	expected bool
}

// histogram has the cumulative buckets of latencyBounds.
type histogram struct {
	buckets [len(latencyBounds)]int64
	count   int64
	sum     float64
}

var latencyBounds = [...]float64{0.0005, 0.002, 0.008, 0.032, 0.128, 0.512, 2.048, 8.192, 32.768}

// maxLabels bounds the tool names that become label values: a server may list
// a million of them, and a client may call what is not listed.
const maxLabels = 200

// NewMetrics makes a set of counters.
func NewMetrics() *Metrics {
	return &Metrics{calls: map[callLabels]int64{}, latency: map[string]*histogram{}, events: map[string]int64{}, closures: map[closureLabels]int64{}, current: heal.Healthy}
}

func (m *Metrics) call(tool, outcome string, took time.Duration, listed bool) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case tool == "":
		tool = "none"
	case !listed || m.latency[tool] == nil && len(m.latency) >= maxLabels:
		tool = "other"
	}
	m.calls[callLabels{tool, outcome}]++
	h := m.latency[tool]
	if h == nil {
		h = &histogram{}
		m.latency[tool] = h
	}
	seconds := took.Seconds()
	for i, bound := range latencyBounds {
		if seconds <= bound {
			h.buckets[i]++
		}
	}
	h.count++
	h.sum += seconds
}

func (m *Metrics) count(event string) { m.add(event, 1) }

func (m *Metrics) add(event string, n int) {
	if m == nil || n == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events[event] += int64(n)
}

func (m *Metrics) closure(c heal.Closure) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closures[closureLabels{c.By, c.Expected}]++
}

func (m *Metrics) state(s heal.State) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.current = s
}

// Write writes everything in the text format, version 0.0.4.
func (m *Metrics) Write(w io.Writer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	head := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }

	head("mcpmend_calls_total", "counter", "Requests of clients by tool and outcome.")
	for _, l := range slices.SortedFunc(maps.Keys(m.calls), func(a, b callLabels) int {
		return cmp.Or(cmp.Compare(a.tool, b.tool), cmp.Compare(a.outcome, b.outcome))
	}) {
		fmt.Fprintf(&b, "mcpmend_calls_total{tool=%s,outcome=%s} %d\n", label(l.tool), label(l.outcome), m.calls[l])
	}
	head("mcpmend_call_seconds", "histogram", "Time from a request to its answer.")
	for _, tool := range slices.Sorted(maps.Keys(m.latency)) {
		h := m.latency[tool]
		for i, bound := range latencyBounds {
			fmt.Fprintf(&b, "mcpmend_call_seconds_bucket{tool=%s,le=\"%g\"} %d\n", label(tool), bound, h.buckets[i])
		}
		fmt.Fprintf(&b, "mcpmend_call_seconds_bucket{tool=%s,le=\"+Inf\"} %d\n", label(tool), h.count)
		fmt.Fprintf(&b, "mcpmend_call_seconds_sum{tool=%s} %g\nmcpmend_call_seconds_count{tool=%s} %d\n", label(tool), h.sum, label(tool), h.count)
	}
	head("mcpmend_events_total", "counter", "Starts, repairs, corrections, rejections and the like.")
	for _, event := range slices.Sorted(maps.Keys(m.events)) {
		fmt.Fprintf(&b, "mcpmend_events_total{event=%s} %d\n", label(event), m.events[event])
	}
	head("mcpmend_closures_total", "counter", "Ends of connections by who ended them, and whether that was expected.")
	for _, l := range slices.SortedFunc(maps.Keys(m.closures), func(a, b closureLabels) int {
		return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(fmt.Sprint(a.expected), fmt.Sprint(b.expected)))
	}) {
		fmt.Fprintf(&b, "mcpmend_closures_total{by=%s,expected=\"%t\"} %d\n", label(l.by), l.expected, m.closures[l])
	}
	head("mcpmend_state", "gauge", "1 for the state that the server is in.")
	for _, s := range []heal.State{heal.Healthy, heal.Degraded, heal.Unresponsive, heal.Dead} {
		value := 0
		if s == m.current {
			value = 1
		}
		fmt.Fprintf(&b, "mcpmend_state{state=%s} %d\n", label(string(s)), value)
	}
	head("go_goroutines", "gauge", "Goroutines of the wrapper.") // under the name that every Go program gives it
	fmt.Fprintf(&b, "go_goroutines %d\n", runtime.NumGoroutine())
	_, err := io.WriteString(w, b.String())
	return err
}

// label quotes a label value: a backslash, a quote and a line end are all that
// the format escapes.
func label(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(plain(value, 128)) + `"`
}

// Handler serves the metrics at /metrics, to this machine only.
func (m *Metrics) Handler(address string) (http.Handler, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !isLoopback(host) {
		return nil, fmt.Errorf("metrics on %s: want an address of this machine, such as 127.0.0.1:9100", address)
	}
	rules, err := ListenOptions{Address: address}.rules()
	if err != nil {
		return nil, err
	}
	return rules.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" || r.Method != http.MethodGet {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = m.Write(w)
	})), nil
}
