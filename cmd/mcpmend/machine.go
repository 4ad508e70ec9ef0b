//go:build !js

package main

import "github.com/spf13/cobra"

// introduction is what the help begins with.
const introduction = `mcpmend reads MCP configs, errors and logs, says what is really wrong, and mends
the file without losing a comment.

  mcpmend explain error.log    what went wrong, with the evidence
  mcpmend check                look at every config on this machine, try every server
  mcpmend fix                  try fixes until a server works, then ask, then write`

// machineCommands are those that start programs, listen or write. The
// WebAssembly build under Node can do none of that; see machine_js.go.
func machineCommands() []*cobra.Command {
	return []*cobra.Command{
		newTestCommand(),
		newFixCommand(),
		newAddCommand(),
		newListCommand(),
		newRemoveCommand(),
		newEnableCommand(),
		newDisableCommand(),
		newModulesCommand(),
		newWrapCommand(),
		newStatusCommand(),
		newServeCommand(),
		newWebCommand(),
	}
}
