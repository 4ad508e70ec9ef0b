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

	"github.com/matryer/is"
	"github.com/tetratelabs/wazero"

	"mcpmend/core/module"
	. "mcpmend/core/module/moduletest"
	"mcpmend/wasm/packs"
)

// job is one run of a module.
type job struct {
	name    string
	code    []byte
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
	is := is.New(t)
	jobs := append(packJobs(t), functionJobs(t)...)
	inNode := underNode(t, jobs)
	for engine, config := range engines {
		t.Run(engine, func(t *testing.T) {
			is := is.New(t)
			cache := wazero.NewCompilationCache()
			defer cache.Close(t.Context())
			for i, j := range jobs {
				out, err := run(t.Context(), config().WithCompilationCache(cache), j.code, j.Request)
				if (err != nil) != (inNode[i].Error != "") || err == nil && !bytes.Equal(out, inNode[i].Stdout) {
					t.Errorf("%s: wazero gives\n%q, %v\nand the shim\n%q, %v", j.name, out, err, inNode[i].Stdout, inNode[i].Error)
				}
			}
			is.True(len(jobs) > 100)
		})
	}
	is.Equal(len(inNode), len(jobs))
}

// packJobs are the bundled modules with the requests that they were written
// for. The answers must be the checked ones of the golden files, together.
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
			jobs = append(jobs, job{name: p.Name + " on " + filepath.Base(file), code: m.code, Request: request})
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
