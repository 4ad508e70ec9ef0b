//go:build unix

package probe

import (
	"os/exec"
	"syscall"
)

// detach takes a child out of its parent's session and group.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
