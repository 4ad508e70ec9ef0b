package modules

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/module"
)

// exampleRequest is about a server that timed out.
func exampleRequest(command string, args string) []byte {
	return fmt.Appendf(nil, `{"abi":1,"diagnosis":{"code":"MCP2001","category":"timeout","evidence":[{"quote":"a \"server\": {}"}]},
 "server":{"name":"it","pointer":"/mcpServers/a~1b \"c\"","transport":"stdio","command":%q,"args":%s,"env":{"A":"{{secret:1}}"}},
 "config":{"client":"cursor","format":"json"},"facts":{}}`, command, args)
}

// TestExamples builds the example module from each of its languages and wants
// the same answers of them.
func TestExamples(t *testing.T) {
	examples, err := filepath.Abs("../../wasm/packs/examples")
	if err != nil {
		t.Fatal(err)
	}
	compilers := map[string]func(*testing.T){
		"c": func(t *testing.T) {
			_, header := os.Stat("/usr/include/wasm32-wasi")
			if _, err := exec.LookPath("clang"); err != nil || header != nil {
				t.Skip("needs clang, lld, wasi-libc and libclang-rt-dev-wasm32")
			}
		},
		"assemblyscript": func(t *testing.T) {
			if os.Getenv("ASC") != "" {
				return
			}
			asc, err := exec.LookPath("asc")
			if err != nil {
				t.Skip("needs AssemblyScript: asc on the PATH, or ASC set to its command")
			}
			t.Setenv("ASC", asc)
		},
	}
	requests := map[string]struct {
		request []byte
		fixed   bool
	}{
		"python":             {exampleRequest("python", `["server.py"]`), true},
		"by its path":        {exampleRequest("/usr/bin/python3", `["-m","server"]`), true},
		"on Windows":         {exampleRequest(`C:\Python\python.exe`, `[]`), true},
		"unbuffered":         {exampleRequest("python3", `["-m", "server", "-u"]`), false},
		"another program":    {exampleRequest("node", `["python"]`), false},
		"a name that has it": {exampleRequest("my-python", `[]`), false},
		"odd arguments":      {exampleRequest("python", `["\"-u\"", "a,b]", "\\"]`), true},
		"no server":          {[]byte(`{"abi":1}`), false},
	}
	answers := map[string][]byte{}
	for language, ready := range compilers {
		t.Run(language, func(t *testing.T) {
			ready(t)
			is := is.New(t)
			file := filepath.Join(t.TempDir(), "module.wasm")
			build := exec.Command(filepath.Join(examples, language, "build"), file)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			data, err := os.ReadFile(file)
			is.NoErr(err)
			m := opened(t, data)
			is.Equal(m.Manifest.Name, "python-unbuffered")
			for name, test := range requests {
				answer, err := unhurried(func() ([]byte, error) { return Host{}.Run(t.Context(), m, test.request) })
				is.NoErr(err)
				if before, ok := answers[name]; ok && !bytes.Equal(before, answer) {
					t.Errorf("%s: one language says\n%s\nand the other\n%s", name, before, answer)
				}
				answers[name] = answer
				if fixed := strings.Contains(string(answer), "python-unbuffered"); fixed != test.fixed {
					t.Errorf("%s: the answer is %s", name, answer)
				}
				if call, err := module.Parse(test.request); test.fixed {
					is.NoErr(err)
					_, err = call.Accept(answer, "example")
					is.NoErr(err)
				}
			}
		})
	}
}
