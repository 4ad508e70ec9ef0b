package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
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

// ManifestSection is the name of the custom section.
const ManifestSection = "mcpmend.manifest"

// ReadManifest finds the manifest in a module's file. It looks at nothing else,
// so that what does not apply costs nothing; [Scan] is for what is to be run.
func ReadManifest(data []byte) (Manifest, error) {
	var m Manifest
	var section []byte
	err := sections(data, func(id byte, whole []byte, content reader) error {
		if id != 0 || content.name() != ManifestSection {
			return nil
		}
		if section != nil {
			return errors.New("the module has more than one manifest")
		}
		section = content.data[content.at:]
		return within("bytes of manifest", len(section), maxManifest)
	})
	switch {
	case err != nil:
		return m, err
	case section == nil:
		return m, fmt.Errorf("the module has no section %s", ManifestSection)
	}
	if err := json.Unmarshal(section, &m); err != nil {
		return m, fmt.Errorf("the manifest is not JSON of the right shape: %w", err)
	}
	return m, m.check()
}

var (
	namePattern    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`) })
	versionPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$`) })
)

func (m Manifest) check() error {
	switch {
	case m.ABI != abi:
		return fmt.Errorf("the module speaks ABI %d, and %d is what is spoken here", m.ABI, abi)
	case !namePattern().MatchString(m.Name):
		return errors.New("the manifest's name must be of small letters, digits, dots and dashes")
	case m.Name == "core":
		return errors.New("the manifest's name is core, which is how fixes of mcpmend itself are marked")
	case !versionPattern().MatchString(m.Version):
		return errors.New("the manifest has no proper version")
	case len(m.Handles) == 0:
		return errors.New("the manifest does not say what the module handles")
	}
	return nil
}

// Applies says whether a module is made for a diagnosis: by its code, its
// category or the package that the server runs, and for the client.
func (m Manifest) Applies(client string, subjects ...string) bool {
	if len(m.Clients) > 0 && !slices.Contains(m.Clients, "*") && !slices.Contains(m.Clients, client) {
		return false
	}
	return slices.ContainsFunc(m.Handles, func(h string) bool {
		return h != "" && slices.Contains(subjects, h)
	})
}
