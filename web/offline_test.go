package web_test

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/web"
)

// hosted serves the page as a static host does: every file, no header of ours.
func hosted(t *testing.T) http.Handler {
	t.Helper()
	files := map[string][]byte{}
	for name, content := range web.Files() {
		files["/"+name] = content
	}
	files["/"] = files["/index.html"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		for suffix, kind := range map[string]string{".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", "/": "text/html", ".html": "text/html", ".png": "image/png", ".webmanifest": "application/manifest+json"} {
			if len(r.URL.Path) >= len(suffix) && r.URL.Path[len(r.URL.Path)-len(suffix):] == suffix {
				w.Header().Set("Content-Type", kind)
			}
		}
		_, _ = w.Write(content)
	})
}

// The page of a static host works, keeps itself, and opens again with the
// network gone.
func TestOffline(t *testing.T) {
	is := is.New(t)
	var gone atomic.Bool
	host := hosted(t)
	p := open(t, view{width: 1440, height: 900, host: "page.example.com", handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			panic(http.ErrAbortHandler) // as if nobody were there
		}
		host.ServeHTTP(w, r)
	})})
	p.diagnosed("spawn npx ENOENT")
	p.waitFor(`navigator.serviceWorker.controller`, 30*time.Second)
	p.wait(`globalThis.stored ?? (caches.keys().then(l => globalThis.stored = l.length), false)`)
	gone.Store(true)
	p.run(`location.reload()`)
	p.wait(`document.querySelector("#start:not([hidden]) #in") && document.querySelector("#places a") && !document.querySelector("#dx h1")`)
	p.diagnosed("spawn uvx ENOENT")
	is.Equal(p.text("#dx .meta code"), "command_not_found")
	// the second program too, which was never opened before
	p.run(`location.hash = "#arguments"`)
	p.press("Show an example")
	p.wait(`document.querySelector("#arguments-view .iss")`)
}

// A slow line: the page can be typed into, says how far it is, and diagnoses
// by itself when the doctor has come.
func TestSlowLine(t *testing.T) {
	is := is.New(t)
	release := make(chan struct{})
	page := web.Handler(nil)
	p := open(t, view{width: 1440, height: 900, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.URL.Path) < 6 || r.URL.Path[:6] != "/core-" {
			page.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Accept-Encoding")
		pr, pw := io.Pipe()
		go func() {
			page.ServeHTTP(&pipeWriter{header: http.Header{}, w: pw}, r)
			pw.Close()
		}()
		w.Header().Set("Content-Type", "application/wasm")
		_, _ = io.CopyN(w, pr, 1<<20)
		w.(http.Flusher).Flush()
		<-release
		_, _ = io.Copy(w, pr)
	})})
	p.paste("spawn npx ENOENT")
	p.wait(`document.querySelector("#answer progress")?.value > 0`)
	is.Equal(p.text("#answer h1"), "The doctor is on its way")
	p.screenshot("loading-light")
	close(release)
	p.wait(`document.querySelector("#dx h1.cause")`)
	p.clean()
}

// pipeWriter is a response that goes into a pipe.
type pipeWriter struct {
	header http.Header
	w      io.Writer
}

func (p *pipeWriter) Header() http.Header         { return p.header }
func (p *pipeWriter) Write(b []byte) (int, error) { return p.w.Write(b) }
func (p *pipeWriter) WriteHeader(int)             {}

// The doctor does not arrive: the text stays, and another try brings it.
func TestLostAndFound(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	page := web.Handler(nil)
	p := open(t, view{width: 1440, height: 900, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() && len(r.URL.Path) > 6 && r.URL.Path[:6] == "/core-" {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		page.ServeHTTP(w, r)
	})})
	p.paste("spawn npx ENOENT")
	p.wait(`document.querySelector("#answer [role=alert] h1")`)
	broken.Store(false)
	p.press("Try again")
	p.wait(`document.querySelector("#dx h1.cause")`)
}
