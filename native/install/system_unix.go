//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// chownLike gives a file the owner and group of another. Where only root could,
// and we are not root, the file was ours or its directory is: it stays ours.
func chownLike(f *os.File, like fs.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	if ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}
