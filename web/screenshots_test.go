package web_test

import (
	"testing"
)

// The views as people see them. The pictures are output for people to look at;
// what they must hold is checked by the other tests.
func TestScreenshots(t *testing.T) {
	looks := map[string]view{
		"light": wide,
		"dark":  {width: 1440, height: 900, dark: true},
		"phone": {width: 390, height: 844, phone: true},
	}
	for name, look := range looks {
		t.Run(name, func(t *testing.T) {
			for _, s := range states {
				p := open(t, look)
				s.reach(p)
				p.screenshot(s.name + "-" + name)
				p.clean()
			}
		})
	}
}

// state is a view of the page and the way to it.
type state struct {
	name  string
	reach func(*tab)
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

var states = []state{
	{"start", func(p *tab) { p.wait(`document.querySelector("#promise b")`) }},
	{"diagnosed", func(p *tab) { p.example("Claude Desktop, npx not found") }},
	{"unknown", func(p *tab) { p.example("Connection closed log") }},
	{"syntax", func(p *tab) { p.example("Broken JSON") }},
	{"fixes", func(p *tab) {
		p.diagnosed(severalFixes)
		p.wait(`document.querySelector("#mended:not([hidden]) .d.add")`)
		p.wait(inEditor("pasted", ".lens") + ".length > 0")
		p.wait(`document.querySelector(".seen dt")`)
	}},
	{"module", func(p *tab) {
		p.diagnosed(refused)
		p.wait(fixBy("services"))
		p.drop("own.wasm", module("own-fixes", `{"abi":1,"fixes":[{"id":"look","title":"Start the database","requires_user_action":true}]}`))
		p.wait(`document.querySelector("#module .verdict")?.textContent.includes("proposes 1 fix,")`)
	}},
	{"rules", func(p *tab) {
		p.run(`location.hash = "#rules"`)
		p.wait(`document.querySelectorAll("#rules .idx li").length > 20`)
	}},
	{"rule", func(p *tab) {
		p.run(`location.hash = "#rules/MCP1001"`)
		p.wait(`document.querySelector("#rules .art h1")`)
	}},
	{"arguments", func(p *tab) {
		p.press(`Tool argumentsMCP error -32602`)
		p.wait(`document.querySelector("#arguments-view .iss")`)
		p.wait(inEditor("arguments", ".ev") + ".length > 0")
	}},
	{"privacy", func(p *tab) {
		p.run(`location.hash = "#privacy"`)
		p.wait(`document.querySelector("#privacy .facts dd")`)
	}},
	{"keyboard", func(p *tab) {
		p.keys("?")
		p.wait(`document.querySelector("dialog[open]")`)
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
