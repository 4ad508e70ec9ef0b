//go:build unix

package facts

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/matryer/is"
)

// A path that leads through a pipe is near nothing, and nobody waits for who
// might write into the pipe.
func TestPipesAreNotOpened(t *testing.T) {
	is := is.New(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	is.NoErr(syscall.Mkfifo(pipe, 0o600))
	is.Equal(near(filepath.Join(pipe, "child")), "")
}
