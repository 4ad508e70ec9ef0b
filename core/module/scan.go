package module

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Limits on a module's file. A runtime bounds what running code does, but its
// decoder believes every count that it reads, its compiler ignores deadlines
// and tables lie outside its memory limit, so a module is scanned before a
// runtime sees it. The work of compiling grows with instructions, locals and
// targets of branches together; a Go program of 3 MB has about a million of
// them, in 3,000 functions, nested up to 500 deep, with no loop inside another.
// It grows again with every variable at every place where ways meet, twice a
// microsecond each: 12 kB of loops took 8 s. That Go program has 1.4 million.
const (
	maxTypes      = 5_000
	maxParameters = 100
	maxResults    = 8 // compilers give one
	maxImports    = 100
	maxFunctions  = 20_000
	maxTable      = 65_536
	maxGlobals    = 5_000
	maxExports    = 1_000
	maxSegments   = 100_000 // Go writes one for each run of data between zeros
	maxBody       = 256 << 10
	maxLocals     = 1_000
	maxNesting    = 2_000
	maxLoops      = 50 // one inside another
	maxWork       = 2_500_000
	maxJoins      = 3_000_000
	maxManifest   = 16 << 10
)

// MaxFile is how many bytes a module may have.
const MaxFile = 8 << 20

// MemoryPages is how many pages of 64 KiB a module may have: 32 MiB in all.
const MemoryPages = 512

// WASI is the one module that fix modules import from.
const WASI = "wasi_snapshot_preview1"

// Imports is all that a module may ask of its host: its arguments and
// environment (both empty), the standard streams, a clock that stands still
// and random numbers that are the same at every run. No path_ function, no
// sockets.
var Imports = []string{
	"args_get", "args_sizes_get", "environ_get", "environ_sizes_get",
	"clock_res_get", "clock_time_get", "random_get", "sched_yield", "poll_oneoff", "proc_exit",
	"fd_close", "fd_fdstat_get", "fd_fdstat_set_flags", "fd_prestat_get", "fd_prestat_dir_name",
	"fd_filestat_get", "fd_read", "fd_seek", "fd_write",
}

const memorySection = 5

const preamble = "\x00asm\x01\x00\x00\x00"

// Scan checks a module's sections against the limits and gives the code that is
// to be run: the module without its custom sections, which hold names and
// debugging data that a runtime would decode as well, and with a memory that
// cannot grow past the limit, since a browser knows no other way to say so. It
// reads every byte once and allocates nothing that grows with what the module
// claims.
func Scan(data []byte) (code []byte, err error) {
	s := &scanned{}
	code = append(make([]byte, 0, len(data)), preamble...)
	next := 0 // index in known
	err = sections(data, func(id byte, whole []byte, content reader) error {
		if id == 0 {
			return nil
		}
		at := next
		for at < len(known) && known[at].id != id {
			at++
		}
		if at == len(known) {
			return fmt.Errorf("the module has a section of kind %d, which is unknown or out of its place", id)
		}
		if err := known[at].scan(s, &content); err != nil {
			return err
		}
		if content.failed || content.at < len(content.data) {
			return fmt.Errorf("the %s section of the module does not end where it says", known[at].name)
		}
		if id == memorySection && s.pages[1] > 0 {
			code = append(code, s.memory()...)
		} else {
			code = append(code, whole...)
		}
		next = at + 1
		return nil
	})
	if err != nil {
		return nil, err
	}
	return code, s.complete()
}

// sections walks a module's sections.
func sections(data []byte, visit func(id byte, whole []byte, content reader) error) error {
	if len(data) > MaxFile {
		return fmt.Errorf("the file has more than %d bytes", MaxFile)
	}
	if len(data) < len(preamble) || string(data[:len(preamble)]) != preamble {
		return errors.New("the file is no WebAssembly module")
	}
	for r := (reader{data: data, at: len(preamble)}); r.at < len(data); {
		start := r.at
		id := r.byte()
		content := r.sub(int(r.u32()))
		if r.failed {
			return errors.New("the file ends in the middle of a section")
		}
		if err := visit(id, data[start:r.at], content); err != nil {
			return err
		}
	}
	return nil
}

// scanned is what the sections told.
type scanned struct {
	hasStart, hasMemory bool
	arity               []int // of each type, parameters and results
	functions           []int // the arity of each
	bodies              int
	work, joins         int
	pages               [2]int // of memory, at least and at most
}

// known are the kinds of sections in the order in which they stand,
// which is that of their numbers but for the count of data.
var known = []struct {
	id   byte
	name string
	scan func(*scanned, *reader) error
}{
	{1, "type", (*scanned).types},
	{2, "import", (*scanned).imports},
	{3, "function", (*scanned).declarations},
	{4, "table", (*scanned).tables},
	{memorySection, "memory", (*scanned).memories},
	{6, "global", (*scanned).globals},
	{7, "export", (*scanned).exports},
	{8, "start", func(*scanned, *reader) error { return errors.New("the module has a start section") }},
	{9, "element", (*scanned).elements},
	{12, "data count", func(_ *scanned, r *reader) error { return within("data segments", int(r.u32()), maxSegments) }},
	{10, "code", (*scanned).code},
	{11, "data", (*scanned).data},
}

// within says that there are too many of something.
func within(what string, n, limit int) error {
	if n > limit {
		return fmt.Errorf("the module has %d %s, more than %d", n, what, limit)
	}
	return nil
}

func (s *scanned) complete() error {
	switch {
	case !s.hasStart:
		return errors.New("the module exports no function _start: it must be a WASI command")
	case !s.hasMemory:
		return errors.New("the module exports no memory")
	case len(s.functions) != s.bodies:
		return fmt.Errorf("the module declares %d functions and has %d", len(s.functions), s.bodies)
	}
	return nil
}

func (s *scanned) types(r *reader) error {
	n := r.count()
	if err := within("types", n, maxTypes); err != nil {
		return err
	}
	for range n {
		if r.byte() != 0x60 && !r.failed {
			return errors.New("the module has a type that is no function's")
		}
		parameters := r.count()
		r.sub(parameters)
		results := r.count()
		r.sub(results)
		if err := errors.Join(within("parameters in a function", parameters, maxParameters), within("results of a function", results, maxResults)); err != nil {
			return err
		}
		s.arity = append(s.arity, parameters+results)
	}
	return nil
}

// arityOf is how many values a function or a block of a type takes and gives.
func (s *scanned) arityOf(index int) (int, error) {
	if index >= len(s.arity) {
		return 0, fmt.Errorf("the module names a type %d, and has %d", index, len(s.arity))
	}
	return s.arity[index], nil
}

func (s *scanned) imports(r *reader) error {
	n := r.count()
	if err := within("imports", n, maxImports); err != nil {
		return err
	}
	for range n {
		module, name := r.name(), r.name()
		kind := r.byte()
		if r.failed {
			return nil
		}
		if kind != 0 {
			return fmt.Errorf("the module imports %q of %q, which is no function", name, module)
		}
		r.u32()
		if module != WASI || !slices.Contains(Imports, name) {
			return fmt.Errorf("the module imports %q of %q, which fix modules may not use", name, module)
		}
	}
	return nil
}

func (s *scanned) declarations(r *reader) error {
	n := r.count()
	if err := within("functions", n, maxFunctions); err != nil {
		return err
	}
	for range n {
		arity, err := s.arityOf(int(r.u32()))
		if err != nil {
			return err
		}
		s.functions = append(s.functions, arity)
	}
	return nil
}

func (s *scanned) tables(r *reader) error {
	n := r.count()
	if err := within("tables", n, 1); err != nil {
		return err
	}
	for range n {
		if r.byte() != 0x70 && !r.failed {
			return errors.New("the module has a table of something other than functions")
		}
		least, _, err := r.limits("table")
		if err != nil {
			return err
		}
		if err := within("entries in a table", least, maxTable); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanned) memories(r *reader) error {
	n := r.count()
	if err := within("memories", n, 1); err != nil {
		return err
	}
	for range n {
		least, most, err := r.limits("memory")
		if err != nil {
			return err
		}
		if least > MemoryPages {
			return fmt.Errorf("the module wants %d MiB of memory, more than %d", least/16, MemoryPages/16)
		}
		s.pages = [2]int{least, min(most, MemoryPages)}
	}
	return nil
}

// memory is the section as it is to be run.
func (s *scanned) memory() []byte {
	content := []byte{1, 1}
	for _, n := range s.pages {
		content = binary.AppendUvarint(content, uint64(n))
	}
	return append([]byte{memorySection, byte(len(content))}, content...)
}

func (s *scanned) globals(r *reader) error {
	n := r.count()
	if err := within("globals", n, maxGlobals); err != nil {
		return err
	}
	for range n {
		r.sub(2) // type and whether it may change
		if err := r.constant(); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanned) exports(r *reader) error {
	n := r.count()
	if err := within("exports", n, maxExports); err != nil {
		return err
	}
	for range n {
		name, kind := r.name(), r.byte()
		r.u32()
		s.hasStart = s.hasStart || name == "_start" && kind == 0
		s.hasMemory = s.hasMemory || name == "memory" && kind == 2
	}
	return nil
}

func (s *scanned) elements(r *reader) error {
	n := r.count()
	if err := within("element segments", n, maxSegments); err != nil {
		return err
	}
	all := 0
	for range n {
		flags := r.u32()
		if flags > 3 {
			return errors.New("the module fills a table with expressions, which belong to reference types")
		}
		if flags == 2 {
			r.u32() // which table
		}
		if flags&1 == 0 {
			if err := r.constant(); err != nil {
				return err
			}
		}
		if flags != 0 {
			r.byte() // what kind of element
		}
		entries := r.count()
		for range entries {
			r.u32()
		}
		if all += entries; all > maxTable {
			return within("entries for a table", all, maxTable)
		}
	}
	return nil
}

func (s *scanned) code(r *reader) error {
	s.bodies = r.count()
	if err := within("functions", s.bodies, maxFunctions); err != nil {
		return err
	}
	for i := range s.bodies {
		size := int(r.u32())
		if size > maxBody {
			return fmt.Errorf("function %d has %d bytes, more than %d", i, size, maxBody)
		}
		body := r.sub(size)
		if r.failed {
			return nil
		}
		if i >= len(s.functions) {
			continue // refused in the end
		}
		if err := s.function(s.functions[i], &body); err != nil {
			return fmt.Errorf("function %d %w", i, err)
		}
		if s.work > maxWork {
			return fmt.Errorf("the module has more than %d instructions and local variables", maxWork)
		}
		if s.joins > maxJoins {
			return fmt.Errorf("the module has more than %d local variables where branches meet", maxJoins)
		}
	}
	return nil
}

func (s *scanned) function(arity int, r *reader) error {
	locals := 0
	for range r.count() {
		locals += int(r.u32())
		r.byte()
		if locals > maxLocals {
			return fmt.Errorf("has more than %d local variables", maxLocals)
		}
	}
	w := walk{arityOf: s.arityOf}
	err := w.instructions(r)
	s.work += locals + w.work
	s.joins += (locals + arity + w.widest) * w.joins
	return err
}

func (s *scanned) data(r *reader) error {
	n := r.count()
	if err := within("data segments", n, maxSegments); err != nil {
		return err
	}
	for range n {
		flags := r.u32()
		if flags > 2 {
			return fmt.Errorf("the module has data of kind %d, which is unknown", flags)
		}
		if flags == 2 {
			r.u32() // which memory
		}
		if flags != 1 {
			if err := r.constant(); err != nil {
				return err
			}
		}
		r.sub(int(r.u32()))
	}
	return nil
}
