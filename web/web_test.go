package web_test

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/matryer/is"

	"mcpmend/web"
)

// get asks the handler for a path.
func get(t *testing.T, method, path, encoding string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1/", nil)
	r.URL.Path = path
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	web.Handler(nil).ServeHTTP(w, r)
	return w.Result()
}

func needPage(t *testing.T) {
	t.Helper()
	if !web.Built() {
		t.Skip("the page is not built: ./scripts/build --page")
	}
}

func TestTypesAndEncodings(t *testing.T) {
	needPage(t)
	kinds := map[string]string{
		".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
	}
	for name, plain := range web.Files() {
		kind, ok := kinds[filepath.Ext(name)]
		if !ok || name == "sw.js" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			for _, encoding := range []string{"br, gzip", "gzip", "", "br;q=0, gzip;q=0", "identity"} {
				r := get(t, http.MethodGet, "/"+name, encoding)
				is.Equal(r.StatusCode, http.StatusOK)
				is.Equal(r.Header.Get("Content-Type"), kind)
				is.Equal(r.Header.Get("Cache-Control"), "no-store")
				body, err := io.ReadAll(unpacked(t, r))
				is.NoErr(err)
				is.True(string(body) == string(plain)) // every encoding is the same file
			}
		})
	}
}

func unpacked(t *testing.T, r *http.Response) io.Reader {
	t.Helper()
	switch r.Header.Get("Content-Encoding") {
	case "br":
		return brotli.NewReader(r.Body)
	case "gzip":
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	return r.Body
}

func TestEveryAnswerIsProtected(t *testing.T) {
	is := is.New(t)
	for _, path := range []string{"/", "/nothing", "/../web.go", "/index.html/", "//", "/%2e%2e/"} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete} {
			h := get(t, method, path, "br").Header
			is.Equal(h.Get("Content-Security-Policy"), web.Policy())
			is.Equal(h.Get("X-Content-Type-Options"), "nosniff")
			is.Equal(h.Get("X-Frame-Options"), "DENY")
			is.Equal(h.Get("Cross-Origin-Resource-Policy"), "same-origin")
			is.Equal(h.Get("Cache-Control"), "no-store")
		}
	}
}

func TestOnlyExactNames(t *testing.T) {
	for _, path := range []string{
		"/dist/index.html", "/../go.mod", "/%2e%2e/go.mod", "/..%2fgo.mod", "/@fs/etc/passwd?import&raw??", "//index.html", `/\evil`,
		"/index.html.br", "/index.html.gz", "/.gitkeep", "/sw.js", "/_headers", "/INDEX.HTML", "/index.html\x00",
	} {
		if status := get(t, http.MethodGet, path, "br").StatusCode; status != http.StatusNotFound {
			t.Errorf("%q: %d, want 404", path, status)
		}
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	needPage(t)
	is := is.New(t)
	is.Equal(get(t, http.MethodPost, "/", "").StatusCode, http.StatusMethodNotAllowed)
	head := get(t, http.MethodHead, "/", "")
	body, _ := io.ReadAll(head.Body)
	is.Equal(len(body), 0)
	is.True(head.ContentLength > 0)
}

// What is not a file of the page goes on to the handler after it, with the
// page's headers already set.
func TestNextHandler(t *testing.T) {
	is := is.New(t)
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	w := httptest.NewRecorder()
	web.Handler(next).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/servers", nil))
	is.Equal(w.Code, http.StatusTeapot)
	is.Equal(w.Header().Get("X-Frame-Options"), "DENY")
}

func TestPolicyForbidsWhatItMust(t *testing.T) {
	is := is.New(t)
	policy := web.Policy()
	for _, part := range []string{"default-src 'none'", "require-trusted-types-for 'script'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} {
		is.True(strings.Contains(policy, part)) // the policy has it
	}
	for _, word := range []string{"unsafe-inline", "'unsafe-eval'", "http:", "https:", "*", "data:", "blob:"} {
		is.True(!strings.Contains(policy, word)) // nothing outside is let in
	}
}

// The HTML names each script and sheet with its hash, and has no script or
// style of its own.
func TestIntegrityInTheHTML(t *testing.T) {
	needPage(t)
	is := is.New(t)
	body, err := io.ReadAll(get(t, http.MethodGet, "/", "").Body)
	is.NoErr(err)
	html := string(body)
	for _, tag := range regexp.MustCompile(`<(?:script|link rel="stylesheet")[^>]*>`).FindAllString(html, -1) {
		is.True(strings.Contains(tag, `integrity="sha384-`)) // every script and sheet
	}
	is.True(!regexp.MustCompile(`(?i)<style| style=| on[a-z]+=|javascript:`).MatchString(html))
}

// Nothing on the page makes elements of text. The list is of everything that
// could, so that a review need not look for it.
func TestSourceMakesNoHTML(t *testing.T) {
	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|setHTMLUnsafe|parseHTMLUnsafe|\beval\(|new Function|\.style\s*=|setAttribute\("style`)
	err := filepath.WalkDir("src", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".ts") {
			return err
		}
		source, err := os.ReadFile(path)
		for i, line := range strings.Split(string(source), "\n") {
			if found := forbidden.FindString(line); found != "" {
				t.Errorf("%s:%d: %s", path, i+1, found)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Words for people are in strings.ts; a view that has its own cannot be
// translated.
func TestViewsHaveNoWordsOfTheirOwn(t *testing.T) {
	words := regexp.MustCompile(`h\("[a-z0-9]+", \{[^}]*\}, "[A-Z][a-z]+ [a-z]+`)
	views, err := filepath.Glob("src/views/*.ts")
	if err != nil || len(views) == 0 {
		t.Fatal("no views", err)
	}
	for _, path := range views {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if found := words.FindString(string(source)); found != "" {
			t.Errorf("%s: %s", path, found)
		}
	}
}

// sources are the page's own files with one of the endings, as one text.
func sources(t *testing.T, endings ...string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir("src", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains(endings, filepath.Ext(path)) || filepath.Base(path) == "strings.ts" {
			return err
		}
		source, err := os.ReadFile(path)
		all.Write(source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// A string that nothing says is no string.
func TestNoUnusedStrings(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("src", "strings.ts"))
	if err != nil {
		t.Fatal(err)
	}
	all := sources(t, ".ts", ".html")
	section := ""
	for line := range strings.Lines(string(source)) {
		if m := regexp.MustCompile(`^  (\w+): \{`).FindStringSubmatch(line); m != nil {
			section = m[1]
		}
		m := regexp.MustCompile(`^    (\w+):`).FindStringSubmatch(line)
		if m == nil || section == "" || strings.Contains(all, "t."+section+",") { // a section that is handed over whole
			continue
		}
		name := section + "." + m[1]
		if !strings.Contains(all, "t."+name) && !strings.Contains(all, "{{"+name+"}}") {
			t.Errorf("nothing says t.%s", name)
		}
	}
}

// A rule for a class that no element has is no rule.
func TestNoUnusedClasses(t *testing.T) {
	css := regexp.MustCompile(`(?s)/\*.*?\*/|"[^"]*"|url\([^)]*\)`).ReplaceAllString(sources(t, ".css"), "")
	made := map[string]bool{}
	for name := range strings.FieldsFuncSeq(sources(t, ".ts", ".html"), func(r rune) bool { return strings.ContainsRune("\"` \n", r) }) {
		made[name] = true
	}
	for _, class := range regexp.MustCompile(`\.[a-z][\w-]*`).FindAllString(css, -1) {
		name := class[1:]
		if !made[name] && !strings.HasPrefix(name, "cm-") { // the editor's own
			t.Errorf("no element has class %s", name)
		}
	}
}
