// Package moduletest writes WebAssembly modules for tests, byte by byte: fair
// ones, and those that no compiler would write.
package moduletest

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
)

// Kinds of sections.
const (
	Types byte = iota + 1
	Imports
	Functions
	Tables
	Memories
	Globals
	Exports
	Start
	Elements
	Code
	Data
	DataCount
)

// order is how sections stand in a file.
var order = []byte{Types, Imports, Functions, Tables, Memories, Globals, Exports, Start, Elements, DataCount, Code, Data}

// Instructions that the tests use.
const (
	Unreachable = 0x00
	Block       = 0x02
	Loop        = 0x03
	End         = 0x0b
	Branch      = 0x0c
	BranchIf    = 0x0d
	Call        = 0x10
	Drop        = 0x1a
	LocalGet    = 0x20
	LocalSet    = 0x21
	MemoryGrow  = 0x40
	I32Const    = 0x41
	I64Const    = 0x42
	Add         = 0x6a
	Empty       = 0x40 // the type of a block that takes and gives nothing
)

// Command is a WASI command: it exports its memory and _start.
type Command struct {
	Manifest map[string]any // nil for a fair one, empty for none
	Imports  []string       // of wasi_snapshot_preview1; Call(0) is the first
	Start    []byte         // the code of _start, without its end
	Data     string         // in memory from DataAt
	Pages    int            // of memory, one at least
	Sections map[byte][]byte
}

// DataAt is where a command's data begins. What is below is free to use.
const DataAt = 1024

// Bytes is the command as a file. Sections take the place of those that it
// would have, or come in at their place.
func (c Command) Bytes() []byte {
	sections := map[byte][]byte{}
	var types, imports [][]byte
	for i, name := range c.Imports {
		types = append(types, functionType(parameters[name], name != "proc_exit"))
		imports = append(imports, join(Name("wasi_snapshot_preview1"), Name(name), []byte{0}, Number(i)))
	}
	types = append(types, functionType("", false))
	sections[Types] = Vector(types...)
	if imports != nil {
		sections[Imports] = Vector(imports...)
	}
	sections[Functions] = Vector(Number(len(c.Imports)))
	sections[Memories] = Vector(join([]byte{0}, Number(max(1, c.Pages))))
	sections[Exports] = Vector(join(Name("memory"), []byte{2, 0}), join(Name("_start"), []byte{0}, Number(len(c.Imports))))
	sections[Code] = Vector(Body(nil, c.Start))
	if c.Data != "" {
		sections[Data] = Vector(join([]byte{0, I32Const}, Signed(DataAt), []byte{End}, Name(c.Data)))
	}
	for id, content := range c.Sections {
		sections[id] = content
	}
	file := []byte("\x00asm\x01\x00\x00\x00")
	for _, id := range order {
		if content, ok := sections[id]; ok {
			file = append(file, Section(id, content)...)
		}
	}
	if c.Manifest == nil {
		c.Manifest = map[string]any{"abi": 1, "name": "test", "version": "1.0.0", "handles": []string{"timeout"}, "clients": []string{"*"}, "license": "MIT"}
	}
	if len(c.Manifest) == 0 {
		return file
	}
	manifest, err := json.Marshal(c.Manifest)
	if err != nil {
		panic(err) // a mistake in a test
	}
	return append(file, Custom("mcpmend.manifest", manifest)...)
}

// Prints is a command that writes a text to stdout and ends.
func Prints(text string) []byte {
	return Command{
		Imports: []string{"fd_write"}, Data: text, Pages: 2 + len(text)>>16,
		Start: join(Write(0, 1, DataAt, len(text))),
	}.Bytes()
}

// Write is code that writes memory to a stream, where fd_write is import f.
func Write(f, stream, at, size int) []byte {
	return join(
		Store(0, at), Store(4, size),
		Constant(stream), Constant(0), Constant(1), Constant(8), []byte{Call}, Number(f), []byte{Drop})
}

// Store is code that writes a 32-bit number into memory.
func Store(at, value int) []byte {
	return join(Constant(at), Constant(value), []byte{0x36, 2, 0})
}

// Constant is code that pushes a 32-bit number.
func Constant(n int) []byte { return append([]byte{I32Const}, Signed(n)...) }

// Body is a function's body: its locals, as pairs of count and type, and code
// without the end.
func Body(locals [][2]int, code []byte) []byte {
	var pairs [][]byte
	for _, l := range locals {
		pairs = append(pairs, append(Number(l[0]), byte(l[1])))
	}
	content := join(Vector(pairs...), code, []byte{End})
	return join(Number(len(content)), content)
}

// Section frames the content of a section.
func Section(id byte, content []byte) []byte {
	return join([]byte{id}, Number(len(content)), content)
}

// Custom is a custom section.
func Custom(name string, content []byte) []byte {
	return Section(0, join(Name(name), content))
}

// Vector is a list: how many, and each.
func Vector(items ...[]byte) []byte {
	return join(Number(len(items)), join(items...))
}

// Name is a text with its length.
func Name(s string) []byte { return append(Number(len(s)), s...) }

// Number is an unsigned LEB128 number.
func Number(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

// Signed is a signed LEB128 number.
func Signed(n int) []byte {
	var out []byte
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b < 0x40 || n == -1 && b >= 0x40 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

func functionType(parameters string, result bool) []byte {
	kinds := strings.NewReplacer("i", "\x7f", "I", "\x7e").Replace(parameters)
	out := join([]byte{0x60}, Name(kinds))
	if result {
		return append(out, 1, 0x7f)
	}
	return append(out, 0)
}

// parameters are those of every function of WASI preview 1: i for 32 bits, I
// for 64.
var parameters = map[string]string{
	"args_get": "ii", "args_sizes_get": "ii", "environ_get": "ii", "environ_sizes_get": "ii",
	"clock_res_get": "ii", "clock_time_get": "iIi",
	"fd_advise": "iIIi", "fd_allocate": "iII", "fd_close": "i", "fd_datasync": "i", "fd_fdstat_get": "ii", "fd_fdstat_set_flags": "ii",
	"fd_fdstat_set_rights": "iII", "fd_filestat_get": "ii", "fd_filestat_set_size": "iI", "fd_filestat_set_times": "iIIi",
	"fd_pread": "iiiIi", "fd_prestat_get": "ii", "fd_prestat_dir_name": "iii", "fd_pwrite": "iiiIi", "fd_read": "iiii",
	"fd_readdir": "iiiIi", "fd_renumber": "ii", "fd_seek": "iIii", "fd_sync": "i", "fd_tell": "ii", "fd_write": "iiii",
	"path_create_directory": "iii", "path_filestat_get": "iiiii", "path_filestat_set_times": "iiiiIIi", "path_link": "iiiiiii",
	"path_open": "iiiiiIIii", "path_readlink": "iiiiii", "path_remove_directory": "iii", "path_rename": "iiiiii",
	"path_symlink": "iiiii", "path_unlink_file": "iii",
	"poll_oneoff": "iiii", "proc_exit": "i", "proc_raise": "i", "sched_yield": "", "random_get": "ii",
	"sock_accept": "iii", "sock_recv": "iiiiii", "sock_send": "iiiii", "sock_shutdown": "ii",
}

// WASI lists every function of WASI preview 1.
func WASI() []string {
	var names []string
	for name := range parameters {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Calls is a command that calls one function of WASI with the same number for
// every argument, and prints a fair answer after it.
func Calls(name string, argument int) []byte {
	const answer = `{"abi":1,"fixes":[]}`
	var code []byte
	for _, p := range parameters[name] {
		if p == 'I' {
			code = append(append(code, I64Const), Signed(argument)...)
		} else {
			code = append(code, Constant(argument)...)
		}
	}
	code = append(code, Call, 0)
	if name != "proc_exit" {
		code = append(code, Drop)
	}
	return Command{
		Imports: []string{name, "fd_write"}, Data: answer,
		Start: join(code, Write(1, 1, DataAt, len(answer))),
	}.Bytes()
}
