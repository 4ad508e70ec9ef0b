// Command shrink makes a Go program for WebAssembly smaller over the wire and
// leaves what it does as it is:
//
//	go run ./wasm/page/shrink FILE.wasm…
//
// Go's linker starts a data segment after every few zeros, a hundred thousand
// in all, and their headers lie between bytes that would have compressed well:
// the segments are joined. The tables that name functions, files and lines
// serve stack traces alone, which nobody sees in a page: they are blanked. The
// indexes of functions, which hardly compress, are computed when the module
// starts. What unwinding, stack growth, the garbage collector and recovered
// panics read stays. A file that was built by a Go whose tables are not known
// here keeps them, with a note on stderr.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: shrink FILE.wasm…")
		os.Exit(2)
	}
	for _, file := range os.Args[1:] {
		if err := rewrite(file); err != nil {
			fmt.Fprintf(os.Stderr, "shrink: %s: %v\n", file, err)
			os.Exit(1)
		}
	}
}

func rewrite(file string) error {
	code, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	code, err = shrink(code)
	if errors.Is(err, errTables) {
		fmt.Fprintf(os.Stderr, "shrink: %s keeps its tables for stack traces: %v\n", file, err)
	} else if err != nil {
		return err
	}
	return os.WriteFile(file, code, 0o644)
}

// shrink gives the smaller module. With an error that is errTables it is whole
// as well, and only bigger than it could be.
func shrink(code []byte) ([]byte, error) {
	m, err := readModule(code)
	if err != nil {
		return nil, err
	}
	t, kept := readTables(m.goVersion(), m.memory)
	if kept == nil {
		if err := m.setStart(t.start()); err != nil {
			return nil, err
		}
		t.blank()
	}
	return m.bytes(), kept
}
