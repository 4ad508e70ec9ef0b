package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// arguments puts texts into the two editors of the argument view.
func (p *tab) arguments(schema, arguments string) {
	p.Helper()
	p.run(`location.hash = "#arguments"`)
	p.fill("schema", quote(schema))
	p.fill("arguments", quote(arguments))
}

// fill pastes the text that an expression gives into a pane's editor.
func (p *tab) fill(pane, expression string) {
	p.Helper()
	p.wait(inEditor(pane, ".cm-content") + ".length")
	p.run(fmt.Sprintf(`(() => {
		const content = %s[0];
		content.focus();
		const data = new DataTransfer();
		data.setData("text/plain", %s);
		content.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true, composed: true }));
	})()`, inEditor(pane, ".cm-content"), expression))
}

func TestArgumentExample(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.run(`[...document.querySelectorAll(".eg button")].find(b => b.textContent.startsWith("Tool arguments")).click()`)
	p.wait(`document.querySelectorAll("#arguments-view .iss > li").length >= 3`)
	p.wait(inEditor("arguments", ".ev") + ".length >= 3") // each issue at its place
	is.True(strings.Contains(p.text("#arguments-view .iss"), "No guess"))
	p.press("Copy call")
	var call map[string]any
	is.NoErr(json.Unmarshal([]byte(p.copied()), &call))
	is.Equal(call["milestone"], 5.0)
	is.Equal(call["labels"], []any{"bug"})
	p.press("Copy example")
	is.NoErr(json.Unmarshal([]byte(p.copied()), &call))
	p.press("Copy as Markdown")
	is.True(strings.Contains(p.copied(), "milestone"))
	p.clean()
}

// A whole tools/list answer and a failed tools/call request.
func TestArgumentsOfAProtocolMessage(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.arguments(
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[
			{"name":"search","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}},
			{"name":"create","inputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}}]}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create","arguments":{"count":"3"}}}`)
	p.wait(`document.querySelector("#arguments-view .seen dd")?.textContent === "create"`)
	p.wait(`document.querySelectorAll("#arguments-view .iss > li").length === 1`)
	is.True(strings.Contains(p.text("#arguments-view .d.add"), "3"))
	p.clean()
}

func TestArgumentsThatFit(t *testing.T) {
	p := open(t, wide)
	p.arguments(`{"type":"object","properties":{"q":{"type":"string"}}}`, `{"q":"x"}`)
	p.wait(`document.querySelector("#arguments-view .root.ok")`)
	p.clean()
}

// A schema from outside can ask for anything; nothing is fetched and the page
// goes on.
func TestHostileSchemas(t *testing.T) {
	schemas := map[string][2]string{
		"reference to itself": {`{"$ref":"#"}`, `{}`},
		"reference to a file": {`{"$ref":"file:///etc/passwd"}`, `{}`},
		"reference to a host": {`{"$ref":"http://127.0.0.1:1/"}`, `{}`},
		"no schema":           {`null`, `{}`},
		"misspelled type":     {`{"type":"strnig"}`, `{}`},
		"markup":              {`{"type":"object","properties":{"<img src=x onerror=alert(1)>":{"type":"integer","description":"<script>alert(1)</script>"}}}`, `{"<img src=x onerror=alert(1)>":"x"}`},
	}
	p := open(t, wide)
	p.run(`location.hash = "#arguments"`)
	for name, s := range schemas {
		p.run(`[...document.querySelectorAll("#arguments-view .seen button")].find(b => b.textContent === "Clear")?.click()`)
		p.wait(`document.querySelector("#arguments-view h1")?.textContent.startsWith("Paste a schema")`)
		p.arguments(s[0], s[1])
		p.wait(`document.querySelector("#arguments-view .aside h1") && !document.querySelector("#arguments-view h1")?.textContent.startsWith("Paste a schema")`)
		if eval[int](p, `document.querySelectorAll("main img, main script, main iframe").length`) != 0 {
			t.Errorf("%s: made an element", name)
		}
	}
	p.clean()
}
