package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
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
	p := open(t, view{width: 1440, height: 900, handler: slowLine(release)})
	p.run(`document.querySelector("#in").focus()`)
	p.do(chromedp.KeyEvent("spawn npx ENOENT"))
	p.wait(`document.querySelector("#answer progress")?.value > 0`)
	is.Equal(p.text("#answer h1"), "The doctor is on its way")
	is.True(regexp.MustCompile(`^[\d,]+ of [\d,]+ KB`).MatchString(p.text("#answer .load .row"))) // how much of how much
	// the editor has come meanwhile, and what is typed into it counts
	p.wait(inEditor("pasted", ".cm-content") + ".length")
	p.run(inEditor("pasted", ".cm-content") + `[0].focus()`)
	p.keys("a", chromedp.ModifierCtrl)
	p.do(chromedp.KeyEvent("listen EADDRINUSE: address already in use :::3000"))
	close(release)
	p.wait(`document.querySelector("#dx .meta code")?.textContent === "port_in_use"`)
	p.clean()
}

// A browser would install the page, and what it would install opens the page.
func TestInstallable(t *testing.T) {
	is := is.New(t)
	p := open(t, view{width: 1440, height: 900, host: "page.example.com", handler: hosted(t)})
	p.diagnosed("spawn npx ENOENT")
	p.waitFor(`navigator.serviceWorker.controller`, 30*time.Second)
	p.call(func(ctx context.Context, target *chromedp.Target) error {
		found, err := cdp.Call(ctx, target, page.GetInstallabilityErrors, cdp.Empty{})
		if err != nil {
			return err
		}
		for _, e := range found.InstallabilityErrors {
			if e.ErrorID != "in-incognito" { // every test has a profile of its own, and the browser takes that for one
				t.Errorf("%s %v", e.ErrorID, e.ErrorArguments)
			}
		}
		return nil
	})
	var manifest struct {
		Display string
		Icons   []struct{ Src, Sizes string }
	}
	is.NoErr(json.Unmarshal([]byte(eval[string](p, `fetch(document.querySelector("link[rel=manifest]").href).then(r => r.text())`)), &manifest))
	is.Equal(manifest.Display, "standalone")
	is.True(len(manifest.Icons) >= 2)
}

// The doctor does not arrive: the text stays, and another try brings it.
func TestLostAndFound(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	whole, gone := web.Handler(nil), without("/core-")
	p := open(t, view{width: 1440, height: 900, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() {
			gone.ServeHTTP(w, r)
			return
		}
		whole.ServeHTTP(w, r)
	})})
	p.paste("spawn npx ENOENT")
	p.wait(`document.querySelector("#answer [role=alert] h1")`)
	broken.Store(false)
	p.press("Try again")
	p.wait(`document.querySelector("#dx h1.cause")`)
}

// A question that takes longer than five seconds is stopped: the page answers
// all the while, says so, and the next question finds a new worker.
func TestDeadline(t *testing.T) {
	is := is.New(t)
	p := open(t, view{width: 1440, height: 900, handler: sabotaged()})
	p.diagnosed("spawn npx ENOENT")
	p.wait(inEditor("pasted", ".cm-content") + ".length")
	began := time.Now()
	p.answersWhile(func() {
		p.paste("hang here")
		p.wait(`document.querySelector("#answer [role=alert] h1")?.textContent.includes("5 seconds")`)
	})
	is.True(time.Since(began) > 4*time.Second)
	p.diagnosed("listen EADDRINUSE: address already in use :::3000")
	p.wait(`document.querySelector("#dx .meta code")?.textContent === "port_in_use"`)

	p.paste("break here")
	p.wait(`document.querySelector("#answer [role=alert] h1")?.textContent.includes("half-way")`)
	p.paste("spawn npx ENOENT")
	p.wait(`document.querySelector("#dx .meta code")?.textContent === "command_not_found"`)
}
