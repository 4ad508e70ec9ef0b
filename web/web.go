// Package web is the page as it goes into the binary: the files that
// scripts/build-web makes, served from memory by exact name.
package web

import (
	"embed"
	"io/fs"
	"iter"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// all: is needed for a dist that holds nothing but .gitkeep.
//
//go:embed all:dist
var dist embed.FS

//go:embed csp.txt
var policy string

// Built tells whether this binary holds the page. One made by plain go build
// does not.
func Built() bool {
	_, err := fs.Stat(dist, "dist/index.html")
	return err == nil
}

// Files gives every file of the built page, for a host to serve: with the
// packed twins, the list of hashes and the headers to send.
func Files() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		entries, _ := fs.ReadDir(dist, "dist") // embedded: cannot fail
		for _, e := range entries {
			if !yield(e.Name(), read(e.Name())) {
				return
			}
		}
	}
}

// Policy is the content security policy of the page as this binary serves it.
// The one in its HTML, for hosts that send no headers, also allows 127.0.0.1,
// where a hosted page finds the companion; here that is the page's own origin.
func Policy() string {
	return strings.TrimSpace(policy) + "; frame-ancestors 'none'"
}

// Handler serves the page. It knows its files by exact path and nothing else,
// sends nothing that a browser may keep, and answers GET and HEAD alone; what
// it does not know goes to next, or is a 404 where next is nil.
func Handler(next http.Handler) http.Handler {
	files := load()
	if next == nil {
		next = http.NotFoundHandler()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := files[r.URL.Path]
		if !ok {
			Protect(w.Header())
			next.ServeHTTP(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			Protect(w.Header())
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		file.serve(w, r)
	})
}

// Protect sets the headers that every answer on this origin has. The origin
// is a port that another program may get next, so nothing of it is kept.
func Protect(h http.Header) {
	h.Set("Content-Security-Policy", Policy())
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// file is one file of the page in its encodings.
type file struct {
	kind         string
	plain        []byte
	brotli, gzip []byte // nil where the file is not packed
}

// load reads the embedded files into a map by URL path. Twins in another
// encoding are no files of their own, and what is for hosts alone is left out.
func load() map[string]*file {
	files := map[string]*file{}
	for name, content := range Files() {
		switch path.Ext(name) {
		case ".br", ".gz", ".gitkeep":
			continue
		}
		if name == "_headers" || name == "SHA256SUMS" || name == "sw.js" {
			continue
		}
		f := &file{kind: kindOf(name), plain: content, brotli: read(name + ".br"), gzip: read(name + ".gz")}
		files["/"+name] = f
		if name == "index.html" {
			files["/"] = f
		}
	}
	return files
}

func read(name string) []byte {
	b, _ := fs.ReadFile(dist, "dist/"+name) // nil for a twin that does not exist
	return b
}

// kindOf does not leave the type to the machine's own table, which on some
// systems has none for wasm or a wrong one for JavaScript.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".webmanifest":
		return "application/manifest+json"
	}
	return "application/octet-stream"
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	Protect(h)
	h.Set("Content-Type", f.kind)
	h.Set("Vary", "Accept-Encoding")
	body := f.plain
	accepted := r.Header.Get("Accept-Encoding")
	switch {
	case f.brotli != nil && accepts(accepted, "br"):
		body = f.brotli
		h.Set("Content-Encoding", "br")
	case f.gzip != nil && accepts(accepted, "gzip"):
		body = f.gzip
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the browser went away: nobody to tell
	}
}

// accepts reads an Accept-Encoding header: a name counts unless its weight is
// nought.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		weight, ok := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
		if !ok {
			return true
		}
		q, err := strconv.ParseFloat(weight, 64)
		return err == nil && q > 0
	}
	return false
}
