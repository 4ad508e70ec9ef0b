package web

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/matryer/is"
)

// A binary that holds the brotli twins alone serves and exports the same files.
func TestPageOfTwinsAlone(t *testing.T) {
	is := is.New(t)
	text := strings.Repeat("<p>text</p>", 100)
	var packed bytes.Buffer
	w := brotli.NewWriter(&packed)
	_, err := w.Write([]byte(text))
	is.NoErr(err)
	is.NoErr(w.Close())
	lean := fstest.MapFS{
		"dist/.gitkeep":      {},
		"dist/icon.png":      {Data: []byte("picture")},
		"dist/index.html.br": {Data: packed.Bytes()},
	}
	is.Equal(names(lean), []string{"icon.png", "index.html"})

	written := maps.Collect(files(lean))
	is.Equal(slices.Sorted(maps.Keys(written)), []string{"icon.png", "index.html", "index.html.br", "index.html.gz"})
	is.Equal(string(written["index.html"]), text)

	page := load(lean)
	for encoding, want := range map[string]string{"br": packed.String(), "gzip": text, "": text} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		answer := httptest.NewRecorder()
		page["/"].serve(answer, r)
		body, err := io.ReadAll(answer.Body)
		is.NoErr(err)
		is.Equal(string(body), want)
	}
}

func TestNoPage(t *testing.T) {
	is := is.New(t)
	is.Equal(len(names(fstest.MapFS{"dist/.gitkeep": {}})), 0)
}
