// Package proc starts a server's process and makes sure that nothing of it is
// left: not the runner that was named, not what the runner started, not a
// grandchild that left the process group.
//
// What each system can promise:
//
//   - Linux: the whole tree dies, also children that called setsid or were
//     forked twice, because orphans come back to us (PR_SET_CHILD_SUBREAPER)
//     and are known by a mark in their environment. When we ourselves are
//     killed, the kernel kills the direct child (Pdeathsig); what that child
//     started sees the end of its stdin.
//   - Windows: a job object holds the process from the moment after its start
//     and ends with us, however we end.
//   - macOS: the process group dies. A process that left its group is not
//     found, and nothing is told when we are killed, but its stdin ends.
package proc

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Command is what to start.
type Command struct {
	Path   string   // looked up on PATH unless it holds a separator
	Args   []string // without the program's own name
	Dir    string
	Env    []string  // nil for our own environment
	Stderr io.Writer // gets a copy of what the process writes there; may be nil
}

// Process is a running process with everything that it started. Its methods
// may be called from any goroutine.
type Process struct {
	Stdin  *os.File
	Stdout *os.File
	Stderr *Ring // the last of what was written there

	command *exec.Cmd
	tree    tree
	done    chan struct{}
	copied  chan struct{}
	stderr  *os.File
	exit    Exit
	killed  sync.Once
}

// Exit is how a process ended.
type Exit struct {
	Code   int    // -1 when a signal ended it
	Signal string // as in "killed"; "" when it exited by itself
}

func (e Exit) String() string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// stderrKept is how much of a server's stderr is worth keeping: stack traces
// of thousands of lines fit, an endless log does not.
const stderrKept = 256 << 10

// markVariable marks the environment of everything that one Start started.
const markVariable = "MCPMEND_PROCESS"

// Start starts the command in a process group of its own.
func Start(c Command) (*Process, error) {
	command := exec.Command(c.Path, c.Args...)
	if command.Err != nil {
		return nil, command.Err
	}
	if err := checkBatch(command.Path, c.Args); err != nil {
		return nil, err
	}
	command.Dir = c.Dir
	command.Env = c.Env
	if command.Env == nil {
		command.Env = os.Environ()
	}
	mark := rand.Text()
	command.Env = append(command.Env[:len(command.Env):len(command.Env)], markVariable+"="+outerMarks(command.Env)+mark)

	// The pipes are ours, not exec's: its Wait would close our end of stdout
	// before the last line was read, and would hang for as long as any
	// grandchild holds the other end.
	var pipes [3][2]*os.File
	for i := range pipes {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(pipes[:i])
			return nil, fmt.Errorf("cannot make a pipe for %s: %w", c.Path, err)
		}
		pipes[i] = [2]*os.File{r, w}
	}
	command.Stdin, command.Stdout, command.Stderr = pipes[0][0], pipes[1][1], pipes[2][1]
	p := &Process{
		Stdin: pipes[0][1], Stdout: pipes[1][0], Stderr: NewRing(stderrKept),
		command: command, stderr: pipes[2][0],
		done: make(chan struct{}), copied: make(chan struct{}),
	}
	started := make(chan error)
	go p.live(mark, started)
	if err := <-started; err != nil {
		closeAll(pipes[:])
		return nil, err
	}
	for _, theirs := range []*os.File{pipes[0][0], pipes[1][1], pipes[2][1]} {
		theirs.Close()
	}
	go p.copyStderr(c.Stderr)
	return p, nil
}

// Pid is the process's id.
func (p *Process) Pid() int { return p.command.Process.Pid }

// Done is closed when the process itself has ended; what it started may live.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit waits for the end and says how it came.
func (p *Process) Exit() Exit {
	<-p.done
	return p.exit
}

// Stop ends the process as the protocol asks: stdin is closed, after a grace
// it gets a SIGTERM, after another all that is left is killed. It returns when
// nothing is left.
func (p *Process) Stop(grace time.Duration) Exit {
	p.Stdin.Close()
	if !p.ended(grace) {
		p.tree.terminate(p.command)
		p.ended(grace)
	}
	return p.Kill()
}

// Kill ends the process and all that it started, at once. It is also what
// cleans up after a process that ended by itself.
func (p *Process) Kill() Exit {
	p.killed.Do(func() {
		p.Stdin.Close()
		p.tree.kill(p.command)
		<-p.done
		// A reader that is late still gets what the process wrote, but nobody
		// waits for a descriptor that an unfindable grandchild holds.
		select {
		case <-p.copied:
		case <-time.After(200 * time.Millisecond):
			p.stderr.Close()
			<-p.copied
		}
		p.tree.close()
	})
	<-p.done
	return p.exit
}

// live starts the process and waits for it, on one thread for as long as it
// lives: Linux sends the parent-death signal when the thread that started the
// child ends, not when the program does.
func (p *Process) live(mark string, started chan<- error) {
	unlock := holdThread()
	defer unlock()
	tree, err := startTree(p.command, mark)
	if err != nil {
		started <- err
		return
	}
	p.tree = tree
	started <- nil
	err = p.command.Wait()
	tree.waited()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.exit = Exit{Code: -1, Signal: err.Error()}
	} else {
		p.exit = exitOf(p.command.ProcessState)
	}
	close(p.done)
}

func (p *Process) ended(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}

func (p *Process) copyStderr(also io.Writer) {
	defer close(p.copied)
	defer p.stderr.Close()
	to := io.Writer(p.Stderr)
	if also != nil {
		to = io.MultiWriter(p.Stderr, also)
	}
	if _, err := io.Copy(to, p.stderr); err != nil {
		// The other writer is gone; the process must not block on it.
		io.Copy(p.Stderr, p.stderr)
	}
}

// outerMarks keeps the marks of those that started us, when we ourselves run
// under a mcpmend: its sweep must find our children too.
func outerMarks(env []string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if marks, ok := strings.CutPrefix(env[i], markVariable+"="); ok {
			return marks + ","
		}
	}
	return ""
}

func closeAll(pipes [][2]*os.File) {
	for _, pipe := range pipes {
		for _, end := range pipe {
			if end != nil {
				end.Close()
			}
		}
	}
}

// checkBatch refuses what cannot be passed safely: Windows runs a .cmd or .bat
// through cmd.exe, whose grammar Go does not escape (golang/go#69939).
func checkBatch(path string, args []string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".cmd", ".bat":
	default:
		return nil
	}
	for _, arg := range args {
		if i := strings.IndexAny(arg, "&|<>^%!\"()\r\n"); i >= 0 {
			return fmt.Errorf("cannot start %s: the argument %q holds %q, which cmd.exe would act on; name the program itself instead of the %s file", filepath.Base(path), arg, arg[i], filepath.Ext(path))
		}
	}
	return nil
}
