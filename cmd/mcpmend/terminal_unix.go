//go:build !windows

package main

// The terminal of the process, whatever its streams are.
const terminalIn, terminalOut = "/dev/tty", "/dev/tty"
