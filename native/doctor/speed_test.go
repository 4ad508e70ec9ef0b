package doctor

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
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
	one := check(1, "2s")
	limit := one * 12 / 10
	twenty := check(20, "2s")
	t.Logf("one %v, twenty %v", one, twenty)
	if twenty <= limit {
		return
	}
	if starting := check(20, "0s"); starting > limit-one {
		t.Skipf("this machine is too busy to tell: starting twenty servers that do not sleep takes %v", starting)
	}
	t.Errorf("twenty servers take %v, one takes %v", twenty, one)
}

// TestTheSameServerIsProbedOnce although several names, files and clients have
// it; each gets a verdict about its own entry.
func TestTheSameServerIsProbedOnce(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.put(cursorFile, `{"mcpServers":{"a":{"command":"npxx","args":["-y"]},"b":{"command":"npxx","args":["-y"]},"c":{"command":"weather-server"}}}`, 0o600)
	p.put("~/.codeium/windsurf/mcp_config.json", `{"mcpServers":{"d":{"command":"weather-server"}}}`, 0o600)
	d := p.doctor()
	var began atomic.Int32
	outcomes := d.Check(context.Background(), p.subjects(d), Watch{Began: func(Subject) { began.Add(1) }})
	is.Equal(len(outcomes), 4)
	is.Equal(began.Load(), int32(2))
	for i, name := range []string{"a", "b"} {
		is.Equal(outcomes[i].Name, name)
		is.Equal(outcomes[i].State, Broken)
		is.Equal(outcomes[i].Report.Diagnoses[0].Fixes[0].Patch[0].Path, "/mcpServers/"+name+"/command")
	}
	is.Equal(outcomes[2].State, OK)
	is.Equal(outcomes[3].State, OK)
	is.Equal(outcomes[3].Client, "windsurf")
}
