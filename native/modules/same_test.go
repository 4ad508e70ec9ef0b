package modules

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"mcpmend/core/module"
	. "mcpmend/core/module/moduletest"
	"mcpmend/wasm/packs"
)

// job is one run of a module.
type job struct {
	name    string
	code    []byte
	golden  string // the file with the answer, of a bundled module
	Module  int    `json:"module"` // in the list that Node gets
	Request []byte `json:"request"`
}

// outcome is what came of it. The words of an error are each engine's own.
type outcome struct {
	Stdout []byte `json:"stdout"`
	Error  string `json:"error"`
}

// TestSameBytesEverywhere runs every bundled module on every request, and small
// modules that try each function of WASI, in both engines of wazero and under
// the page's shim in Node, and compares the bytes.
func TestSameBytesEverywhere(t *testing.T) {
	skipRaced(t)
	jobs := slices.Concat(packJobs(t), functionJobs(t), hostileJobs())
	interpreted := all(t, wazero.NewRuntimeConfigInterpreter(), jobs)
	t.Run("as plain functions", func(t *testing.T) { compareWithGolden(t, jobs, interpreted) })
	t.Run("compiled", func(t *testing.T) { compare(t, jobs, interpreted, all(t, wazero.NewRuntimeConfig(), jobs)) })
	t.Run("in Node", func(t *testing.T) { compare(t, jobs, interpreted, underNode(t, jobs)) })
}

// all runs the jobs in one runtime, so that each module is compiled once.
func all(t *testing.T, config wazero.RuntimeConfig, jobs []job) []outcome {
	t.Helper()
	runtime, err := newRuntime(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close(t.Context())
	var outcomes []outcome
	var compiled wazero.CompiledModule
	for i, j := range jobs {
		if i == 0 || &j.code[0] != &jobs[i-1].code[0] {
			if compiled, err = runtime.CompileModule(t.Context(), j.code); err != nil {
				t.Fatalf("%s: %v", j.name, err)
			}
		}
		var o outcome
		o.Stdout, err = unhurried(func() ([]byte, error) { return start(t.Context(), runtime, compiled, j.Request) })
		if err != nil {
			o = outcome{Error: err.Error()}
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// unhurried runs a module again that a busy machine kept from ending in time.
func unhurried[T any](run func() (T, error)) (answer T, err error) {
	for range 10 {
		if answer, err = run(); err == nil || !strings.Contains(err.Error(), "not done after") {
			break
		}
	}
	return answer, err
}

func compare(t *testing.T, jobs []job, a, b []outcome) {
	t.Helper()
	if len(a) != len(jobs) || len(b) != len(jobs) || len(jobs) < 100 {
		t.Fatalf("%d jobs have %d and %d outcomes", len(jobs), len(a), len(b))
	}
	for i, j := range jobs {
		if (a[i].Error == "") != (b[i].Error == "") || !bytes.Equal(a[i].Stdout, b[i].Stdout) {
			t.Errorf("%s: interpreted it gives\n%q, %s\nand here\n%q, %s", j.name, a[i].Stdout, a[i].Error, b[i].Stdout, b[i].Error)
		}
	}
}

// compareWithGolden: what the packs say as plain functions, in the golden files
// of wasm/packs, is what the modules made of them say.
func compareWithGolden(t *testing.T, jobs []job, outcomes []outcome) {
	said := map[string][]string{} // by request
	for i, j := range jobs {
		if j.golden == "" {
			continue
		}
		if outcomes[i].Error != "" {
			t.Errorf("%s: %s", j.name, outcomes[i].Error)
			continue
		}
		said[j.golden] = append(said[j.golden], fixesOf(t, outcomes[i].Stdout)...)
	}
	for golden, got := range said {
		data, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		want := fixesOf(t, data)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the modules say\n%s\nand the packs\n%s", golden, got, want)
		}
	}
}

func fixesOf(t *testing.T, answer []byte) (list []string) {
	t.Helper()
	var a struct {
		Fixes []json.RawMessage `json:"fixes"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Fixes {
		var compact bytes.Buffer
		if err := json.Compact(&compact, f); err != nil {
			t.Fatal(err)
		}
		list = append(list, compact.String())
	}
	return list
}

// packJobs are the bundled modules with the requests that they were written
// for.
func packJobs(t *testing.T) []job {
	t.Helper()
	bundled, err := packs.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(bundled) == 0 {
		t.Log("no bundled modules: run go run ./wasm/packs/build to compare them too")
	}
	requests, err := filepath.Glob("../../wasm/packs/testdata/requests/*.json")
	if err != nil || len(requests) == 0 {
		t.Fatal("no requests", err)
	}
	var jobs []job
	for _, p := range bundled {
		m := opened(t, p.Code)
		for _, file := range requests {
			request, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			jobs = append(jobs, job{name: p.Name + " on " + filepath.Base(file), code: m.code, Request: request, golden: filepath.Join("../../wasm/packs/testdata/answers", filepath.Base(file))})
		}
	}
	return jobs
}

// functionJobs call each function with odd arguments and print the memory that
// it may have written to, and the result.
func functionJobs(t *testing.T) []job {
	t.Helper()
	var jobs []job
	for _, name := range module.Imports {
		for _, argument := range []int{0, 1, 2, 3, 64, 65_530, 1 << 30, -1} {
			jobs = append(jobs, job{name: name, code: opened(t, Calls(name, argument)).code, Request: []byte("request")})
		}
	}
	show := func(name string, start ...[]byte) {
		code := slices.Concat(append(start, Store(0, 4096), Store(4, 1024), Constant(1), Constant(0), Constant(1), Constant(8), []byte{Call, 1, Drop})...)
		jobs = append(jobs, job{
			name: "memory after " + name, Request: []byte("a request of some length"),
			code: opened(t, Command{Imports: []string{name, "fd_write"}, Start: code}.Bytes()).code,
		})
	}
	keep := []byte{0x36, 2, 0} // the result goes to the address below it
	at := Constant(4096)
	show("random_get", at, Constant(4104), Constant(100), []byte{Call, 0}, keep)
	show("clock_res_get", at, Constant(1), Constant(4104), []byte{Call, 0}, keep)
	show("clock_time_get", Store(4104, -1), at, Constant(0), []byte{I64Const, 1}, Constant(4104), []byte{Call, 0}, keep)
	show("args_sizes_get", Store(4104, -1), at, Constant(4104), Constant(4108), []byte{Call, 0}, keep)
	show("fd_fdstat_get", at, Constant(0), Constant(4104), []byte{Call, 0}, keep)
	show("fd_filestat_get", at, Constant(1), Constant(4104), []byte{Call, 0}, keep)
	show("fd_seek", at, Constant(1), []byte{I64Const, 0}, Constant(0), Constant(4104), []byte{Call, 0}, keep)
	show("fd_read", Store(0, 4200), Store(4, 10), Store(8, 4220), Store(12, 100), at, Constant(0), Constant(0), Constant(2), Constant(4104), []byte{Call, 0}, keep)
	show("poll_oneoff", // a clock, stdin, a file that is not there; events over the subscriptions
		Store(5000, 1), Store(5000+48, 2), Store(5000+56, 1), Store(5000+96, 3), Store(5000+104, 2), Store(5000+112, 9),
		at, Constant(5000), Constant(5000), Constant(3), Constant(4104), []byte{Call, 0}, keep)
	return jobs
}

// hostileJobs are the small hostile modules that pass the scan and end by
// themselves. The others are for the page's deadline, and the large ones for
// the interpreter alone: wazero's compiler takes minutes over deep blocks. A
// function of JavaScript has no type that an import could get wrong.
func hostileJobs() []job {
	var jobs []job
	for _, attack := range hostile() {
		m, err := Open(attack.module, "test")
		if err != nil || m.Scan() != nil || attack.reason == "not done after" || len(m.code) > 100_000 || attack.name == "import of the wrong type" {
			continue
		}
		jobs = append(jobs, job{name: attack.name, code: m.code, Request: []byte(request)})
	}
	return jobs
}

// underNode runs the jobs under the shim that the page uses.
func underNode(t *testing.T, jobs []job) []outcome {
	t.Helper()
	root := filepath.Join("..", "..")
	esbuild := filepath.Join(root, "web", "node_modules", ".bin", "esbuild")
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(esbuild); err != nil || missing != nil || runtime.GOOS == "windows" {
		t.Skip("needs Node and npm ci in web to run the page's shim")
	}
	shim := filepath.Join(t.TempDir(), "wasi.mjs")
	if out, err := exec.Command(esbuild, filepath.Join(root, "web", "src", "wasi.ts"), "--bundle", "--format=esm", "--outfile="+shim).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var modules [][]byte
	for i := range jobs {
		if i == 0 || &jobs[i].code[0] != &jobs[i-1].code[0] {
			modules = append(modules, jobs[i].code)
		}
		jobs[i].Module = len(modules) - 1
	}
	in, err := json.Marshal(map[string]any{"modules": modules, "jobs": jobs})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "testdata/shim.mjs", shim)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []outcome
	for line := range strings.Lines(string(out)) {
		var o outcome
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// skipRaced leaves out what is about time limits; scripts/test runs it without
// the race detector.
func skipRaced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("the time limits of modules do not hold under the race detector")
	}
}
