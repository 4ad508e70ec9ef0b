// Package leaktest checks in tests that something can be done over and over and
// leaves nothing behind: no goroutine, no open file, no child process and no
// temporary file. Where the system does not tell, it is not looked at.
package leaktest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is how long the last of what was done may take to end.
const patience = 20 * time.Second

// Repeat does something once, so that what is set up once is there, and then n
// times more. It fails the test unless everything comes back to what it was.
func Repeat(t *testing.T, n int, do func()) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	// The collector closes files that were forgotten, some day.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	do()
	// The end of the first is not known either: what is left of it when nothing
	// changes any more is what is set up once.
	before := settled()
	for range n {
		do()
	}
	deadline := time.Now().Add(patience)
	for {
		now := look()
		left := now.beyond(before)
		if left == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("after doing it %d times there are %s\n%s", n, left, now.details())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// sight is what there is at a moment.
type sight struct {
	goroutines int
	files      []string
	children   []string
	temporary  []string
}

func look() sight {
	s := sight{goroutines: runtime.NumGoroutine(), children: children()}
	links, _ := filepath.Glob("/proc/self/fd/*") // elsewhere there are none
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil {
			s.files = append(s.files, to)
		}
	}
	s.temporary, _ = filepath.Glob(filepath.Join(os.TempDir(), "mcpmend*"))
	return s
}

// settled looks until nothing changed for a while.
func settled() sight {
	last, since := look(), time.Now()
	for deadline := since.Add(patience); time.Now().Before(deadline) && time.Since(since) < 500*time.Millisecond; {
		time.Sleep(5 * time.Millisecond)
		if now := look(); now.beyond(last) != "" || last.beyond(now) != "" {
			last, since = now, time.Now()
		}
	}
	return last
}

// beyond says what there is more of than before.
func (s sight) beyond(before sight) string {
	var more []string
	for _, c := range []struct {
		what     string
		now, was int
	}{
		{"goroutines", s.goroutines, before.goroutines},
		{"open files", len(s.files), len(before.files)},
		{"child processes", len(s.children), len(before.children)},
		{"temporary files", len(s.temporary), len(before.temporary)},
	} {
		if c.now > c.was {
			more = append(more, fmt.Sprintf("%d %s instead of %d", c.now, c.what, c.was))
		}
	}
	return strings.Join(more, ", ")
}

func (s sight) details() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "files: %s\nchildren: %s\ntemporary: %s\n", strings.Join(s.files, " "), strings.Join(s.children, " "), strings.Join(s.temporary, " "))
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1) // into memory
	return b.String()
}

// children are the processes whose parent we are, dead ones too.
func children() (all []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it ended meanwhile
		}
		// The second field is the program's name in brackets and may hold anything.
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			all = append(all, filepath.Base(filepath.Dir(file))+" "+fields[0])
		}
	}
	return all
}
