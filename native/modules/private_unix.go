//go:build unix

package modules

import (
	"fmt"
	"os"
	"syscall"
)

// private checks that a directory belongs to the user and nobody else can
// read or write it.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || ok && int(stat.Uid) != os.Getuid() {
		return fmt.Errorf("%s is open to others; make it yours alone (chmod 700)", dir)
	}
	return nil
}
