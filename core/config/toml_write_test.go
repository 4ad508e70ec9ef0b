package config

import (
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/matryer/is"
)

func TestWriteTOMLReadsBack(t *testing.T) {
	is := is.New(t)
	root, err := parseJSON(writeSample)
	is.NoErr(err)
	text := writeTOML(root)
	again, err := parseTOML(text)
	is.NoErr(err)
	var judged map[string]any
	is.NoErr(toml.Unmarshal([]byte(text), &judged))
	is.Equal(normal(again.Value()), normal(judged))
	is.Equal(normal(again.At("/mcp_servers/git hub/args").Value()), normal(root.At("/mcp_servers/git hub/args").Value()))
	is.Equal(normal(again.At("/mcp_servers/git hub/list").Value()), normal(root.At("/mcp_servers/git hub/list").Value()))
	is.Equal(writeTOML(again), text)
}

func TestWriteTOMLStyle(t *testing.T) {
	is := is.New(t)
	root, err := parseJSON(`{"mcp_servers":{"fs":{"env":{"A":"b"},"command":"npx","args":["-y","C:\\x"],"cwd":null},"my docs":{"url":"https://example.com/mcp"}},"model":"m"}`)
	is.NoErr(err)
	is.Equal(writeTOML(root), `model = "m"

[mcp_servers.fs]
command = "npx"
args = ["-y", 'C:\x']

[mcp_servers.fs.env]
A = "b"

[mcp_servers."my docs"]
url = "https://example.com/mcp"
`)
}
