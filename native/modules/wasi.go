package modules

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"mcpmend/core/module"
)

// process is what one run of a module sees of the world. It is the whole of
// WASI that there is: no function here knows of files, environment or time,
// and web/src/wasi.ts does the same, number by number.
type process struct {
	stdin          *bytes.Reader
	stdout, stderr bounded
	random         sequence
	stop           func()
}

// Limits on what a module may write.
const (
	maxStdout = 1 << 20
	maxStderr = 64 << 10
)

// errno is a result of a WASI function.
type errno = uint64

const (
	success   errno = 0
	badFile   errno = 8
	fault     errno = 21
	invalid   errno = 28
	ioError   errno = 29
	noSeeking errno = 70
)

// clocks are the ids of WASI's clocks, resolution what they claim, now the time
// that it always is, both in nanoseconds. Go's runtime refuses to start at zero.
const (
	clocks     = 4
	resolution = 1_000_000
	now        = 1_000_000_000
)

// function is one of WASI: its parameters (i for i32, I for i64) and what it
// does. Every one but proc_exit gives an errno.
type function struct {
	parameters string
	call       func(p *process, memory api.Memory, a []uint64) errno
}

// functions has one entry for each of module.Imports.
var functions = map[string]function{
	"args_get":            {"ii", func(*process, api.Memory, []uint64) errno { return success }},
	"args_sizes_get":      {"ii", noStrings},
	"environ_get":         {"ii", func(*process, api.Memory, []uint64) errno { return success }},
	"environ_sizes_get":   {"ii", noStrings},
	"clock_res_get":       {"ii", func(_ *process, m api.Memory, a []uint64) errno { return clock(m, a[0], a[1], resolution) }},
	"clock_time_get":      {"iIi", func(_ *process, m api.Memory, a []uint64) errno { return clock(m, a[0], a[2], now) }},
	"random_get":          {"ii", (*process).randomGet},
	"sched_yield":         {"", func(*process, api.Memory, []uint64) errno { return success }},
	"poll_oneoff":         {"iiii", (*process).pollOneoff},
	"fd_close":            {"i", onStream(func(api.Memory, []uint64) errno { return success })},
	"fd_fdstat_get":       {"ii", onStream(fdstat)},
	"fd_fdstat_set_flags": {"ii", onStream(func(api.Memory, []uint64) errno { return success })},
	"fd_filestat_get":     {"ii", onStream(filestat)},
	"fd_prestat_get":      {"ii", func(*process, api.Memory, []uint64) errno { return badFile }},
	"fd_prestat_dir_name": {"iii", func(*process, api.Memory, []uint64) errno { return badFile }},
	"fd_read":             {"iiii", (*process).fdRead},
	"fd_seek":             {"iIii", onStream(func(api.Memory, []uint64) errno { return noSeeking })},
	"fd_write":            {"iiii", (*process).fdWrite},
}

// processKey is under which a call's context has its process.
type processKey struct{}

// within gives a process to whatever runs in a context.
func (p *process) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, processKey{}, p)
}

// instantiate gives a runtime the functions.
func instantiate(ctx context.Context, runtime wazero.Runtime) error {
	builder := runtime.NewHostModuleBuilder(module.WASI)
	for _, name := range module.Imports {
		f, ok := functions[name]
		if !ok {
			continue // proc_exit
		}
		builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, m api.Module, stack []uint64) {
			p := ctx.Value(processKey{}).(*process)
			stack[0] = f.call(p, m.Memory(), stack)
		}), types(f.parameters), []api.ValueType{api.ValueTypeI32}).Export(name)
	}
	builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, m api.Module, stack []uint64) {
		code := uint32(stack[0])
		_ = m.CloseWithExitCode(ctx, code) // it was open
		panic(sys.NewExitError(code))      // the way out that wazero gives
	}), types("i"), nil).Export("proc_exit")
	_, err := builder.Instantiate(ctx)
	return err
}

func types(parameters string) []api.ValueType {
	list := make([]api.ValueType, len(parameters))
	for i, p := range parameters {
		list[i] = api.ValueTypeI32
		if p == 'I' {
			list[i] = api.ValueTypeI64
		}
	}
	return list
}

// onStream is a function of one of the three streams.
func onStream(call func(api.Memory, []uint64) errno) func(*process, api.Memory, []uint64) errno {
	return func(_ *process, m api.Memory, a []uint64) errno {
		if uint32(a[0]) > 2 {
			return badFile
		}
		return call(m, a)
	}
}

// noStrings is the sizes of a list of arguments or variables: none.
func noStrings(_ *process, m api.Memory, a []uint64) errno {
	return written(m.WriteUint32Le(uint32(a[0]), 0) && m.WriteUint32Le(uint32(a[1]), 0))
}

func written(ok bool) errno {
	if !ok {
		return fault
	}
	return success
}

func clock(m api.Memory, id, at, value uint64) errno {
	if uint32(id) >= clocks {
		return invalid
	}
	return written(m.WriteUint64Le(uint32(at), value))
}

func (p *process) randomGet(m api.Memory, a []uint64) errno {
	buffer, ok := m.Read(uint32(a[0]), uint32(a[1]))
	if ok {
		p.random.fill(buffer)
	}
	return written(ok)
}

// characterDevice is the type of a stream.
const characterDevice = 2

func fdstat(m api.Memory, a []uint64) errno {
	const readRight, writeRight = 1 << 1, 1 << 6
	var stat [24]byte
	stat[0] = characterDevice
	stat[8] = writeRight
	if uint32(a[0]) == 0 {
		stat[8] = readRight
	}
	return written(m.Write(uint32(a[1]), stat[:]))
}

func filestat(m api.Memory, a []uint64) errno {
	var stat [64]byte
	stat[16] = characterDevice
	stat[24] = 1 // links
	return written(m.Write(uint32(a[1]), stat[:]))
}

// vectors calls use with each buffer of a list, until it says stop.
func vectors(m api.Memory, at, n uint64, use func([]byte) (more bool, e errno)) errno {
	if n > uint64(m.Size())/8 {
		return fault
	}
	list, ok := m.Read(uint32(at), uint32(n)*8)
	if !ok {
		return fault
	}
	for ; len(list) > 0; list = list[8:] {
		buffer, ok := m.Read(binary.LittleEndian.Uint32(list), binary.LittleEndian.Uint32(list[4:]))
		if !ok {
			return fault
		}
		if more, e := use(buffer); !more || e != success {
			return e
		}
	}
	return success
}

func (p *process) fdRead(m api.Memory, a []uint64) errno {
	if uint32(a[0]) != 0 {
		return badFile
	}
	read := 0
	e := vectors(m, a[1], uint64(uint32(a[2])), func(buffer []byte) (bool, errno) {
		n, _ := p.stdin.Read(buffer) // the end is no error here
		read += n
		return n == len(buffer), success
	})
	if e != success {
		return e
	}
	return written(m.WriteUint32Le(uint32(a[3]), uint32(read)))
}

func (p *process) fdWrite(m api.Memory, a []uint64) errno {
	stream := &p.stdout
	switch uint32(a[0]) {
	case 1:
	case 2:
		stream = &p.stderr
	default:
		return badFile
	}
	wrote := uint32(0)
	e := vectors(m, a[1], uint64(uint32(a[2])), func(buffer []byte) (bool, errno) {
		wrote += uint32(len(buffer))
		if !stream.add(buffer) && stream == &p.stdout {
			p.stop()
			return false, ioError
		}
		return true, success
	})
	if e != success {
		return e
	}
	return written(m.WriteUint32Le(uint32(a[3]), wrote))
}

// pollOneoff says that whatever is waited for has come: a clock that stands
// still has no later, and the streams are always ready.
func (p *process) pollOneoff(m api.Memory, a []uint64) errno {
	const subscription, event = 48, 32
	n := uint64(uint32(a[2]))
	if n == 0 {
		return invalid
	}
	if n > uint64(m.Size())/subscription {
		return fault
	}
	in, ok := m.Read(uint32(a[0]), uint32(n)*subscription)
	out, ok2 := m.Read(uint32(a[1]), uint32(n)*event)
	if !ok || !ok2 {
		return fault
	}
	events := make([]byte, 0, len(out)) // in and out may overlap
	for ; len(in) > 0; in = in[subscription:] {
		var e [event]byte
		copy(e[:8], in) // the caller's own mark
		kind, file := in[8], binary.LittleEndian.Uint32(in[16:])
		switch {
		case kind > 2:
			return invalid
		case kind != 0 && file > 2:
			e[8] = byte(badFile)
		}
		e[10] = kind
		events = append(events, e[:]...)
	}
	copy(out, events)
	return written(m.WriteUint32Le(uint32(a[3]), uint32(n)))
}

// bounded keeps what is written up to a limit.
type bounded struct {
	bytes.Buffer
	limit int
	over  bool
}

func (b *bounded) add(p []byte) bool {
	if len(p) > b.limit-b.Len() {
		b.over = true
		p = p[:b.limit-b.Len()]
	}
	b.Write(p)
	return !b.over
}

// tail is the last line that was written, for an error message.
func (b *bounded) tail() string {
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	last := lines[len(lines)-1]
	return last[max(0, len(last)-200):]
}

// sequence is the random source of modules, the same at every run: splitmix64
// from zero. Each call takes whole words and drops what it does not need.
type sequence struct{ state uint64 }

func (s *sequence) fill(p []byte) {
	for i := 0; i < len(p); i += 8 {
		s.state += 0x9e3779b97f4a7c15
		z := s.state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], z^z>>31)
		copy(p[i:], word[:])
	}
}

// exitCode is the code of a run that ended by proc_exit or at its deadline.
func exitCode(err error) (code uint32, ok bool) {
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), true
	}
	return 0, false
}
