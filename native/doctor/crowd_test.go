package doctor

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
)

// crowd puts n servers into Cursor's file, with the arguments that args gives.
func (p *place) crowd(n int, args func(i int) string) {
	p.t.Helper()
	var entries []string
	for i := range n {
		entries = append(entries, fmt.Sprintf(`"s%02d":{"command":"weather-server","args":[%s],"env":{"N":"%d"}}`, i, args(i), i))
	}
	p.put(cursorFile, `{"mcpServers":{`+strings.Join(entries, ",")+`}}`, 0o600)
}

// TestOneThatHangsKeepsNobodyWaiting: thirty servers, of which one never
// answers. The others are told before it, and the list is in the file's order.
func TestOneThatHangsKeepsNobodyWaiting(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	const hung = 3
	p.crowd(30, func(i int) string {
		if i == hung {
			return `"--late","{home}/mark"`
		}
		return ""
	})
	d := p.doctor()
	d.Timeout = 20 * time.Second
	all := p.subjects(d)
	is.Equal(len(all), 30)
	var lock sync.Mutex
	var ended []string
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	outcomes := d.Check(ctx, all, Watch{Ended: func(o Outcome) {
		lock.Lock()
		defer lock.Unlock()
		if ended = append(ended, o.Name); len(ended) == 29 {
			cancel() // no need to wait for the one that hangs
		}
	}})
	is.Equal(ended[29], all[hung].Server.Name)
	for i, o := range outcomes {
		is.Equal(o.Name, all[i].Server.Name)
		if i != hung {
			is.Equal(o.State, OK)
		}
	}
	is.True(!outcomes[hung].State.Works())
}

// TestACrowdThatIsTooLateGetsASecondChance, since many starts at once slow each
// other down; but servers that hang by themselves are not waited for in turn.
func TestACrowdThatIsTooLateGetsASecondChance(t *testing.T) {
	for _, tt := range []struct {
		name  string
		later []string // what servers do when they are started again
		state State
	}{
		{"they are only slow", nil, OK},
		{"they hang", []string{`"--start","1h"`}, Broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			n := 2*calm + 2
			p.crowd(n, func(i int) string {
				return strings.Join(append([]string{fmt.Sprintf(`"--late","{home}/mark%d"`, i)}, tt.later...), ",")
			})
			d := p.doctor()
			d.Timeout = 2 * time.Second
			if tt.state == OK {
				d.Timeout = 10 * time.Second // on a busy machine the second chance needs it
			}
			var starts atomic.Int32
			outcomes := d.Check(t.Context(), p.subjects(d), Watch{Phase: func(_ Subject, phase string) {
				if phase == "start" {
					starts.Add(1)
				}
			}})
			for _, o := range outcomes {
				is.Equal(o.State, tt.state)
			}
			if tt.state == Broken {
				is.Equal(int(starts.Load()), n+calm) // a few were tried again, and that told
			}
		})
	}
}
