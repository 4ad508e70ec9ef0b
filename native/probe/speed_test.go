package probe

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// bare starts the fixture and shakes hands by hand: the server's own time.
func bare(tb testing.TB) time.Duration {
	tb.Helper()
	began := time.Now()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "PROBE_FIXTURE=good")
	in, err := command.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := command.Start(); err != nil {
		tb.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for id, method := range []string{"server/discover", "initialize", "tools/list"} {
		fmt.Fprintf(in, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":%q}\n", id, method)
		if _, err := lines.ReadString('\n'); err != nil {
			tb.Fatal(err)
		}
	}
	in.Close()
	if err := command.Wait(); err != nil {
		tb.Fatal(err)
	}
	return time.Since(began)
}

func probed(tb testing.TB) time.Duration {
	tb.Helper()
	began := time.Now()
	r := Run(context.Background(), Target{Server: entry("good"), Environ: os.Environ()}, Options{})
	if r.Err != nil {
		tb.Fatal(r.Err)
	}
	return time.Since(began)
}

// maxAdded is what a probe may add to a server's own time.
const maxAdded = 30 * time.Millisecond

// TestProbeAddsLittle compares the best of several runs of each, taken in
// turns, since another program may have the machine at any moment.
func TestProbeAddsLittle(t *testing.T) {
	own, with := time.Hour, time.Hour
	for range 20 {
		own, with = min(own, bare(t)), min(with, probed(t))
		if with-own < maxAdded/2 {
			break
		}
	}
	t.Logf("server %v, with the probe %v", own, with)
	if with-own > maxAdded {
		t.Errorf("the probe adds %v, more than %v", with-own, maxAdded)
	}
}

// BenchmarkProbe also tells what of it is the probe's own.
func BenchmarkProbe(b *testing.B) {
	var own, with time.Duration
	for b.Loop() {
		own += bare(b)
		with += probed(b)
	}
	b.ReportMetric(float64((with-own).Microseconds())/1000/float64(b.N), "added-ms/op")
	b.ReportMetric(float64(with.Microseconds())/1000/float64(b.N), "probe-ms/op")
}
