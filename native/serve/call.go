package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/core/report"
	"mcpmend/core/schema"
)

// call is a tool at work. In the older era a question to the user is a request
// of its own while the call waits; since 2026-07-28 the call ends with the
// question and is made again with the answer. So that a tool need not know, it
// runs in a goroutine that outlives the request: it is parked while the client
// asks, and goes on when the call comes back.
type call struct {
	server  *Server
	tool    *tool
	session string
	ctx     context.Context
	cancel  context.CancelFunc
	asks    chan *mcp.ElicitParams
	answers chan *mcp.ElicitResult
	done    chan *mcp.CallToolResult
	took    time.Duration // from the last question to its yes

	mu       sync.Mutex
	request  *mcp.CallToolRequest // the one that waits now
	attached context.Context
	detach   func() bool
	steps    float64
}

// answer is what a tool has to say: a text made for a model, and the same as
// data.
type answer struct {
	text string
	data any
}

// failure is an error that the caller can do something about.
type failure struct {
	kind string // refused, changed, unknown, busy, failed
	text string
}

func (f failure) Error() string { return f.text }

func refused(format string, args ...any) error {
	return failure{"refused", fmt.Sprintf(format, args...)}
}

// parkedFor is how long a question may wait for its answer.
const parkedFor = 10 * time.Minute

const maxParked = 32

// metaVersion marks a request of the newer era.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// handle answers every tools/call.
func (s *Server) handle(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	t := s.tools[r.Params.Name]
	if state := r.Params.RequestState; state != "" {
		c := s.jobs.resume(state, key(r))
		if c == nil {
			return problem(failure{"unknown", "this question is no longer open; call the tool again from the start"}), nil
		}
		c.attach(ctx, r)
		given, _ := r.Params.InputResponses["confirm"].(*mcp.ElicitResult)
		if given == nil {
			given = &mcp.ElicitResult{Action: "cancel"}
		}
		select {
		case c.answers <- given:
		case <-c.ctx.Done():
		}
		return c.wait(ctx, r)
	}
	arguments := r.Params.Arguments
	if !t.compiled.Accepts(arguments) {
		return invalid(t.compiled.Explain(t.name, arguments).Error), nil
	}
	select {
	case s.calls <- struct{}{}:
	default:
		return problem(failure{"busy", "too many calls are under way; wait for one of them"}), nil
	}
	c := &call{server: s, tool: t, session: r.Session.ID(),
		asks: make(chan *mcp.ElicitParams), answers: make(chan *mcp.ElicitResult), done: make(chan *mcp.CallToolResult, 1)}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.attach(ctx, r)
	go func() {
		defer func() { <-s.calls }()
		c.done <- c.run(arguments)
	}()
	return c.wait(ctx, r)
}

// run does the work and puts what comes of it in MCP's form. A mistake of ours
// must not take the server down with it.
func (c *call) run(arguments json.RawMessage) (result *mcp.CallToolResult) {
	defer c.cancel()
	defer func() {
		if recover() != nil {
			result = problem(failure{"failed", "mcpmend made a mistake of its own in " + c.tool.name})
		}
	}()
	if len(arguments) == 0 {
		arguments = []byte("{}")
	}
	a, err := c.tool.work(c, arguments)
	if e, ok := errors.AsType[*schema.Error](err); ok {
		return invalid(e)
	}
	if err != nil {
		return problem(err)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: a.text}}, StructuredContent: a.data}
}

// wait gives the result, or the question that comes before it.
func (c *call) wait(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	select {
	case result := <-c.done:
		return result, nil
	case <-ctx.Done():
		c.cancel()
		return nil, ctx.Err()
	case question := <-c.asks:
		c.park()
		state, err := c.server.jobs.park(c, key(r))
		if err != nil {
			c.cancel()
			return problem(err), nil
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"confirm": question}, RequestState: state}, nil
	}
}

func (c *call) attach(ctx context.Context, r *mcp.CallToolRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.request, c.attached = r, ctx
	c.detach = context.AfterFunc(ctx, c.cancel)
}

// park lets go of the request, which ends now, without ending the work.
func (c *call) park() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.detach()
}

func (c *call) current() (context.Context, *mcp.CallToolRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.attached, c.request
}

// modern says whether the call comes from a client of the newer era.
func modern(r *mcp.CallToolRequest) bool { return r.Params.Meta[metaVersion] != nil }

// canAsk says whether the client can put a question to its user.
func canAsk(r *mcp.CallToolRequest) bool {
	if modern(r) {
		capabilities, _ := r.Params.Meta[metaCapabilities].(map[string]any)
		elicitation, ok := capabilities["elicitation"].(map[string]any)
		_, form := elicitation["form"]
		_, address := elicitation["url"]
		return ok && (form || !address) // neither named means forms, as before
	}
	p := r.Session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil {
		return false
	}
	e := p.Capabilities.Elicitation
	return e.Form != nil || e.URL == nil
}

// elicit puts a question to the client's user.
func (c *call) elicit(question string) (*mcp.ElicitResult, error) {
	ctx, r := c.current()
	params := &mcp.ElicitParams{Mode: "form", Message: question,
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}
	if !modern(r) {
		return r.Session.Elicit(ctx, params)
	}
	select {
	case c.asks <- params:
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
	select {
	case given := <-c.answers:
		return given, nil
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
}

// progress tells the client how far the work is, if it wants to know.
func (c *call) progress(format string, args ...any) {
	ctx, r := c.current()
	token := r.Params.GetProgressToken()
	if token == nil || ctx.Err() != nil {
		return
	}
	c.mu.Lock()
	c.steps++
	steps := c.steps
	c.mu.Unlock()
	// A client that went away learns the rest from nobody.
	_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: steps, Message: fmt.Sprintf(format, args...)})
}

// jobs are the calls that wait for an answer, by the state that the client
// brings back.
type jobs struct {
	mu     sync.Mutex
	parked map[string]parked
}

type parked struct {
	call *call
	key  [32]byte
	end  *time.Timer
}

// key is what a call must have in common with the one it continues.
func key(r *mcp.CallToolRequest) [32]byte {
	data, _ := json.Marshal([]string{r.Session.ID(), r.Params.Name, string(r.Params.Arguments)}) // strings always encode
	return sha256.Sum256(data)
}

func (j *jobs) park(c *call, key [32]byte) (string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.parked) >= maxParked {
		return "", failure{"busy", "too many questions are open; answer one of them first"}
	}
	if j.parked == nil {
		j.parked = map[string]parked{}
	}
	state := rand.Text()
	end := time.AfterFunc(parkedFor, func() {
		j.mu.Lock()
		delete(j.parked, state)
		j.mu.Unlock()
		c.cancel()
	})
	j.parked[state] = parked{c, key, end}
	return state, nil
}

// resume finds the call that a state stands for, once.
func (j *jobs) resume(state string, key [32]byte) *call {
	j.mu.Lock()
	defer j.mu.Unlock()
	p, ok := j.parked[state]
	if !ok || p.key != key || !p.end.Stop() {
		return nil
	}
	delete(j.parked, state)
	return p.call
}

// invalid is the explainer's error as the result of a call.
func invalid(e *schema.Error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{"error": e},
		Content: []mcp.Content{&mcp.TextContent{Text: report.SafeLines(e.Markdown(false))}}}
}

// problem is any other error as the result of a call. It may quote a path or a
// name, never what a server said.
func problem(err error) *mcp.CallToolResult {
	f := failure{kind: "failed"}
	if !errors.As(err, &f) {
		f.text = err.Error()
	}
	text := safe(f.text)
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: map[string]any{"error": map[string]string{"type": f.kind, "summary": text}}}
}
