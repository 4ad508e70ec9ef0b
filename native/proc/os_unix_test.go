//go:build unix

package proc_test

import (
	"os"
	"os/signal"
	"path/filepath"
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

func openFiles() int {
	files, _ := filepath.Glob("/proc/self/fd/*")
	return len(files)
}

// children counts processes whose parent we are, dead ones too.
func children() int {
	n := 0
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			n++
		}
	}
	return n
}
