//go:build unix

package proc_test

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

func ignoreTerminate() { signal.Ignore(syscall.SIGTERM) }

func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return syscall.Kill(pid, 0) == nil && !os.IsNotExist(err)
	}
	return !strings.Contains(string(stat), ") Z ")
}
