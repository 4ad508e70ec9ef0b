package guard

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
)

const secret = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"

// listener is a guarded server on loopback that counts what gets through.
type listener struct {
	address string
	port    string
	through atomic.Int64
	reasons sync.Map
}

func listen(t *testing.T, origins ...string) *listener {
	t.Helper()
	l := &listener{}
	server := httptest.NewUnstartedServer(nil)
	l.address = server.Listener.Addr().String()
	_, l.port, _ = net.SplitHostPort(l.address)
	hosts := Hosts(server.Listener.Addr())
	rules := Rules{Hosts: hosts, Token: Is(secret), Origins: append(Origins(hosts), origins...), MaxBody: 1 << 10,
		Refused: func(why string) { l.reasons.Store(why, true) }}
	server.Config.Handler = rules.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			panic(r.Host)
		}
		l.through.Add(1)
		_, _ = io.Copy(w, r.Body)
	}))
	server.Config.ErrorLog = nil
	server.Start()
	t.Cleanup(server.Close)
	return l
}

// raw sends bytes as they are and gives the status of the answer, 0 for none.
func (l *listener) raw(t *testing.T, request string) int {
	t.Helper()
	conn, err := net.Dial("tcp", l.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := io.WriteString(conn, request); err != nil {
		return 0
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	answer.Body.Close()
	return answer.StatusCode
}

func post(host, more, body string) string {
	return fmt.Sprintf("POST /x HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s", host, more, len(body), body)
}

const (
	authorized = "Authorization: Bearer " + secret + "\r\n"
	asJSON     = "Content-Type: application/json\r\n"
)

func TestOnlyThreeHostsPass(t *testing.T) {
	l := listen(t)
	for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
		if got := l.raw(t, post(name+":"+l.port, authorized+asJSON, "{}")); got != http.StatusOK {
			t.Errorf("%s: %d", name, got)
		}
	}
	l.through.Store(0)
	refused := []string{
		"127.0.0.1.evil.example:P", "evil.example", "evil.example:P", "localhost.:P", "LOCALHOST:P", "Localhost:P", "127.1:P", "127.0.1:P",
		"0.0.0.0:P", "[::]:P", "[::ffff:127.0.0.1]:P", "[0:0:0:0:0:0:0:1]:P", "[::1%25lo]:P", "127.0.0.1:P@evil.example", "evil.example@127.0.0.1:P",
		"", "127.0.0.1", "localhost", "127.0.0.1:80", "127.0.0.1:", "127.0.0.1:0P", "127.0.0.2:P", "2130706433:P", "0x7f000001:P", "0177.0.0.1:P",
		"localhost:P.evil.example", "a.localhost:P", "localhost:P,evil.example", "localhost:P evil.example", " localhost:P evil", "localhost\t:P",
		"127.0.0.1%00:P", "127.0.0.1\\:P", "http://127.0.0.1:P", "//127.0.0.1:P", "127.0.0.1:P/", "127.0.0.1:P#", "127.0.0.1:P?", "[::1]P", "::1:P",
		"xn--localhost-:P", strings.Repeat("a", 64<<10),
	}
	for _, host := range refused {
		host = strings.ReplaceAll(host, "P", l.port)
		if got := l.raw(t, post(host, authorized+asJSON, "{}")); got == http.StatusOK || got >= 500 {
			t.Errorf("Host %.60q: %d", host, got)
		}
	}
	good := "127.0.0.1:" + l.port
	for name, request := range map[string]string{
		"two hosts":              post(good+"\r\nHost: evil.example", authorized+asJSON, "{}"),
		"two hosts, good last":   post("evil.example\r\nHost: "+good, authorized+asJSON, "{}"),
		"absolute form":          strings.Replace(post("evil.example", authorized+asJSON, "{}"), "POST /x", "POST http://"+good+"/x", 1),
		"absolute form, foreign": strings.Replace(post(good, authorized+asJSON, "{}"), "POST /x", "POST http://evil.example/x", 1),
	} {
		if got := l.raw(t, request); got == http.StatusOK || got >= 500 {
			t.Errorf("%s: %d", name, got)
		}
	}
	is.New(t).Equal(l.through.Load(), int64(0))
}

func TestTokens(t *testing.T) {
	l := listen(t)
	host := "127.0.0.1:" + l.port
	for name, header := range map[string]string{
		"none":             "",
		"empty":            "Authorization: Bearer \r\n",
		"wrong, same size": "Authorization: Bearer " + strings.Repeat("x", len(secret)) + "\r\n",
		"a part of it":     "Authorization: Bearer " + secret[:20] + "\r\n",
		"more than it":     "Authorization: Bearer " + secret + "x\r\n",
		"twice":            authorized + authorized,
		"basic":            "Authorization: Basic " + secret + "\r\n",
		"bare":             "Authorization: " + secret + "\r\n",
		"cookie":           "Cookie: token=" + secret + "\r\n",
		"other header":     "X-Token: " + secret + "\r\n",
	} {
		if got := l.raw(t, post(host, header+asJSON, "{}")); got != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, got)
		}
	}
	for _, path := range []string{"/x?token=" + secret, "/x?access_token=" + secret} {
		if got := l.raw(t, strings.Replace(post(host, asJSON, "{}"), "/x", path, 1)); got != http.StatusUnauthorized {
			t.Errorf("token in the query: %d", got)
		}
	}
	if got := l.raw(t, post(host, "Authorization: Bearer "+secret+"\x00\r\n"+asJSON, "{}")); got == http.StatusOK {
		t.Error("a trailing NUL passes")
	}
	is.New(t).Equal(l.through.Load(), int64(0))
}

func TestOrigins(t *testing.T) {
	l := listen(t, "https://page.example")
	host := "127.0.0.1:" + l.port
	send := func(origin string) int {
		return l.raw(t, post(host, authorized+asJSON+"Origin: "+origin+"\r\n", "{}"))
	}
	for _, origin := range []string{"http://" + host, "http://localhost:" + l.port, "https://page.example"} {
		if got := send(origin); got != http.StatusOK {
			t.Errorf("%s: %d", origin, got)
		}
	}
	l.through.Store(0)
	for _, origin := range []string{
		"null", "", "*", "http://127.0.0.1:3000", "http://127.0.0.1", "http://" + host + ".evil.example", "https://page.example.evil.example",
		"https://evil.example", "https://PAGE.example", "http://page.example", "https://page.example:443", "https://page.example/", "file://",
		"chrome-extension://x", "moz-extension://x", "http://127.0.0.1:" + l.port + "\r\nOrigin: https://evil.example", "https://" + host, "http://[::1]",
	} {
		if got := send(origin); got != http.StatusForbidden {
			t.Errorf("Origin %q: %d", origin, got)
		}
	}
	is.New(t).Equal(l.through.Load(), int64(0))
}

func TestPreflight(t *testing.T) {
	is := is.New(t)
	l := listen(t, "https://page.example")
	ask := func(origin string) *http.Response {
		r, err := http.NewRequest(http.MethodOptions, "http://"+l.address+"/x", nil)
		is.NoErr(err)
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		answer, err := http.DefaultClient.Do(r)
		is.NoErr(err)
		answer.Body.Close()
		return answer
	}
	yes := ask("https://page.example")
	is.Equal(yes.StatusCode, http.StatusNoContent)
	is.Equal(yes.Header.Get("Access-Control-Allow-Origin"), "https://page.example")
	is.Equal(yes.Header.Get("Access-Control-Allow-Credentials"), "")
	no := ask("https://evil.example")
	is.Equal(no.StatusCode, http.StatusForbidden)
	is.Equal(no.Header.Get("Access-Control-Allow-Origin"), "")
	is.Equal(l.through.Load(), int64(0))
}

func TestBodies(t *testing.T) {
	l := listen(t)
	host := "127.0.0.1:" + l.port
	tests := []struct {
		name, header, body string
		status             int
	}{
		{"JSON", asJSON, "{}", 200},
		{"JSON with a charset", "Content-Type: application/json; charset=utf-8\r\n", "{}", 200},
		{"JSON as text", "Content-Type: text/plain\r\n", "{}", 415},
		{"form", "Content-Type: application/x-www-form-urlencoded\r\n", "a=b", 415},
		{"multipart", "Content-Type: multipart/form-data; boundary=x\r\n", "--x--", 415},
		{"no type", "", "{}", 415},
		{"two types in one", "Content-Type: application/json, text/plain\r\n", "{}", 415},
		{"packed", asJSON + "Content-Encoding: gzip\r\n", "{}", 415},
		{"too large", asJSON, strings.Repeat(" ", 1<<10+1), 413},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is.New(t).Equal(l.raw(t, post(host, authorized+tt.header, tt.body)), tt.status)
		})
	}
	t.Run("too large in chunks", func(t *testing.T) {
		chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<10, strings.Repeat("x", 1<<10))
		request := "POST /x HTTP/1.1\r\nHost: " + host + "\r\n" + authorized + asJSON + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + "0\r\n\r\n"
		is.New(t).Equal(l.raw(t, request), 413)
	})
}

func TestPanicIsARefusal(t *testing.T) {
	is := is.New(t)
	l := listen(t)
	request := strings.Replace(post("127.0.0.1:"+l.port, authorized+asJSON, "{}"), "/x", "/panic", 1)
	is.Equal(l.raw(t, request), http.StatusBadRequest)
	_, told := l.reasons.Load("the request could not be handled")
	is.True(told)
	is.Equal(l.raw(t, post("127.0.0.1:"+l.port, authorized+asJSON, "{}")), http.StatusOK) // and it lives on
}

func TestLogSaysEachReasonOnceAMinute(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	now := time.Unix(0, 0)
	log := &Log{Out: &out, now: func() time.Time { return now }}
	for range 10_000 {
		log.Refused("a")
	}
	log.Refused("b")
	is.Equal(out.String(), "refused: a\nrefused: b\n")
	now = now.Add(time.Minute)
	out.Reset()
	log.Refused("a")
	is.Equal(out.String(), "refused: a (and 9999 times before)\n")
}

func TestLocalAddress(t *testing.T) {
	for address, want := range map[string]string{
		":0": "127.0.0.1:0", "127.0.0.1:80": "127.0.0.1:80", "localhost:1": "localhost:1", "[::1]:2": "[::1]:2",
		"0.0.0.0:1": "", "[::]:1": "", "192.168.0.1:1": "", "example.com:1": "", "8080": "", "127.0.0.1.evil.example:1": "",
	} {
		got, err := LocalAddress(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}

// FuzzHost holds that no Host or Origin stops the listener or is an error of
// its own, and that only the listed ones pass.
func FuzzHost(f *testing.F) {
	f.Add("127.0.0.1:80", "http://127.0.0.1:80")
	f.Add("[::1%25x]:99999999", "null")
	f.Add("\x00", "\xff")
	f.Fuzz(func(t *testing.T, host, origin string) {
		through := false
		rules := Rules{Hosts: []string{"127.0.0.1:80"}, Token: Is(secret), Origins: []string{"http://127.0.0.1:80"}, MaxBody: 10}
		handler := rules.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { through = true }))
		r := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader("{}"))
		r.Host = host
		r.Header = http.Header{"Origin": {origin}, "Authorization": {"Bearer " + secret}, "Content-Type": {"application/json"}}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= 500 || through != (host == "127.0.0.1:80" && origin == "http://127.0.0.1:80") {
			t.Fatalf("host %q, origin %q: %d, through %v", host, origin, w.Code, through)
		}
	})
}
