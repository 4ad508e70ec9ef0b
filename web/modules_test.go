package web_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/matryer/is"

	. "mcpmend/core/module/moduletest"
	"mcpmend/wasm/packs"
	"mcpmend/web"
)

// A database that is refused on the loopback of IPv6, which one of the page's
// own fix modules knows how to mend without seeing the machine.
const refused = `[db] [error] Error: connect ECONNREFUSED ::1:5432

{
  "mcpServers": {
    "db": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-postgres", "postgresql://app:hunter2secret@localhost/app"]
    }
  }
}
`

// file is something to drop.
type file struct {
	name    string
	content []byte
}

// drop drops files on the page, all at once.
func (p *tab) drop(files ...file) {
	p.Helper()
	var add strings.Builder
	for _, f := range files {
		fmt.Fprintf(&add, "data.items.add(new File([Uint8Array.from(atob(%s), c => c.charCodeAt(0))], %s));\n", quote(base64.StdEncoding.EncodeToString(f.content)), quote(f.name))
	}
	p.run(`(() => {
		const data = new DataTransfer();
		` + add.String() + `
		document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
	})()`)
}

// fixBy is an expression for the row of the first fix that a module proposes.
func fixBy(module string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#dx .fix li")].find(li => li.querySelector(".by")?.textContent === %s)`, quote("by "+module))
}

// module is a fair module that writes a text as its answer.
func module(name, answer string) []byte {
	return Command{
		Manifest: map[string]any{"abi": 1, "name": name, "version": "1.2.3", "handles": []string{"connection_refused"}, "clients": []string{"*"}, "license": "MIT"},
		Imports:  []string{"fd_write"}, Data: answer,
		Start: Write(0, 1, DataAt, len(answer)),
	}.Bytes()
}

func TestBundledModuleProposes(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(refused)
	is.Equal(p.text("#dx .meta code"), "connection_refused")
	p.wait(fixBy("services"))
	row := eval[string](p, fixBy("services")+`.innerText`)
	is.True(strings.Contains(row, "127.0.0.1")) // what it would write
	is.True(strings.Contains(row, "Review"))
	is.Equal(eval[bool](p, fixBy("services")+`.querySelector("input").checked`), false) // a person accepts it
	p.run(fixBy("services") + `.querySelector("input").click()`)
	p.wait(`document.querySelector("#mended .code").innerText.includes("@127.0.0.1/app")`)
	p.press("Copy mended config")
	is.True(strings.Contains(p.copied(), "postgresql://app:hunter2secret@127.0.0.1/app")) // the module never saw the password
	is.Equal(p.text("#promise b"), "0")
	p.clean()
}

// Whatever is asked of the packs, they are there already.
func TestModulesMakeNoRequest(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed("spawn npx ENOENT")
	p.wait(inEditor("pasted", ".cm-content") + ".length")
	before := p.asked()
	p.paste(refused)
	p.wait(fixBy("services"))
	p.paste(strings.ReplaceAll(refused, "/app", "/other"))
	p.wait(fixBy("services") + ` && ` + editorText("pasted") + `.includes("/other")`)
	is.Equal(p.asked(), before)
	is.Equal(p.text("#promise b"), "0")
	p.clean()
}

func TestDroppedModule(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.drop(file{"own.wasm", module("own-fixes", `{"abi":1,"fixes":[{"id":"port","title":"Say the port <b>twice</b>","patch":[{"op":"add","path":"/mcpServers/db/env","value":{"PGPORT":"5432"}}]}]}`)})
	p.wait(`document.querySelector("#module .verdict")`)
	for _, part := range []string{"own-fixes", "1.2.3", "connection_refused", "MIT"} {
		is.True(strings.Contains(p.text("#module .module"), part)) // what it says of itself
	}
	p.press("Close")
	p.diagnosed(refused)
	p.wait(fixBy("own-fixes"))
	is.True(strings.Contains(eval[string](p, fixBy("own-fixes")+`.innerText`), "<b>twice</b>")) // text, whatever it looks like
	p.clean()
}

// What is dropped beside a diagnosis is asked at once, and is gone when it is
// removed.
func TestDroppedModuleBesideDiagnosis(t *testing.T) {
	p := open(t, wide)
	p.diagnosed(refused)
	p.wait(fixBy("services"))
	p.drop(file{"own.wasm", module("own-fixes", `{"abi":1,"fixes":[{"id":"look","title":"Start the database","requires_user_action":true}]}`)})
	p.wait(`document.querySelector("#module .verdict")?.textContent.includes("proposes 1 fix,")`)
	p.wait(fixBy("own-fixes"))
	p.press("Remove it")
	p.wait(fixBy("services") + ` && !` + fixBy("own-fixes"))
	p.clean()
}

// Several files dropped at once are all told of: those that are taken and those
// that are not. One that is dropped again takes the place of the first.
func TestSeveralModulesAtOnce(t *testing.T) {
	is := is.New(t)
	p := open(t, wide)
	p.diagnosed(refused)
	p.wait(fixBy("services"))
	look := func(title string) []byte {
		return module("own-fixes", `{"abi":1,"fixes":[{"id":"look","title":"`+title+`","requires_user_action":true}]}`)
	}
	p.drop(file{"first.wasm", look("Start the database")}, file{"page.wasm", []byte("<html>")}, file{"second.wasm", module("other-fixes", `{"abi":1,"fixes":[]}`)})
	p.wait(`document.querySelectorAll("#module .verdict").length === 2 && document.querySelectorAll("#module .refusal").length === 1`)
	is.Equal(eval[[]string](p, `[...document.querySelectorAll("#module h3")].map(e => e.textContent)`), []string{"own-fixes", "page.wasm", "other-fixes"})
	p.wait(fixBy("own-fixes"))
	p.drop(file{"again.wasm", look("Start it by hand")})
	p.wait(fixBy("own-fixes") + `?.innerText.includes("by hand")`)
	is.Equal(eval[[]string](p, `[...document.querySelectorAll("#module h3")].map(e => e.textContent)`), []string{"page.wasm", "other-fixes", "own-fixes"})
	p.clean()
}

// A pack that did not arrive is said to be missing, and comes when it is asked
// for again; not by itself with the next paste, which would tell its host.
func TestPackIsLoadedAgain(t *testing.T) {
	is := is.New(t)
	var broken atomic.Bool
	broken.Store(true)
	page, gone := web.Handler(nil), without("/pack-")
	p := open(t, view{width: 1440, height: 900, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() {
			gone.ServeHTTP(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})})
	p.diagnosed(refused)
	p.wait(`document.querySelector("#dx .sec.soft")?.textContent.includes("could not be loaded")`)
	broken.Store(false)
	before := p.asked()
	p.paste(strings.ReplaceAll(refused, "/app", "/other"))
	p.wait(`document.querySelector("#dx .sec.soft")?.textContent.includes("could not be loaded") && ` + editorText("pasted") + `.includes("/other")`)
	is.Equal(p.asked(), before)
	p.press("Load it again")
	p.wait(fixBy("services"))
	p.wait(`!document.querySelector("#dx .sec.soft")`)
}

// A file of the size that compilers make is scanned in the page, and then gives
// what the page's own copy of it gives.
func TestDroppedPack(t *testing.T) {
	is := is.New(t)
	all, err := packs.All()
	is.NoErr(err)
	p := open(t, wide)
	p.diagnosed(refused)
	p.wait(fixBy("services"))
	own := eval[string](p, fixBy("services")+`.innerText`)
	for _, pack := range all {
		if pack.Name != "services" {
			continue
		}
		p.drop(file{"services.wasm", pack.Code})
		p.wait(`document.querySelector("#module .verdict")?.textContent.includes("proposes 1 fix,")`)
		p.wait(fixBy("services"))
		is.Equal(eval[string](p, fixBy("services")+`.innerText`), own)
		p.press("Remove it")
		p.wait(fixBy("services") + ` && !document.querySelector("#module")`) // the page's own again
		p.clean()
		return
	}
	t.Skip("the fix modules are not built: ./scripts/build --packs")
}

// Modules that a host must not run, or whose answer it must not take, and what
// the page says of each.
func TestHostileModules(t *testing.T) {
	answer := func(fixes string) []byte { return module("hostile", `{"abi":1,"fixes":[`+fixes+`]}`) }
	refusals := map[string]struct {
		file []byte
		says string
	}{
		"no module":       {[]byte("<script>alert(1)</script>"), "no WebAssembly module"},
		"no manifest":     {Command{Manifest: map[string]any{}}.Bytes(), "no section mcpmend.manifest"},
		"a start section": {Command{Sections: map[byte][]byte{Start: {0}}}.Bytes(), "start"},
		"sockets":         {Command{Imports: []string{"sock_send"}}.Bytes(), "sock_send"},
	}
	p := open(t, wide)
	p.diagnosed(refused)
	p.wait(fixBy("services"))
	for name, c := range refusals {
		p.drop(file{"hostile.wasm", c.file})
		p.wait(`document.querySelector("#module .refusal")?.textContent.includes(` + quote(c.says) + `)`)
		t.Logf("%s: %s", name, p.text("#module .refusal"))
		p.press("Close")
	}
	loop := Command{
		Manifest: map[string]any{"abi": 1, "name": "endless", "version": "1", "handles": []string{"connection_refused"}, "clients": []string{"*"}, "license": "MIT"},
		Start:    []byte{Loop, Empty, Branch, 0, End},
	}.Bytes()
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"never ends":      {loop, "2 s"},
		"no JSON":         {module("hostile", "<img src=x onerror=alert(1)>"), "its answer is not used"},
		"a shell":         {answer(`{"id":"a","title":"t","patch":[{"op":"replace","path":"/mcpServers/db/command","value":"bash"}]}`), "its answer is not used"},
		"another server":  {answer(`{"id":"a","title":"t","patch":[{"op":"remove","path":"/mcpServers"}]}`), "its answer is not used"},
		"says it is safe": {answer(`{"id":"a","title":"t","safety":"safe"}`), "its answer is not used"},
	} {
		p.drop(file{"hostile.wasm", c.file})
		p.wait(`document.querySelector("#module .verdict")?.textContent.includes(` + quote(c.says) + `)`)
		t.Logf("%s: %s", name, p.text("#module .verdict"))
		p.wait(`[...document.querySelectorAll("#dx .soft")].some(e => e.textContent.includes("its answer is not used"))`)
		p.wait(fixBy("services")) // the others are asked all the same
		p.press("Remove it")
		p.wait(`!document.querySelector("#dx .sec.soft")`)
	}
	p.clean()
}
