// Package probe starts or reaches a server for real and finds out how far it
// gets: process, handshake of either protocol era, list of tools. It records
// what was printed, how the process ended, what HTTP answered and how long each
// phase took, and hands all of it to core.Examine for one root cause.
//
// A probe never calls a tool, and nothing that it starts outlives it.
package probe

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/core/config"
	"mcpmend/native/proc"
)

// Target is a server to probe.
type Target struct {
	Server  config.Server
	Client  *config.Client      // whose entry it is: decides environment and PATH; may be nil
	Dir     string              // where a process is started; "" for an empty directory of ours
	Getenv  func(string) string // for references to variables in the entry
	Environ []string            // the user's environment, of which the client's share is passed on
	Path    []string            // the PATH that the client gives, nil for the user's
}

// Options bound a probe and let it be watched.
type Options struct {
	Timeout time.Duration        // for the whole probe; 30 s where 0
	Phase   func(name string)    // told when a phase begins; may be nil
	Stderr  func(written []byte) // told what the server prints; may be nil
}

// Time limits. The question for the modern era has one of its own: many older
// servers ignore what they do not know.
const (
	defaultTimeout = 30 * time.Second
	eraTimeout     = 3 * time.Second
	stopGrace      = 500 * time.Millisecond
)

// The phases of a probe, in order.
const (
	PhaseStart     = "start"     // the process, or name, connection and TLS
	PhaseHandshake = "handshake" // server/discover or initialize
	PhaseTools     = "tools"     // tools/list
)

// Result is what a probe saw.
type Result struct {
	Stage    string // the phase that failed; "" when the server works
	Err      error  // why
	Phases   []Phase
	Version  string // negotiated protocol version
	Name     string // what the server calls itself
	Tools    []*mcp.Tool
	NoTools  bool       // the server says that it has none to offer
	Stderr   string     // the last of it
	Heard    string     // what the client's own log says beside it, where it is to be believed
	Noise    string     // the first lines on stdout that are no messages
	Exit     *proc.Exit // nil while it ran
	TimedOut bool
	HTTP     *Exchange        // the answer that decided, for HTTP
	Speaks   config.Transport // what it answered to, where not what the entry says
}

// Phase is how long one part took.
type Phase struct {
	Name string  `json:"name"`
	MS   float64 `json:"ms"`
}

// Exchange is the HTTP answer that decided the outcome.
type Exchange struct {
	URL    string
	Status int
	Header http.Header
	Body   string // the first of it
}

// page says whether what came is a web page.
func (e *Exchange) page() bool {
	kind, _, _ := strings.Cut(e.Header.Get("Content-Type"), ";")
	return kind == "text/html"
}

// OK says whether the server works.
func (r *Result) OK() bool { return r.Stage == "" && r.Err == nil }

// Run probes a server.
func Run(ctx context.Context, t Target, o Options) *Result {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if t.Getenv == nil {
		t.Getenv = func(string) string { return "" }
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	s := &session{target: t, options: o, server: t.expanded(), result: &Result{}}
	if s.server.URL != "" && s.server.Command == "" {
		s.overHTTP(ctx)
	} else {
		s.overStdio(ctx)
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && s.result.Err != nil {
		s.result.TimedOut = true
	}
	return s.result
}

// session is one probe under way.
type session struct {
	target  Target
	options Options
	server  config.Server // references replaced
	result  *Result
	began   time.Time
}

// phase ends the last phase and begins the next.
func (s *session) phase(name string) {
	now := time.Now()
	if n := len(s.result.Phases); n > 0 {
		s.result.Phases[n-1].MS = float64(now.Sub(s.began).Microseconds()) / 1000
	}
	s.began = now
	if name == "" {
		return
	}
	s.result.Phases = append(s.result.Phases, Phase{Name: name})
	if s.options.Phase != nil {
		s.options.Phase(name)
	}
}

// fail ends the probe in the phase that it is in.
func (s *session) fail(err error) {
	s.result.Err = err
	s.result.Stage = s.result.Phases[len(s.result.Phases)-1].Name
	s.phase("")
}

// maxTools bounds a list whose pages never end.
const maxTools = 10_000

// speak shakes hands over a transport and asks for the tools.
func (s *session) speak(ctx context.Context, t mcp.Transport, version string) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "mcpmend", Version: "probe"}, nil)
	conn, err := client.Connect(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return err
	}
	defer conn.Close()
	if r := conn.InitializeResult(); r != nil {
		s.result.Version = r.ProtocolVersion
		if r.ServerInfo != nil {
			s.result.Name = r.ServerInfo.Name
		}
		s.result.NoTools = r.Capabilities == nil || r.Capabilities.Tools == nil
	}
	s.phase(PhaseTools)
	if s.result.NoTools {
		return nil // it may have prompts or resources, and says so itself
	}
	for tool, err := range conn.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		s.result.Tools = append(s.result.Tools, tool)
		if len(s.result.Tools) == maxTools {
			break
		}
	}
	return nil
}
