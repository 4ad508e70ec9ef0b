package config

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// servers writes a config of n servers.
func servers(n int) string {
	var out strings.Builder
	out.WriteString("{\n  \"mcpServers\": {\n")
	for i := range n {
		if i > 0 {
			out.WriteString(",\n")
		}
		fmt.Fprintf(&out, "    \"server-%d\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"example-%d\"]\n    }", i, i)
	}
	out.WriteString("\n  }\n}\n")
	return out.String()
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		text := servers(n)
		b.Run(fmt.Sprintf("servers=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Parse(text, Options{Format: JSON, Client: "claude-desktop"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkYardstick is what the standard library needs to read the same text.
func BenchmarkYardstick(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		text := []byte(servers(n))
		b.Run(fmt.Sprintf("servers=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var value any
				if err := json.Unmarshal(text, &value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRepair(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		text := servers(n)
		half := strings.Index(text[len(text)/2:], ",\n") + len(text)/2
		broken := text[:half] + text[half+1:] // a comma is missing
		b.Run(fmt.Sprintf("servers=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if got := Repair(broken, JSON); got.Text != text {
					b.Fatal("not repaired as meant")
				}
			}
		})
	}
}

func BenchmarkMask(b *testing.B) {
	text := strings.Repeat("2025-11-15T02:03:04.123Z [info] [github] Message from client: {\"method\":\"initialize\"} /home/you/.npm/_npx/15b07286cbcc3329\n", 8000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Mask(text)
	}
}
