package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// compiled is testdata/stress, built as the page's programs are.
func compiled(t *testing.T, flags string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "stress.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags="+flags, "-o", file, "./testdata/stress")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	code, err := os.ReadFile(file)
	is.New(t).NoErr(err)
	return code
}

// run starts a program under Node and gives what it printed and how it ended.
func run(t *testing.T, code []byte, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	is := is.New(t)
	file := filepath.Join(t.TempDir(), "stress.wasm")
	is.NoErr(os.WriteFile(file, code, 0o600))
	root, err := exec.Command("go", "env", "GOROOT").Output()
	is.NoErr(err)
	node := exec.Command("node", append([]string{filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js"), file}, args...)...)
	var out, problems strings.Builder
	node.Stdout, node.Stderr = &out, &problems
	if err := node.Run(); node.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), problems.String(), node.ProcessState.ExitCode()
}

// zipped is the size over the wire, by a packer that takes no time.
func zipped(t *testing.T, code []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(code)
	is.New(t).NoErr(err)
	is.New(t).NoErr(w.Close())
	return out.Len()
}

func TestShrunkProgramDoesTheSame(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	for _, test := range []struct{ name, flags string }{
		{"as the page is built", "all=-l"},
		{"with inlining", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			code := compiled(t, test.flags)
			small, err := shrink(code)
			is.NoErr(err)
			is.True(zipped(t, small) < zipped(t, code)*9/10)

			before, problems, exit := run(t, code)
			is.Equal(problems, "")
			is.Equal(exit, 0)
			after, problems, exit := run(t, small)
			is.Equal(problems, "")
			is.Equal(exit, 0)
			// Called on nil, a method's names are gone; the message is not.
			is.Equal(after, strings.Replace(before, "main.value.Length called using nil *value", "go.T.f called using nil *T", 1))

			// A crash says why; where is what was taken out.
			_, problems, exit = run(t, small, "crash")
			is.Equal(exit, 2)
			is.True(strings.Contains(problems, "outer: inner"))
			is.True(!strings.Contains(problems, "main.go"))
		})
	}
}

// What is not as expected is left alone, and never half changed.
func TestUnknownTablesStay(t *testing.T) {
	is := is.New(t)
	m, err := readModule(compiled(t, "all=-l"))
	is.NoErr(err)
	tables, err := findTables(m.memory)
	is.NoErr(err)
	middle := tables.records[len(tables.records)/2].head
	nothing := func() {}
	for _, test := range []struct {
		name, version string
		spoil         func()
	}{
		{"another Go", "go1.27.1", nothing},
		{"a name that begins like one", "go1.260", nothing},
		{"no version", "", nothing},
		{"a record of another function", "go1.26", func() { setWord(middle, wordEntry, 7) }},
		{"a name outside", "go1.26", func() { setWord(middle, wordName, 1<<30) }},
		{"a table outside", "go1.26", func() { setWord(middle, wordLine, 1<<30) }},
		{"more tables than there is room for", "go1.26", func() { setWord(middle, wordCounters, 1<<30) }},
		{"an index left out", "go1.26", func() { setWord(tables.entries, 40, word(tables.entries, 40)+1) }},
		{"a gap between records", "go1.26", func() { setWord(tables.entries, 41, word(tables.entries, 41)+8) }},
		{"a bucket that leads elsewhere", "go1.26", func() { setWord(tables.buckets, 0, 9) }},
		{"no header", "go1.26", func() { copy(m.memory[bytes.Index(m.memory, []byte(magic)):], "....") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			original := bytes.Clone(m.memory)
			defer copy(m.memory, original)
			test.spoil()
			spoilt := bytes.Clone(m.memory)
			_, err := readTables(test.version, m.memory)
			is.True(errors.Is(err, errTables))
			is.True(bytes.Equal(m.memory, spoilt))
		})
	}
	_, err = readTables("go1.26.8", m.memory)
	is.NoErr(err)
}

func TestWhatIsNoGoProgram(t *testing.T) {
	for _, test := range []struct{ name, code, want string }{
		{"empty", "", "no WebAssembly module"},
		{"text", "hello", "no WebAssembly module"},
		{"cut short", preamble + "\x05\x7f", "the last section is cut short"},
		{"two memories", preamble + "\x05\x05\x02\x00\x01\x00\x01", "the memory is not one that Go declares"},
		{"a huge memory", preamble + "\x05\x07\x01\x00\xff\xff\xff\xff\x0f", "the memory is not one that Go declares"},
		{"data outside the memory", preamble + "\x05\x03\x01\x00\x01" + "\x0b\x09\x01\x00\x41\x80\x80\x04\x0b\x01x", "a data segment at 0x10000 lies outside the memory"},
		{"data without an end", preamble + "\x0b\x05\xff\xff\xff\xff\x0f", "a data segment is not one that Go writes"},
		{"no memory at all", preamble + "\x0b\x07\x01\x00\x41\x00\x0b\x01x", "a data segment at 0x0 lies outside the memory"},
		{"passive data", preamble + "\x05\x03\x01\x00\x01" + "\x0b\x04\x01\x01\x01x", "a data segment is not one that Go writes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			_, err := shrink([]byte(test.code))
			is.True(err != nil)
			is.Equal(err.Error(), test.want)
		})
	}
}

func TestSetStart(t *testing.T) {
	const (
		nothing  = "\x01\x04\x01\x60\x00\x00"           // a type that takes and gives nothing
		number   = "\x01\x05\x01\x60\x01\x7f\x00"       // one that takes a number
		imported = "\x02\x07\x01\x01a\x01b\x00\x00"     // a function
		memory   = "\x02\x08\x01\x01a\x01b\x02\x00\x01" // a memory
		function = "\x03\x02\x01\x00"
		code     = "\x0a\x04\x01\x02\x00\x0b"
	)
	for _, test := range []struct{ name, code, want, err string }{
		{"after what is imported", nothing + imported + function + code,
			nothing + imported + "\x03\x03\x02\x00\x00" + "\x08\x01\x02" + "\x0a\x07\x02\x02\x00\x0b\x02\x00\x0b", ""},
		{"no such type", number + function + code, "", "no function of the module takes and gives nothing"},
		{"an imported memory", nothing + memory + function + code, "", "something is imported that is no function"},
		{"a second one", nothing + function + "\x08\x01\x00" + code, "", "the module has a start function of its own"},
		{"no code", nothing, "", "the module has no code"},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			m, err := readModule([]byte(preamble + test.code))
			is.NoErr(err)
			err = m.setStart([]byte{0, opEnd})
			if test.err != "" {
				is.True(err != nil)
				is.Equal(err.Error(), test.err)
				return
			}
			is.NoErr(err)
			is.Equal(string(m.bytes()), preamble+test.want)
		})
	}
}
