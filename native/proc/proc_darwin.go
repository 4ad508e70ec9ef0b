package proc

import (
	"os/exec"
	"syscall"
)

// tree is the process group; see the package comment for what that misses.
type tree struct{ group int }

func startTree(command *exec.Cmd, _ string) (tree, error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return tree{}, err
	}
	return tree{command.Process.Pid}, nil
}

func (t tree) terminate(*exec.Cmd) { syscall.Kill(-t.group, syscall.SIGTERM) }

func (t tree) kill(*exec.Cmd) { syscall.Kill(-t.group, syscall.SIGKILL) }

func (tree) close() {}

func (tree) waited() {}

func holdThread() (release func()) { return func() {} }
