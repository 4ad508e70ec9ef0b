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
		{"fix asks", []string{"fix", "typo"}, "Write this? [Y/n]", "mcpmend: interrupted; ~/.cursor/mcp.json is as it was", 2},
		{"add", []string{"add", "new", "--client", "cursor", "--", "weather-server", "--start", "1h"}, "new (handshake)", "mcpmend: interrupted; nothing was written", 2},
		{"wrap waits for a client", []string{"wrap", "--", "weather-server"}, "Waiting for an MCP client", "", 0},
		{"serve waits for a client", []string{"serve"}, "Waiting for an MCP client", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			w := newWorld(t, map[string]string{"home/.cursor/mcp.json": interruptedConfig})
			s := w.onTerminal(100, tt.args...)
			s.await(tt.until)
			s.press(ctrlC)
			code := s.end()
			if code != tt.code || !strings.Contains(s.screen(), tt.last) {
				t.Errorf("exit code %d, want %d, and %q on\n%s", code, tt.code, tt.last, s.screen())
			}
			now, err := os.ReadFile(filepath.Join(w.home, ".cursor/mcp.json"))
			is.NoErr(err)
			is.Equal(string(now), interruptedConfig)
		})
	}
}

// TestProgressFitsTheTerminal: a line that wraps could not be written over, and
// would fill the screen.
func TestProgressFitsTheTerminal(t *testing.T) {
	w := newWorld(t, map[string]string{"home/.cursor/mcp.json": interruptedConfig})
	s := w.onTerminal(40, "check")
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

// TestCheckFitsTheTerminal: what does not fit beside a server stands below it.
func TestCheckFitsTheTerminal(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, map[string]string{"home/.cursor/mcp.json": `{"mcpServers": {"typo": {"command": "npxx", "args": ["-y", "@example/weather"]}}}`})
	s := w.onTerminal(40, "check")
	is.Equal(s.end(), 1)
	_, list, found := strings.Cut(s.screen(), "Found 1 server")
	is.True(found)
	for _, line := range strings.Split(list, "\r\n") {
		if n := len([]rune(line)); n > 40 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	is.True(strings.Contains(list, "    broken      typo             MCP1001\r\n                npxx is not on Cursor's\r\n                PATH\r\n"))
}

// TestWrapperEndsWhenTold: a client that ends us by a signal often keeps its end
// of the pipe open.
func TestWrapperEndsWhenTold(t *testing.T) {
	is := is.New(t)
	cmd := newWorld(t, nil).mcpmend("wrap", "--", "weather-server")
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

// world is a machine for one test: a home, a project, and the programs of the
// fixture beside mcpmend.
type world struct {
	t                *testing.T
	dir, home, shell string
}

// newWorld has these files; HOME in them is its home.
func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	is := is.New(t)
	dir := t.TempDir()
	w := &world{t: t, dir: dir, home: filepath.Join(dir, "home")}
	w.shell, _ = exec.LookPath("sh")
	bin := filepath.Join(dir, "bin")
	is.NoErr(os.Mkdir(filepath.Join(dir, "project"), 0o755))
	is.NoErr(fixture.Install(bin, "weather-server", "npx", "node"))
	self, err := os.Executable()
	is.NoErr(err)
	is.NoErr(os.Symlink(self, filepath.Join(bin, "mcpmend"))) // TestMain knows by the name what it is to be
	if echo, err := exec.LookPath("echo"); err == nil {
		is.NoErr(os.Symlink(echo, filepath.Join(bin, "echo")))
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		is.NoErr(os.MkdirAll(filepath.Dir(path), 0o755))
		is.NoErr(os.WriteFile(path, []byte(strings.ReplaceAll(text, "HOME", w.home)), 0o644))
	}
	return w
}

// command is one that is killed when it does not end.
func (w *world) command(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	w.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join(w.dir, "project")
	cmd.Env = []string{"HOME=" + w.home, "MCPMEND_HOME=" + filepath.Join(w.dir, "state"), "PATH=" + filepath.Join(w.dir, "bin"), "TERM=xterm", "NO_COLOR=1"}
	return cmd
}

func (w *world) mcpmend(args ...string) *exec.Cmd {
	return w.command(filepath.Join(w.dir, "bin/mcpmend"), args...)
}

// session is a command on a terminal of its own.
type session struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	gone chan struct{} // closed when no program has the terminal any more

	mu   sync.Mutex
	seen bytes.Buffer
}

// onTerminal starts mcpmend on a terminal with so many columns.
func (w *world) onTerminal(columns uint16, args ...string) *session {
	t := w.t
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
	cmd := w.mcpmend(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s := &session{t: t, cmd: cmd, pty: pty, gone: make(chan struct{})}
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
