package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/web"
)

// startWeb runs the command until the test ends and gives its address.
func startWeb(t *testing.T) string {
	t.Helper()
	if !web.Built() {
		t.Skip("the page is not built: ./scripts/build --page")
	}
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	cmd := newWebCommand()
	cmd.SetArgs(nil)
	cmd.SetOut(in)
	cmd.SetErr(io.Discard)
	done := make(chan error, 1)
	go func() { done <- cmd.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("the command ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func TestWebServesThePage(t *testing.T) {
	is := is.New(t)
	address := startWeb(t)
	is.True(strings.HasPrefix(address, "http://127.0.0.1:"))
	r, err := http.Get(address)
	is.NoErr(err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	is.NoErr(err)
	is.Equal(r.StatusCode, http.StatusOK)
	is.True(strings.Contains(string(body), "<title>mcpmend"))
	is.Equal(r.Header.Get("Content-Security-Policy"), web.Policy())
}

// A name that someone has pointed at 127.0.0.1 is not the page's.
func TestWebAnswersToItsOwnNamesOnly(t *testing.T) {
	address := startWeb(t)
	port := strings.TrimSuffix(address[strings.LastIndex(address, ":")+1:], "/")
	for host, want := range map[string]int{
		"127.0.0.1:" + port: http.StatusOK, "localhost:" + port: http.StatusOK, "[::1]:" + port: http.StatusOK,
		"example.com": http.StatusMisdirectedRequest, "127.0.0.1": http.StatusMisdirectedRequest, "127.0.0.1.example.com:" + port: http.StatusMisdirectedRequest,
		"LOCALHOST:" + port: http.StatusMisdirectedRequest, "localhost.:" + port: http.StatusMisdirectedRequest, "0.0.0.0:" + port: http.StatusMisdirectedRequest,
		"127.1:" + port: http.StatusMisdirectedRequest, "[::ffff:127.0.0.1]:" + port: http.StatusMisdirectedRequest, "localhost:1": http.StatusMisdirectedRequest,
	} {
		r, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, answer.StatusCode, want)
		}
	}
}

func TestWebExport(t *testing.T) {
	if !web.Built() {
		t.Skip("the page is not built: ./scripts/build --page")
	}
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "site")
	is.Equal(run([]string{"web", "--export", dir}, strings.NewReader(""), io.Discard, io.Discard), 0)
	for _, name := range []string{"index.html", "sw.js", "SHA256SUMS", "_headers"} {
		_, err := os.Stat(filepath.Join(dir, name))
		is.NoErr(err)
	}
	// a directory that holds something is left alone
	is.Equal(run([]string{"web", "--export", dir}, strings.NewReader(""), io.Discard, io.Discard), 2)
}
