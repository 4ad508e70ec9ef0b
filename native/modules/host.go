package modules

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// Limits on one run.
const (
	maxStdin  = 2 << 20
	maxStdout = 1 << 20
	maxStderr = 64 << 10
	deadline  = 2 * time.Second
)

// Host runs modules. The zero value runs each in the interpreter; with a Cache,
// a directory that only the user can write, code of trusted modules is compiled
// and kept there.
type Host struct {
	Cache string
}

// features are those of WebAssembly 2.0 without reference types: they let a
// table grow outside the memory limit (72 bytes took 2.8 GB). Vectors are off
// too, since no module needs them.
const features = api.CoreFeaturesV2 &^ (api.CoreFeatureReferenceTypes | api.CoreFeatureSIMD)

// Run starts a module on a request and gives what it wrote to stdout. An error
// names the module and the reason.
func (h Host) Run(ctx context.Context, m *Module, request []byte) ([]byte, error) {
	if len(request) > maxStdin {
		return nil, fmt.Errorf("module %s: the request has %d bytes, more than %d", m.Manifest.Name, len(request), maxStdin)
	}
	response, err := h.run(ctx, m, request)
	if err != nil {
		return nil, fmt.Errorf("module %s: %w", m.Manifest.Name, err)
	}
	return response, nil
}

func (h Host) run(ctx context.Context, m *Module, request []byte) ([]byte, error) {
	config := wazero.NewRuntimeConfigInterpreter()
	if m.Trusted && h.Cache != "" {
		cache, err := h.cache()
		if err != nil {
			return nil, err
		}
		defer cache.Close(ctx)
		config = wazero.NewRuntimeConfig().WithCompilationCache(cache)
	}
	config = config.WithCoreFeatures(features).WithMemoryLimitPages(maxPages).WithCloseOnContextDone(true)
	// One runtime a run: modules do not trust each other either.
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	defer runtime.Close(context.WithoutCancel(ctx))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, runtime); err != nil {
		return nil, err
	}
	compiled, err := runtime.CompileModule(ctx, m.code)
	if err != nil {
		return nil, fmt.Errorf("it does not compile: %s", firstLine(err))
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	stdout, stderr := &bounded{limit: maxStdout, stop: cancel}, &bounded{limit: maxStderr}
	_, err = runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().
		WithName("").
		WithStdin(bytes.NewReader(request)).
		WithStdout(stdout).
		WithStderr(stderr).
		WithWalltime(func() (int64, int32) { return 0, 0 }, sys.ClockResolution(time.Millisecond)).
		WithNanotime(func() int64 { return 0 }, sys.ClockResolution(time.Millisecond)).
		WithNanosleep(func(int64) {}).
		WithRandSource(&sequence{}))
	if stdout.over {
		return nil, fmt.Errorf("it wrote more than %d bytes", maxStdout)
	}
	var exit *sys.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == sys.ExitCodeDeadlineExceeded:
		return nil, fmt.Errorf("it was not done after %v", deadline)
	case errors.As(err, &exit) && exit.ExitCode() == sys.ExitCodeContextCanceled:
		return nil, context.Canceled
	case errors.As(err, &exit) && exit.ExitCode() == 0:
	case errors.As(err, &exit):
		return nil, fmt.Errorf("it ended with code %d: %s", exit.ExitCode(), stderr.tail())
	case err != nil:
		return nil, fmt.Errorf("it stopped: %s", firstLine(err))
	}
	return stdout.Bytes(), nil
}

// cache opens the directory of compiled code. Whoever can write there can run
// code in this process, so it must be the user's alone.
func (h Host) cache() (wazero.CompilationCache, error) {
	if err := os.MkdirAll(h.Cache, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make %s: %w", h.Cache, err)
	}
	info, err := os.Stat(h.Cache)
	if err != nil {
		return nil, fmt.Errorf("cannot use %s: %w", h.Cache, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s can be written or read by others; chmod 700 it", h.Cache)
	}
	return wazero.NewCompilationCacheWithDir(h.Cache)
}

// bounded keeps what is written up to a limit, and stops the run at it.
type bounded struct {
	bytes.Buffer
	limit int
	over  bool
	stop  func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		b.over = true
		if b.stop != nil {
			b.stop()
			return 0, errors.New("too much output")
		}
		p = p[:max(0, b.limit-b.Len())]
	}
	return b.Buffer.Write(p)
}

// tail is the last line that was written, for an error message.
func (b *bounded) tail() string {
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	return lines[len(lines)-1][:min(200, len(lines[len(lines)-1]))]
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// sequence is the random source of modules, the same at every run: splitmix64
// from zero, which the page's shim computes too.
type sequence struct{ state uint64 }

func (s *sequence) Read(p []byte) (int, error) {
	for i := 0; i < len(p); i += 8 {
		s.state += 0x9e3779b97f4a7c15
		z := s.state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], z^z>>31)
		copy(p[i:], word[:])
	}
	return len(p), nil
}
