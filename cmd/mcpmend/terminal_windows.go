package main

// The console of the process, whatever its streams are.
const terminalIn, terminalOut = "CONIN$", "CONOUT$"

// endOfInput is what ends the typing.
const endOfInput = "Ctrl-Z and Enter"
