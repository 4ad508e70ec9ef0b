package core

import (
	"strings"
	"testing"
)

// BenchmarkExamine is what a paste of some 2 KB costs: a config with a mistake,
// and the log that came of it.
func BenchmarkExamine(b *testing.B) {
	config := `{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"]
      "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "${GITHUB_TOKEN}"}
    },
    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "~/notes"]}
  }
}
`
	traffic := "2026-11-14T09:12:41.236Z [github] [info] Message from client: {\"method\":\"tools/list\",\"params\":{},\"jsonrpc\":\"2.0\",\"id\":1}\n"
	text := strings.Repeat(traffic, 12) + "2026-11-14T09:12:42.100Z [github] [error] spawn npx ENOENT\n2026-11-14T09:12:42.101Z [github] [error] MCP error -32000: Connection closed\n"
	examine := func() {
		if report := Examine(Input{Text: text, Config: config}); len(report.Diagnoses) == 0 {
			b.Fatal("nothing found")
		}
	}
	examine() // the rules' patterns are compiled on first use
	b.SetBytes(int64(len(config) + len(text)))
	for b.Loop() {
		examine()
	}
}
