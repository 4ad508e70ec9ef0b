package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/matryer/is"

	"mcpmend/web"
)

// looks are the ways in which every state is looked at.
var looks = []struct {
	name string
	view
}{
	{"light", view{width: 1440, height: 900, still: true}},
	{"dark", view{width: 1440, height: 900, still: true, dark: true}},
	{"phone", view{width: 390, height: 844, still: true, phone: true}},
}

// TestViews goes to every state that the page can be in and looks at it in
// every way: nothing goes wrong, axe-core finds no violation, no word is broken,
// nothing scrolls sideways at any width, and pictures are kept for people to
// look at.
func TestViews(t *testing.T) {
	needBrowser(t)
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("axe-core is not installed: npm ci in web/")
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			p := s.open(t)
			p.run(string(axe))
			for _, look := range looks {
				p.look(look.view)
				p.screenshot(s.name + "-" + look.name)
				p.accessible(look.name)
				p.unbroken(look.name)
			}
			p.fits()
			p.clean()
		})
	}
}

// accessible fails for each violation that axe-core finds.
func (p *tab) accessible(look string) {
	p.Helper()
	found := eval[[]json.RawMessage](p, `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
		.then(r => r.violations.map(v => ({ id: v.id, help: v.help, nodes: v.nodes.map(n => n.target.flat().join(" ") + ": " + n.failureSummary) })))`)
	for _, violation := range found {
		p.Errorf("%s: %s", look, violation)
	}
}

// unbroken fails where an ordinary word is broken over two lines, because its
// column is too narrow.
func (p *tab) unbroken(look string) {
	p.Helper()
	for _, word := range eval[[]string](p, `(() => {
		const broken = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let text; (text = texts.nextNode()); ) {
			if (!text.parentElement.checkVisibility()) continue;
			for (const { 0: word, index } of text.data.matchAll(/(?<=^|\s)[A-Za-z]{3,16}(?=$|[\s.,;:])/g)) {
				const range = document.createRange();
				range.setStart(text, index);
				range.setEnd(text, index + word.length);
				if (new Set([...range.getClientRects()].map((part) => part.top)).size > 1) broken.push(word + " in " + text.data.slice(0, 60));
			}
		}
		return broken;
	})()`) {
		p.Errorf("%s: broken word: %s", look, word)
	}
}

// fits fails where the page is wider than the window: phones, tablets, desks, a
// desk at 200 and at 400 per cent.
func (p *tab) fits() {
	p.Helper()
	for _, size := range []view{{width: 320, height: 256}, {width: 360, height: 800, phone: true}, {width: 600, height: 900}, {width: 720, height: 450}, {width: 768, height: 1024}, {width: 1024, height: 700}, {width: 1280, height: 900}, {width: 1600, height: 900}} {
		p.resize(size)
		if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			p.Errorf("at %d px it is %d too wide: %v", size.width, over, eval[[]string](p, `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility()).slice(0, 5).map(e => e.localName + "." + e.className)`))
		}
	}
}

// state is something that the page can show, and the way to it.
type state struct {
	name string
	open func(*testing.T) *tab
}

// on is a state that is reached from the start view.
func on(reach func(*tab)) func(*testing.T) *tab {
	return served(func() http.Handler { return nil }, reach)
}

// at is a state that an address leads to.
func at(hash, until string) func(*testing.T) *tab {
	return on(func(p *tab) {
		p.Helper()
		p.run(`location.hash = ` + quote(hash))
		p.wait(until)
	})
}

// served is a state of a page whose files come in a special way.
func served(handler func() http.Handler, reach func(*tab)) func(*testing.T) *tab {
	return func(t *testing.T) *tab {
		t.Helper()
		p := open(t, view{width: wide.width, height: wide.height, handler: handler()})
		reach(p)
		return p
	}
}

// severalFixes has a problem in each of its servers, and a fix for most.
const severalFixes = `{
  // for the site and the notes
  "mcpServers": {
    "playwright": {
      "command": "npx @playwright/mcp@latest --headless",
    },
    "notes": {
      "command": "uvx",
      "args": "mcp-obsidian --vault ~/notes",
      "env": { "OBSIDIAN_PORT": 27124 }
    },
    "linear": {
      "type": "sse",
      "url": "https://example.com/mcp",
      "headers": { "Authorization": "Bearer <YOUR_TOKEN>" }
    }
  }
}
`

// healthy is a config with nothing to find.
const healthy = `{"mcpServers": {"files": {"command": "/usr/local/bin/npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/you/notes"]}}}`

// fixes shows severalFixes and its diff.
func fixes(p *tab) {
	p.Helper()
	p.diagnosed(severalFixes)
	p.wait(`document.querySelector("#mended:not([hidden]) .d.add")`)
	p.wait(inEditor("pasted", ".lens") + ".length > 0")
	p.wait(`document.querySelector(".seen dt") && document.querySelector("#mended .targets button")`)
}

var states = []state{
	{"start", on(func(p *tab) { p.wait(`document.querySelector("#promise b")`) })},
	{"start-two-panes", on(func(p *tab) { p.press("Two panes: config, error") })},
	{"start-dragging", on(func(p *tab) {
		p.run(`(() => {
			const data = new DataTransfer();
			data.items.add(new File(["x"], "mcp.json"));
			dispatchEvent(new DragEvent("dragenter", { dataTransfer: data, bubbles: true, cancelable: true }));
		})()`)
		p.wait(`document.body.hasAttribute("data-drag")`)
	})},
	{"diagnosed", on(func(p *tab) { p.example("Claude Desktop, npx not found") })},
	{"mended", on(func(p *tab) { // the picture of the README
		p.example("Claude Desktop, npx not found")
		p.run(`document.querySelector("#ask-npx").focus()`)
		p.do(chromedp.KeyEvent("/Users/you/.nvm/versions/node/v22.11.0/bin/npx"))
		p.wait(`document.querySelector("#mended .d.add")?.textContent.includes("/bin/npx") && document.querySelector("#dx .fix input[type=checkbox], #dx .fix input[type=radio]")`)
		p.wait(inEditor("pasted", ".lens") + ".length > 0")
		p.run(`document.activeElement.blur()`)
	})},
	{"unknown", on(func(p *tab) { p.example("Connection closed log") })},
	{"syntax", on(func(p *tab) { p.example("Broken JSON") })},
	{"healthy", on(func(p *tab) {
		p.diagnosed(healthy)
		p.wait(inEditor("pasted", ".cm-line") + ".length > 0 && document.querySelector('#mended:not([hidden]) .empty')")
	})},
	{"emptied", on(func(p *tab) {
		p.diagnosed("spawn npx ENOENT")
		p.wait(inEditor("pasted", ".cm-content") + ".length")
		p.run(inEditor("pasted", ".cm-content") + `[0].focus()`)
		p.keys("a", chromedp.ModifierCtrl)
		p.keys("\b")
		p.wait(`document.querySelector("#answer h1")?.textContent === "Nothing to read yet"`)
	})},
	{"two-panes", on(func(p *tab) {
		p.bothPanes(`{"mcpServers": {"github": {"command": "npx", "args": ["-y", "x"]}}}`, "spawn npx ENOENT")
		p.wait(inEditor("pasted", ".ev") + ".length > 0")
	})},
	{"fixes", on(fixes)},
	{"fixes-open", on(func(p *tab) { // every finding, every fold
		fixes(p)
		p.run(`for (const d of document.querySelectorAll("#dx details.other")) d.open = true; for (const f of document.querySelectorAll("#mended button.fold")) f.click()`)
		p.wait(`document.querySelectorAll("#mended .d").length > 15`)
	})},
	{"convert", on(func(p *tab) {
		fixes(p)
		p.click("#mended .menu summary")
		p.wait(`document.querySelector("#mended .menu").open`)
	})},
	{"converted", on(func(p *tab) {
		fixes(p)
		p.run(`[...document.querySelectorAll("#mended .targets button")].find(b => b.textContent.includes("Codex")).click()`)
		p.wait(`document.querySelector("#mended .code").textContent.includes("[mcp_servers.")`)
	})},
	{"searched", on(func(p *tab) {
		fixes(p)
		p.run(inEditor("pasted", ".cm-content") + `[0].focus()`)
		p.keys("f", chromedp.ModifierCtrl)
		p.wait(inEditor("pasted", ".cm-search") + ".length")
	})},
	{"shared", on(func(p *tab) {
		p.diagnosed(mixed)
		p.press("Share link")
		p.run(`location.hash = new URL(` + quote(p.copied()) + `).hash`)
		p.wait(`document.querySelector(".toast")?.textContent.startsWith("Opened from a link")`)
		p.wait(inEditor("pasted", ".ev") + ".length > 0")
	})},
	{"modules", on(func(p *tab) {
		p.diagnosed(refused)
		p.wait(fixBy("services"))
		p.drop(
			file{"own.wasm", module("own-fixes", `{"abi":1,"fixes":[{"id":"look","title":"Start the database","requires_user_action":true}]}`)},
			file{"page.wasm", []byte("<html>")},
		)
		p.wait(`document.querySelector("#module .verdict")?.textContent.includes("proposes 1 fix,") && document.querySelector("#module .refusal")`)
	})},
	{"rules", at("#rules", `document.querySelectorAll("#rules .idx li").length > 20`)},
	{"rule", at("#rules/MCP1001", `document.querySelector("#rules .art h1")`)},
	{"rule-before-after", at("#rules/MCP3011", `document.querySelector("#rules .art .now")`)},
	{"rule-missing", at("#rules/MCP9999", `document.querySelector("#rules .art h1")?.textContent.includes("MCP9999")`)},
	{"arguments-empty", at("#arguments", `document.querySelector("#arguments-view h1") && `+inEditor("arguments", ".cm-content")+`.length`)},
	{"arguments", on(func(p *tab) {
		p.press(`Tool argumentsMCP error -32602`)
		p.wait(`document.querySelector("#arguments-view .iss")`)
		p.wait(inEditor("arguments", ".ev") + ".length > 0")
	})},
	{"privacy", at("#privacy", `document.querySelector("#privacy .facts dd")`)},
	{"keyboard", on(func(p *tab) {
		p.run(`document.activeElement.blur()`)
		p.keys("?")
		p.wait(`document.querySelector("dialog[open]")`)
	})},
	{"loading", served(stalled, func(p *tab) {
		p.paste("spawn npx ENOENT")
		p.wait(`document.querySelector("#answer progress")?.value > 0`)
	})},
	{"lost", served(func() http.Handler { return without("/core-") }, func(p *tab) {
		p.paste("spawn npx ENOENT")
		p.wait(`document.querySelector("#answer [role=alert] h1")?.textContent === "The doctor could not be loaded"`)
	})},
	{"slow", served(sabotaged, func(p *tab) {
		p.paste("hang here")
		p.wait(`document.querySelector("#answer [role=alert] h1")?.textContent.includes("5 seconds")`)
	})},
	{"broken", served(sabotaged, func(p *tab) {
		p.paste("break here")
		p.wait(`document.querySelector("#answer [role=alert] h1")?.textContent.includes("half-way")`)
	})},
	{"packs-lost", served(func() http.Handler { return without("/pack-") }, func(p *tab) {
		p.diagnosed(refused)
		p.wait(`document.querySelector("#dx .sec.soft button")`)
	})},
	{"machine-unpaired", at("#machine", `document.querySelector("#machine:not([hidden]) .art h1")`)},
	{"machine", func(t *testing.T) *tab {
		p, _ := pairedMachine(t)
		p.wait(serverRow("weather") + `?.querySelector(".dot.no")`)
		p.run(serverRow("weather") + `.querySelector("button").click()`)
		p.wait(`document.querySelector("#machine-card h1")?.textContent.startsWith("weather: ")`)
		return p
	}},
	{"machine-fix", func(t *testing.T) *tab {
		p, _ := pairedMachine(t)
		p.wait(serverRow("weather") + `?.querySelector(".dot.no")`)
		p.run(serverRow("weather") + `.querySelector("button").click()`)
		p.click("#machine-heal")
		p.wait(`document.querySelector("#machine-write")`)
		return p
	}},
}

// example opens one by its label and waits until everything about it is drawn.
func (p *tab) example(label string) {
	p.Helper()
	p.run(`[...document.querySelectorAll(".eg button")].find(b => b.textContent.startsWith(` + quote(label) + `)).click()`)
	p.wait(`document.querySelector("#work:not([hidden]) #dx h1.cause")`)
	p.wait(inEditor("pasted", ".cm-line") + ".length > 3")
	p.wait(inEditor("pasted", ".ev, .sq") + ".length > 0")
}

// without is the page with some of its files missing.
func without(prefix string) http.Handler {
	page := web.Handler(nil)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// stalled is the page on a line that stops in the middle of the core.
func stalled() http.Handler { return slowLine(nil) }

// slowLine is the page whose core stops after a megabyte, until it is released
// or nobody waits any more.
func slowLine(release <-chan struct{}) http.Handler {
	page := web.Handler(nil)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/core-") {
			page.ServeHTTP(w, r)
			return
		}
		core := plain(page, r.URL.Path)
		w.Header().Set("Content-Type", "application/wasm")
		_, _ = w.Write(core[:1<<20])
		w.(http.Flusher).Flush()
		select {
		case <-release:
			_, _ = w.Write(core[1<<20:])
		case <-r.Context().Done():
		}
	})
}

// sabotaged is the page with a worker that a text can stop.
func sabotaged() http.Handler {
	page := web.Handler(nil)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/worker-") {
			page.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(`addEventListener("message", ({ data }) => {
			const text = data.ask?.text ?? "";
			if (text.includes("hang here")) for (;;);
			if (text.includes("break here")) throw new Error("broken on purpose");
		});`))
		_, _ = w.Write(plain(page, r.URL.Path))
	})
}

// plain is a file of the page as it is, not packed.
func plain(page http.Handler, path string) []byte {
	w := httptest.NewRecorder()
	page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Body.Bytes()
}

// Whoever wants no motion gets none, in the states that have some.
func TestReducedMotion(t *testing.T) {
	is := is.New(t)
	for _, hash := range []string{"", "#arguments", "#rules"} {
		p := open(t, wide)
		p.media(map[string]string{"prefers-reduced-motion": "reduce"})
		p.run(`location.hash = ` + quote(hash))
		is.Equal(eval[[]string](p, `[...document.querySelectorAll("*")].filter(e => [getComputedStyle(e), getComputedStyle(e, "::after"), getComputedStyle(e, "::before")].some(s => s.animationName !== "none" || s.transitionDuration !== "0s")).map(e => e.localName + "." + e.className)`), []string{})
		is.Equal(eval[int](p, `document.getAnimations().length`), 0)
	}
}

// With the system's own few colours everything that is drawn by colour alone
// has a border: what is chosen, what is marked, what a badge says.
func TestForcedColours(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.media(map[string]string{"forced-colors": "active"})
	fixes(p)
	is.True(eval[bool](p, `matchMedia("(forced-colors: active)").matches`))
	for _, selector := range []string{"#dx .badge", "#dx .tag", "#dx .sw"} {
		is.Equal(eval[string](p, `getComputedStyle(document.querySelector(`+quote(selector)+`)).borderStyle`), "solid") // has an edge
	}
	is.Equal(eval[string](p, `getComputedStyle(`+inEditor("pasted", ".ev")+`[0]).borderStyle`), "solid")
	p.screenshot("fixes-forced-colours")
	p.clean()
}
