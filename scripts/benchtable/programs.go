package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What is measured of every way to call a tool.
const (
	rounds      = 10
	perRound    = 50
	afterKill   = 10 * time.Second // how long an answer may take once the server was killed
	probes      = 5
	toStart     = 60 * time.Second
	revision    = "2025-11-25" // the last one with sessions, without which supergateway starts a server for each call
	kindStdio   = "direct, stdio"
	kindHTTP    = "direct, HTTP"
	wrapProgram = "mcpmend wrap"
)

// programs compares with the programs that stand between client and server, and
// with the Inspector's command line.
func (p *peers) programs() ([][]string, error) {
	dir, err := os.MkdirTemp("", "mcpmend-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := &bench{peers: p, dir: dir, mcpmend: filepath.Join(dir, "mcpmend"), echo: filepath.Join(dir, "echo")}
	for program, source := range map[string]string{b.mcpmend: "./cmd/mcpmend", b.echo: "./scripts/peers/echo"} {
		if text, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building %s: %w\n%s", source, err, text)
		}
	}
	defer b.stop()
	rows, err := b.proxies()
	if err != nil {
		return nil, err
	}
	probe, err := b.probe()
	return append(rows, probe...), err
}

// bench has the programs that were built, and those that it started.
type bench struct {
	*peers
	dir, mcpmend, echo string
	started            []*exec.Cmd
}

// way is one way to reach the server, with the direct one that it is compared
// with.
type way struct {
	name, direct string
	connect      func(ctx context.Context) (mcp.Transport, error)

	session *mcp.ClientSession
	times   []time.Duration
	killed  string
}

// proxies calls one tool directly and through each program, turn about, so that
// all see the same machine, and then kills the server behind each.
func (b *bench) proxies() ([][]string, error) {
	ctx := context.Background()
	server, err := b.listen("127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ways := []*way{
		{name: kindStdio, connect: b.stdio(b.echo)},
		{name: wrapProgram, direct: kindStdio, connect: b.stdio(b.mcpmend, "wrap", "--", b.echo)},
		{name: wrapProgram + " --listen", direct: kindStdio, connect: b.http("/mcp", b.mcpmend, "wrap", "--listen", "127.0.0.1:PORT", "--", b.echo)},
		{name: "supergateway", direct: kindStdio, connect: b.http("/mcp", b.node, b.bin("supergateway"), "--stdio", b.echo, "--outputTransport", "streamableHttp", "--stateful", "--port", "PORT", "--logLevel", "none")},
		{name: "mcp-proxy", direct: kindStdio, connect: b.http("/mcp", b.node, b.bin("mcp-proxy"), "--host", "127.0.0.1", "--port", "PORT", "--server", "stream", "--", b.echo)},
		{name: kindHTTP, connect: func(context.Context) (mcp.Transport, error) {
			return &mcp.StreamableClientTransport{Endpoint: "http://" + server.address}, nil
		}},
		{name: wrapProgram + " --url", direct: kindHTTP, connect: b.stdio(b.mcpmend, "wrap", "--url", "http://"+server.address)},
		{name: "mcp-remote", direct: kindHTTP, connect: b.stdio(b.node, b.bin("mcp-remote"), "http://"+server.address, "--allow-http", "--transport", "http-only")},
	}
	for _, w := range ways {
		if err := w.open(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
	}
	for range rounds {
		for _, w := range ways {
			if err := w.calls(ctx, perRound); err != nil {
				return nil, fmt.Errorf("%s: %w", w.name, err)
			}
		}
	}
	for _, w := range ways {
		if w.direct == kindStdio {
			w.killed = w.kill(ctx)
		}
	}
	// One server is behind all that come by HTTP. It dies, and is back at once.
	server.stop()
	if _, err := b.listen(server.address); err != nil {
		return nil, err
	}
	for _, w := range ways {
		if w.direct == kindHTTP {
			w.killed = w.again(ctx, "")
		}
	}
	return b.proxyRows(ways), nil
}

// proxyRows puts each program beside the direct call.
func (b *bench) proxyRows(ways []*way) [][]string {
	byName := map[string]*way{}
	for _, w := range ways {
		slices.Sort(w.times)
		byName[w.name] = w
	}
	var rows [][]string
	for _, pair := range [][2]string{
		{wrapProgram, ""}, {wrapProgram + " --listen", "supergateway"}, {wrapProgram + " --listen", "mcp-proxy"}, {wrapProgram + " --url", "mcp-remote"},
	} {
		ours, other := byName[pair[0]], byName[pair[1]]
		direct := byName[ours.direct]
		overhead := func(w *way, share float64) float64 {
			return float64(percentile(w.times, share)) / float64(percentile(direct.times, share))
		}
		with, p50, p99, ratio50, ratio99, killed := "", "", "", "", "", ""
		if other != nil {
			with = other.name + " " + b.versions[other.name]
			p50, p99 = fmt.Sprintf("%.2fx", overhead(other, 0.5)), fmt.Sprintf("%.2fx", overhead(other, 0.99))
			ratio50, ratio99 = times(overhead(ours, 0.5), overhead(other, 0.5)), times(overhead(ours, 0.99), overhead(other, 0.99))
			killed = other.killed
		}
		what := strings.TrimPrefix(ours.name, "mcpmend ")
		rows = append(rows,
			[]string{what + ": a call, of a direct one, p50", fmt.Sprintf("%.2fx", overhead(ours, 0.5)), p50, with, ratio50},
			[]string{what + ": p99", fmt.Sprintf("%.2fx", overhead(ours, 0.99)), p99, with, ratio99},
			[]string{what + ": the server is killed, the next call", ours.killed, killed, with, ""})
	}
	return rows
}

func percentile(sorted []time.Duration, share float64) time.Duration {
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*share))]
}

func (w *way) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, toStart)
	defer cancel()
	transport, err := w.connect(ctx)
	if err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	if w.session, err = client.Connect(context.WithoutCancel(ctx), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision}); err != nil {
		return err
	}
	err = w.calls(ctx, perRound) // to warm it up
	w.times = nil
	return err
}

func (w *way) calls(ctx context.Context, n int) error {
	for range n {
		start := time.Now()
		if _, err := w.call(ctx, "echo"); err != nil {
			return err
		}
		w.times = append(w.times, time.Since(start))
	}
	return nil
}

// call gives the text that a tool answers.
func (w *way) call(ctx context.Context, tool string) (string, error) {
	arguments := map[string]any{}
	if tool == "echo" {
		arguments["text"] = "hello"
	}
	result, err := w.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", err
	}
	if len(result.Content) == 0 {
		return "", errors.New("no content")
	}
	text, _ := result.Content[0].(*mcp.TextContent)
	if text == nil || result.IsError {
		return "", fmt.Errorf("tool error")
	}
	return text.Text, nil
}

// kill ends the server behind a program and tells what the next call gets.
func (w *way) kill(ctx context.Context) string {
	id, err := w.call(ctx, "pid")
	if err != nil {
		return "could not be asked: " + err.Error()
	}
	number, err := strconv.Atoi(id)
	if err != nil {
		return "gave no process id"
	}
	process, err := os.FindProcess(number)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		return err.Error()
	}
	return w.again(ctx, id)
}

// again tells what a call gets that comes after the server's end.
func (w *way) again(ctx context.Context, before string) string {
	ctx, cancel := context.WithTimeout(ctx, afterKill)
	defer cancel()
	id, err := w.call(ctx, "pid")
	switch {
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		return fmt.Sprintf("no answer in %.0f s", afterKill.Seconds())
	case err != nil:
		return "an error"
	case id == before:
		return "answered by the old server"
	}
	return "answered"
}

// stdio connects to a program that is started.
func (b *bench) stdio(program string, args ...string) func(context.Context) (mcp.Transport, error) {
	return func(context.Context) (mcp.Transport, error) {
		return &mcp.CommandTransport{Command: b.command(program, args...)}, nil
	}
}

// http starts a program that listens on a port and connects to it.
func (b *bench) http(path, program string, args ...string) func(context.Context) (mcp.Transport, error) {
	return func(ctx context.Context) (mcp.Transport, error) {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		address := free.Addr().String()
		free.Close()
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		args := slices.Clone(args)
		for i := range args {
			args[i] = strings.Replace(args[i], "PORT", port, 1)
		}
		cmd := b.command(program, args...)
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		b.started = append(b.started, cmd)
		dial := net.Dialer{}
		for {
			if connection, err := dial.DialContext(ctx, "tcp", address); err == nil {
				connection.Close()
				return &mcp.StreamableClientTransport{Endpoint: "http://" + address + path}, nil
			}
			select {
			case <-ctx.Done():
				return nil, fmt.Errorf("it does not listen on %s", address)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
}

// listener is a server on HTTP.
type listener struct {
	address string
	cmd     *exec.Cmd
}

// listen starts the server on HTTP.
func (b *bench) listen(address string) (*listener, error) {
	cmd := b.command(b.echo, address)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	b.started = append(b.started, cmd)
	line, err := bufio.NewReader(out).ReadString('\n')
	return &listener{strings.TrimSpace(line), cmd}, err
}

func (l *listener) stop() {
	l.cmd.Process.Kill() // it may have ended by itself
	l.cmd.Wait()         // it was killed
}

// command runs in a home of its own, so that no config of the machine counts.
func (b *bench) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "HOME="+b.home(), "XDG_CONFIG_HOME="+b.home(), "XDG_STATE_HOME="+b.home(), "MCPMEND_HOME="+filepath.Join(b.dir, "state"))
	return cmd
}

func (b *bench) home() string { return filepath.Join(b.dir, "home") }

func (b *bench) bin(name string) string {
	return filepath.Join(b.peers.dir, "node_modules", ".bin", name)
}

func (b *bench) stop() {
	for _, cmd := range b.started {
		cmd.Process.Kill() // it may have ended by itself
		cmd.Wait()         // it was killed
	}
}

// probe lists the tools of a server that is started for it, by the Inspector's
// command line and by mcpmend test, turn about.
func (b *bench) probe() ([][]string, error) {
	entry, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"echo": map[string]any{"command": b.echo}}})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(b.home(), ".cursor", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, entry, 0o600); err != nil {
		return nil, err
	}
	least := [2]time.Duration{time.Hour, time.Hour}
	for range probes {
		for i, args := range [][]string{
			{b.mcpmend, "test", "echo", "--format", "json"},
			{b.node, b.bin("mcp-inspector"), "--cli", b.echo, "--method", "tools/list"},
		} {
			start := time.Now()
			text, err := b.command(args[0], args[1:]...).CombinedOutput()
			if err != nil || !strings.Contains(string(text), "echo") {
				return nil, fmt.Errorf("%s: %w: %.300s", strings.Join(args, " "), err, text)
			}
			least[i] = min(least[i], time.Since(start))
		}
	}
	ours, other := float64(least[0].Nanoseconds()), float64(least[1].Nanoseconds())
	const inspector = "@modelcontextprotocol/inspector"
	return [][]string{{"start a server, shake hands, list its tools, end it", duration(ours), duration(other), inspector + " " + b.versions[inspector], times(ours, other)}}, nil
}
