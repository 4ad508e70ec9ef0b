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
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// Manifest is what a module says of itself, in a custom section of its file.
type Manifest struct {
	ABI     int      `json:"abi"`
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Handles []string `json:"handles"` // codes, categories or package names
	Clients []string `json:"clients"` // ids, or "*"
	License string   `json:"license"`
}

// Module is a fix module that passed the scan.
type Module struct {
	Manifest Manifest
	SHA256   string
	Source   string // "embedded", or the path of its file
	Trusted  bool   // by hash: it may be compiled and the code kept
	code     []byte
}

// Open scans a module and reads its manifest. The bytes are those that will be
// run: nothing is read a second time, so nothing can be swapped in between.
func Open(data []byte, source string) (*Module, error) {
	section, err := scan(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if section == nil {
		return nil, fmt.Errorf("%s: the module has no section %s", source, manifestSection)
	}
	m := &Module{Source: source, code: data}
	if err := json.Unmarshal(section, &m.Manifest); err != nil {
		return nil, fmt.Errorf("%s: the manifest is not JSON: %w", source, err)
	}
	if err := m.Manifest.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	sum := sha256.Sum256(data)
	m.SHA256 = hex.EncodeToString(sum[:])
	return m, nil
}

var (
	namePattern    = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	versionPattern = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$`)
)

func (m Manifest) check() error {
	switch {
	case m.ABI != 1:
		return fmt.Errorf("the module speaks ABI %d, and 1 is what is spoken here", m.ABI)
	case !namePattern.MatchString(m.Name):
		return errors.New("the manifest's name must be of small letters, digits, dots and dashes")
	case !versionPattern.MatchString(m.Version):
		return errors.New("the manifest has no proper version")
	case len(m.Handles) == 0:
		return errors.New("the manifest does not say what the module handles")
	}
	return nil
}

// Applies says whether a module is made for a diagnosis: by its code, its
// category or the package that the server runs, and for the client.
func (m *Module) Applies(client string, subjects ...string) bool {
	if len(m.Manifest.Clients) > 0 && !slices.Contains(m.Manifest.Clients, "*") && !slices.Contains(m.Manifest.Clients, client) {
		return false
	}
	return slices.ContainsFunc(m.Manifest.Handles, func(h string) bool {
		return h != "" && slices.Contains(subjects, h)
	})
}
