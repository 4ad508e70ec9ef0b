package proc

import (
	"errors"
	"os"
	"os/exec"
)

// tree is never there: WebAssembly starts no processes.
type tree struct{}

func startTree(*exec.Cmd, string) (tree, error) {
	return tree{}, errors.New("a WebAssembly build cannot start programs; use the mcpmend binary")
}

func (tree) terminate(*exec.Cmd) {}
func (tree) kill(*exec.Cmd)      {}
func (tree) close()              {}
func (tree) waited()             {}

func holdThread() (release func()) { return func() {} }

func exitOf(state *os.ProcessState) Exit { return Exit{Code: state.ExitCode()} }
