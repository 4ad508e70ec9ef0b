package proc

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tree is the process group plus everything that carries the mark.
type tree struct {
	group int
	mark  []byte
}

// subreap makes orphaned descendants our children instead of init's, so that
// their ancestry still leads to us.
var subreap = sync.OnceFunc(func() {
	// Only an ancient kernel lacks it; the mark then still finds them.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
})

func startTree(command *exec.Cmd, mark string) (tree, error) {
	subreap()
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	// Between the start and the entry a sweep for another tree could take the
	// child for an orphan, if it died that fast.
	starting.RLock()
	defer starting.RUnlock()
	if err := command.Start(); err != nil {
		return tree{}, err
	}
	leaders.Store(command.Process.Pid, nil)
	return tree{command.Process.Pid, []byte(mark)}, nil
}

var (
	leaders  sync.Map // ids of the processes that exec waits for
	starting sync.RWMutex
)

func (t tree) waited() { leaders.Delete(t.group) }

func holdThread() (release func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

func (t tree) terminate(*exec.Cmd) {
	living, _ := t.members()
	for _, p := range living {
		p.signal(unix.SIGTERM)
	}
}

// kill repeats until a look finds nothing: a process may fork between the look
// and the signal. A look takes its time, and a process that dies and comes to
// us meanwhile can slip through it; where there was anything to do, nothing
// must be found twice. The deadline is for a process that sleeps in the kernel.
func (t tree) kill(*exec.Cmd) {
	deadline := time.Now().Add(2 * time.Second)
	clean := true // the look before found nothing
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		starting.Lock()
		living, orphans := t.members()
		starting.Unlock()
		for _, p := range living {
			p.signal(unix.SIGKILL)
		}
		for _, p := range orphans {
			var status unix.WaitStatus
			_, _ = unix.Wait4(p.pid, &status, unix.WNOHANG, nil)
		}
		nothing := len(living)+len(orphans) == 0
		if nothing && clean || time.Now().After(deadline) {
			return
		}
		clean = nothing
		time.Sleep(wait)
	}
}

func (tree) close() {}

// members looks at all processes. Living are those of the group, descendants
// of its leader, and whatever carries the mark, wherever it has gone. Orphans
// are dead ones that came to us and that nobody else will collect: what exec
// waits for is either in our own group or a leader. Dead ones of the tree that
// are on their way to us count as well.
func (t tree) members() (living, orphans []process) {
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, nil
	}
	self := os.Getpid()
	own, _ := stat(self)
	var all []process
	ours := map[int]bool{t.group: true}
	for _, entry := range entries {
		pid, err := strconv.Atoi(filepath.Base(entry))
		if err != nil || pid == self {
			continue
		}
		if p, ok := stat(pid); ok {
			all = append(all, p)
			ours[pid] = pid == t.group || p.group == t.group || t.marked(p)
		}
	}
	for grown := true; grown; { // parents may be listed after their children
		grown = false
		for _, p := range all {
			if !ours[p.pid] && ours[p.parent] {
				ours[p.pid], grown = true, true
			}
		}
	}
	for _, p := range all {
		switch {
		case !p.dead() && ours[p.pid]:
			living = append(living, p)
		case !p.dead():
		case p.parent == self && p.group != own.group:
			if _, leads := leaders.Load(p.pid); !leads {
				orphans = append(orphans, p)
			}
		case p.parent != self && ours[p.pid]:
			orphans = append(orphans, p)
		}
	}
	return living, orphans
}

// marked looks at the environment that a process was started with. Those of
// other users cannot be read.
func (t tree) marked(p process) bool {
	if p.dead() {
		return false
	}
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
	return err == nil && bytes.Contains(environ, t.mark)
}

// process is what /proc/PID/stat says.
type process struct {
	pid, parent, group int
	state              byte
	start              string // guards against an id that was given away again
}

func (p process) dead() bool { return p.state == 'Z' || p.state == 'X' }

func (p process) signal(s unix.Signal) {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if err != nil {
		return // it is gone
	}
	defer unix.Close(fd)
	if now, ok := stat(p.pid); ok && now.start == p.start {
		_ = unix.PidfdSendSignal(fd, s, nil, 0)
	}
}

func stat(pid int) (process, bool) {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	// The second field is the program's name in brackets and may hold anything.
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 20 {
		return process{}, false
	}
	p := process{pid: pid, state: fields[0][0], start: string(fields[19])}
	for i, field := range []*int{&p.parent, &p.group} {
		if *field, err = strconv.Atoi(string(fields[i+1])); err != nil {
			return process{}, false
		}
	}
	return p, true
}
