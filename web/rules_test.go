package web_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"

	"mcpmend/core"
)

// The index has every rule, made from the rules, and each has its page.
func TestRuleIndex(t *testing.T) {
	is := is.New(t)
	p := open(t, view{width: 1440, height: 900, hash: "#rules"})
	rules := core.Rules()
	p.wait(fmt.Sprintf(`document.querySelectorAll("#rules .idx li").length === %d`, len(rules)))
	for _, rule := range rules {
		p.run(fmt.Sprintf(`location.hash = "#rules/%s"`, rule.Code))
		p.wait(fmt.Sprintf(`document.querySelector("#rules .art .meta b")?.textContent === %s`, quote(rule.Code)))
		page := eval[[]string](p, `(() => { const a = document.querySelector("#rules .art"); return [a.querySelector("h1").textContent, a.innerText] })()`)
		is.Equal(page[0], strings.ReplaceAll(rule.Title, "`", ""))
		shown := page[1]
		is.True(strings.Contains(shown, "Why it happens") && strings.Contains(shown, "What to do"))
		is.True(strings.Contains(shown, "How it reads") || strings.Contains(shown, "Before") && strings.Contains(shown, "After")) // a sample
		is.Equal(strings.Contains(shown, "Try it"), pasteable(rule))
	}
	p.clean()
}

func TestFindARule(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.run(`document.activeElement.blur()`)
	p.keys("/")
	p.wait(`document.activeElement.id === "find"`)
	p.wait(`document.querySelectorAll("#rules .idx li").length > 20`)
	p.run(`(() => { const f = document.querySelector("#find"); f.value = "EADDRINUSE"; f.dispatchEvent(new Event("input")) })()`)
	p.wait(`document.querySelectorAll("#rules .idx li").length < 10`)
	is.True(eval[int](p, `document.querySelectorAll("#rules .idx li").length`) > 0)
	p.run(`(() => { const f = document.querySelector("#find"); f.value = "no such words anywhere"; f.dispatchEvent(new Event("input")) })()`)
	p.wait(`document.querySelector("#rules .list").textContent.includes("No rule has these words")`)
	p.clean()
}

// pasteable tells that a rule's example is text. One is of a file in UTF-16.
func pasteable(rule core.Rule) bool {
	return utf8.ValidString(rule.Before)
}

// "Try it" on a rule's page leads to that rule's own diagnosis, for a rule of
// every category that is a failure.
func TestTryARule(t *testing.T) {
	p := open(t, view{width: 1440, height: 900, hash: "#rules/MCP1001"})
	tried := map[string]bool{"unknown": true} // what is known to be harmless
	for _, rule := range core.Rules() {
		if tried[string(rule.Category)] || !pasteable(rule) {
			continue
		}
		tried[string(rule.Category)] = true
		p.run(fmt.Sprintf(`location.hash = "#rules/%s"`, rule.Code))
		p.wait(fmt.Sprintf(`document.querySelector("#rules:not([hidden]) .art .meta b")?.textContent === %s`, quote(rule.Code)))
		p.press("Try it")
		p.wait(fmt.Sprintf(`document.querySelector("#work:not([hidden]) #dx .meta a")?.textContent === %s`, quote(rule.Code)))
	}
	p.clean()
}
