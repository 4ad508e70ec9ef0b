package wrap

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/core/heal"
)

var kills = flag.Int("kills", long(50, 1000), "how often the server is killed under load")

// long picks the long form of a test where scripts/test --long asks for it.
func long(normal, long int) int {
	if os.Getenv("MCPMEND_TEST_LONG") != "" {
		return long
	}
	return normal
}

// TestMain lets the test binary play a server or a relay: WRAP_TEST names the
// part.
func TestMain(m *testing.M) {
	switch os.Getenv("WRAP_TEST") {
	case "":
		os.Exit(m.Run())
	case "server":
		realServer(os.Stdin, os.Stdout)
	case "sdk":
		sdkServer()
	case "soak":
		soakServer()
	default:
		faultyServer(os.Getenv("WRAP_TEST"), os.Stdin, os.Stdout)
	}
}

// realServer is the fake server as a process. Its effects are lines of a file,
// so that they outlive it; every call takes a moment, so that kills hit it.
func realServer(in io.Reader, out io.Writer) {
	w := newWorld()
	pause, _ := time.ParseDuration(os.Getenv("WRAP_PAUSE"))
	effects := io.Discard
	if name := os.Getenv("WRAP_EFFECTS"); name != "" {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		effects = f
	}
	writer := &lineWriter{w: out}
	lines := newLineReader(in, maxMessage)
	for {
		line, err := lines.next()
		if err != nil {
			return
		}
		m := bytes.Clone(line)
		answer := func() {
			if p, err := scan(m); err == nil && p.method == "tools/call" {
				time.Sleep(pause)
				fmt.Fprintf(effects, "%s %s\n", text(member(p.params, "name")), text(member(p.params, "arguments", "label")))
			}
			if a := w.handle(m); a != nil {
				writer.write(a)
			}
		}
		if pause > 0 {
			go answer()
		} else {
			answer()
		}
	}
}

// sdkServer is what most servers are: one made with a protocol library.
func sdkServer() {
	type input struct {
		Label string `json:"label"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "read", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, func(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done " + in.Label}}}, nil, nil
	})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

func testServer(env ...string) *Command {
	return &Command{Path: os.Args[0], Env: append(append(os.Environ(), "WRAP_TEST=server"), env...), Grace: time.Second}
}

func TestOverRealPipes(t *testing.T) {
	is := is.New(t)
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`)
	var out bytes.Buffer
	is.NoErr(Serve(Options{Dialer: testServer()}, in, &out))
	// The client closed its side at once and still gets its answers.
	is.Equal(strings.Count(out.String(), "\n"), 2)
	is.True(strings.Contains(out.String(), `"serverInfo"`))
}

func TestKilledUnderLoad(t *testing.T) {
	is := is.New(t)
	effects := filepath.Join(t.TempDir(), "effects")
	before := runtime.NumGoroutine()
	c := newClient(Options{
		Dialer:   testServer("WRAP_EFFECTS="+effects, "WRAP_PAUSE=2ms"),
		Validate: Off,
	})
	c.handshake()
	c.list()
	stop := make(chan struct{})
	var load sync.WaitGroup
	type made struct{ id, tool, label string }
	var mu sync.Mutex
	var calls []made
	for worker := range 8 {
		load.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				m := made{fmt.Sprint(1000 + worker*1_000_000 + i), []string{"read", "once"}[i%2], fmt.Sprintf("%d-%d", worker, i)}
				mu.Lock()
				calls = append(calls, m)
				c.call(m.id, m.tool, fmt.Sprintf(`{"label":%q}`, m.label))
				mu.Unlock()
				c.answer(m.id)
			}
		})
	}
	chance, last := seeded(7), 0
	for range *kills {
		victim := last
		for victim == last {
			c.session.mu.Lock()
			if up := c.session.up; up != nil && up.ready {
				victim = up.conn.(*bridgeConn).Conn.(*child).process.Pid()
			}
			c.session.mu.Unlock()
			if victim == last {
				time.Sleep(time.Millisecond)
			}
		}
		time.Sleep(time.Duration(chance.IntN(50)) * time.Millisecond)
		kill(victim)
		last = victim
	}
	close(stop)
	load.Wait()
	c.call(1, "read", `{"label":"last"}`)
	is.Equal(outcome(c.answer("1")), "") // the session never ended
	status := c.session.Status()
	c.session.Close()

	ran := map[string]int{}
	file, err := os.Open(effects)
	is.NoErr(err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		ran[lines.Text()]++
	}
	tally := map[string]int{}
	for _, call := range calls {
		answers := c.answers[call.id]
		if len(answers) != 1 {
			t.Fatalf("call %s was answered %d times", call.label, len(answers))
		}
		said := outcome(answers[0])
		tally[call.tool+" "+said]++
		n := ran[call.tool+" "+call.label]
		switch {
		case call.tool == "read" && said != "":
			t.Errorf("a read-only call was lost: %s", answers[0].raw)
		case call.tool == "once" && n > 1:
			t.Errorf("call %s with an effect ran %d times", call.label, n)
		case said == "" && n == 0:
			t.Errorf("call %s was answered and never ran", call.label)
		case (said == string(heal.NotRun) || said == string(heal.Refused)) && n > 0:
			t.Errorf("call %s is said not to have run, and ran", call.label)
		}
	}
	t.Logf("%d calls, %d kills, %d recoveries: %v", len(calls), *kills, status.Recoveries, tally)
	is.True(status.Recoveries > 0)
	for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	is.True(runtime.NumGoroutine() <= before) // no goroutine left
}

// relay is the yardstick: bytes copied both ways and nothing else.
func relay(t testing.TB, command *Command) (io.Writer, io.Reader, func()) {
	conn, err := command.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := conn.(*child).process
	inR, inW, _ := os.Pipe()
	outR, outW, _ := os.Pipe()
	go io.Copy(struct{ io.Writer }{p.Stdin}, struct{ io.Reader }{inR})
	go io.Copy(struct{ io.Writer }{outW}, struct{ io.Reader }{p.Stdout})
	return inW, outR, func() { conn.Abort(); inW.Close(); outR.Close(); inR.Close(); outW.Close() }
}

func wrapped(t testing.TB, o Options) (io.Writer, io.Reader, func()) {
	inR, inW, _ := os.Pipe()
	outR, outW, _ := os.Pipe()
	done := make(chan struct{})
	go func() { defer close(done); Serve(o, inR, outW) }()
	return inW, outR, func() { inW.Close(); <-done; outR.Close(); inR.Close(); outW.Close() }
}

// converse makes calls one after another and returns the time of each.
func converse(t testing.TB, in io.Writer, lines *bufio.Reader, from, calls int, padding string) []time.Duration {
	times := make([]time.Duration, 0, calls)
	for i := range calls {
		begin := time.Now()
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","arguments":{"label":"x%s"}}}`+"\n", from+i, padding)
		if _, err := lines.ReadSlice('\n'); err != nil && err != bufio.ErrBufferFull {
			t.Fatal(err)
		}
		times = append(times, time.Since(begin))
	}
	return times
}

func greet(in io.Writer, lines *bufio.Reader) {
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
	lines.ReadString('\n')
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":"l","method":"tools/list"}`)
	lines.ReadString('\n')
}

func median(times []time.Duration) time.Duration {
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	return times[len(times)/2]
}

// BenchmarkOverhead reports the median of a call through the wrapper, through
// a bare relay, and their ratio.
func BenchmarkOverhead(b *testing.B) {
	rin, rout, rclose := relay(b, testServer("WRAP_TEST=sdk"))
	defer rclose()
	win, wout, wclose := wrapped(b, Options{Dialer: testServer("WRAP_TEST=sdk")})
	defer wclose()
	rlines, wlines := bufio.NewReaderSize(rout, 1<<20), bufio.NewReaderSize(wout, 1<<20)
	greet(rin, rlines)
	greet(win, wlines)
	converse(b, rin, rlines, 0, 500, "")
	converse(b, win, wlines, 0, 500, "")
	var bare, ours []time.Duration
	n := 1000
	for b.Loop() { // turn about, so that both see the same machine
		bare = append(bare, converse(b, rin, rlines, n, 100, "")...)
		ours = append(ours, converse(b, win, wlines, n, 100, "")...)
		n += 100
	}
	x, y := median(bare), median(ours)
	b.ReportMetric(float64(x.Nanoseconds())/1000, "µs-relay")
	b.ReportMetric(float64(y.Nanoseconds())/1000, "µs-wrap")
	b.ReportMetric(float64(y)/float64(x), "ratio")
}

// BenchmarkThroughput has many calls in flight.
func BenchmarkThroughput(b *testing.B) {
	win, wout, wclose := wrapped(b, Options{Dialer: testServer()})
	defer wclose()
	lines := bufio.NewReaderSize(wout, 1<<20)
	greet(win, lines)
	b.ResetTimer()
	begin := time.Now()
	go func() {
		w := bufio.NewWriter(win)
		for i := range b.N {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","arguments":{"label":"x"}}}`+"\n", i)
		}
		w.Flush()
	}()
	for range b.N {
		if _, err := lines.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(2*b.N)/time.Since(begin).Seconds(), "messages/s")
}

func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Signal(syscall.SIGKILL)
		p.Release()
	}
}
