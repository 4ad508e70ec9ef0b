package wrap

import (
	"bufio"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Memory does not grow with the number of calls, nor stay at the size of the
// largest message.
func TestMemoryIsFlat(t *testing.T) {
	is := is.New(t)
	in, out, end := wrapped(t, Options{Dialer: testServer(), Metrics: NewMetrics()})
	defer end()
	lines := bufio.NewReaderSize(out, 32<<20)
	greet(in, lines)
	used := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	converse(t, in, lines, 0, 1000, "")
	before := used()
	calls := long(10_000, 100_000)
	converse(t, in, lines, 1000, calls, "")
	converse(t, in, lines, 1_000_000, 5, strings.Repeat("z", 10<<20))
	converse(t, in, lines, 2_000_000, 10, "")
	after := used()
	t.Logf("%d KB before, %d KB after", before>>10, after>>10)
	is.True(after < before+8<<20)
	runtime.KeepAlive(lines) // or its buffer would count before and not after
}
