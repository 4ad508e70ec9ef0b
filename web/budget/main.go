// Command budget measures the built page against its limits and prints a line
// for each: ok or over. Sizes are what goes over the wire; times are ratios to
// an empty Go program on the same machine, because absolute times move.
//
//	./scripts/budget
//
// It ends with 1 when a limit is broken.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/andybalholm/brotli"

	"mcpmend/core"
)

// The limits. The first two are for a core that reads TOML and YAML itself;
// docs/RATIONALE.md says what was done to get there.
const (
	maxCore       = 1_100_000 // bytes of brotli that come before the first diagnosis
	maxCoreRatio  = 2.7       // times a Go program that only prints
	maxPage       = 150_000   // bytes of brotli of all scripts, styles and the HTML
	maxStartRatio = 4.5       // times the start of an empty Go program; the goal is 3
	maxLog        = 100.0     // milliseconds for a log of 1 MB; the goal is 50 on a quiet machine
	maxLogRatio   = 5.0       // times native; the goal is 4
	maxWarm       = 10.0      // milliseconds for a small config and error; the goal is 5
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "budget:", err)
		os.Exit(2)
	}
	if broken > 0 {
		os.Exit(1)
	}
}

var broken int

// check prints a figure with its limit.
func check(what string, got, limit float64, unit string) {
	word := "ok  "
	if got > limit {
		word = "over"
		broken++
	}
	fmt.Printf("%s  %-44s %8.1f %s of %.1f\n", word, what, got, unit, limit)
}

func run() error {
	dir, err := os.MkdirTemp("", "mcpmend-budget")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	empty := filepath.Join(dir, "empty.wasm")
	if err := buildEmpty(dir, empty); err != nil {
		return err
	}
	files, err := filepath.Glob("web/dist/*.br")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("web/dist holds no page; ./scripts/build --page makes it")
	}
	var core, schema, packs, page int64
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		switch name := filepath.Base(file); {
		case strings.HasPrefix(name, "core-"):
			core = info.Size()
		case strings.HasPrefix(name, "schema-"):
			schema = info.Size()
		case strings.HasPrefix(name, "pack-"):
			packs += info.Size()
		case strings.HasSuffix(name, ".js.br"), strings.HasSuffix(name, ".css.br"), strings.HasSuffix(name, ".html.br"):
			page += info.Size()
		}
	}
	hello, err := packed(empty)
	if err != nil {
		return err
	}
	check("core, brotli", float64(core)/1000, maxCore/1000, "KB")
	check("core against a Go hello", float64(core)/float64(hello), maxCoreRatio, "x ")
	check("scripts, styles and HTML, brotli", float64(page)/1000, maxPage/1000, "KB")
	fmt.Printf("      %-44s %8.1f KB, on demand\n", "schema explainer, brotli", float64(schema)/1000)
	fmt.Printf("      %-44s %8.1f KB, after the core\n", "fix modules, brotli", float64(packs)/1000)
	return times(empty)
}

// buildEmpty makes the Go program that everything is compared with, as anybody
// builds it for a page: without symbols, and nothing else done to it.
func buildEmpty(dir, out string) error {
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() { println(\"hello\") }\n"), 0o600); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building an empty program: %w\n%s", err, text)
	}
	return nil
}

func packed(file string) (int, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: 11, LGWin: 24})
	if _, err := w.Write(content); err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return out.Len(), nil
}

// times measures under Node, which has the browser's engine.
func times(empty string) error {
	wasm, err := filepath.Glob("web/dist/core-*.wasm")
	if err != nil || len(wasm) != 1 {
		return fmt.Errorf("web/dist holds %d cores, not one", len(wasm))
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	out, err := exec.Command("node", "web/budget/measure.mjs", filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"), empty, wasm[0]).Output()
	if err != nil {
		return fmt.Errorf("measuring under node: %w", err)
	}
	var m struct{ Empty, Start, Log, Warm float64 }
	if err := json.Unmarshal(out, &m); err != nil {
		return fmt.Errorf("reading what node measured: %w", err)
	}
	native := nativeLog()
	check("start against an empty Go program", m.Start/m.Empty, maxStartRatio, "x ")
	check("log of 1 MB", m.Log, maxLog, "ms")
	check("log of 1 MB against native", m.Log/native, maxLogRatio, "x ")
	check("small config and error, warm", m.Warm, maxWarm, "ms")
	return nil
}

// nativeLog is the time that the same log takes here; measure.mjs makes the
// same text.
func nativeLog() float64 {
	line := "2026-11-14T09:12:41.236Z [github] [info] Message from client: {\"method\":\"tools/list\"}\n"
	text := strings.Repeat(line, (1<<20)/len(line)) + "2026-11-14T09:12:41.236Z [github] [error] spawn npx ENOENT\n"
	best := time.Hour
	for range 60 {
		start := time.Now()
		core.Examine(core.Input{Text: text})
		best = min(best, time.Since(start))
	}
	return best.Seconds() * 1000
}
