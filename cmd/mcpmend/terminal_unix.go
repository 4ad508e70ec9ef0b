//go:build !windows

package main

// The terminal of the process, whatever its streams are.
const terminalIn, terminalOut = "/dev/tty", "/dev/tty"

// endOfInput is what ends the typing.
const endOfInput = "Ctrl-D"
