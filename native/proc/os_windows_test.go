package proc_test

import (
	"syscall"

	"golang.org/x/sys/windows"
)

func ignoreTerminate() {}

func ownSession() *syscall.SysProcAttr { return nil }

func alive(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	event, err := windows.WaitForSingleObject(h, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}
