package proc

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is a job object that kills what is in it when its last handle closes,
// and so also when we end without a word.
type tree struct{ job windows.Handle }

func startTree(command *exec.Cmd, _ string) (tree, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return tree{}, fmt.Errorf("cannot make a job object: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		windows.CloseHandle(job)
		return tree{}, fmt.Errorf("cannot limit a job object: %w", err)
	}
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
	command.Env = append(command.Env, "NoDefaultCurrentDirectoryInExePath=1")
	if err := command.Start(); err != nil {
		windows.CloseHandle(job)
		return tree{}, err
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(command.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		windows.CloseHandle(process)
	}
	if err != nil {
		command.Process.Kill()
		command.Wait()
		windows.CloseHandle(job)
		return tree{}, fmt.Errorf("cannot put %s into a job object: %w", command.Path, err)
	}
	return tree{job}, nil
}

// terminate does nothing: Windows has no polite signal for a process without a
// console of its own. Closed stdin was the polite word.
func (tree) terminate(*exec.Cmd) {}

func (t tree) kill(*exec.Cmd) { windows.TerminateJobObject(t.job, 1) }

func (t tree) close() { windows.CloseHandle(t.job) }

func (tree) waited() {}

func holdThread() (release func()) { return func() {} }

func exitOf(state *os.ProcessState) Exit { return Exit{Code: state.ExitCode()} }
