package main

import (
	"errors"

	"github.com/spf13/cobra"

	"mcpmend/native/doctor"
)

// The build for Node, which the npm package brings: the same command without
// what WebAssembly cannot do. Those commands are there by name, so that they
// say where to find them.

const introduction = `mcpmend reads MCP configs, errors and logs and says what is really wrong. This is
the part of it that starts and writes nothing; the binary can do the rest.

  mcpmend explain error.log              what went wrong, with the evidence
  mcpmend check --no-probe .             what is wrong with the configs of this project
  mcpmend convert --to codex mcp.json    the same servers in another client's dialect`

func machineCommands() []*cobra.Command {
	var commands []*cobra.Command
	for _, name := range []string{"test", "fix", "add", "list", "remove", "enable", "disable", "modules", "wrap", "status", "serve", "web"} {
		commands = append(commands, &cobra.Command{
			Use:                name,
			Short:              "Needs the binary, not the npm package",
			DisableFlagParsing: true,
			Hidden:             true,
			RunE: func(*cobra.Command, []string) error {
				return needsBinary(name + " starts programs or writes files, which WebAssembly cannot")
			},
		})
	}
	return commands
}

func checkServers(*cobra.Command, *doctor.Doctor, []doctor.File, []string, form) error {
	return needsBinary("WebAssembly cannot start or reach servers; add --no-probe to read the files only")
}

func needsBinary(why string) error {
	return hint(errors.New(why), "the mcpmend binary can do this; releases of the source have it")
}
