package web_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// within is a limit in milliseconds for this machine at this moment. A page
// that does nothing is late too when other programs have the processor: that
// is measured and allowed for, twice over. MCPMEND_TEST_QUIET=1 promises a
// quiet machine and holds the limit as it is.
func (p *tab) within(ms float64) float64 {
	p.Helper()
	if os.Getenv("MCPMEND_TEST_QUIET") != "" {
		return ms
	}
	idle := eval[float64](p, `new Promise(done => {
		let late = 0, beats = 0, last = performance.now();
		const timer = setInterval(() => {
			const now = performance.now();
			late = Math.max(late, now - last - 10);
			last = now;
			if (++beats === 40) { clearInterval(timer); done(late) }
		}, 10);
	})`)
	return 2*ms + 3*idle
}

// Typing never blocks the main thread, also in a long text.
func TestTypingDoesNotBlock(t *testing.T) {
	p := open(t, wide)
	p.diagnosed(strings.Repeat("2026-11-14T09:12:41.236Z [github] [info] still here\n", 2000) + "spawn npx ENOENT\n")
	p.wait(inEditor("pasted", ".cm-line") + ".length > 3")
	p.run(inEditor("pasted", ".cm-content") + `[0].focus()`)
	limit := p.within(50)
	p.run(`spied.long.length = 0`)
	p.do(chromedp.KeyEvent("something is typed here while the text is read again "))
	long := eval[[]float64](p, `spied.long`)
	t.Logf("tasks over 50 ms while typing: %v", long)
	for _, ms := range long {
		if ms > limit {
			t.Errorf("a task of %.0f ms, over %.0f", ms, limit)
		}
	}
	p.clean()
}

// A log of a megabyte and a config of ten thousand lines.
func TestLongTexts(t *testing.T) {
	line := "2026-11-14T09:12:41.236Z [github] [info] Message from client: {\"method\":\"tools/list\"}\n"
	log := strings.Repeat(line, (1<<20)/len(line)) + "2026-11-14T09:12:41.236Z [github] [error] spawn npx ENOENT\n"
	var config strings.Builder
	config.WriteString("{\n  \"mcpServers\": {\n")
	for i := range 2000 {
		fmt.Fprintf(&config, "    \"server%d\": {\n      \"command\": \"/usr/bin/node\",\n      \"args\": [\"/srv/%d.js\"]\n    },\n\n", i, i)
	}
	config.WriteString("    \"last\": {\n      \"command\": \"npx\"\n    }\n  }\n}\n")
	for name, text := range map[string]string{"log of 1 MB": log, "config of 10,000 lines": config.String()} {
		t.Run(name, func(t *testing.T) {
			p := open(t, wide)
			p.diagnosed("spawn npx ENOENT")
			p.wait(inEditor("pasted", ".cm-content") + ".length")
			limit := p.within(100)
			p.run(`spied.long.length = 0`)
			p.paste(text)
			p.wait(`document.querySelector("#dx h1.cause")`)
			p.wait(inEditor("pasted", ".cm-line") + ".length > 10")
			long := eval[[]float64](p, `spied.long`)
			t.Logf("%s, tasks over 50 ms: %v", p.text(".seen dl"), long)
			for _, ms := range long {
				if ms > limit {
					t.Errorf("a task of %.0f ms, over %.0f", ms, limit)
				}
			}
			p.clean()
		})
	}
}

// From opening the page to the first diagnosis, with nothing in any cache.
func TestColdStart(t *testing.T) {
	p := open(t, wide)
	p.paste("spawn npx ENOENT")
	p.wait(`document.querySelector("#work:not([hidden]) #dx h1.cause")`)
	t.Logf("navigation to first diagnosis: %.0f ms", eval[float64](p, `performance.getEntriesByType("mark").find(m => m.name === "diagnosed").startTime`))
}
