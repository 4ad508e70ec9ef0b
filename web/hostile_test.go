package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// payloads are what has made elements, dialogs or requests on other pages.
func payloads() []string {
	list := []string{
		`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`, `<iframe src=javascript:alert(1)>`, `<iframe srcdoc="<script>alert(1)</script>">`,
		`<body onload=alert(1)>`, `<details open ontoggle=alert(1)>`, `<video><source onerror=alert(1)>`, `<audio src=x onerror=alert(1)>`, `<input autofocus onfocus=alert(1)>`,
		`<select autofocus onfocus=alert(1)>`, `<textarea autofocus onfocus=alert(1)>`, `<marquee onstart=alert(1)>`, `<object data=javascript:alert(1)>`, `<embed src=javascript:alert(1)>`,
		`<a href=javascript:alert(1)>x</a>`, `<form action=javascript:alert(1)><button>x`, `<math><mtext></mtext><mglyph><svg><mtext><style><img src=x onerror=alert(1)>`, `<link rel=stylesheet href=//example.com/x>`, `<meta http-equiv=refresh content=0;url=//example.com>`,
		`<base href=//example.com/>`, `<style>@import "//example.com/x"</style>`, `<template><script>alert(1)</script></template>`, `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<svg><script href=data:,alert(1) />`,
		`<svg><animate onbegin=alert(1) attributeName=x dur=1s>`, `<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x">`, `<xss onpointerenter=alert(1) style=position:fixed;inset:0>`, `"><script>alert(1)</script>`, `'><script>alert(1)</script>`,
		"`><script>alert(1)</script>", `</textarea><script>alert(1)</script>`, `</title><script>alert(1)</script>`, `</style><script>alert(1)</script>`, `--><script>alert(1)</script>`,
		`]]><script>alert(1)</script>`, `javascript:alert(1)`, `JaVaScRiPt:alert(1)`, `java\tscript:alert(1)`, `data:text/html,<script>alert(1)</script>`,
		`vbscript:msgbox(1)`, `file:///etc/passwd`, `blob:https://example.com/x`, `https://example.com/"onmouseover=alert(1)`, `https://u:p@example.com/`,
		`{{constructor.constructor('alert(1)')()}}`, `${alert(1)}`, `#{alert(1)}`, `<%= alert(1) %>`, `[x](javascript:alert(1))`,
		`![x](https://example.com/?)`, `<x contenteditable onblur=alert(1)>`, `&lt;script&gt;alert(1)&lt;/script&gt;`, `\u003cscript\u003ealert(1)\u003c/script\u003e`, `%3Cscript%3Ealert(1)%3C/script%3E`,
		"\u202e<script>alert(1)</script>", "\x1b]8;;javascript:alert(1)\x1b\\x\x1b]8;;\x1b\\", "<scr\x00ipt>alert(1)</scr\x00ipt>", `__proto__`, `constructor`,
	}
	return list
}

// Every payload in every place that reaches the report: names, values, log
// lines. Nothing becomes an element, nobody is asked anything, nothing is
// fetched.
func TestInjectionPayloads(t *testing.T) {
	is := is.New(t)
	is.Equal(len(payloads()), 60)
	p := open(t, wide)
	p.diagnosed("spawn npx ENOENT")
	p.wait(inEditor("pasted", ".cm-content") + ".length")
	before := p.asked()
	known := eval[[]string](p, `[...new Set([...document.querySelectorAll("*")].map(e => e.localName))]`)
	for _, payload := range payloads() {
		name, value := quote(payload), quote(payload)
		p.paste(fmt.Sprintf(`2026-11-14T09:12:41.236Z [%s] [error] spawn %s ENOENT
%s: command not found
Error: %s is required
{"mcpServers": {%s: {"command": %s, "args": %s, "env": {%s: %s}, "url": %s, %s: 1}}}`, payload, payload, payload, payload, name, value, value, name, value, value, name))
		p.wait(`document.querySelector("#dx h1")`)
		p.run(`for (const d of document.querySelectorAll("#dx details")) d.open = true`)
	}
	after := eval[[]string](p, `[...new Set([...document.querySelectorAll("*")].map(e => e.localName))]`)
	allowed := map[string]bool{}
	for _, name := range append(known, "ul", "ol", "li", "input", "label", "details", "summary", "pre", "kbd", "del", "ins", "i", "small", "select", "option", "textarea", "progress", "a", "b", "dl", "dt", "dd") {
		allowed[name] = true
	}
	for _, name := range after {
		if !allowed[name] {
			t.Errorf("an element of the paste: %s", name)
		}
	}
	is.Equal(eval[int](p, `document.querySelectorAll("main :is(img, script, iframe, object, embed, video, audio, form, link, meta, base, svg, style)").length`), 0)
	is.Equal(eval[[]string](p, `[...document.querySelectorAll("main a[href]")].map(a => a.protocol).filter(s => !["http:", "https:"].includes(s))`), []string{})
	is.Equal(p.asked(), before)
	p.clean()
}

// bombs are pastes that are large, deep or made to be slow.
func bombs() map[string]string {
	deep := strings.Repeat(`{"a":`, 200_000) + "1" + strings.Repeat("}", 200_000)
	aliases := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 10; i++ {
		aliases += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	servers := `{"mcpServers":{`
	for i := range 20_000 {
		servers += fmt.Sprintf(`"s%d":{"command":"npx"},`, i)
	}
	servers = strings.TrimSuffix(servers, ",") + "}}"
	return map[string]string{
		"616,000 brackets":         strings.Repeat("[", 616_000),
		"deep objects":             deep,
		"duplicate roots":          `{"mcpServers":{"a":{}},"mcpServers":{"a":{"command":"x"}}}`,
		"NUL in a key":             `{"mcpServers":{"a":{"comma\u0000nd":"x"}}}`,
		"lone surrogate":           "{\"mcpServers\":{\"\ufffd\":{\"command\":\"x\"}}}",
		"spaces":                   strings.Repeat(" ", 5<<20),
		"comment without end":      `{"mcpServers": /*` + strings.Repeat("x", 1<<20),
		"one long comment":         "{\n//" + strings.Repeat("x", 3<<20) + "\n}",
		"numbers":                  `{"mcpServers":{"a":{"command":"x","timeout":1e999,"b":-0,"c":` + strings.Repeat("9", 400) + `}}}`,
		"odd names":                `{"mcpServers":{"":{},"__proto__":{"command":"x"},"constructor":{},"../../x":{},"a/b~1c~0":{}}}`,
		"long name":                `{"mcpServers":{"` + strings.Repeat("n", 1<<20) + `":{"command":"x"}}}`,
		"20,000 servers":           servers,
		"nine-fold aliases":        "mcpServers:\n" + aliases,
		"alias to itself":          "mcpServers: &a {b: *a}",
		"dotted TOML":              "[mcp_servers.x]\n" + strings.Repeat("a.", 200_000) + "a = 1",
		"nested maps":              nested(3000),
		"one line of a megabyte":   strings.Repeat("x", 1<<20),
		"a million lines":          strings.Repeat("a\n", 1_000_000),
		"combining marks":          "a" + strings.Repeat("\u0301", 100_000),
		"backticks":                strings.Repeat("`", 100_000),
		"carriage returns":         strings.Repeat("ok\rError\r", 100_000),
		"escapes":                  strings.Repeat("\x1b[2J\x1b[1;1H Apply? [Y/n]", 20_000),
		"tags and selectors":       "a" + strings.Repeat("\U000E0041\U000E0100", 20_000),
		"invisible spaces":         strings.Repeat("\u3164\u2800", 100_000),
		"half a megabyte of npx":   strings.Repeat("spawn npx ENOENT\n", 30_000),
		"quotes that never end":    strings.Repeat(`"`, 300_001),
		"braces and quotes":        strings.Repeat(`{"`, 200_000),
		"roots without a body":     strings.Repeat(`"mcpServers" `, 50_000),
		"commas":                   `{"mcpServers":{` + strings.Repeat(",", 300_000) + `}}`,
		"unbalanced in the middle": `{"mcpServers":{"a":{"command":"x"` + strings.Repeat("}{", 100_000),
	}
}

func nested(depth int) string {
	var b strings.Builder
	b.WriteString("mcpServers:\n")
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i+1) + "a:\n")
	}
	return b.String()
}

// While a bomb is read the page answers: a heartbeat on the main thread is
// never late, and in the end there is an answer or a limit is named.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes of work")
	}
	p := open(t, wide)
	p.diagnosed("spawn npx ENOENT")
	p.wait(inEditor("pasted", ".cm-content") + ".length")
	p.run(`(() => {
		globalThis.late = 0;
		let last = performance.now();
		setInterval(() => { const now = performance.now(); late = Math.max(late, now - last - 10); last = now }, 10);
	})()`)
	for name, text := range bombs() {
		t.Run(name, func(t *testing.T) {
			p.T = t
			limit := p.within(50)
			p.give(text)
			p.run(`document.querySelector("#dx h1")?.remove(); document.querySelector(".aside h1")?.remove()`)
			p.run(`new Promise(done => setTimeout(() => { late = 0; spied.long.length = 0; done() }, 100))`)
			p.pasteGiven()
			p.waitFor(`document.querySelector("#answer h1") && !document.querySelector("#answer progress") || document.querySelector("#start:not([hidden])")`, 30*time.Second)
			late := eval[float64](p, `late`)
			t.Logf("latest heartbeat %.0f ms, long tasks %v", late, eval[[]float64](p, `spied.long`))
			if late > limit {
				t.Errorf("the page did not answer for %.0f ms, over %.0f", late, limit)
			}
			p.run(`[...document.querySelectorAll("button")].find(b => b.checkVisibility() && b.textContent === "Start over")?.click()`)
			p.clean()
		})
	}
}
