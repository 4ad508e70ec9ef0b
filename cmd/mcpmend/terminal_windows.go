package main

// The console of the process, whatever its streams are.
const terminalIn, terminalOut = "CONIN$", "CONOUT$"
