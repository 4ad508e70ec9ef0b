// Package modules runs fix modules: WebAssembly programs by anyone, that get a
// diagnosis and propose fixes, and that need not be trusted.
//
// A module is a WASI command. It is started anew for each request, reads one
// JSON object from stdin and writes one to stdout; core/module makes the one
// and checks the other. It has no files, no network, no environment, a clock
// that stands still and random numbers that are always the same, so that the
// same bytes give the same answer here and in the page. Its file, memory, time
// and output are bounded, and what it is for is read from its manifest without
// running it.
package modules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"

	"mcpmend/core/module"
)

// Module is a fix module. Its file is held as it was read: what was hashed,
// scanned and asked for trust is what runs.
type Module struct {
	Manifest module.Manifest
	SHA256   string
	Source   string // "embedded", or the path of its file
	Trusted  bool   // by hash: it may be compiled and the code kept

	data    []byte
	scanned sync.Once
	refused error
	code    []byte                  // what is run; nil until the scan
	decoded wazero.CompilationCache // the interpreter's, of this module alone: the next run need not begin anew
}

// Open reads a module's manifest and looks at nothing else of it.
func Open(data []byte, source string) (*Module, error) {
	manifest, err := module.ReadManifest(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	sum := sha256.Sum256(data)
	return &Module{Manifest: manifest, SHA256: hex.EncodeToString(sum[:]), Source: source, data: data}, nil
}

// Scan checks that the module keeps to the limits. Run does it too.
func (m *Module) Scan() error {
	m.scanned.Do(func() {
		code, err := module.Scan(m.data)
		if err != nil {
			m.refused = fmt.Errorf("module %s: %w", m.Manifest.Name, err)
			return
		}
		m.code, m.decoded = code, wazero.NewCompilationCache()
	})
	return m.refused
}
