package triage

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// sample is a log as clients write it: mostly traffic, now and then an error.
func sample(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "2026-01-01T10:%02d:%02d.000Z [notes] [info] Message from client: {\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"query\":\"weather in town %d\"}},\"jsonrpc\":\"2.0\",\"id\":%d} { metadata: undefined }\n", i/60%60, i%60, i, i)
		if i%200 == 0 {
			b.WriteString("2026-01-01T10:00:00.000Z [notes] [error] Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)\n")
		}
	}
	return b.String()[:size]
}

func BenchmarkRead(b *testing.B) {
	for name, size := range map[string]int{"10KB": 10 << 10, "1MB": 1 << 20, "10MB": 10 << 20} {
		text := sample(size)
		Read(text)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				Read(text)
			}
		})
	}
}

// bombs are texts made to be slow.
var bombs = map[string]func(size int) string{
	"log":           sample,
	"causes":        func(n int) string { return strings.Repeat("[cause]: ", n/9) },
	"one line":      func(n int) string { return strings.Repeat("connect ECONNREFUSED ", n/21) },
	"nested JSON":   func(n int) string { return strings.Repeat(`{"error":`, n/9) },
	"errors":        func(n int) string { return strings.Repeat("Error: not found\n", n/17) },
	"quotes":        func(n int) string { return "Cannot find module '" + strings.Repeat("'", n) },
	"escapes":       func(n int) string { return strings.Repeat("\x1b[31m", n/5) },
	"open escapes":  func(n int) string { return strings.Repeat("\x1b]0;", n/4) },
	"blank lines":   func(n int) string { return strings.Repeat("\n", n) },
	"variables":     func(n int) string { return strings.Repeat("A_B, ", n/5) + " is required" },
	"invalid bytes": func(n int) string { return strings.Repeat("\xff not found ", n/12) },
}

func BenchmarkBombs(b *testing.B) {
	for name, bomb := range bombs {
		text := bomb(1 << 20)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Read(text)
			}
		})
	}
}

// Four times the text may take a little more than four times as long, and no
// more. The shortest of several runs counts: a busy machine only adds.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	shortest := func(text string) time.Duration {
		best := time.Hour
		for range 5 {
			start := time.Now()
			Read(text)
			best = min(best, time.Since(start))
		}
		return best
	}
	for name, bomb := range bombs {
		t.Run(name, func(t *testing.T) {
			var small, large time.Duration
			for range 4 { // a machine that others keep busy makes either of them long
				small, large = shortest(bomb(256<<10)), shortest(bomb(1<<20))
				// The race detector makes it twenty times as long.
				if large <= 8*small+20*time.Millisecond && large <= 20*time.Second {
					return
				}
			}
			t.Errorf("256 KiB took %v, 1 MiB %v", small, large)
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, bomb := range bombs {
		f.Add(bomb(2000))
	}
	for _, r := range Rules() {
		f.Add(r.Example)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range Read(text).Matches {
			if m.Start < 0 || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("%s matches %d to %d of %d bytes", m.Rule.Code, m.Start, m.End, len(text))
			}
		}
	})
}
