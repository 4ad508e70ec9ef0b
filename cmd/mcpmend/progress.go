package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

// live shows on a terminal what is being done and for how long: one line,
// written over.
type live struct {
	cmd   *cobra.Command
	start time.Time
	stop  chan struct{} // nil where nothing is shown

	lock  sync.Mutex
	all   int
	ended map[string]bool
	doing map[string]string // server -> phase
}

// newLive begins the line for so many servers; clear ends it.
func newLive(cmd *cobra.Command, all int) *live {
	l := &live{cmd: cmd, start: time.Now(), all: all, ended: map[string]bool{}, doing: map[string]string{}}
	if !isTerminal(cmd.ErrOrStderr()) {
		return l
	}
	stop := make(chan struct{})
	l.stop = stop
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				l.update(func() {})
			}
		}
	}()
	return l
}

func (l *live) watch() doctor.Watch {
	return doctor.Watch{
		Phase: func(s doctor.Subject, phase string) {
			l.update(func() { l.doing[key(s)] = s.Server.Name + " (" + phase + ")" })
		},
		Ended: func(o doctor.Outcome) {
			l.update(func() { delete(l.doing, key(o.Subject)); l.ended[key(o.Subject)] = true })
		},
	}
}

// key tells servers apart that are called the same in two files.
func key(s doctor.Subject) string { return s.File.Path + "\x00" + s.Server.Name }

func (l *live) update(change func()) {
	l.lock.Lock()
	defer l.lock.Unlock()
	change()
	if l.stop == nil {
		return
	}
	fmt.Fprintf(l.cmd.ErrOrStderr(), "\r\x1b[K%s", l.line(style(l.cmd.ErrOrStderr()).Width-1))
}

// print puts what a server said above the line.
func (l *live) print(text string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.stop != nil {
		fmt.Fprint(l.cmd.ErrOrStderr(), "\r\x1b[K")
	}
	say(l.cmd, "%s", text)
}

// line is what is being done, in so many columns: one that wraps could not be
// written over.
func (l *live) line(width int) string {
	line := fmt.Sprintf("  %.0f s", time.Since(l.start).Seconds())
	if l.all > 1 {
		line += fmt.Sprintf("  %d of %d servers", len(l.ended), l.all)
	}
	for _, key := range slices.Sorted(maps.Keys(l.doing)) {
		line += "  " + report.Safe(l.doing[key])
	}
	if shown := []rune(line); len(shown) > width {
		line = strings.TrimRight(string(shown[:max(0, width-1)]), " ") + "…"
	}
	return line
}

func (l *live) clear() {
	if l.stop != nil {
		l.lock.Lock()
		defer l.lock.Unlock()
		close(l.stop)
		l.stop = nil
		fmt.Fprint(l.cmd.ErrOrStderr(), "\r\x1b[K")
	}
}
