package modules

import (
	"errors"
	"fmt"
	"slices"
)

// Limits on a module's file. wazero bounds what running code does, but its
// compiler ignores deadlines and tables lie outside its memory limit, so a
// module is scanned before wazero sees it. A Go program of 3 MB has some 2,200
// functions, bodies of 30 KB and blocks nested some 500 deep.
const (
	maxFile      = 8 << 20
	maxFunctions = 20_000
	maxBody      = 256 << 10
	maxLocals    = 1_000
	maxNesting   = 2_000
	maxTable     = 65_536
	maxPages     = 512 // of 64 KiB, 32 MiB in all
	maxManifest  = 16 << 10
)

// allowedImports is all that a module may ask of its host: its arguments and
// environment (both empty), the standard streams, a clock and random numbers
// that are the same at every run. No path_ function, no sockets.
var allowedImports = []string{
	"args_get", "args_sizes_get", "environ_get", "environ_sizes_get",
	"clock_res_get", "clock_time_get", "random_get", "sched_yield", "poll_oneoff", "proc_exit",
	"fd_close", "fd_fdstat_get", "fd_fdstat_set_flags", "fd_prestat_get", "fd_prestat_dir_name",
	"fd_filestat_get", "fd_read", "fd_seek", "fd_write",
}

const wasiModule = "wasi_snapshot_preview1"

const manifestSection = "mcpmend.manifest"

// scan checks a module's sections against the limits and gives the content of
// its manifest section. It reads every byte once and allocates nothing that
// grows with what the module claims.
func scan(data []byte) (manifest []byte, err error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("the file has %d bytes, more than %d", len(data), maxFile)
	}
	if len(data) < 8 || string(data[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, errors.New("the file is no WebAssembly module")
	}
	s := scanner{}
	for r := (reader{data: data, at: 8}); r.at < len(data); {
		id := r.byte()
		section := r.sub(int(r.u32()))
		if r.failed || section.failed {
			return nil, errors.New("the file ends in the middle of a section")
		}
		if err := s.section(id, &section); err != nil {
			return nil, err
		}
	}
	if s.manifests > 1 {
		return nil, errors.New("the module has more than one manifest")
	}
	return s.manifest, s.exported()
}

// scanner holds what the sections told so far.
type scanner struct {
	manifest          []byte
	manifests         int
	hasStart, hasMem  bool
	functions, bodies int
}

func (s *scanner) section(id byte, r *reader) error {
	var err error
	switch id {
	case 0:
		err = s.custom(r)
	case 2:
		err = s.imports(r)
	case 3:
		s.functions = int(r.u32())
		if s.functions > maxFunctions {
			return fmt.Errorf("the module has %d functions, more than %d", s.functions, maxFunctions)
		}
		return nil // the type of each follows; wazero checks it
	case 4:
		err = tables(r)
	case 5:
		err = memories(r)
	case 7:
		err = s.exports(r)
	case 8:
		return errors.New("the module has a start section")
	case 10:
		err = s.code(r)
	case 1, 6, 9, 11, 12:
		return nil
	default:
		return fmt.Errorf("the module has a section of unknown kind %d", id)
	}
	if err == nil && r.failed {
		err = fmt.Errorf("section %d of the module is cut off", id)
	}
	return err
}

func (s *scanner) custom(r *reader) error {
	if r.name() != manifestSection || r.failed {
		return nil // other custom sections hold names and debugging data
	}
	s.manifests++
	s.manifest = r.data[r.at:]
	if len(s.manifest) > maxManifest {
		return fmt.Errorf("the manifest has %d bytes, more than %d", len(s.manifest), maxManifest)
	}
	return nil
}

func (s *scanner) imports(r *reader) error {
	for range r.count() {
		module, name := r.name(), r.name()
		kind := r.byte()
		if r.failed {
			return nil
		}
		if kind != 0 {
			return fmt.Errorf("the module imports %s.%s, which is no function", module, name)
		}
		r.u32()
		if module != wasiModule || !slices.Contains(allowedImports, name) {
			return fmt.Errorf("the module imports %s.%s, which fix modules may not use", module, name)
		}
	}
	return nil
}

func tables(r *reader) error {
	for range r.count() {
		if kind := r.byte(); kind != 0x70 && !r.failed {
			return errors.New("the module has a table of something other than functions")
		}
		flags := r.byte()
		if least := r.u32(); least > maxTable {
			return fmt.Errorf("the module has a table of %d entries, more than %d", least, maxTable)
		}
		if flags&1 != 0 {
			r.u32()
		}
	}
	return nil
}

func memories(r *reader) error {
	n := r.count()
	if n > 1 {
		return fmt.Errorf("the module has %d memories", n)
	}
	for range n {
		if flags := r.byte(); flags > 1 {
			return errors.New("the module has a shared or 64-bit memory")
		}
		if least := r.u32(); least > maxPages {
			return fmt.Errorf("the module wants %d MiB of memory, more than %d", least/16, maxPages/16)
		}
	}
	return nil
}

func (s *scanner) exports(r *reader) error {
	for range r.count() {
		name, kind := r.name(), r.byte()
		r.u32()
		s.hasStart = s.hasStart || name == "_start" && kind == 0
		s.hasMem = s.hasMem || name == "memory" && kind == 2
		if r.failed {
			return nil
		}
	}
	return nil
}

func (s *scanner) exported() error {
	switch {
	case !s.hasStart:
		return errors.New("the module exports no function _start: it must be a WASI command")
	case !s.hasMem:
		return errors.New("the module exports no memory")
	}
	return nil
}

func (s *scanner) code(r *reader) error {
	n := r.count()
	if n > maxFunctions {
		return fmt.Errorf("the module has %d functions, more than %d", n, maxFunctions)
	}
	for i := range n {
		size := int(r.u32())
		if size > maxBody {
			return fmt.Errorf("function %d has %d bytes, more than %d", i, size, maxBody)
		}
		body := r.sub(size)
		if r.failed {
			return nil
		}
		if err := function(&body); err != nil {
			return fmt.Errorf("function %d %w", i, err)
		}
	}
	return nil
}

func function(r *reader) error {
	locals := 0
	for range r.count() {
		locals += int(r.u32())
		r.byte()
		if locals > maxLocals {
			return fmt.Errorf("has more than %d local variables", maxLocals)
		}
	}
	return instructions(r)
}
