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
	var entries []string
	for i := range 20 {
		entries = append(entries, fmt.Sprintf(`"s%d":{"command":"weather-server","args":["--start","2s"],"env":{"N":"%d"}}`, i, i))
	}
	p.put(cursorFile, `{"mcpServers":{`+strings.Join(entries, ",")+`}}`, 0o600)
	d := p.doctor()
	all := p.subjects(d)
	is.Equal(len(all), 20)
	check := func(subjects []Subject) time.Duration {
		began := time.Now()
		for _, o := range d.Check(context.Background(), subjects, Watch{}) {
			is.Equal(o.State, OK)
		}
		return time.Since(began)
	}
	one, twenty := check(all[:1]), time.Hour
	for range 3 { // the machine may be busy with something else
		if twenty = min(twenty, check(all)); twenty < one*12/10 {
			break
		}
	}
	t.Logf("one %v, twenty %v", one, twenty)
	if twenty > one*12/10 {
		t.Errorf("twenty servers take %v, one takes %v", twenty, one)
	}
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
