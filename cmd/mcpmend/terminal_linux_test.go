package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
	"golang.org/x/sys/unix"

	"mcpmend/native/probe/fixture"
)

const ctrlC = "\x03"

// TestInterrupts types Ctrl-C while each command waits: for a person, for a
// client, or for a server that does not answer. It must end, and say what was
// left undone.
func TestInterrupts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  []string
		until string // on the screen before the key is pressed
		last  string // on the screen when it has ended
		code  int
	}{
		{"explain waits for a paste", []string{"explain"}, "Paste an error", "mcpmend: interrupted", 2},
		{"convert waits for a paste", []string{"convert", "--to", "vscode"}, "Paste a config", "mcpmend: interrupted", 2},
		{"validate waits for a paste", []string{"validate", "--schema", "-"}, "Paste a JSON Schema", "mcpmend: interrupted", 2},
		{"check", []string{"check"}, "silent (handshake)", "mcpmend: interrupted; not every server was looked at", 2},
		{"check that watches", []string{"check", "--watch"}, "silent (handshake)", "", 0},
		{"test", []string{"test", "silent"}, "silent (handshake)", "mcpmend: interrupted; silent was not looked at to the end", 2},
		{"fix", []string{"fix", "silent"}, "silent (handshake)", "mcpmend: interrupted; silent is as it was", 2},
		{"fix asks", []string{"fix", "typo"}, "Write this? [Y/n]", "Not written.", 1},
		{"add", []string{"add", "new", "--client", "cursor", "--", "weather-server", "--start", "1h"}, "new (handshake)", "mcpmend: interrupted; nothing was written", 2},
		{"wrap waits for a client", []string{"wrap", "--", "weather-server"}, "Waiting for an MCP client", "", 0},
		{"serve waits for a client", []string{"serve"}, "Waiting for an MCP client", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			s := onTerminal(t, 100, tt.args...)
			s.await(tt.until)
			s.press(ctrlC)
			code := s.end()
			if code != tt.code || !strings.Contains(s.screen(), tt.last) {
				t.Errorf("exit code %d, want %d, and %q on\n%s", code, tt.code, tt.last, s.screen())
			}
			now, err := os.ReadFile(filepath.Join(s.home, ".cursor/mcp.json"))
			is.NoErr(err)
			is.Equal(string(now), interruptedConfig)
		})
	}
}

// TestProgressFitsTheTerminal: a line that wraps could not be written over, and
// would fill the screen.
func TestProgressFitsTheTerminal(t *testing.T) {
	s := onTerminal(t, 40, "check")
	s.await("2 s ")
	s.press(ctrlC)
	s.end()
	for _, line := range strings.Split(s.screen(), "\r\x1b[K") {
		line, _, _ = strings.Cut(line, "\r\n")
		if n := len([]rune(strings.TrimSuffix(line, "^C"))); strings.Contains(line, " s  ") && n >= 40 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

// TestWrapperEndsWhenTold: a client that ends us by a signal often keeps its end
// of the pipe open.
func TestWrapperEndsWhenTold(t *testing.T) {
	is := is.New(t)
	cmd, _ := mcpmendIn(t, "wrap", "--", "weather-server")
	stdin, err := cmd.StdinPipe()
	is.NoErr(err)
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	is.NoErr(err)
	is.NoErr(cmd.Start())
	_, err = stdin.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"))
	is.NoErr(err)
	_, err = stdout.Read(make([]byte, 1))
	is.NoErr(err)
	is.NoErr(cmd.Process.Signal(syscall.SIGTERM))
	is.NoErr(cmd.Wait()) // killed by its context, which is an error, if it does not end
}

const interruptedConfig = `{"mcpServers": {
  "silent": {"command": "weather-server", "args": ["--start", "1h"]},
  "typo": {"command": "npxx", "args": ["-y", "@example/weather"]}
}}
`

// mcpmendIn is a command with a home of its own, killed when it does not end.
func mcpmendIn(t *testing.T, args ...string) (cmd *exec.Cmd, home string) {
	t.Helper()
	is := is.New(t)
	dir := t.TempDir()
	home, bin := filepath.Join(dir, "home"), filepath.Join(dir, "bin")
	is.NoErr(fixture.Install(bin, "weather-server", "npx", "node"))
	is.NoErr(os.MkdirAll(filepath.Join(home, ".cursor"), 0o755))
	is.NoErr(os.WriteFile(filepath.Join(home, ".cursor/mcp.json"), []byte(interruptedConfig), 0o644))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Args[0] = "mcpmend" // by which TestMain knows that it is to be the command
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + home, "MCPMEND_HOME=" + filepath.Join(dir, "state"), "PATH=" + bin, "TERM=xterm"}
	return cmd, home
}

// session is a command on a terminal of its own.
type session struct {
	t    *testing.T
	cmd  *exec.Cmd
	home string
	pty  *os.File
	gone chan struct{} // closed when no program has the terminal any more

	mu   sync.Mutex
	seen bytes.Buffer
}

// onTerminal starts mcpmend on a terminal with so many columns.
func onTerminal(t *testing.T, columns uint16, args ...string) *session {
	t.Helper()
	is := is.New(t)
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal can be made here: %v", err)
	}
	t.Cleanup(func() { pty.Close() })
	is.NoErr(unix.IoctlSetPointerInt(int(pty.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(pty.Fd()), unix.TIOCGPTN)
	is.NoErr(err)
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal can be made here: %v", err)
	}
	defer tty.Close()
	is.NoErr(unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	cmd, home := mcpmendIn(t, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s := &session{t: t, cmd: cmd, home: home, pty: pty, gone: make(chan struct{})}
	is.NoErr(cmd.Start())
	go func() {
		defer close(s.gone)
		chunk := make([]byte, 4<<10)
		for {
			n, err := pty.Read(chunk)
			s.mu.Lock()
			s.seen.Write(chunk[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *session) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.String()
}

// await waits until a text stands on the screen.
func (s *session) await(text string) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(s.screen(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%q does not come:\n%s", text, s.screen())
		}
	}
}

func (s *session) press(keys string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// end waits for the command and gives its exit code, -1 if it had to be killed.
func (s *session) end() int {
	_ = s.cmd.Wait() // an exit code other than 0 is an error too
	<-s.gone
	return s.cmd.ProcessState.ExitCode()
}
