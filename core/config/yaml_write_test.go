package config

import (
	"testing"

	"github.com/matryer/is"
)

const writeSample = `{"model":"x","mcp_servers":{"git hub":{"command":"npx","args":["-y","@scope/pkg","C:\\new dir","a: b","yes","1",""],"env":{"A":"it's","B":"one\ntwo\n","C":"\u0001"},"timeout":2.5,"on":true,"list":[{"a":1,"b":[[1,2],[]]},{"c":{}}],"mixed":[1,{"x":null}],"big":123456789012345678901}},"empty":{},"none":[]}`

func TestWriteYAMLReadsBack(t *testing.T) {
	is := is.New(t)
	root, err := parseJSON(writeSample)
	is.NoErr(err)
	text := writeYAML(root)
	again, err := parseYAML(text)
	is.NoErr(err)
	is.Equal(normal(again.Value()), normal(root.Value()))
	judged, err := refereeYAML(text)
	is.NoErr(err)
	is.Equal(normal(judged), normal(root.Value()))
	is.Equal(writeYAML(again), text)
}

func TestWriteYAMLStyle(t *testing.T) {
	is := is.New(t)
	root, err := parseJSON(`{"mcpServers":{"fs":{"command":"npx","args":["-y","@scope/pkg"],"env":{}}},"list":[{"name":"a","tags":[]}]}`)
	is.NoErr(err)
	is.Equal(writeYAML(root), `mcpServers:
  fs:
    command: npx
    args:
      - -y
      - "@scope/pkg"
    env: {}
list:
  - name: a
    tags: []
`)
	for text, want := range map[string]string{`"x"`: "x\n", `[]`: "[]\n", `[1,[2]]`: "- 1\n- - 2\n", `{}`: "{}\n", `null`: "null\n"} {
		n, err := parseJSON(text)
		is.NoErr(err)
		is.Equal(writeYAML(n), want)
	}
}
