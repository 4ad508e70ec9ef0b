package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/matryer/is"
)

// A log and a config as one paste, as people copy them.
const mixed = `2026-11-14T09:12:41.207Z [github] [info] Initializing server...
2026-11-14T09:12:41.236Z [github] [error] spawn npx ENOENT
2026-11-14T09:12:41.240Z [github] [info] Server transport closed unexpectedly, this is likely due to the process exiting early.
2026-11-14T09:12:41.241Z [github] [error] Server disconnected. For troubleshooting guidance, please visit our debugging documentation

{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "<YOUR_TOKEN>" }
    }
  }
}
`

func TestMixedPaste(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(mixed)
	is.Equal(p.text("#dx .meta code"), "command_not_found")
	is.True(strings.Contains(p.text("#dx h1"), "npx"))                             // the cause in one sentence
	is.True(strings.Contains(p.text("#dx .conf b"), ", 0."))                       // how sure, with its number
	p.wait(`document.querySelector(".seen").innerText.includes("Claude Desktop")`) // the client
	is.True(strings.Contains(p.text(".seen"), "github"))                           // the server
	p.wait(inEditor("pasted", ".part") + `.map(e => e.textContent.trim().split(" ")[0]).join() === "Log,Config"`)
	is.Equal(eval[int](p, `document.querySelectorAll("#dx .thread > li").length`) > 1, true) // from symptom to cause
	is.Equal(p.text("#dx .thread > li:last-child .lab"), "Cause")                            // the cause at its end
	is.True(eval[int](p, `document.querySelectorAll("#dx .todo > li:not([hidden])").length`) > 0)
	p.clean()
}

// Evidence is found both ways: from the list to the text, from the text to the
// list.
func TestEvidenceBothWays(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(mixed)
	p.wait(inEditor("pasted", ".ev") + ".length > 0")
	is.True(strings.Contains(eval[string](p, inEditor("pasted", ".ev")+`[0].textContent`), "spawn npx ENOENT"))
	is.Equal(eval[string](p, inEditor("pasted", ".tag:not(.spacer)")+`[0].textContent`), "1")

	p.click(`#dx .evi button`)
	p.wait(inEditor("pasted", ".cm-content") + `[0].getRootNode().activeElement`)                                                 // the cursor is in the editor
	is.Equal(eval[string](p, `document.querySelector("#pasted .rich").shadowRoot.getSelection().toString()`), "spawn npx ENOENT") // and on the very words

	p.run(`document.querySelector("#dx .evi button").dispatchEvent(new MouseEvent("mouseenter"))`)
	p.wait(inEditor("pasted", ".ev.on") + ".length > 0")
	p.run(`document.querySelector("#dx .evi button").dispatchEvent(new MouseEvent("mouseleave"))`)
	p.wait(inEditor("pasted", ".ev.on") + ".length === 0")
	p.run(inEditor("pasted", ".tag:not(.spacer)") + `[0].click()`)
	p.wait(`document.querySelector("#dx .evi button.hit")`)

	// the words themselves lead to the finding, also to one that is not the first
	p.paste(severalFixes)
	p.wait(`document.querySelectorAll("#dx details.other").length > 1`)
	p.wait(inEditor("pasted", ".sq") + ".length > 3")
	port := inEditor("pasted", ".sq") + `.find(e => e.textContent === "27124")`
	where := eval[[]float64](p, `(() => { const r = `+port+`.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	p.do(chromedp.MouseClickXY(where[0], where[1]))
	is.Equal(eval[int](p, `[...document.querySelectorAll("#dx .root")].filter(e => e.textContent === "Root cause").length`), 1) // one, whatever else is open
	p.wait(`[...document.querySelectorAll("#dx details.other[open] summary")].some(e => e.textContent.includes("OBSIDIAN_PORT"))`)
	p.wait(inEditor("pasted", ".ev") + `.some(e => e.textContent.includes("27124"))`)
	p.clean()
}

// What is typed is read again, and the choices that were made stay.
func TestEditingReadsAgain(t *testing.T) {
	p := open(t, wide)
	p.diagnosed("spawn npx ENOENT")
	p.wait(inEditor("pasted", ".cm-content") + ".length")
	p.run(inEditor("pasted", ".cm-content") + `[0].focus()`)
	p.keys("a", chromedp.ModifierCtrl)
	p.keys(kb.Delete)
	p.wait(`document.querySelector("#start:not([hidden]), #work:not([hidden])")`)
	p.do(chromedp.KeyEvent("listen EADDRINUSE: address already in use 127.0.0.1:3000"))
	p.wait(`document.querySelector("#dx .meta code")?.textContent === "port_in_use"`)
	p.clean()
}

func TestFixesOneByOneAndAll(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(`{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": "-y @modelcontextprotocol/server-filesystem /Users/you/notes",
    }
  }
}`)
	p.wait(`document.querySelector("#mended:not([hidden]) .d.add")`)
	// the evidence is the very words, not the lines around them
	is.Equal(eval[string](p, `document.querySelector("#dx .evi code").textContent`), `"-y @modelcontextprotocol/server-filesystem /Users/you/notes"`)
	changed := func() int { return eval[int](p, `document.querySelectorAll("#mended .d.add, #mended .d.del").length`) }
	all := changed()
	is.True(all > 0)

	// refuse every fix: the diff is empty
	p.run(`for (const d of document.querySelectorAll("#dx details.other")) d.open = true`)
	p.run(`for (const s of document.querySelectorAll("#dx .sw:checked")) s.click()`)
	p.run(`for (const s of document.querySelectorAll("#dx [id$=-none]")) s.click()`)
	p.wait(`document.querySelectorAll("#mended .d.add").length === 0`)

	// the safe ones by the keyboard: a part of the diff is back
	p.keys("a", chromedp.ModifierCtrl, chromedp.ModifierShift)
	p.wait(`document.querySelector("#mended .d.add")`)
	// and all of them by the button
	p.press("Accept all")
	p.wait(`document.querySelector("#accept-all").hidden`) // there is nothing left to accept
	p.wait(fmt.Sprintf(`document.querySelectorAll("#mended .d.add, #mended .d.del").length === %d`, all))
	p.clean()
}

// The page cannot see the disk: it asks for the one path that it needs, and
// the answer is in the diff at once.
func TestAskForAPath(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.example("Claude Desktop, npx not found")
	p.wait(`document.querySelector("#ask-npx")`)
	p.run(`document.querySelector("#ask-npx").focus()`)
	p.do(chromedp.KeyEvent("/Users/you/.nvm/versions/node/v22.11.0/bin/npx"))
	p.wait(`document.querySelector("#mended .d.add")?.textContent.includes("/Users/you/.nvm/versions/node/v22.11.0/bin/npx")`)
	is.Equal(eval[string](p, `document.activeElement.id`), "ask-npx") // typing goes on where it was
	p.clean()
}

func TestCopyAndDownload(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.example("Broken JSON")
	p.wait(`document.querySelector("#mended:not([hidden]) .d.add")`)
	p.press("Copy mended config")
	var config map[string]any
	is.NoErr(json.Unmarshal([]byte(p.copied()), &config)) // the mended text is valid JSON
	is.True(config["mcpServers"] != nil)
	p.keys(kb.Enter, chromedp.ModifierCtrl)
	is.NoErr(json.Unmarshal([]byte(p.copied()), &config))
	p.press("Download")
	p.wait(`spied.downloads.length === 1`)
	is.NoErr(json.Unmarshal([]byte(eval[string](p, `spied.downloads[0]`)), &config))
	p.clean()
}

// What is copied says what was found: for people as Markdown, for an agent as
// the report that every face gives.
func TestCopyAsMarkdownAndForAnAgent(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(mixed)
	title := p.text("#dx h1")
	p.press("Copy as Markdown")
	markdown := p.copied()
	is.True(strings.Contains(markdown, title) && strings.Contains(markdown, "MCP1001") && strings.Contains(markdown, "spawn npx ENOENT"))
	p.press("Copy for an agent")
	var report struct {
		Version   int
		Client    string
		Diagnoses []struct{ Code, Category, Server string }
	}
	is.NoErr(json.Unmarshal([]byte(p.copied()), &report))
	is.Equal(report.Version, 1)
	is.Equal(report.Client, "claude-desktop")
	is.Equal(report.Diagnoses[0].Code, "MCP1001")
	is.Equal(report.Diagnoses[0].Server, "github")
	p.clean()
}

// Where no change is chosen there is no mended config to take away, and the
// keys say so.
func TestNothingToTakeAway(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(healthy)
	p.wait(`document.querySelector("#mended:not([hidden]) .empty")`)
	is.Equal(eval[int](p, `[...document.querySelectorAll("#mended button")].filter(b => ["Download", "Copy mended config"].includes(b.textContent) && b.checkVisibility()).length`), 0)
	p.keys(kb.Enter, chromedp.ModifierCtrl)
	p.wait(`document.querySelector(".toast")?.textContent.startsWith("Nothing in the config has to change")`)
	is.Equal(eval[int](p, `spied.copied.length`), 0)
	p.clean()
}

func TestConvertToAnotherClient(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(mixed)
	p.wait(`document.querySelector("#mended:not([hidden]) .targets button")`)
	p.run(`[...document.querySelectorAll("#mended .targets button")].find(b => b.textContent.includes("Codex")).click()`)
	p.wait(`document.querySelector("#mended .code").textContent.includes("[mcp_servers.github]")`)
	p.press("Copy config")
	is.True(strings.Contains(p.copied(), "[mcp_servers.github]"))
	p.press("Back to the changes")
	p.wait(`document.querySelector("#mended h2").textContent === "Mended config"`)
	p.clean()
}

// A squiggle, a lens with quick fixes under it, and the keys that reach them.
func TestQuickFixInTheEditor(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(`{"mcpServers": {"files": {"command": "npx", "args": "-y @modelcontextprotocol/server-filesystem /Users/you"}}}`)
	p.wait(inEditor("pasted", ".sq") + ".length > 0")
	p.wait(inEditor("pasted", ".lens .quick") + ".length > 0")
	p.keys(".", chromedp.ModifierCtrl)
	p.wait(inEditor("pasted", ".lens .quick") + "[0].matches(':focus')")
	p.keys(kb.Enter)
	p.wait(`document.querySelector("#mended .d.add")`)
	is.True(strings.Contains(p.text("#mended .d.add"), `["-y"`))
	p.clean()
}

// F8 walks the findings, and the diagnosis follows.
func TestWalkingFindings(t *testing.T) {
	p := open(t, wide)
	p.diagnosed(`{"mcpServers": {
  "one": {"command": "node", "args": "one.js"},
  "two": {"command": "node", "args": "two.js"}
}}`)
	p.wait(`document.querySelectorAll("#dx details.other").length > 0`)
	p.keys(kb.F8)
	p.wait(`document.querySelector("#dx details.other[data-diagnosis='1']").open`)
	p.keys(kb.F8, chromedp.ModifierShift)
	p.keys("1", chromedp.ModifierAlt)
	p.wait(inEditor("pasted", ".cm-content") + `[0].getRootNode().activeElement`)
	p.keys(kb.F6)
	p.clean()
}

// bothPanes fills the two panes of the start view and has them read.
func (p *tab) bothPanes(config, text string) {
	p.Helper()
	p.press("Two panes: config, error")
	p.wait(`!document.querySelector("#in-config").hidden`)
	p.run(fmt.Sprintf(`document.querySelector("#in-config").value = %s; document.querySelector("#in").value = %s`, quote(config), quote(text)))
	p.press("Read both")
	p.wait(`document.querySelector("#work:not([hidden]) #dx h1.cause")`)
}

func TestTwoPanes(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.bothPanes(`{"mcpServers": {"github": {"command": "npx", "args": ["-y", "x"]}}}`, "spawn npx ENOENT")
	p.wait(`["pasted", "pasted-config"].every(id => !document.getElementById(id).hidden)`)
	p.wait(inEditor("pasted", ".ev") + ".length > 0")
	is.Equal(p.text("#dx .meta code"), "command_not_found")
	p.clean()
}

func TestDroppedFiles(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	drop := func(name, content string) {
		p.run(fmt.Sprintf(`(() => {
			const data = new DataTransfer();
			data.items.add(new File([%s], %s));
			const event = name => new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true });
			dispatchEvent(event("dragenter"));
			if (!document.body.hasAttribute("data-drag")) throw new Error("the page does not show that it takes files");
			dispatchEvent(event("drop"));
		})()`, quote(content), quote(name)))
	}
	drop("mcp-server-github.log", "2026-11-14T09:12:41.236Z [github] [error] spawn npx ENOENT\n")
	p.wait(`document.querySelector("#work:not([hidden]) #dx h1.cause")`)
	// a config dropped beside the log joins it
	drop("claude_desktop_config.json", `{"mcpServers": {"github": {"command": "npx"}}}`)
	p.wait(`!document.querySelector("#pasted-config").hidden`)
	p.wait(`document.querySelector(".seen dl").innerText.includes("Claude Desktop")`)
	is.True(strings.Contains(p.text("#pasted-config .dim"), "claude_desktop_config.json"))
	drop("picture.png", "\x89PNG\x00\x00\x00\x00")
	p.wait(`document.querySelector(".toast")?.textContent.includes("not text")`)
	p.clean()
}

func TestUnknownSaysWhatToCollect(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.example("Connection closed log")
	is.Equal(p.text("#dx .root"), "Not known yet")
	p.wait(`document.querySelector("#dx .steps .cmd code")`)
	p.press("Windows")
	p.wait(`document.querySelector("#dx .steps .cmd code").textContent.includes("Get-Content")`)
	// what is added is read together with the first text
	p.run(`(() => {
		const data = new DataTransfer();
		data.setData("text/plain", "npm error code E404\nnpm error 404 Not Found - GET https://registry.example.org/nope");
		document.querySelector("#more textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
	})()`)
	p.wait(`document.querySelector("#dx .meta code")?.textContent === "package_not_found"`)
	p.wait(editorText("pasted") + `.includes("Connection closed")`)
	p.clean()
}

func TestHealthyConfig(t *testing.T) {
	p := open(t, wide)
	p.diagnosed(healthy)
	p.wait(`!document.querySelector("#dx .root.error")`)
	p.wait(`[...document.querySelectorAll("#dx h2")].every(e => e.textContent !== "Fixes in the config")`) // there is none
	p.clean()
}

// A reader hears the cause, once it has been still for a moment.
func TestAnnouncesTheCause(t *testing.T) {
	p := open(t, wide)
	p.diagnosed(mixed)
	p.wait(`document.querySelector("#said").textContent === document.querySelector("#dx h1").textContent`)
	p.clean()
}

func TestStartOver(t *testing.T) {
	p := open(t, wide)
	p.diagnosed("spawn npx ENOENT")
	p.press("Start over")
	p.wait(`document.querySelector("#start:not([hidden])") && document.activeElement.id === "in" && document.activeElement.value === ""`)
	p.paste("listen EADDRINUSE: address already in use :::3000")
	p.wait(`document.querySelector("#dx .meta code")?.textContent === "port_in_use"`)
	p.clean()
}
