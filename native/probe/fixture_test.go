package probe

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
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
	"good":   func() { legacy(nil) },
	"banner": func() { fmt.Println("Weather server v1.2 started"); legacy(nil) },
	"binary": func() { os.Stdout.Write([]byte{0, 1, 2, 0xff, 0xfe, '\n'}); legacy(nil) },
	"exit-1": func() { fail("Error: WEATHER_API_KEY environment variable is required", 1) },
	"exit-0": func() { os.Exit(0) },
	"silent": func() { os.Exit(1) },
	"no-arg": func() { fail("Please provide a database URL as a command-line argument", 1) },
	"hang":   func() { io.Copy(io.Discard, os.Stdin); select {} },
	"slow":   func() { time.Sleep(2 * time.Second); legacy(nil) },
	"crash": func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		panic("TypeError: cannot read properties of undefined")
	},
	"no-tools": func() {
		legacy(map[string]string{"initialize": `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`})
	},
	"bad-tools": func() {
		legacy(map[string]string{"tools/list": `!{"code":-32603,"message":"Internal error: Cannot read properties of undefined"}`})
	},
	"dies":    func() { legacy(map[string]string{"tools/list": "die"}) },
	"refused": func() { fail("Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect", 1) },
	"module":  func() { fail("Error: Cannot find module 'express'\nRequire stack:\n- /srv/index.js", 1) },
	"npm-404": func() {
		fail("npm error code E404\nnpm error 404 Not Found - GET https://registry.example.org/@x%2fnothing\nnpm error 404  '@x/nothing@*' is not in this registry.", 1)
	},
	"is-http": func() { fmt.Fprintln(os.Stderr, "MCP server listening on http://127.0.0.1:3000/mcp"); select {} },
	"silent-old": func() {
		legacy(map[string]string{"server/discover": "silence"})
	},
	"exits-at-discover": func() { legacy(map[string]string{"server/discover": "die"}) },
	"modern": func() {
		answer(func(method string) string {
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
		go legacy(nil)
		select {}
	},
	"grandchild": func() {
		child := exec.Command("sleep", "300")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		child.Stderr = os.Stderr // holds the pipe open
		if err := child.Start(); err != nil {
			fail(err.Error(), 9)
		}
		fmt.Fprintf(os.Stderr, "grandchild %d\n", child.Process.Pid)
		legacy(nil)
	},
	"flood": func() {
		go func() {
			line := strings.Repeat("x", 1<<16) + "\n"
			for range 1 << 14 { // 1 GB
				os.Stderr.WriteString(line)
			}
		}()
		legacy(nil)
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

func fail(text string, code int) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(code)
}

// legacy is a server of the older era. Answers may be replaced: a result, an
// error behind "!", "die" or "silence".
func legacy(replaced map[string]string) {
	answer(func(method string) string {
		if text, ok := replaced[method]; ok {
			return text
		}
		switch method {
		case "initialize":
			return `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fixture","version":"1"}}`
		case "tools/list":
			return `{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]}`
		}
		return `!{"code":-32601,"message":"Method not found"}`
	})
}

func answer(to func(method string) string) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		switch text := to(m.Method); {
		case text == "die":
			os.Exit(1)
		case text == "silence":
		case strings.HasPrefix(text, "!"):
			fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":%s}\n", m.ID, text[1:])
		default:
			fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", m.ID, text)
		}
	}
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
