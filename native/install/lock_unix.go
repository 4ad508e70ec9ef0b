//go:build unix

package install

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile waits for the file to be ours; closing it gives it back.
func lockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX) }
