package install

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits for the file to be ours; closing it gives it back.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{})
}
