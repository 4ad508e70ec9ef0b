package web_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/matryer/is"
)

// Everything can be reached with Tab, and nothing keeps the focus for good.
func TestKeyboardAlone(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	fixes(p)
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
	for _, name := range []string{"editor", "Doctor", "Copy as Markdown", "Share link", "Start over", "Copy mended config", "Convert to", "MCP4051"} {
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
