//go:build !js

package main

import "github.com/spf13/cobra"

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
