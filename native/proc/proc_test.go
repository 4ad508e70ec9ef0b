package proc_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/native/leaktest"
	"mcpmend/native/proc"
)

// TestMain lets the test binary play the server: PROC_TEST names its part.
func TestMain(m *testing.M) {
	part, ok := parts[os.Getenv("PROC_TEST")]
	if !ok {
		os.Exit(m.Run())
	}
	part()
}

var parts = map[string]func(){
	"echo": func() { io.Copy(os.Stdout, os.Stdin) },
	"exit": func() { fmt.Fprintln(os.Stderr, "TOKEN is not set"); os.Exit(3) },
	"flood": func() {
		line := strings.Repeat("x", 1023) + "\n"
		for range 4096 {
			os.Stderr.WriteString(line)
		}
		os.Stderr.WriteString("the end\n")
	},
	"sleep": func() { time.Sleep(time.Hour) },
	"stubborn": func() {
		ignoreTerminate()
		fmt.Println("ready")
		time.Sleep(time.Hour)
	},
	// A grandchild in a session of its own, whose parent is gone at once.
	"daemon": func() {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "PROC_TEST=daemon2")
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		if err := c.Run(); err != nil {
			fmt.Println("error", err)
		}
		time.Sleep(time.Hour)
	},
	"daemon2": func() {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "PROC_TEST=sleep")
		c.SysProcAttr = ownSession()
		c.Stderr = os.Stderr // held open
		if err := c.Start(); err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println(c.Process.Pid)
	},
	"parent": func() {
		p, err := proc.Start(part("sleep"))
		if err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println(p.Pid())
		time.Sleep(time.Hour)
	},
}

func part(name string) proc.Command {
	return proc.Command{Path: os.Args[0], Env: append(os.Environ(), "PROC_TEST="+name)}
}

func start(t *testing.T, name string) *proc.Process {
	t.Helper()
	p, err := proc.Start(part(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill(); p.Stdout.Close() })
	return p
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within 30 s: %s", what)
		}
	}
}

func TestStdioPasses(t *testing.T) {
	is := is.New(t)
	p := start(t, "echo")
	fmt.Fprintln(p.Stdin, "hello")
	line, err := bufio.NewReader(p.Stdout).ReadString('\n')
	is.NoErr(err)
	is.Equal(line, "hello\n")
	is.Equal(p.Stop(5*time.Second), proc.Exit{}) // closed stdin is enough
}

func TestExitAndStderr(t *testing.T) {
	is := is.New(t)
	p := start(t, "exit")
	is.Equal(p.Exit(), proc.Exit{Code: 3})
	is.Equal(p.Kill(), proc.Exit{Code: 3})
	is.Equal(p.Stderr.String(), "TOKEN is not set\n")
	is.Equal(p.Exit().String(), "exit code 3")
}

func TestStderrIsBounded(t *testing.T) {
	is := is.New(t)
	p := start(t, "flood")
	p.Exit()
	p.Kill()
	kept := p.Stderr.String()
	is.Equal(len(kept), 256<<10)
	is.True(strings.HasSuffix(kept, "the end\n"))
	is.Equal(p.Stderr.Dropped(), int64(4096*1024+len("the end\n")-len(kept)))
}

func TestStopEscalates(t *testing.T) {
	is := is.New(t)
	p := start(t, "stubborn")
	bufio.NewReader(p.Stdout).ReadString('\n')
	begin := time.Now()
	exit := p.Stop(100 * time.Millisecond)
	is.True(time.Since(begin) < 30*time.Second) // it would sleep for an hour
	if runtime.GOOS != "windows" {
		is.Equal(exit.Signal, "killed")
	}
}

func TestNotFound(t *testing.T) {
	_, err := proc.Start(proc.Command{Path: "no-such-program-of-mcpmend"})
	if err == nil || !strings.Contains(err.Error(), "not found") {
		t.Fatalf("got %v", err)
	}
}

func TestGrandchildrenDie(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		t.Skip("only Linux and Windows promise this")
	}
	is := is.New(t)
	p := start(t, "daemon")
	line, err := bufio.NewReader(p.Stdout).ReadString('\n')
	is.NoErr(err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	is.NoErr(err)
	is.True(alive(pid))
	begin := time.Now()
	p.Kill()
	is.True(!alive(pid))
	is.True(time.Since(begin) < 30*time.Second) // the held stderr was not waited for
}

func TestKilledParentTakesTheChildAlong(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("macOS has no parent-death signal")
	}
	is := is.New(t)
	p := start(t, "parent")
	line, err := bufio.NewReader(p.Stdout).ReadString('\n')
	is.NoErr(err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	is.NoErr(err)
	parent, err := os.FindProcess(p.Pid())
	is.NoErr(err)
	is.NoErr(parent.Signal(syscall.SIGKILL))
	eventually(t, "the child of the killed process is gone", func() bool { return !alive(pid) })
}

func TestNothingIsLeft(t *testing.T) {
	is := is.New(t)
	leaktest.Repeat(t, 20, func() {
		p, err := proc.Start(part("daemon"))
		is.NoErr(err)
		bufio.NewReader(p.Stdout).ReadString('\n')
		p.Kill()
		p.Stdout.Close()
		_, err = proc.Start(proc.Command{Path: "./no-such-program-of-mcpmend"})
		is.True(err != nil)
	})
}

func TestBatchArguments(t *testing.T) {
	for _, arg := range []string{"a&calc", `a"&calc`, "%CMDCMDLINE:~-1%&calc", "^&", "a\nb", "!PATH!", "a|b", "<x", "(x)"} {
		_, err := proc.Start(proc.Command{Path: "./npx.cmd", Args: []string{"-y", arg}})
		if err == nil || !strings.Contains(err.Error(), "cmd.exe would act on") {
			t.Errorf("%q: got %v", arg, err)
		}
	}
	_, err := proc.Start(proc.Command{Path: "./npx.cmd", Args: []string{"-y", "pkg", `C:\a b\`}})
	if err == nil || strings.Contains(err.Error(), "cmd.exe") {
		t.Errorf("plain arguments: got %v", err)
	}
}

func TestRing(t *testing.T) {
	tests := []struct {
		name    string
		writes  []string
		want    string
		dropped int64
	}{
		{"empty", nil, "", 0},
		{"fits", []string{"abc"}, "abc", 0},
		{"full", []string{"abc", "de"}, "abcde", 0},
		{"over", []string{"abc", "defg"}, "cdefg", 2},
		{"round", []string{"abcde", "f", "g", "hijk"}, "ghijk", 6},
		{"one long", []string{"abcdefghij"}, "fghij", 5},
		{"long after some", []string{"xy", "abcdefghij"}, "fghij", 7},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			r := proc.NewRing(5)
			for _, w := range test.writes {
				n, err := r.Write([]byte(w))
				is.NoErr(err)
				is.Equal(n, len(w))
			}
			is.Equal(r.String(), test.want)
			is.Equal(r.Dropped(), test.dropped)
		})
	}
}
