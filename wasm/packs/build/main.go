// Command build compiles the bundled fix modules for WASI and appends to each
// the section with its manifest:
//
//	go run ./wasm/packs/build
//	go run ./wasm/packs/build DIR
//	go run ./wasm/packs/build MANIFEST.json PROGRAM.wasm MODULE.wasm
//
// The second form also writes them to DIR as the page takes them: scanned, so
// that the page need not do it at every visit, with their manifests beside them.
// The third makes a module of one program that something else has compiled.
//
// A directory of wasm/packs that has a manifest.json beside a Go program is a
// module; examples has a manifest alone. What is built lies in wasm/packs/dist;
// a module that would not change is not written, so that nothing that embeds it
// is built again.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"mcpmend/core/module"
)

func main() {
	var err error
	switch len(os.Args) {
	case 1:
		err = build("wasm/packs")
	case 2:
		if err = build("wasm/packs"); err == nil {
			err = forPage("wasm/packs/dist", os.Args[1])
		}
	case 4:
		err = finish(os.Args[1], os.Args[2], os.Args[3])
	default:
		err = errors.New("usage: build [DIR | MANIFEST.json PROGRAM.wasm MODULE.wasm]")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func build(dir string) error {
	manifests, err := filepath.Glob(filepath.Join(dir, "*", "manifest.json"))
	if err != nil {
		return err
	}
	if len(manifests) == 0 {
		return fmt.Errorf("no modules below %s: run this in the root of the repository", dir)
	}
	wanted := map[string]bool{}
	for _, manifest := range manifests {
		if _, err := os.Stat(filepath.Join(filepath.Dir(manifest), "main.go")); errors.Is(err, os.ErrNotExist) {
			continue // the examples in other languages have compilers of their own
		}
		name := filepath.Base(filepath.Dir(manifest))
		out := filepath.Join(dir, "dist", name+".wasm")
		wanted[out] = true
		if err := pack(filepath.Dir(manifest), manifest, out); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	old, err := filepath.Glob(filepath.Join(dir, "dist", "*.wasm"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if !wanted[file] {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// pack builds one module. Go's own cache makes it quick where nothing changed.
func pack(dir, manifest, out string) error {
	temporary, err := os.MkdirTemp("", "mcpmend-pack-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	program := filepath.Join(temporary, "program.wasm")
	compile := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, "./"+filepath.ToSlash(dir))
	compile.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	compile.Stderr = os.Stderr
	if err := compile.Run(); err != nil {
		return err
	}
	return finish(manifest, program, out)
}

// forPage writes what the page runs of each module, and a list of manifests.
func forPage(dist, to string) error {
	files, err := filepath.Glob(filepath.Join(dist, "*.wasm"))
	if err != nil {
		return err
	}
	manifests := []module.Manifest{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		manifest, err := module.ReadManifest(data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		code, err := module.Scan(data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(filepath.Join(to, manifest.Name+".wasm"), code, 0o644); err != nil {
			return err
		}
		manifests = append(manifests, manifest)
	}
	list, err := json.Marshal(manifests)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "packs.json"), list, 0o644)
}

// finish makes a module of a program and its manifest.
func finish(manifest, program, out string) error {
	text, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	code, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	code, err = withManifest(code, text)
	if err != nil {
		return err
	}
	if before, err := os.ReadFile(out); err == nil && bytes.Equal(before, code) {
		return nil
	}
	fmt.Printf("%s %d KB\n", filepath.ToSlash(out), len(code)>>10)
	return os.WriteFile(out, code, 0o644)
}

// withManifest appends the section, and checks the whole as a host would.
func withManifest(code, manifest []byte) ([]byte, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, manifest); err != nil {
		return nil, err
	}
	content := binary.AppendUvarint(nil, uint64(len(module.ManifestSection)))
	content = append(content, module.ManifestSection...)
	content = append(content, compact.Bytes()...)
	code = append(code, 0)
	code = binary.AppendUvarint(code, uint64(len(content)))
	code = append(code, content...)
	if _, err := module.ReadManifest(code); err != nil {
		return nil, err
	}
	_, err := module.Scan(code)
	return code, err
}
