package probe

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"mcpmend/native/probe/fixture"
)

// The test binary is every server of the matrix: with PROBE_FIXTURE set it
// behaves as the fixture of that name and never returns.
func TestMain(m *testing.M) {
	if name := os.Getenv("PROBE_FIXTURE"); name != "" {
		fixtures[name]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var fixtures = map[string]func(){
	"good":   func() { fixture.Legacy(nil) },
	"banner": func() { fmt.Println("Weather server v1.2 started"); fixture.Legacy(nil) },
	"binary": func() { os.Stdout.Write([]byte{0, 1, 2, 0xff, 0xfe, '\n'}); fixture.Legacy(nil) },
	"exit-1": func() { fixture.Fail(1, "Error: WEATHER_API_KEY environment variable is required") },
	"exit-0": func() { os.Exit(0) },
	"silent": func() { os.Exit(1) },
	"no-arg": func() { fixture.Fail(1, "Please provide a database URL as a command-line argument") },
	"hang":   func() { io.Copy(io.Discard, os.Stdin); select {} },
	"slow":   func() { time.Sleep(2 * time.Second); fixture.Legacy(nil) },
	"crash": func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		panic("TypeError: cannot read properties of undefined")
	},
	"no-tools": func() {
		fixture.Legacy(map[string]string{"initialize": `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`})
	},
	"bad-schema": func() {
		fixture.Legacy(map[string]string{"tools/list": `{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"objekt"}}]}`})
	},
	"bad-tools": func() {
		fixture.Legacy(map[string]string{"tools/list": `!{"code":-32603,"message":"Internal error: Cannot read properties of undefined"}`})
	},
	"dies": func() { fixture.Legacy(map[string]string{"tools/list": "die"}) },
	"refused": func() {
		fixture.Fail(1, "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect")
	},
	"module": func() { fixture.Fail(1, "Error: Cannot find module 'express'\nRequire stack:\n- /srv/index.js") },
	"npm-404": func() {
		fixture.Fail(1, "npm error code E404\nnpm error 404 Not Found - GET https://registry.example.org/@x%%2fnothing\nnpm error 404  '@x/nothing@*' is not in this registry.")
	},
	"is-http": func() { fmt.Fprintln(os.Stderr, "MCP server listening on http://127.0.0.1:3000/mcp"); select {} },
	"silent-old": func() {
		fixture.Legacy(map[string]string{"server/discover": "silence"})
	},
	"exits-at-discover": func() { fixture.Legacy(map[string]string{"server/discover": "die"}) },
	"exits-at-discover-then-hangs": func() {
		marker := os.Args[1]
		if _, err := os.Stat(marker); err == nil {
			select {}
		}
		os.WriteFile(marker, nil, 0o600)
		fixture.Fail(1, "Error: WEATHER_API_KEY environment variable is required")
	},
	"modern": func() {
		fixture.Answer(func(method string) string {
			switch method {
			case "server/discover":
				return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"modern","version":"1"}}}`
			case "tools/list":
				return `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"t","inputSchema":{"type":"object"}}]}`
			}
			return `!{"code":-32601,"message":"Method not found"}`
		})
	},
	"ignores-close": func() {
		go fixture.Legacy(nil)
		select {}
	},
	"grandchild": func() {
		child := exec.Command("sleep", "300")
		detach(child)
		child.Stderr = os.Stderr // holds the pipe open
		if err := child.Start(); err != nil {
			fixture.Fail(9, "%v", err)
		}
		fmt.Fprintf(os.Stderr, "grandchild %d\n", child.Process.Pid)
		fixture.Legacy(nil)
	},
	"flood": func() {
		go func() {
			line := strings.Repeat("x", 1<<16) + "\n"
			for range 1 << 14 { // 1 GB
				os.Stderr.WriteString(line)
			}
		}()
		fixture.Legacy(nil)
	},
	"environment": func() {
		fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), "\n"))
		os.Exit(1)
	},
	"directory": func() {
		dir, _ := os.Getwd()
		entries, _ := os.ReadDir(dir)
		fmt.Fprintf(os.Stderr, "in %s with %d files\n", dir, len(entries))
		os.Exit(1)
	},
}

// status is an HTTP server that gives one answer to everything.
func status(code int, header, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if name, value, ok := strings.Cut(header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}
