package web_test

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
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

// onDisk is where a machine of pairedMachine has its things.
type onDisk struct {
	bin, config, before string
}

// pairedMachine is the page paired with a companion on a machine of three
// servers: one that is not where its entry says, one that works, and one that
// prints and ends.
func pairedMachine(t *testing.T) (*tab, onDisk) {
	t.Helper()
	needBrowser(t)
	is := is.New(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	home := filepath.Join(root, "home")
	disk := onDisk{bin: filepath.Join(root, "bin"), config: filepath.Join(home, ".cursor", "mcp.json")}
	is.NoErr(fixture.Install(disk.bin, "weather-server"))
	is.NoErr(os.MkdirAll(filepath.Dir(disk.config), 0o755))
	is.NoErr(os.MkdirAll(filepath.Join(root, "project"), 0o755))
	is.NoErr(os.WriteFile(filepath.Join(home, "loud.sh"), []byte("#!/bin/sh\necho 'words of a <b>server</b>' >&2\nread line\nexit 1\n"), 0o755))
	disk.before = `{
  "mcpServers": {
    "weather": {"command": "/opt/weather/bin/weather-server", "args": []},
    "well": {"command": "weather-server", "args": []},
    "loud": {"command": "` + home + `/loud.sh"}
  }
}
`
	is.NoErr(os.WriteFile(disk.config, []byte(disk.before), 0o644))
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("MCPMEND_HOME", filepath.Join(root, "mcpmend"))

	handler := &companionOf{project: filepath.Join(root, "project")}
	p := open(t, view{width: wide.width, height: wide.height, handler: handler, hash: "#machine"})
	t.Setenv("PATH", disk.bin)                                         // the browser was found by the former one
	p.wait(`document.querySelector("#machine:not([hidden]) .art h1")`) // not paired yet
	p.run(`location.hash = "#pair=` + handler.machine.Code() + `"`)
	return p, disk
}

// serverRow is an expression for a server's row in the list.
func serverRow(name string) string {
	return `document.querySelector('#machine-list li[data-server="` + name + `"]')`
}

// TestThisMachine does in a browser what a person does: pairs, looks, watches a
// server print, finds a fix, writes it, and takes it back.
func TestThisMachine(t *testing.T) {
	p, disk := pairedMachine(t)
	is := is.New(t)
	row := serverRow
	p.wait(row("well") + `?.querySelector(".dot.ok")`)
	p.wait(row("weather") + `?.querySelector(".dot.no")`)
	p.wait(row("loud") + `?.querySelector(".dot.no")`)
	is.Equal(eval[string](p, `location.hash`), "#machine") // the code is out of the address

	p.run(row("loud") + `.querySelector("button").click()`)
	p.wait(`document.querySelector("#machine .tty").innerText.includes("words of a <b>server</b>")`)

	p.run(row("weather") + `.querySelector("button").click()`)
	p.click("#machine-heal")
	p.wait(`document.querySelector("#machine-write")`)
	is.True(strings.Contains(p.text("#machine-card"), disk.bin+"/weather-server")) // the diff
	now, err := os.ReadFile(disk.config)
	is.NoErr(err)
	is.Equal(string(now), disk.before) // shown and not written

	// what runs while another server is written is shown to its end
	p.run(row("well") + `.querySelector("button").click(), document.querySelector("#machine-probe").click(), ` + row("weather") + `.querySelector("button").click()`)
	p.click("#machine-write")
	p.wait(`document.querySelector("#machine-undo")`)
	p.wait(row("well") + `?.querySelector(".dot.ok")`)
	now, err = os.ReadFile(disk.config)
	is.NoErr(err)
	is.Equal(string(now), strings.Replace(disk.before, "/opt/weather/bin", disk.bin, 1))

	p.click("#machine-undo")
	p.wait(`document.querySelector(".toast")?.innerText.includes("byte for byte")`)
	now, err = os.ReadFile(disk.config)
	is.NoErr(err)
	is.True(bytes.Equal(now, []byte(disk.before)))
	p.clean()
	for _, address := range p.requests {
		is.True(strings.HasPrefix(address, p.url) || strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:"))
	}
}

// canaryMachine is a machine with one server, which leaves a trace when started.
func canaryMachine(t *testing.T) (home, trace string) {
	t.Helper()
	is := is.New(t)
	home = t.TempDir()
	trace = filepath.Join(home, "ran")
	is.NoErr(os.MkdirAll(filepath.Join(home, ".cursor"), 0o755))
	is.NoErr(os.MkdirAll(filepath.Join(home, "project"), 0o755))
	is.NoErr(os.WriteFile(filepath.Join(home, "canary.sh"), []byte("#!/bin/sh\necho ran > '"+trace+"'\n"), 0o755))
	is.NoErr(os.WriteFile(filepath.Join(home, ".cursor", "mcp.json"), []byte(`{"mcpServers":{"canary":{"command":"`+home+`/canary.sh"}}}`), 0o644))
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("MCPMEND_HOME", filepath.Join(home, "mcpmend"))
	return home, trace
}

// listenCompanion serves a companion by itself.
func listenCompanion(t *testing.T, home string, origins ...string) (*companion.Companion, string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	machine := companion.New(server.Listener.Addr(), companion.Options{Project: filepath.Join(home, "project"), Origins: origins})
	server.Config.Handler = web.Handler(machine)
	server.Start()
	t.Cleanup(server.Close)
	return machine, server.URL
}

// TestHostedPageCanBePaired opens the page from elsewhere, with a link that the
// terminal would show for it.
func TestHostedPageCanBePaired(t *testing.T) {
	needBrowser(t)
	is := is.New(t)
	home, trace := canaryMachine(t)
	p := open(t, view{width: 1440, height: 900, host: "page.example.com", handler: hosted(t)})
	machine, address := listenCompanion(t, home, eval[string](p, `location.origin`))
	port := address[strings.LastIndexByte(address, ':')+1:]
	p.run(`location.hash = "#pair=` + machine.Code() + `@` + port + `"`)
	p.wait(`document.querySelector('#machine-list li[data-server="canary"] .dot.no')`)
	_, err := os.Stat(trace)
	is.NoErr(err) // it was probed
	is.True(strings.Contains(p.text("#machine .seen"), "127.0.0.1:"+port))
	is.True(strings.Contains(p.text("#promise"), "Only this machine"))
}

// TestForeignPageGetsNothing runs what a page of another origin can try. It has
// no token, and even with one it is of the wrong origin.
func TestForeignPageGetsNothing(t *testing.T) {
	needBrowser(t)
	is := is.New(t)
	home, trace := canaryMachine(t)
	machine, address := listenCompanion(t, home)
	token := machine.Code() // what a page would have to guess
	foreign := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><main id="main"></main><nav id="places"><a>x</a></nav>`))
	})
	p := open(t, view{width: 800, height: 600, handler: foreign})
	read := eval[[]string](p, `(async () => {
		const base = `+quote(address)+`, token = `+quote(token)+`, got = [];
		const routes = ["/api/pair", "/api/servers", "/api/probe", "/api/heal", "/api/write", "/api/undo"];
		const json = { "Content-Type": "application/json" };
		const ways = [
			{ method: "GET" }, { method: "POST", body: "{}" }, { method: "POST", body: "{}", headers: json },
			{ method: "POST", body: "{}", headers: { ...json, Authorization: "Bearer " + token } },
			{ method: "POST", body: "{}", mode: "no-cors" }, { method: "POST", body: new URLSearchParams({ id: "x" }), credentials: "include" },
		];
		for (const route of routes) for (const way of ways) {
			try {
				const answer = await fetch(base + route, way);
				if (answer.type !== "opaque") got.push(route + " " + JSON.stringify(way) + " " + (await answer.text()));
			} catch { /* blocked */ }
		}
		const tag = (name, attributes) => new Promise(done => {
			const e = Object.assign(document.createElement(name), attributes);
			e.onload = () => { got.push(name + " loaded"); done() };
			e.onerror = () => done();
			document.body.append(e);
			setTimeout(done, 1500);
		});
		await Promise.all([
			tag("img", { src: base + "/api/servers" }), tag("script", { src: base + "/api/servers" }), tag("link", { rel: "stylesheet", href: base + "/api/servers" }),
			tag("audio", { src: base + "/api/servers" }), tag("video", { src: base + "/api/servers" }), tag("object", { data: base + "/api/servers" }),
			new Promise(done => { const s = new EventSource(base + "/api/probe"); s.onopen = () => { got.push("events"); done() }; s.onerror = () => { s.close(); done() } }),
			new Promise(done => { const s = new WebSocket(base.replace("http", "ws") + "/api/probe"); s.onopen = () => { got.push("socket"); done() }; s.onerror = done }),
		]);
		navigator.sendBeacon(base + "/api/probe", new Blob(["{}"], { type: "text/plain" }));
		const form = Object.assign(document.createElement("form"), { action: base + "/api/probe", method: "post", enctype: "text/plain", target: "f" });
		const frame = Object.assign(document.createElement("iframe"), { name: "f" });
		document.body.append(frame, form);
		form.submit();
		await new Promise(done => { frame.onload = done; setTimeout(done, 1500) });
		try { if (frame.contentDocument.body.innerText) got.push("frame " + frame.contentDocument.body.innerText) } catch { /* not ours to read */ }
		return got;
	})()`)
	is.Equal(read, []string{}) // nothing could be read
	_, err := os.Stat(trace)
	is.True(os.IsNotExist(err)) // and nothing ran
}
