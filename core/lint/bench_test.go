package lint

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mcpmend/core/config"
)

// sizes show that the time grows as the config does.
var sizes = []int{100, 1000, 10000}

// crowded is a config of many servers, each with something to report.
func crowded(servers int) string {
	var text strings.Builder
	text.WriteString(`{"mcpServers": {`)
	for i := range servers {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `"server-%d": {"command": "npx", "args": ["-y", "@example/server-%d", "/home/you/%d"], "env": {"API_TOKEN": "${API_TOKEN}", "DIR": "~/x"}}`, i, i, i)
	}
	text.WriteString("}}")
	return text.String()
}

// read parses a config as Claude Desktop's.
func read(b *testing.B, text string) *config.Document {
	doc, err := config.Parse(text, config.Options{Client: "claude-desktop"})
	if err != nil {
		b.Fatal(err)
	}
	return doc
}

func perSize(b *testing.B, run func(b *testing.B, text string)) {
	for _, servers := range sizes {
		text := crowded(servers)
		b.Run(fmt.Sprint(servers), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			run(b, text)
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	perSize(b, func(b *testing.B, text string) {
		doc := read(b, text)
		for b.Loop() {
			Check(doc, Options{})
		}
	})
}

// BenchmarkLint is what a file costs: reading and checking.
func BenchmarkLint(b *testing.B) {
	perSize(b, func(b *testing.B, text string) {
		for b.Loop() {
			Check(read(b, text), Options{})
		}
	})
}

// BenchmarkYardstick is what the standard library needs to read the same text.
func BenchmarkYardstick(b *testing.B) {
	perSize(b, func(b *testing.B, text string) {
		for b.Loop() {
			var value any
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				b.Fatal(err)
			}
		}
	})
}
