package main

import (
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

// live shows on a terminal what a check is doing: one line, written over.
type live struct {
	cmd   *cobra.Command
	shown bool
	lock  sync.Mutex
	all   int
	ended int
	doing map[string]string // server -> phase
}

func newLive(cmd *cobra.Command, all int) *live {
	return &live{cmd: cmd, shown: isTerminal(cmd.ErrOrStderr()), all: all, doing: map[string]string{}}
}

func (l *live) watch() doctor.Watch {
	return doctor.Watch{
		Phase: func(s doctor.Subject, phase string) { l.update(func() { l.doing[s.Server.Name] = phase }) },
		Ended: func(o doctor.Outcome) { l.update(func() { delete(l.doing, o.Name); l.ended++ }) },
	}
}

func (l *live) update(change func()) {
	l.lock.Lock()
	defer l.lock.Unlock()
	change()
	if !l.shown {
		return
	}
	line := fmt.Sprintf("  %d of %s", l.ended, count(l.all, "server"))
	for name, phase := range l.doing {
		if len(line) > 70 {
			line += " …"
			break
		}
		line += fmt.Sprintf("  %s (%s)", report.Safe(name), phase)
	}
	fmt.Fprintf(l.cmd.ErrOrStderr(), "\r\x1b[K%s", line)
}

func (l *live) clear() {
	if l.shown {
		fmt.Fprint(l.cmd.ErrOrStderr(), "\r\x1b[K")
	}
}
