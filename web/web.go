// Package web is the page as it goes into the binary: the files that
// scripts/build-web makes, served from memory by exact name.
package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// all: is needed for a dist that holds nothing but .gitkeep. What ships holds
// only the brotli twin of a file that has one: scripts/lean hides the others,
// which are half of the binary.
//
//go:embed all:dist
var dist embed.FS

//go:embed csp.txt
var policy string

// Built tells whether this binary holds the page. One made by plain go build
// does not.
func Built() bool {
	return len(names(dist)) > 0
}

// Files gives every file of the built page, for a host to serve: with the
// packed twins, the list of hashes and the headers to send.
func Files() iter.Seq2[string, []byte] { return files(dist) }

func files(from fs.FS) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, name := range names(from) {
			plain, packed := unpacked(from, name), read(from, name+".br")
			if !yield(name, plain) {
				return
			}
			if packed != nil && (!yield(name+".br", packed) || !yield(name+".gz", zipped(from, name, plain))) {
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
	files := load(dist)
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
	plain        func() []byte
	brotli, gzip []byte // nil where it is not embedded
}

// load reads the embedded files into a map by URL path. What is for hosts alone
// is left out.
func load(from fs.FS) map[string]*file {
	files := map[string]*file{}
	for _, name := range names(from) {
		if name == "_headers" || name == "SHA256SUMS" || name == "sw.js" {
			continue
		}
		f := &file{
			kind:   kindOf(name),
			plain:  sync.OnceValue(func() []byte { return unpacked(from, name) }),
			brotli: read(from, name+".br"),
			gzip:   read(from, name+".gz"),
		}
		files["/"+name] = f
		if name == "index.html" {
			files["/"] = f
		}
	}
	return files
}

// names lists the page's files. Twins in another encoding are no files of their
// own.
func names(from fs.FS) []string {
	var list []string
	entries, _ := fs.ReadDir(from, "dist") // embedded: cannot fail
	for _, e := range entries {
		name := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".br"), ".gz")
		if name != ".gitkeep" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

func read(from fs.FS, name string) []byte {
	b, _ := fs.ReadFile(from, "dist/"+name) // nil for what is not embedded
	return b
}

func unpacked(from fs.FS, name string) []byte {
	if b := read(from, name); b != nil {
		return b
	}
	b, err := io.ReadAll(brotli.NewReader(bytes.NewReader(read(from, name+".br"))))
	if err != nil {
		panic("web: " + name + ".br, which is embedded, does not unpack: " + err.Error())
	}
	return b
}

func zipped(from fs.FS, name string, plain []byte) []byte {
	if b := read(from, name+".gz"); b != nil {
		return b
	}
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // a level that exists
	_, _ = w.Write(plain)                                   // into memory
	_ = w.Close()
	return out.Bytes()
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
	var body []byte
	accepted := r.Header.Get("Accept-Encoding")
	switch {
	case f.brotli != nil && accepts(accepted, "br"):
		body = f.brotli
		h.Set("Content-Encoding", "br")
	case f.gzip != nil && accepts(accepted, "gzip"):
		body = f.gzip
		h.Set("Content-Encoding", "gzip")
	default:
		body = f.plain()
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
