package doctor

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/native/probe"
)

// TestTwentyServersTakeAsLongAsOne: servers mostly wait, and so are probed side
// by side.
func TestTwentyServersTakeAsLongAsOne(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	d := p.doctor()
	check := func(n int, sleep string) time.Duration {
		var entries []string
		for i := range n {
			entries = append(entries, fmt.Sprintf(`"s%d":{"command":"weather-server","args":["--start",%q],"env":{"N":"%d"}}`, i, sleep, i))
		}
		p.put(cursorFile, `{"mcpServers":{`+strings.Join(entries, ",")+`}}`, 0o600)
		all := p.subjects(d)
		is.Equal(len(all), n)
		began := time.Now()
		for _, o := range d.Check(context.Background(), all, Watch{}) {
			is.Equal(o.State, OK)
		}
		return time.Since(began)
	}
	busy := false
	for range 4 {
		before := check(20, "0s")
		one, twenty := check(1, "2s"), check(20, "2s")
		after := check(20, "0s")
		t.Logf("one %v, twenty %v; twenty that do not sleep %v and %v", one, twenty, before, after)
		if twenty <= one*12/10 {
			return
		}
		busy = busy || max(before, after) > one/10
	}
	if busy {
		t.Skip("this machine is too busy to tell: twenty servers take long even without sleeping")
	}
	t.Error("twenty servers take more than 1.2 times as long as one")
}

// TestTheSameServerIsProbedOnce although several names, files and clients have
// it; each gets a verdict about its own entry.
func TestTheSameServerIsProbedOnce(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.put(cursorFile, `{"mcpServers":{"a":{"command":"npxx","args":["-y"]},"b":{"command":"npxx","args":["-y"]},"c":{"command":"weather-server"}}}`, 0o600)
	p.put("~/.codeium/windsurf/mcp_config.json", `{"mcpServers":{"d":{"command":"weather-server"}}}`, 0o600)
	d := p.doctor()
	var started atomic.Int32
	outcomes := d.Check(context.Background(), p.subjects(d), Watch{Phase: func(_ Subject, phase string) {
		if phase == probe.PhaseStart {
			started.Add(1)
		}
	}})
	is.Equal(len(outcomes), 4)
	is.Equal(started.Load(), int32(2))
	for i, name := range []string{"a", "b"} {
		is.Equal(outcomes[i].Name, name)
		is.Equal(outcomes[i].State, Broken)
		is.Equal(outcomes[i].Report.Diagnoses[0].Fixes[0].Patch[0].Path, "/mcpServers/"+name+"/command")
	}
	is.Equal(outcomes[2].State, OK)
	is.Equal(outcomes[3].State, OK)
	is.Equal(outcomes[3].Client, "windsurf")
}
