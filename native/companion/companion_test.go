package companion

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/native/probe/fixture"
)

func TestMain(m *testing.M) {
	fixture.Play()
	os.Exit(m.Run())
}

// machine is a home with a config, a project, and a companion that listens.
type machine struct {
	t             *testing.T
	home, project string
	bin           string
	address       string
	companion     *Companion
	log           *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

const sick = `{
  "mcpServers": {
    "weather": {"command": "{home}/.bin/weather-server", "args": []},
    "well": {"command": "weather-server", "args": []},
    "loud": {"command": "{home}/loud.sh"}
  }
}
`

func newMachine(t *testing.T, o Options) *machine {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "project"), bin: filepath.Join(root, "bin"), log: &lockedBuffer{}}
	if err := fixture.Install(m.bin, "weather-server"); err != nil {
		t.Fatal(err)
	}
	m.put(".cursor/mcp.json", sick)
	m.put("loud.sh", "#!/bin/sh\necho first words >&2\necho token ghp_0123456789abcdefghijklmnopqrstuvwxyz >&2\nexit 1\n")
	if err := os.MkdirAll(filepath.Join(m.project, ".cursor"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", m.home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("PATH", m.bin)
	t.Setenv("MCPMEND_HOME", filepath.Join(root, "mcpmend"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.address = listener.Addr().String()
	o.Project, o.Log = m.project, m.log
	m.companion = New(listener.Addr(), o)
	server := &http.Server{Handler: m.companion, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return m
}

// put writes a file of the home.
func (m *machine) put(name, text string) string {
	m.t.Helper()
	path := filepath.Join(m.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	text = strings.ReplaceAll(text, "{home}", m.home)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		m.t.Fatal(err)
	}
	return text
}

func (m *machine) config() string {
	m.t.Helper()
	data, err := os.ReadFile(filepath.Join(m.home, ".cursor", "mcp.json"))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(data)
}

// tab is a page that was paired.
type tab struct {
	m      *machine
	token  string
	origin string
}

func (m *machine) pair() tab {
	m.t.Helper()
	tab := tab{m: m, origin: "http://" + m.address}
	status, answer := tab.post("/api/pair", map[string]string{"code": m.companion.Code()})
	if status != http.StatusOK {
		m.t.Fatalf("pairing: %d %v", status, answer)
	}
	tab.token = answer[0]["token"].(string)
	return tab
}

// post sends a request as a page does and gives the lines of the answer.
func (p tab) post(path string, body any) (int, []map[string]any) {
	p.m.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		p.m.t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, "http://"+p.m.address+path, bytes.NewReader(data))
	if err != nil {
		p.m.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if p.origin != "" {
		r.Header.Set("Origin", p.origin)
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.m.t.Fatal(err)
	}
	defer answer.Body.Close()
	var lines []map[string]any
	for scan := bufio.NewScanner(answer.Body); scan.Scan(); {
		var line map[string]any
		if json.Unmarshal(scan.Bytes(), &line) == nil {
			lines = append(lines, line)
		}
	}
	return answer.StatusCode, lines
}

// server finds the id and hash of a server.
func (p tab) server(name string) map[string]string {
	p.m.t.Helper()
	status, answer := p.post("/api/servers", map[string]string{})
	if status != http.StatusOK {
		p.m.t.Fatalf("listing: %d %v", status, answer)
	}
	for _, file := range answer[0]["files"].([]any) {
		for _, s := range file.(map[string]any)["servers"].([]any) {
			if s := s.(map[string]any); s["name"] == name {
				return map[string]string{"id": s["id"].(string), "hash": s["hash"].(string)}
			}
		}
	}
	p.m.t.Fatalf("no server is called %s", name)
	return nil
}

func TestProbeHealWriteUndo(t *testing.T) {
	is := is.New(t)
	m := newMachine(t, Options{})
	before := m.config()
	page := m.pair()

	status, events := page.post("/api/probe", page.server("well"))
	is.Equal(status, http.StatusOK)
	is.Equal(events[0]["event"], "phase")
	last := events[len(events)-1]
	is.Equal(last["event"], "done")
	is.Equal(last["outcome"].(map[string]any)["state"], "ok")

	_, events = page.post("/api/probe", page.server("loud"))
	var printed []string
	for _, e := range events {
		if e["event"] == "stderr" {
			printed = append(printed, e["text"].(string))
		}
	}
	is.True(len(printed) >= 2) // a server that ends at once is started a second time, the older way
	is.Equal(printed[0], "first words")
	is.True(!strings.Contains(strings.Join(printed, ""), "ghp_0123456789abcdefghijklmnopqrstuvwxyz")) // masked

	_, events = page.post("/api/heal", page.server("weather"))
	last = events[len(events)-1]
	is.Equal(last["event"], "healed")
	is.Equal(last["fixed"], true)
	is.Equal(m.config(), before) // nothing was written
	handle := last["change"].(string)
	is.True(handle != "")
	is.True(len(last["diff"].([]any)) > 0)

	status, answer := page.post("/api/write", map[string]string{"change": handle})
	is.Equal(status, http.StatusOK)
	is.Equal(m.config(), strings.Replace(before, m.home+"/.bin/", m.bin+"/", 1))
	status, _ = page.post("/api/write", map[string]string{"change": handle})
	is.Equal(status, http.StatusNotFound) // one use

	taken := answer[0]["change"].(string)
	status, _ = page.post("/api/undo", map[string]string{"change": taken})
	is.Equal(status, http.StatusOK)
	is.Equal(m.config(), before)
	status, _ = page.post("/api/undo", map[string]string{"change": taken})
	is.Equal(status, http.StatusNotFound)
}

func TestEditedBetweenListingAndStart(t *testing.T) {
	is := is.New(t)
	m := newMachine(t, Options{})
	page := m.pair()
	well := page.server("well")
	trace := filepath.Join(m.home, "ran")
	m.put("canary.sh", "#!/bin/sh\necho ran > '"+trace+"'\n")
	m.put(".cursor/mcp.json", strings.Replace(sick, `"weather-server"`, `"{home}/canary.sh"`, 1))
	for _, path := range []string{"/api/probe", "/api/heal"} {
		status, _ := page.post(path, well)
		is.Equal(status, http.StatusConflict)
	}
	_, err := os.Stat(trace)
	is.True(os.IsNotExist(err))
}

func TestEditedBetweenHealingAndWriting(t *testing.T) {
	is := is.New(t)
	m := newMachine(t, Options{})
	page := m.pair()
	_, events := page.post("/api/heal", page.server("weather"))
	handle := events[len(events)-1]["change"].(string)
	edited := m.put(".cursor/mcp.json", sick+"\n")
	status, _ := page.post("/api/write", map[string]string{"change": handle})
	is.Equal(status, http.StatusConflict)
	is.Equal(m.config(), edited)
}

func TestAProjectsServerNeedsAYesInTheTerminal(t *testing.T) {
	for name, set := range map[string]struct {
		confirm func(context.Context, string) (bool, error)
		status  int
		ran     bool
	}{
		"no terminal": {nil, http.StatusForbidden, false},
		"no":          {func(context.Context, string) (bool, error) { return false, nil }, http.StatusForbidden, false},
		"yes":         {func(context.Context, string) (bool, error) { return true, nil }, http.StatusOK, true},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			m := newMachine(t, Options{Confirm: set.confirm})
			trace := filepath.Join(m.home, "ran")
			m.put("canary.sh", "#!/bin/sh\necho ran > '"+trace+"'\n")
			is.NoErr(os.WriteFile(filepath.Join(m.project, ".cursor", "mcp.json"), []byte(`{"mcpServers":{"theirs":{"command":"`+m.home+`/canary.sh"}}}`), 0o644))
			page := m.pair()
			status, _ := page.post("/api/probe", page.server("theirs"))
			is.Equal(status, set.status)
			_, err := os.Stat(trace)
			is.Equal(err == nil, set.ran)
		})
	}
}

func TestPairing(t *testing.T) {
	is := is.New(t)
	m := newMachine(t, Options{Origins: []string{"https://page.example"}})
	stranger := tab{m: m, origin: "http://" + m.address}
	try := func(who tab, code string) int {
		status, _ := who.post("/api/pair", map[string]string{"code": code})
		return status
	}
	is.Equal(try(stranger, ""), http.StatusForbidden) // before any code was made
	code := m.companion.Code()
	is.Equal(try(stranger, code), http.StatusOK)
	is.Equal(try(stranger, code), http.StatusForbidden) // one use

	old := m.companion.Code()
	m.companion.Code()
	is.Equal(try(stranger, old), http.StatusForbidden) // a newer one was made

	code = m.companion.Code()
	for range maxWrong {
		is.Equal(try(stranger, "guess"), http.StatusForbidden)
	}
	is.Equal(try(stranger, code), http.StatusForbidden) // the tries are used up

	// A token is good for the tab's origin alone.
	page := m.pair()
	page.origin = "https://page.example"
	status, _ := page.post("/api/servers", map[string]string{})
	is.Equal(status, http.StatusUnauthorized)
	page.origin = ""
	status, _ = page.post("/api/servers", map[string]string{})
	is.Equal(status, http.StatusUnauthorized)
}

// TestAttacks sends what a foreign page, a rebound name or a local program can
// send. Nothing is started, nothing is written, and each reason is logged once.
func TestAttacks(t *testing.T) {
	m := newMachine(t, Options{})
	trace := filepath.Join(m.home, "ran")
	m.put("canary.sh", "#!/bin/sh\necho ran > '"+trace+"'\n")
	before := m.put(".cursor/mcp.json", `{"mcpServers":{"canary":{"command":"{home}/canary.sh"}}}`)
	page := m.pair()
	canary := page.server("canary")
	good, _ := json.Marshal(canary)
	_, port, _ := net.SplitHostPort(m.address)
	bearer := "Authorization: Bearer " + page.token + "\r\n"
	origin := "Origin: http://" + m.address + "\r\n"
	const asJSON = "Content-Type: application/json\r\n"
	send := func(line, host, headers, body string) int {
		conn, err := net.Dial("tcp", m.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", line, host, headers, len(body), body)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return 0
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode
	}
	const probe = "POST /api/probe"
	host := m.address
	all := bearer + origin + asJSON
	attacks := []struct{ name, line, host, headers, body string }{
		{"no token", probe, host, origin + asJSON, string(good)},
		{"wrong token", probe, host, "Authorization: Bearer x\r\n" + origin + asJSON, string(good)},
		{"token in the query", probe + "?token=" + page.token, host, origin + asJSON, string(good)},
		{"token in a cookie", probe, host, "Cookie: token=" + page.token + "\r\n" + origin + asJSON, string(good)},
		{"token twice", probe, host, bearer + all, string(good)},
		{"foreign origin", probe, host, bearer + asJSON + "Origin: https://evil.example\r\n", string(good)},
		{"origin null", probe, host, bearer + asJSON + "Origin: null\r\n", string(good)},
		{"other port of this machine", probe, host, bearer + asJSON + "Origin: http://127.0.0.1:3000\r\n", string(good)},
		{"rebound name", probe, "evil.example:" + port, all, string(good)},
		{"rebound name as origin too", probe, "evil.example:" + port, bearer + asJSON + "Origin: http://evil.example:" + port + "\r\n", string(good)},
		{"0.0.0.0", probe, "0.0.0.0:" + port, all, string(good)},
		{"text/plain", probe, host, bearer + origin + "Content-Type: text/plain\r\n", string(good)},
		{"form", probe, host, bearer + origin + "Content-Type: application/x-www-form-urlencoded\r\n", "id=" + canary["id"]},
		{"multipart", probe, host, bearer + origin + "Content-Type: multipart/form-data; boundary=x\r\n", string(good)},
		{"GET", "GET /api/probe?id=" + canary["id"] + "&hash=" + canary["hash"], host, all, ""},
		{"method override", "GET /api/probe", host, all + "X-HTTP-Method-Override: POST\r\n", string(good)},
		{"PUT", "PUT /api/probe", host, all, string(good)},
		{"websocket", "GET /api/probe", host, all + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n", ""},
		{"a command beside it", probe, host, all, `{"id":"` + canary["id"] + `","hash":"` + canary["hash"] + `","command":"calc"}`},
		{"a command alone", probe, host, all, `{"command":"` + m.home + `/canary.sh"}`},
		{"no hash", probe, host, all, `{"id":"` + canary["id"] + `"}`},
		{"empty hash", probe, host, all, `{"id":"` + canary["id"] + `","hash":""}`},
		{"keys in capitals", probe, host, all, `{"ID":"` + canary["id"] + `","HASH":"` + canary["hash"] + `"}`},
		{"a list", probe, host, all, `[` + string(good) + `]`},
		{"two values", probe, host, all, string(good) + string(good)},
		{"no JSON", probe, host, all, `id=1`},
		{"null", probe, host, all, `null`},
		{"deep", probe, host, all, strings.Repeat("[", 30000)},
		{"name for an id", probe, host, all, `{"id":"canary","hash":"` + canary["hash"] + `"}`},
		{"path for an id", probe, host, all, `{"id":"../../../etc/passwd","hash":"` + canary["hash"] + `"}`},
		{"encoded path for an id", probe, host, all, `{"id":"%2e%2e%2f","hash":"` + canary["hash"] + `"}`},
		{"too large", probe, host, all, `{"id":"` + strings.Repeat("x", 70<<10) + `","hash":""}`},
		{"packed", probe, host, all + "Content-Encoding: gzip\r\n", string(good)},
		{"encoded slash", "POST /api%2fprobe", host, all, string(good)},
		{"dots", "POST /api/x/..%2fprobe", host, all, string(good)},
		{"doubled slash", "POST //api/probe", host, all, string(good)},
		{"backslash", `POST /api\probe`, host, all, string(good)},
		{"file system", "GET /@fs/etc/passwd?import&raw??", host, all, ""},
		{"whole URL", "POST http://evil.example/api/probe", host, all, string(good)},
		{"write of an invented change", "POST /api/write", host, all, `{"change":"AAAAAAAAAAAAAAAAAAAAAAAAAA"}`},
		{"write of a text", "POST /api/write", host, all, `{"change":"","after":"{}"}`},
		{"undo of an invented change", "POST /api/undo", host, all, `{"change":"AAAAAAAAAAAAAAAAAAAAAAAAAA"}`},
	}
	for _, a := range attacks {
		if status := send(a.line, a.host, a.headers, a.body); status == http.StatusOK || status >= 500 {
			t.Errorf("%s: %d", a.name, status)
		}
		if _, err := os.Stat(trace); err == nil {
			t.Fatalf("%s: the server was started", a.name)
		}
	}
	is := is.New(t)
	is.Equal(m.config(), before)
	seen := map[string]bool{}
	for line := range strings.Lines(m.log.String()) {
		is.True(!seen[line])
		seen[line] = true
		is.True(!strings.Contains(line, page.token))
	}
	is.True(len(seen) > 4)
}

func TestTenThousandRequests(t *testing.T) {
	is := is.New(t)
	m := newMachine(t, Options{})
	var wait sync.WaitGroup
	work := make(chan int)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 20}}
	defer client.CloseIdleConnections()
	for range 20 {
		wait.Go(func() {
			for range work {
				r, _ := http.NewRequest(http.MethodPost, "http://"+m.address+"/api/probe", strings.NewReader("{}"))
				r.Header.Set("Content-Type", "application/json")
				answer, err := client.Do(r)
				if err != nil {
					t.Error(err)
					continue
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode != http.StatusUnauthorized {
					t.Errorf("%d", answer.StatusCode)
				}
			}
		})
	}
	for i := range 10_000 {
		work <- i
	}
	close(work)
	wait.Wait()
	is.Equal(strings.Count(m.log.String(), "\n"), 1)
	// With a token there is a limit too.
	page := m.pair()
	refused := 0
	for range 3 * burst {
		if status, _ := page.post("/api/undo", map[string]string{"change": "x"}); status == http.StatusTooManyRequests {
			refused++
		}
	}
	is.True(refused > 0)
}

func TestSlowBodiesHoldNothingUp(t *testing.T) {
	is := is.New(t)
	m := newMachine(t, Options{})
	page := m.pair()
	for range 50 {
		conn, err := net.Dial("tcp", m.address)
		is.NoErr(err)
		defer conn.Close()
		fmt.Fprintf(conn, "POST /api/probe HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nOrigin: %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", m.address, page.token, page.origin)
	}
	status, _ := page.post("/api/probe", page.server("well"))
	is.Equal(status, http.StatusOK)
}
