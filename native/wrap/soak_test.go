package wrap

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var soakTable = flag.Bool("soak-table", false, "write the figures of TestSoak into docs/wrap.md")

// soakFor is how long TestSoak runs: scripts/soak runs it for ten minutes.
func soakFor() (time.Duration, error) {
	if text := os.Getenv("MCPMEND_TEST_SOAK"); text != "" {
		return time.ParseDuration(text)
	}
	return time.Duration(long(5, 60)) * time.Second, nil
}

const (
	soakWrappers = 3 // over stdio, with one client each
	soakSessions = 4 // of one wrapper that listens
	soakWorkers  = 2 // that call at the same time in each session
	soakPause    = 10 * time.Millisecond
	soakLimit    = 2 * time.Second // of a call
	hangEvery    = 997             // calls: the server never answers that one
)

// soakServer is made with a protocol library, and is not well: it starts slowly
// at times, writes what is no message, ends in the middle of a call, before or
// after its effect, and never answers some.
func soakServer() {
	if rand.IntN(3) == 0 {
		time.Sleep(rand.N(700 * time.Millisecond))
	}
	if rand.IntN(3) == 0 {
		fmt.Println("Soak server v1.0 is ready.")
	}
	effects, err := os.OpenFile(os.Getenv("WRAP_EFFECTS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	type input struct {
		Number int `json:"number"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "soak", Version: "1"}, nil)
	for _, tool := range []*mcp.Tool{{Name: "read", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, {Name: "once"}} {
		mcp.AddTool(server, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
			if in.Number%hangEvery == 0 {
				<-ctx.Done()
				return nil, nil, ctx.Err()
			}
			switch rand.IntN(1000) {
			case 0:
				os.Exit(1)
			case 1, 2:
				os.Stdout.WriteString("\x00\xff{\"jsonrpc\":\n[DEBUG] {half a thought\n")
			}
			fmt.Fprintf(effects, "%s %d\n", tool.Name, in.Number)
			if rand.IntN(1000) == 0 {
				os.Exit(0)
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strconv.Itoa(in.Number)}}}, nil, nil
		})
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// TestSoak drives the command itself with clients of a protocol library, over
// stdio and over HTTP, while its servers are killed at random and fail in ways
// of their own, and looks at what comes of the calls and of the wrappers.
func TestSoak(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("it reads /proc")
	}
	is := is.New(t)
	length, err := soakFor()
	is.NoErr(err)
	dir := t.TempDir()
	t.Setenv("MCPMEND_HOME", filepath.Join(dir, "home"))
	s := &soak{t: t, effects: filepath.Join(dir, "effects"), command: filepath.Join(dir, "mcpmend"), tally: map[string]int{}}
	out, err := exec.Command("go", "build", "-o", s.command, "mcpmend/cmd/mcpmend").CombinedOutput()
	if err != nil {
		t.Fatalf("building the command: %v\n%s", err, out)
	}
	var sessions []*mcp.ClientSession
	for range soakWrappers {
		command := s.wrapper()
		sessions = append(sessions, s.connect(&mcp.CommandTransport{Command: command}))
		s.pids = append(s.pids, command.Process.Pid)
	}
	address := s.listen()
	for range soakSessions {
		sessions = append(sessions, s.connect(&mcp.StreamableClientTransport{Endpoint: "http://" + address + "/mcp", MaxRetries: -1}))
	}

	ctx, stop := context.WithTimeout(t.Context(), length)
	defer stop()
	var work sync.WaitGroup
	for _, session := range sessions {
		for range soakWorkers {
			work.Go(func() { s.call(ctx, session) })
		}
	}
	work.Go(func() { s.killAtRandom(ctx) })
	// The first look is taken when everything has been used: buffers have their
	// size, and the journal, which is bounded, has begun.
	looks := []footprint{}
	for _, at := range []time.Duration{length / 5, length * 3 / 5, length * 24 / 25} {
		s.sleep(ctx, at-time.Since(s.begun()))
		looks = append(looks, s.look())
	}
	work.Wait()
	counted := s.counters()
	for _, session := range sessions {
		is.NoErr(session.Close())
	}
	s.judge(counted)
	first, last := looks[0], looks[len(looks)-1]
	is.True(last.files <= first.files+2*soakWrappers) // one more server may be starting at the moment
	is.True(last.goroutines <= first.goroutines+40)   // of 14 workers' calls under way, and servers that are starting
	if length >= time.Minute {
		is.True(last.memory < first.memory*3/2+64<<10) // KiB; the journals fill up to their bound
	}
	table := s.table(length, looks, counted)
	t.Log("\n" + table)
	if *soakTable {
		is.NoErr(writeTable(table))
	}
}

type soak struct {
	t                *testing.T
	command, effects string
	pids             []int    // of the wrappers
	metrics          []string // addresses

	mu     sync.Mutex
	start  time.Time
	number int
	calls  []soakCall
	tally  map[string]int
	kills  int
}

type soakCall struct {
	tool   string
	number int
	took   time.Duration
	said   string // "" for an answer of the server, otherwise the outcome
	text   string
}

func (s *soak) begun() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.start.IsZero() {
		s.start = time.Now()
	}
	return s.start
}

// wrapper is the command in front of the server, with metrics on a free port.
func (s *soak) wrapper(flags ...string) *exec.Cmd {
	s.t.Helper()
	metrics := freeAddress(s.t)
	s.metrics = append(s.metrics, metrics)
	arguments := append([]string{"wrap", "--call-timeout", soakLimit.String(), "--metrics", metrics, "--log", filepath.Join(filepath.Dir(s.effects), "log")}, flags...)
	c := exec.Command(s.command, append(arguments, "--", os.Args[0])...)
	c.Env = append(os.Environ(), "WRAP_TEST=soak", "WRAP_EFFECTS="+s.effects)
	return c
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// listen starts the wrapper that serves HTTP and waits until it does.
func (s *soak) listen() string {
	s.t.Helper()
	address := freeAddress(s.t)
	c := s.wrapper("--listen", address)
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Process.Signal(os.Interrupt); c.Wait() })
	s.pids = append(s.pids, c.Process.Pid)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return address
		}
		if time.Now().After(deadline) {
			s.t.Fatal("the wrapper does not listen")
		}
	}
}

func (s *soak) connect(transport mcp.Transport) *mcp.ClientSession {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, nil).Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err == nil {
		_, err = session.ListTools(ctx, nil)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return session
}

func (s *soak) sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// call makes one call after another until the time is up.
func (s *soak) call(ctx context.Context, session *mcp.ClientSession) {
	for ; ctx.Err() == nil; s.sleep(ctx, soakPause) {
		s.mu.Lock()
		s.number++
		c := soakCall{tool: []string{"read", "once"}[s.number%2], number: s.number}
		s.mu.Unlock()
		limited, cancel := context.WithTimeout(s.t.Context(), time.Minute)
		from := time.Now()
		result, err := session.CallTool(limited, &mcp.CallToolParams{Name: c.tool, Arguments: map[string]int{"number": c.number}})
		cancel()
		c.took = time.Since(from)
		switch {
		case err != nil:
			c.said, c.text = "error", err.Error()
		default:
			for _, part := range result.Content {
				c.text += part.(*mcp.TextContent).Text
			}
			if result.IsError {
				c.said = "an error without an outcome"
			}
			data, _ := result.StructuredContent.(map[string]any)
			if own, ok := data["mcpmend"].(map[string]any); ok {
				c.said, _ = own["outcome"].(string)
			}
		}
		s.mu.Lock()
		s.calls = append(s.calls, c)
		s.mu.Unlock()
	}
}

// killAtRandom kills one server after another.
func (s *soak) killAtRandom(ctx context.Context) {
	for ; ctx.Err() == nil; s.sleep(ctx, rand.N(time.Second)) {
		var servers []int
		for _, pid := range s.pids {
			servers = append(servers, childrenOf(pid)...)
		}
		if len(servers) > 0 {
			kill(servers[rand.IntN(len(servers))])
			s.kills++
		}
	}
}

func childrenOf(pid int) (all []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list) // the thread may have ended
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// footprint is what all wrappers together take.
type footprint struct {
	at                time.Duration
	memory            int // KiB
	goroutines, files int
}

func (s *soak) look() footprint {
	f := footprint{at: time.Since(s.begun()), goroutines: s.counters()["go_goroutines"]}
	for _, pid := range s.pids {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, _ := strings.Cut(string(status), "VmRSS:")
		kib := 0
		fmt.Sscan(rest, &kib)
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		f.memory, f.files = f.memory+kib, f.files+len(files)
	}
	return f
}

// counters are the metrics of all wrappers, summed up.
func (s *soak) counters() map[string]int {
	s.t.Helper()
	sum := map[string]int{}
	for _, address := range s.metrics {
		answer, err := http.Get("http://" + address + "/metrics")
		if err != nil {
			s.t.Fatal(err)
		}
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), " ")
			if n, err := strconv.Atoi(value); err == nil {
				sum[name] += n
			}
		}
		answer.Body.Close()
	}
	return sum
}

// judge holds every answer against what really ran.
func (s *soak) judge(counted map[string]int) {
	s.t.Helper()
	text, err := os.ReadFile(s.effects)
	if err != nil {
		s.t.Fatal(err)
	}
	ran := map[string]int{}
	for line := range strings.Lines(string(text)) {
		ran[strings.TrimSpace(line)]++
	}
	for _, c := range s.calls {
		n, hangs := ran[fmt.Sprintf("%s %d", c.tool, c.number)], c.number%hangEvery == 0
		wrong := ""
		switch {
		case c.said == "" && n == 0:
			wrong = "answered, and never ran"
		case c.said == "" && c.text != strconv.Itoa(c.number):
			wrong = "another call's answer"
		case c.tool == "once" && n > 1:
			wrong = "effects twice"
		case c.said == "not_run" && c.tool == "once" && n > 0:
			wrong = "said not to have run, and ran"
		case hangs && c.said != "" && c.took > 2*soakLimit+30*time.Second:
			wrong = "answered late"
		case c.tool == "read" && c.said != "" && !hangs:
			wrong = "reads lost"
		case c.said != "" && c.said != "may_have_run" && c.said != "not_run":
			wrong = "ended as " + c.said
		}
		if wrong != "" {
			s.tally[wrong]++
			if s.tally[wrong] <= 3 {
				s.t.Errorf("%s: %s %d, %v, %q: %s", wrong, c.tool, c.number, c.took, c.said, c.text)
			}
			continue
		}
		switch {
		case hangs:
			s.tally["hung"]++
		case c.said == "":
			s.tally["answered"]++
		default:
			s.tally[c.said]++
		}
	}
	if counted[`mcpmend_events_total{event="stops"}`] > 0 {
		s.t.Error("a wrapper gave up")
	}
}

func (s *soak) table(length time.Duration, looks []footprint, counted map[string]int) string {
	var times []time.Duration
	for _, c := range s.calls {
		if c.said == "" {
			times = append(times, c.took)
		}
	}
	slices.Sort(times)
	at := func(share float64) string {
		if len(times) == 0 {
			return "none"
		}
		return times[int(share*float64(len(times)-1))].Round(100 * time.Microsecond).String()
	}
	ends := 0
	for name, n := range counted {
		if strings.HasPrefix(name, "mcpmend_closures_total") && strings.HasSuffix(name, `expected="false"}`) {
			ends += n
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "| in %v, %d sessions with %d calls at a time | |\n|---|---|\n", length, soakWrappers+soakSessions, (soakWrappers+soakSessions)*soakWorkers)
	row := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "| %s | "+format+" |\n", append([]any{what}, args...)...)
	}
	row("calls", "%d", len(s.calls))
	row("servers killed from outside; ends of servers in all", "%d; %d", s.kills, ends)
	row("calls sent again", "%d", counted[`mcpmend_events_total{event="resends"}`])
	row("reads lost", "%d", s.tally["reads lost"])
	row("effects twice", "%d", s.tally["effects twice"])
	row("calls with an effect that were cut off, answered `may_have_run`", "%d", s.tally["may_have_run"])
	row("calls that the server never answered, answered at the limit of "+soakLimit.String(), "%d", s.tally["hung"])
	row("wrong, doubled or mixed-up answers", "%d", s.tally["answered, and never ran"]+s.tally["another call's answer"]+s.tally["said not to have run, and ran"])
	row("time of an answered call, restarts included: p50, p99, longest", "%s, %s, %s", at(0.5), at(0.99), at(1))
	var when, memory, goroutines, files []string
	for _, l := range looks {
		when = append(when, l.at.Round(time.Second).String())
		memory = append(memory, fmt.Sprintf("%.1f MB", float64(l.memory)/1024))
		goroutines = append(goroutines, strconv.Itoa(l.goroutines))
		files = append(files, strconv.Itoa(l.files))
	}
	row(fmt.Sprintf("the %d wrappers together after %s: memory", soakWrappers+1, strings.Join(when, ", ")), "%s", strings.Join(memory, ", "))
	row("goroutines", "%s", strings.Join(goroutines, ", "))
	row("open files", "%s", strings.Join(files, ", "))
	load, _ := os.ReadFile("/proc/loadavg") // beside the figures, if there is one
	if fields := strings.Fields(string(load)); len(fields) > 0 {
		row("the machine", "%d cores, %s/%s, load %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, fields[0])
	}
	return b.String()
}

// writeTable puts the figures between the marks in the documentation.
func writeTable(table string) error {
	const file, from, to = "../../docs/wrap.md", "<!-- soak -->\n", "<!-- end of soak -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), from)
	_, after, ended := strings.Cut(rest, to)
	if !found || !ended {
		return errors.New("docs/wrap.md has lost the marks of the soak's table")
	}
	return os.WriteFile(file, []byte(before+from+table+to+after), 0o644)
}
