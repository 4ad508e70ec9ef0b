//go:build unix

package modules

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"
)

// A pipe where a module should be is refused, and nobody waits for who might
// write into it.
func TestPipesAreRefused(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "module.wasm")
	is.NoErr(syscall.Mkfifo(path, 0o600))
	_, err := ReadFile(path)
	is.True(err != nil && strings.HasSuffix(err.Error(), "module.wasm: it is no regular file"))
}
