package web_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/matryer/is"
)

// axe-core finds no violation in any view, light, dark and on a phone.
func TestAccessibility(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("axe-core is not installed: npm ci in web/")
	}
	for name, look := range map[string]view{
		"light": wide,
		"dark":  {width: 1440, height: 900, dark: true},
		"phone": {width: 390, height: 844, phone: true},
	} {
		for _, s := range states {
			t.Run(s.name+" "+name, func(t *testing.T) {
				p := open(t, look)
				s.reach(p)
				p.run(string(axe))
				found := eval[[]violation](p, `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
					.then(r => r.violations.map(v => ({ id: v.id, help: v.help, nodes: v.nodes.map(n => n.target.flat().join(" ") + ": " + n.failureSummary) })))`)
				for _, v := range found {
					text, _ := json.MarshalIndent(v, "", "  ")
					t.Errorf("%s", text)
				}
			})
		}
	}
}

type violation struct {
	ID    string   `json:"id"`
	Help  string   `json:"help"`
	Nodes []string `json:"nodes"`
}

// No view scrolls sideways at any width.
func TestNoSidewaysScroll(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, wide)
			s.reach(p)
			for _, width := range []int{360, 390, 600, 768, 1024, 1280, 1600} {
				p.resize(view{width: width, height: 900, phone: width < 600})
				if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("at %d px it is %d too wide: %v", width, over, eval[[]string](p, `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility()).slice(0, 5).map(e => e.localName + "." + e.className)`))
				}
			}
		})
	}
}

// Everything can be reached with Tab, and nothing keeps the focus for good.
func TestKeyboardAlone(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(mixed)
	p.wait(inEditor("pasted", ".cm-content") + ".length")
	p.run(`document.body.focus(); document.activeElement.blur()`)
	reached := map[string]bool{}
	for range 60 {
		p.keys(kb.Tab)
		// leave the editor as its label says
		if eval[bool](p, `document.activeElement.classList.contains("rich")`) {
			reached["editor"] = true
			p.keys(kb.Escape)
			p.keys(kb.Tab)
		}
		reached[eval[string](p, `document.activeElement.textContent.trim().slice(0, 40) || document.activeElement.id || document.activeElement.localName`)] = true
	}
	for _, name := range []string{"editor", "Doctor", "Copy as Markdown", "Share link", "Start over", "Copy mended config", "MCP1001"} {
		is.True(reached[name]) // reached by Tab
	}
	p.clean()
}

func TestThemes(t *testing.T) {
	is := is.New(t)
	p := open(t, view{width: 1440, height: 900, dark: true})
	ground := func() string { return eval[string](p, `getComputedStyle(document.body).backgroundColor`) }
	is.Equal(ground(), "rgb(23, 21, 19)") // as the system
	p.click("#theme")
	is.Equal(p.text("#theme"), "Light")
	is.Equal(ground(), "rgb(248, 246, 241)")
	p.click("#theme")
	is.Equal(p.text("#theme"), "Dark")
	p.click("#theme")
	is.Equal(p.text("#theme"), "Auto")
	p.clean()
}

func TestKeyboardTable(t *testing.T) {
	p := open(t, wide)
	p.run(`document.activeElement.blur()`)
	p.keys("?", chromedp.ModifierShift)
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("F8")`)
	p.keys(kb.Escape)
	p.wait(`!document.querySelector("dialog")`)
	p.clean()
}
