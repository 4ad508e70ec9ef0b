package web_test

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"mcpmend/native/companion"
	"mcpmend/native/probe/fixture"
	"mcpmend/web"
)

// companionOf is the page with a companion behind it, made at the first request,
// when the address is known.
type companionOf struct {
	project string
	once    sync.Once
	machine *companion.Companion
	page    http.Handler
}

func (c *companionOf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.once.Do(func() {
		c.machine = companion.New(r.Context().Value(http.LocalAddrContextKey).(net.Addr), companion.Options{Project: c.project})
		c.page = web.Handler(c.machine)
	})
	c.page.ServeHTTP(w, r)
}

// TestThisMachine does in a browser what a person does: pairs, looks, watches a
// server print, finds a fix, writes it, and takes it back.
func TestThisMachine(t *testing.T) {
	needBrowser(t)
	is := is.New(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	home, bin := filepath.Join(root, "home"), filepath.Join(root, "bin")
	config := filepath.Join(home, ".cursor", "mcp.json")
	is.NoErr(fixture.Install(bin, "weather-server"))
	is.NoErr(os.MkdirAll(filepath.Dir(config), 0o755))
	is.NoErr(os.MkdirAll(filepath.Join(root, "project"), 0o755))
	is.NoErr(os.WriteFile(filepath.Join(home, "loud.sh"), []byte("#!/bin/sh\necho 'words of a <b>server</b>' >&2\nread line\nexit 1\n"), 0o755))
	before := `{
  "mcpServers": {
    "weather": {"command": "/opt/weather/bin/weather-server", "args": []},
    "well": {"command": "weather-server", "args": []},
    "loud": {"command": "` + home + `/loud.sh"}
  }
}
`
	is.NoErr(os.WriteFile(config, []byte(before), 0o644))
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("MCPMEND_HOME", filepath.Join(root, "mcpmend"))

	handler := &companionOf{project: filepath.Join(root, "project")}
	p := open(t, view{width: 1440, height: 900, handler: handler, hash: "#machine"})
	t.Setenv("PATH", bin)                                              // the browser was found by the former one
	p.wait(`document.querySelector("#machine:not([hidden]) .art h1")`) // not paired yet
	p.run(`location.hash = "#pair=` + handler.machine.Code() + `"`)

	row := func(name string) string {
		return `document.querySelector('#machine-list li[data-server="` + name + `"]')`
	}
	p.wait(row("well") + `?.querySelector(".dot.ok")`)
	p.wait(row("weather") + `?.querySelector(".dot.no")`)
	p.wait(row("loud") + `?.querySelector(".dot.no")`)
	is.Equal(eval[string](p, `location.hash`), "#machine") // the code is out of the address

	p.run(row("loud") + `.querySelector("button").click()`)
	p.wait(`document.querySelector("#machine .tty").innerText.includes("words of a <b>server</b>")`)

	p.run(row("weather") + `.querySelector("button").click()`)
	p.click("#machine-heal")
	p.wait(`document.querySelector("#machine-write")`)
	is.True(strings.Contains(p.text("#machine-card"), bin+"/weather-server")) // the diff
	now, err := os.ReadFile(config)
	is.NoErr(err)
	is.Equal(string(now), before) // shown and not written
	p.screenshot("machine")

	p.click("#machine-write")
	p.wait(`document.querySelector("#machine-undo")`)
	now, err = os.ReadFile(config)
	is.NoErr(err)
	is.Equal(string(now), strings.Replace(before, "/opt/weather/bin", bin, 1))

	p.click("#machine-undo")
	p.wait(`document.querySelector(".toast")?.innerText.includes("byte for byte")`)
	now, err = os.ReadFile(config)
	is.NoErr(err)
	is.True(bytes.Equal(now, []byte(before)))
	p.clean()
	for _, address := range p.requests {
		is.True(strings.HasPrefix(address, p.url) || strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:"))
	}
}
