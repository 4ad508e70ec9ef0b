package session_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core"
	"mcpmend/core/fix"
	"mcpmend/core/module"
	. "mcpmend/core/module/moduletest"
	"mcpmend/wasm/page/session"
)

const databaseConfig = `{
  "mcpServers": {
    "db": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-postgres", "postgresql://app:hunter2secret@localhost:5432/app"]}
  }
}
`

func TestModuleScan(t *testing.T) {
	is := is.New(t)
	out, err := session.ModuleScan(base64.StdEncoding.EncodeToString(Prints("x")))
	is.NoErr(err)
	got := decode[struct {
		Manifest module.Manifest
		Code     []byte
	}](t, out)
	is.Equal(got.Manifest.Name, "test")
	is.True(strings.HasPrefix(string(got.Code), "\x00asm"))
	_, err = session.ModuleScan(base64.StdEncoding.EncodeToString(Command{Sections: map[byte][]byte{Start: {0}}}.Bytes()))
	is.True(err != nil)
	_, err = session.ModuleScan("no base64")
	is.True(err != nil)
}

// TestModuleSession asks a module about a diagnosis, takes its answer and mends
// with it: secrets never leave the core.
func TestModuleSession(t *testing.T) {
	is := is.New(t)
	var s session.Session
	out, err := s.Examine("[db] Error: connect ECONNREFUSED 127.0.0.1:5432", databaseConfig, "mcp.json", "cursor", "{}")
	is.NoErr(err)
	before := decode[core.Report](t, out)
	is.Equal(before.Diagnoses[0].Category, "connection_refused")
	is.Equal(before.Diagnoses[0].Server, "db")

	request, err := s.ModuleRequest("0", `{"handles":["timeout"]}`)
	is.NoErr(err)
	is.Equal(request, "") // made for something else
	request, err = s.ModuleRequest("0", `{"handles":["connection_refused"],"clients":["*"]}`)
	is.NoErr(err)
	is.True(!strings.Contains(request, "hunter2secret"))
	asked := decode[module.Request](t, request)

	moved, err := json.Marshal(strings.Replace(asked.Server.Args[2], "5432", "54320", 1))
	is.NoErr(err)
	out, err = s.ModuleAnswer("0", "pack", fmt.Sprintf(`{"abi":1,"fixes":[{"id":"port","title":"Use 54320","patch":[{"op":"replace","path":"/mcpServers/db/args/2","value":%s}]}]}`, moved))
	is.NoErr(err)
	fixes := decode[[]fix.Fix](t, out)
	is.Equal(len(fixes), len(before.Diagnoses[0].Fixes)+1)
	is.Equal(fixes[len(fixes)-1].By, "pack")

	out, err = s.Mend(fmt.Sprintf(`{"fixes":[[0,%d]]}`, len(fixes)-1))
	is.NoErr(err)
	is.True(strings.Contains(decode[struct{ Text string }](t, out).Text, "hunter2secret@localhost:54320/app"))

	_, err = s.ModuleAnswer("0", "pack", `{"abi":1,"fixes":[{"id":"a","title":"t","patch":[{"op":"remove","path":"/mcpServers/db"}]}]}`)
	is.True(err != nil && strings.Contains(err.Error(), "outside the server's entry"))
	_, err = s.ModuleRequest("9", `{}`)
	is.True(err != nil)
}
