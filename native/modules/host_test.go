package modules

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/tetratelabs/wazero"

	"mcpmend/core/module"
	. "mcpmend/core/module/moduletest"
)

// engines are the two ways in which wazero runs code. Where there is no
// compiler for the processor the second is the interpreter again.
var engines = map[string]func() wazero.RuntimeConfig{
	"interpreter": wazero.NewRuntimeConfigInterpreter,
	"compiler":    wazero.NewRuntimeConfig,
}

func opened(t testing.TB, data []byte) *Module {
	t.Helper()
	m, err := Open(data, "test")
	if err == nil {
		err = m.Scan()
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWASIFunctions calls every function that a module may use with odd
// arguments: whatever it gives back, the run goes on.
func TestWASIFunctions(t *testing.T) {
	for engine, config := range engines {
		for _, name := range module.Imports {
			if name == "proc_exit" {
				continue
			}
			for _, argument := range []int{0, 1, 2, 3, 64, 65_530, 1 << 30, -1} {
				out, err := run(t.Context(), config(), opened(t, Calls(name, argument)).code, nil)
				// Writing to stdout or over the data is the module's own affair.
				if err != nil || !strings.Contains(string(out), "{") && argument != 64 {
					t.Errorf("%s: %s(%d…) gives %q, %v", engine, name, argument, out, err)
				}
			}
		}
	}
}

func TestEveryImportIsThere(t *testing.T) {
	for _, name := range module.Imports {
		if _, ok := functions[name]; !ok && name != "proc_exit" {
			t.Errorf("%s may be imported and is not there", name)
		}
	}
	is.New(t).Equal(len(functions)+1, len(module.Imports))
}

// TestRandomIsAlwaysTheSame compares with the published output of splitmix64
// from zero; the second call drops what is left of a word.
func TestRandomIsAlwaysTheSame(t *testing.T) {
	is := is.New(t)
	program := Command{Imports: []string{"random_get", "fd_write"}, Start: slices.Concat(
		Constant(100), Constant(4), []byte{Call, 0, Drop},
		Constant(104), Constant(8), []byte{Call, 0, Drop},
		Write(1, 1, 100, 12),
	)}.Bytes()
	for range 2 {
		out, err := Host{}.Run(t.Context(), opened(t, program), nil)
		is.NoErr(err)
		is.Equal(hex.EncodeToString(out), "afcd1d7b"+"f465b9a16a9e786e")
	}
}

func TestClockStandsStill(t *testing.T) {
	is := is.New(t)
	out, err := Host{}.Run(t.Context(), opened(t, Command{Imports: []string{"clock_time_get", "fd_write"}, Start: slices.Concat(
		Store(100, 7), Store(104, 7),
		Constant(0), []byte{I64Const, 0}, Constant(100), []byte{Call, 0, Drop},
		Write(1, 1, 100, 8),
	)}.Bytes()), nil)
	is.NoErr(err)
	is.Equal(binary.LittleEndian.Uint64(out), uint64(now))
}

func TestStdinIsTheRequest(t *testing.T) {
	is := is.New(t)
	echo := Command{Imports: []string{"fd_read", "fd_write"}, Start: slices.Concat(
		Store(0, 100), Store(4, 200), Constant(0), Constant(0), Constant(1), Constant(8), []byte{Call, 0, Drop},
		Write(1, 1, 100, 7),
	)}.Bytes()
	out, err := Host{}.Run(t.Context(), opened(t, echo), []byte("request"))
	is.NoErr(err)
	is.Equal(string(out), "request")
	_, err = Host{}.Run(t.Context(), opened(t, echo), make([]byte, maxStdin+1))
	is.True(err != nil && strings.Contains(err.Error(), "the request has"))
}

func TestRunEndsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Host{}.Run(ctx, opened(t, Command{Start: []byte{Loop, Empty, Branch, 0, End}}.Bytes()), nil)
	is.New(t).True(errors.Is(err, context.Canceled))
}

func TestCompiledCode(t *testing.T) {
	is := is.New(t)
	h := Host{Cache: filepath.Join(t.TempDir(), "cache")}
	m := opened(t, Prints("hello"))
	is.True(h.Compile(t.Context(), m) != nil) // not trusted
	_, err := os.Stat(h.Cache)
	is.True(errors.Is(err, os.ErrNotExist)) // nothing was kept

	m.Trusted = true
	is.True(!h.compiled(m))
	is.NoErr(h.Compile(t.Context(), m))
	is.True(h.compiled(m))
	out, err := h.Run(t.Context(), m, nil)
	is.NoErr(err)
	is.Equal(string(out), "hello")

	other := opened(t, Prints("other")) // same cache, other bytes
	is.True(!h.compiled(other))
	info, err := os.Stat(h.Cache)
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o700))
	is.NoErr(os.Chmod(h.Cache, 0o755))
	_, err = h.Run(t.Context(), m, nil)
	is.True(err != nil && strings.Contains(err.Error(), "chmod 700"))
}

// TestCompilerEndsInTime: it heeds no deadline, so what the scan lets pass must
// not be able to keep it. The same function with 500 loops took it 8 s.
func TestCompilerEndsInTime(t *testing.T) {
	skipRaced(t)
	is := is.New(t)
	h := Host{Cache: filepath.Join(t.TempDir(), "cache")}
	m := opened(t, Command{Sections: carrying(1, 1000)}.Bytes())
	m.Trusted = true
	from := processorTime()
	is.NoErr(h.Compile(t.Context(), m))
	is.True(processorTime()-from < 3*time.Second)
}

// TestNobodyWaitsForTheCompiler: it goes on, and the caller does not.
func TestNobodyWaitsForTheCompiler(t *testing.T) {
	is := is.New(t)
	h := Host{Cache: filepath.Join(t.TempDir(), "cache")}
	m := opened(t, Command{Sections: carrying(2, 500)}.Bytes())
	m.Trusted = true
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	is.True(errors.Is(h.Compile(ctx, m), context.Canceled))
	for deadline := time.Now().Add(time.Minute); !h.compiled(m) && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	is.True(h.compiled(m)) // and nothing is written after the test
}

// TestLimitsHoldInCompiledCode: trust lets a module be compiled, no more.
func TestLimitsHoldInCompiledCode(t *testing.T) {
	for name, program := range map[string][]byte{
		"endless loop":   Command{Start: []byte{Loop, Empty, Branch, 0, End}}.Bytes(),
		"output flood":   Command{Imports: []string{"fd_write"}, Start: slices.Concat([]byte{Loop, Empty}, Write(0, 1, 0, 60_000), []byte{Branch, 0, End})}.Bytes(),
		"stack overflow": Command{Start: []byte{Call, 0}}.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := run(t.Context(), wazero.NewRuntimeConfig(), opened(t, program).code, nil)
			is.New(t).True(err != nil)
		})
	}
}
