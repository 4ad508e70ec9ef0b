//go:build unix

package facts

import (
	"fmt"
	"io/fs"
	"os/user"
	"strconv"
	"syscall"
)

func mode(info fs.FileInfo) string { return fmt.Sprintf("%04o", info.Mode().Perm()) }

func owner(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	id := strconv.FormatUint(uint64(stat.Uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return id
}
