package modules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"mcpmend/core/module"
	"mcpmend/native/state"
)

// Limits on one run.
const (
	maxStdin = 2 << 20
	deadline = 2 * time.Second
)

// patience is how long the compiler is waited for. The worst that we could write
// and that passes the scan takes it 11 s.
const patience = time.Minute

// Host runs modules. The zero value runs each in the interpreter. With a Cache,
// a directory that only the user can write, a trusted module that was
// [Host.Compile]d runs as machine code from there.
type Host struct {
	Cache string
}

// HostFor is the host with the user's own cache.
func HostFor(dirs state.Dirs) Host {
	return Host{Cache: dirs.ModuleCache()}
}

// features are those of WebAssembly 2.0 without reference types: they let a
// table grow outside the memory limit (72 bytes took 2.8 GB). Vectors are off
// too, since no module needs them.
const features = api.CoreFeaturesV2 &^ (api.CoreFeatureReferenceTypes | api.CoreFeatureSIMD)

// Run starts a module on a request and gives what it wrote to stdout. An error
// names the module and the reason.
func (h Host) Run(ctx context.Context, m *Module, request []byte) ([]byte, error) {
	if err := m.Scan(); err != nil {
		return nil, err
	}
	if len(request) > maxStdin {
		return nil, fmt.Errorf("module %s: the request has %d bytes, more than %d", m.Manifest.Name, len(request), maxStdin)
	}
	config := wazero.NewRuntimeConfigInterpreter().WithCompilationCache(m.decoded)
	if h.compiled(m) {
		cache, err := h.open(m)
		if err != nil {
			return nil, err
		}
		defer cache.Close(ctx)
		config = wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache)
	}
	response, err := run(ctx, config, m.code, request)
	if err != nil {
		return nil, fmt.Errorf("module %s: %w", m.Manifest.Name, err)
	}
	return response, nil
}

// run compiles and starts code in a runtime of its own: modules do not trust
// each other either.
func run(ctx context.Context, config wazero.RuntimeConfig, code, request []byte) ([]byte, error) {
	runtime, err := newRuntime(ctx, config)
	if err != nil {
		return nil, err
	}
	defer runtime.Close(context.WithoutCancel(ctx))
	compiled, err := runtime.CompileModule(ctx, code)
	if err != nil {
		return nil, fmt.Errorf("it does not compile: %s", firstLine(err))
	}
	return start(ctx, runtime, compiled, request)
}

// newRuntime is an engine with the limits and WASI, and nothing else to import.
func newRuntime(ctx context.Context, config wazero.RuntimeConfig) (wazero.Runtime, error) {
	runtime := wazero.NewRuntimeWithConfig(ctx, config.WithCoreFeatures(features).WithMemoryLimitPages(module.MemoryPages).WithCloseOnContextDone(true))
	if err := instantiate(ctx, runtime); err != nil {
		runtime.Close(ctx)
		return nil, err
	}
	return runtime, nil
}

// start runs compiled code on a request until it ends or its time is up.
func start(ctx context.Context, runtime wazero.Runtime, compiled wazero.CompiledModule, request []byte) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	p := &process{stdin: bytes.NewReader(request), stdout: bounded{limit: maxStdout}, stderr: bounded{limit: maxStderr}, stop: cancel}
	instance, err := runtime.InstantiateModule(p.within(limited), compiled, wazero.NewModuleConfig().WithName(""))
	if instance != nil {
		defer instance.Close(context.WithoutCancel(ctx))
	}
	status, exited := exitCode(err)
	switch {
	case p.stdout.over:
		return nil, fmt.Errorf("it wrote more than %d bytes", maxStdout)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case exited && status == sys.ExitCodeDeadlineExceeded:
		return nil, fmt.Errorf("it was not done after %v", deadline)
	case exited && status != 0:
		return nil, fmt.Errorf("it ended with code %d: %s", status, p.stderr.tail())
	case err != nil && !exited:
		return nil, fmt.Errorf("it stopped: %s", firstLine(err))
	}
	return p.stdout.Bytes(), nil
}

// Compile turns a trusted module into machine code and keeps that, which takes
// ten times as long as one run in the interpreter and makes each later one
// three times as fast. The compiler heeds no deadline: when the time is up or
// the caller is gone it goes on until the process ends, and nobody waits.
func (h Host) Compile(ctx context.Context, m *Module) error {
	if !m.Trusted || h.Cache == "" {
		return fmt.Errorf("module %s: only trusted modules are compiled", m.Manifest.Name)
	}
	if h.compiled(m) {
		return nil
	}
	if err := m.Scan(); err != nil {
		return err
	}
	cache, err := h.open(m)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- h.compile(context.WithoutCancel(ctx), m, cache) }()
	select {
	case err = <-done:
	case <-limited.Done():
		err = limited.Err()
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("module %s: it is not compiled after %v, and will be interpreted", m.Manifest.Name, patience)
	case err != nil:
		return fmt.Errorf("module %s: it does not compile: %s", m.Manifest.Name, firstLine(err))
	}
	return nil
}

func (h Host) compile(ctx context.Context, m *Module, cache wazero.CompilationCache) error {
	defer cache.Close(ctx)
	runtime, err := newRuntime(ctx, wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache))
	if err != nil {
		return err
	}
	defer runtime.Close(ctx)
	if _, err := runtime.CompileModule(ctx, m.code); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(h.place(m), "complete"), nil, 0o600)
}

// compiled says whether machine code of the module is kept.
func (h Host) compiled(m *Module) bool {
	if !m.Trusted || h.Cache == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(h.place(m), "complete"))
	return err == nil
}

// place is the directory of a module's machine code, which is of use only to
// the version of wazero that made it.
func (h Host) place(m *Module) string {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				version = d.Version
			}
		}
	}
	return filepath.Join(h.Cache, version, m.SHA256)
}

// open opens the directory of a module's machine code. Whoever can write there
// can run code in this process, so it must be the user's alone.
func (h Host) open(m *Module) (wazero.CompilationCache, error) {
	if err := os.MkdirAll(h.place(m), 0o700); err != nil {
		return nil, fmt.Errorf("cannot make a place for compiled modules: %w", err)
	}
	if err := private(h.Cache); err != nil {
		return nil, err
	}
	return wazero.NewCompilationCacheWithDir(h.place(m))
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
