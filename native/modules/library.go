package modules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/fix"
	"mcpmend/core/module"
	"mcpmend/native/files"
	"mcpmend/native/state"
	"mcpmend/wasm/packs"
)

// Library is the modules that may be used: the bundled ones, those in the
// user's own directory, and those of a project whose hash the user trusts.
type Library struct {
	Modules []*Module
	Refused []error // files that are no proper modules, or not trusted
	host    Host
}

// projectModules is where a project keeps modules of its own.
const projectModules = ".mcpmend/modules"

// Load gathers the modules by their manifests. A project's directory may be
// empty.
func Load(dirs state.Dirs, project string) (*Library, error) {
	trust, err := dirs.Trust()
	if err != nil {
		return nil, err
	}
	l := &Library{host: HostFor(dirs)}
	bundled, err := packs.All()
	if err != nil {
		return nil, err
	}
	for _, p := range bundled {
		l.add(p.Code, "embedded", func(m *Module) error { m.Trusted = true; return nil })
	}
	trusted := func(m *Module) bool { _, ok := trust.Modules[m.SHA256]; return ok }
	l.directory(dirs.Modules(), func(m *Module) error {
		m.Trusted = trusted(m)
		return nil
	})
	if project != "" {
		l.directory(filepath.Join(project, projectModules), func(m *Module) error {
			if m.Trusted = trusted(m); m.Trusted {
				return nil
			}
			return fmt.Errorf("%s: not used: a project's module runs only after mcpmend modules trust %s", m.Source, m.Source)
		})
	}
	return l, nil
}

func (l *Library) add(code []byte, source string, admit func(*Module) error) {
	m, err := Open(code, source)
	if err == nil {
		err = admit(m)
	}
	if err != nil {
		l.Refused = append(l.Refused, err)
		return
	}
	l.Modules = append(l.Modules, m)
}

func (l *Library) directory(dir string, admit func(*Module) error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.Refused = append(l.Refused, err)
		return
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".wasm") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		code, err := ReadFile(path)
		if err != nil {
			l.Refused = append(l.Refused, err)
			continue
		}
		l.add(code, path, admit)
	}
}

// ReadFile reads a module's file, bounded. It is looked at before it is opened:
// to open a pipe would wait for ever.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return nil, files.Cannot("read", path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, files.Cannot("read", path, err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, module.MaxFile+1))
}

// Scan looks into every module and moves those that break a limit to Refused.
// Without it they are found out when they first apply.
func (l *Library) Scan() {
	l.Modules = slices.DeleteFunc(l.Modules, func(m *Module) bool {
		err := m.Scan()
		if err != nil {
			l.Refused = append(l.Refused, fmt.Errorf("%s: %w", m.Source, err))
		}
		return err != nil
	})
}

// Propose asks every module that is made for what a call is about. A module
// that fails or answers badly is told in errs and otherwise left out.
func (l *Library) Propose(ctx context.Context, call *module.Call) (fixes []fix.Fix, errs []error) {
	d, server := call.Request.Diagnosis, call.Request.Server
	pkg := catalog.Unversioned(catalog.Parse(server.Command, server.Args).Package)
	for _, m := range l.Modules {
		if !m.Manifest.Applies(call.Request.Config.Client, d.Code, d.Category, pkg) {
			continue
		}
		response, err := l.host.Ask(ctx, m, call)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		fixes = append(fixes, response.Fixes...)
	}
	return fixes, errs
}

// Ask runs a module on a call and checks its answer.
func (h Host) Ask(ctx context.Context, m *Module, call *module.Call) (module.Response, error) {
	answer, err := h.Run(ctx, m, call.JSON())
	if err != nil {
		return module.Response{}, err
	}
	response, err := call.Accept(answer, m.Manifest.Name)
	if err != nil {
		return module.Response{}, fmt.Errorf("module %s: %w", m.Manifest.Name, err)
	}
	return response, nil
}
