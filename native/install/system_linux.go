package install

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one step. File systems that cannot do it say so.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if err == unix.ENOSYS || err == unix.EINVAL {
		return errors.ErrUnsupported
	}
	return err
}
