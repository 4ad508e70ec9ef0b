package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"mcpmend/native/probe/fixture"
	"mcpmend/web"
)

// One browser serves all tests; each gets a tab in a profile of its own.
var browser struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	fixture.Play() // the servers of TestThisMachine
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

// needBrowser skips where there is no Chromium or no built page, and says what
// would bring them.
func needBrowser(t *testing.T) {
	t.Helper()
	if os.Getenv("MCPMEND_TEST_BROWSER") == "no" {
		t.Skip("no browser here: ./scripts/test installs what is needed")
	}
	if !web.Built() {
		t.Skip("the page is not built: ./scripts/build --page")
	}
	path := chromium()
	if path == "" {
		t.Skip("chromium is not installed: sudo apt-get install chromium")
	}
	browser.once.Do(func() { startBrowser(path) })
	if browser.err != nil {
		t.Fatal(browser.err)
	}
}

func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func startBrowser(path string) {
	profile, err := os.MkdirTemp("", "mcpmend-browser")
	if err != nil {
		browser.err = err
		return
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.UserDataDir(profile),
		chromedp.Flag("headless", "new"),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("no-first-run", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("hide-scrollbars", true),
		// a service worker wants https or this
		chromedp.Flag("unsafely-treat-insecure-origin-as-secure", "*.example.com"),
		chromedp.Flag("host-resolver-rules", "MAP page.example.com 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.Flag("no-sandbox", true))
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	browser.ctx, browser.err = ctx, chromedp.Do(ctx, chromedp.Navigate("about:blank"))
	browser.stop = func() {
		stop()
		stopAllocator()
		_ = os.RemoveAll(profile) // Chromium may still be writing; the OS clears the rest
	}
}

// tab is a page of mcpmend in a fresh profile, and what it did.
type tab struct {
	*testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	requests []string // every address that was asked for
	problems []string // console errors, exceptions, policy violations, dialogs
}

// view is how the page is looked at.
type view struct {
	width, height int
	phone         bool
	dark          bool
	still         bool         // nothing moves, so that a picture is of one moment
	handler       http.Handler // in place of the page's own
	host          string       // in place of 127.0.0.1, for what only a hosted page does
	hash          string
}

var wide = view{width: 1440, height: 900}

// open opens the page and waits until it is drawn.
func open(t *testing.T, v view) *tab {
	t.Helper()
	needBrowser(t)
	if v.handler == nil {
		v.handler = web.Handler(nil)
	}
	server := httptest.NewServer(v.handler)
	t.Cleanup(server.Close)
	address := server.URL
	if v.host != "" {
		address = strings.Replace(address, "127.0.0.1", v.host, 1)
	}
	ctx, cancel := chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, cancelTime := context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(cancelTime)
	p := &tab{T: t, ctx: ctx, url: address + "/"}
	p.watch()
	p.look(v)
	p.call(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: spy})
		return err
	})
	p.do(chromedp.Navigate(p.url + v.hash))
	p.wait(`document.querySelector("#places a")`)
	return p
}

// look gives the tab the size, the pointer and the colours of a view.
func (p *tab) look(v view) {
	p.Helper()
	p.resize(v)
	p.call(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: v.phone})
		return err
	})
	scheme := "light"
	if v.dark {
		scheme = "dark"
	}
	motion := "no-preference"
	if v.still {
		motion = "reduce"
	}
	p.media(map[string]string{"prefers-color-scheme": scheme, "prefers-reduced-motion": motion})
}

// media emulates what a person has set in the system.
func (p *tab) media(features map[string]string) {
	p.Helper()
	var list []*emulation.MediaFeature
	for name, value := range features {
		list = append(list, &emulation.MediaFeature{Name: name, Value: value})
	}
	p.call(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: list})
		return err
	})
}

// resize gives the window another size.
func (p *tab) resize(v view) {
	p.Helper()
	p.call(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: int64(v.width), Height: int64(v.height), DeviceScaleFactor: 1, Mobile: v.phone,
		})
		return err
	})
}

// spy runs before the page: it keeps long tasks and policy violations, and a
// clipboard that a headless browser can write to.
const spy = `
	globalThis.spied = { long: [], violations: [], copied: [], downloads: [] };
	new PerformanceObserver(l => l.getEntries().forEach(e => spied.long.push(e.duration))).observe({ type: "longtask", buffered: true });
	addEventListener("securitypolicyviolation", e => spied.violations.push(e.violatedDirective + " " + e.blockedURI + " " + e.sourceFile), true);
	Object.defineProperty(Navigator.prototype, "clipboard", { configurable: true, value: {
		async write(items) { for (const i of items) spied.copied.push(await (await i.getType("text/plain")).text()) },
		async writeText(s) { spied.copied.push(s) },
	}});
	const make = URL.createObjectURL;
	URL.createObjectURL = blob => { blob.text().then(s => spied.downloads.push(s)); return make.call(URL, blob) };
`

// watch keeps what the tab asks for and what goes wrong in it.
func (p *tab) watch() {
	p.Helper()
	note := func(list *[]string, text string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		*list = append(*list, text)
	}
	p.call(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{})
		return err
	})
	go func() {
		for e := range chromedp.Events(p.ctx, network.RequestWillBeSent) {
			if e.Request != nil { // the zero event ends the stream
				note(&p.requests, e.Request.URL)
			}
		}
	}()
	go func() {
		for e := range chromedp.Events(p.ctx, runtime.ExceptionThrown) {
			if e.ExceptionDetails != nil {
				note(&p.problems, "exception: "+e.ExceptionDetails.Text+" "+describe(e.ExceptionDetails.Exception))
			}
		}
	}()
	go func() {
		for e := range chromedp.Events(p.ctx, runtime.ConsoleAPICalled) {
			if e.Type == "error" || e.Type == "warning" {
				for _, a := range e.Args {
					note(&p.problems, "console: "+string(a.Value))
				}
			}
		}
	}()
	go func() {
		for e := range chromedp.Events(p.ctx, page.JavascriptDialogOpening) {
			if e.Type != "" {
				note(&p.problems, "dialog: "+e.Message)
			}
		}
	}()
}

func describe(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return o.Description
}

// clean fails the test if anything went wrong in the tab.
func (p *tab) clean() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, problem := range p.problems {
		p.Errorf("in the page: %s", problem)
	}
	if v := eval[[]string](p, `spied.violations`); len(v) > 0 {
		p.Errorf("policy violations: %q", v)
	}
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

func (p *tab) call(f func(context.Context, *chromedp.Target) error) {
	p.Helper()
	p.do(chromedp.Func(f))
}

// eval evaluates an expression, or a promise of one, in the page.
func eval[T any](p *tab, expression string) T {
	p.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", brief(expression), err)
	}
	return value
}

// run evaluates for the effect.
func (p *tab) run(expression string) {
	p.Helper()
	eval[chromedp.Void](p, expression)
}

// wait polls until an expression is true. It does so in the page, and without
// eval, which the page's policy forbids.
func (p *tab) wait(expression string) {
	p.Helper()
	p.waitFor(expression, 20*time.Second)
}

func (p *tab) waitFor(expression string, limit time.Duration) {
	p.Helper()
	deadline := time.Now().Add(limit)
	for {
		// Evaluate fails while a page is being replaced by the next one.
		ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if err == nil && ok {
			return
		}
		if time.Now().After(deadline) {
			p.screenshot("failed-" + strings.ReplaceAll(p.Name(), "/", "-"))
			p.mu.Lock()
			problems := p.problems
			p.mu.Unlock()
			p.Fatalf("never true: %s (%v)\nview %s\nproblems %q", brief(expression), err,
				eval[string](p, `document.body.dataset.view + ": " + document.querySelector("main").innerText.slice(0, 600)`), problems)
		}
		select {
		case <-time.After(15 * time.Millisecond):
		case <-p.ctx.Done():
			p.Fatal(p.ctx.Err())
		}
	}
}

func brief(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// quote makes a JavaScript string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// paste does what Mod V does on the start view or outside a field.
func (p *tab) paste(text string) {
	p.Helper()
	p.give(text)
	p.pasteGiven()
}

// give hands a text to the page without doing anything with it: that takes a
// while when it is long, and is no work of the page's.
func (p *tab) give(text string) {
	p.Helper()
	p.run(`globalThis.given = ` + quote(text))
}

func (p *tab) pasteGiven() {
	p.Helper()
	p.run(`(() => {
		const data = new DataTransfer();
		data.setData("text/plain", given);
		(document.querySelector("#start:not([hidden]) #in") ?? document.body)
			.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
	})()`)
}

// diagnosed pastes and waits for the diagnosis.
func (p *tab) diagnosed(text string) {
	p.Helper()
	p.paste(text)
	p.wait(`document.querySelector("#work:not([hidden]) #dx h1.cause")`)
}

func (p *tab) text(selector string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf(`document.querySelector(%s)?.innerText ?? ""`, quote(selector)))
}

func (p *tab) click(selector string) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(%s)`, quote(selector)))
	p.run(fmt.Sprintf(`document.querySelector(%s).click()`, quote(selector)))
}

// press clicks the button with that label.
func (p *tab) press(label string) {
	p.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll("button, summary, a")].find(b => b.checkVisibility() && b.textContent.trim() === %s)`, quote(label))
	p.wait(find)
	p.run(find + ".click()")
}

// keys presses a key with modifiers.
func (p *tab) keys(key string, modifiers ...chromedp.Modifier) {
	p.Helper()
	p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

// editor is the expression of the text of a pane's rich editor.
func editorText(pane string) string {
	return fmt.Sprintf(`(document.querySelector("#%s .rich")?.shadowRoot.querySelector(".cm-content")?.innerText ?? "")`, pane)
}

// inEditor is an expression for elements inside a pane's editor.
func inEditor(pane, selector string) string {
	return fmt.Sprintf(`[...(document.querySelector("#%s .rich")?.shadowRoot.querySelectorAll(%s) ?? [])]`, pane, quote(selector))
}

// copied is what was last put on the clipboard.
func (p *tab) copied() string {
	p.Helper()
	p.wait(`spied.copied.length > 0`)
	return eval[string](p, `spied.copied.pop()`)
}

// screenshot keeps a picture as output of the tests.
func (p *tab) screenshot(name string) {
	p.Helper()
	dir := os.Getenv("MCPMEND_SCREENSHOTS")
	if dir == "" {
		dir = filepath.Join("..", "dist", "screenshots")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.Fatal(err)
	}
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
		p.Fatal(err)
	}
}
