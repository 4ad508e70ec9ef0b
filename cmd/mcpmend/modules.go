//go:build !js

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/core/module"
	"mcpmend/core/report"
	"mcpmend/native/modules"
	"mcpmend/native/state"
)

func newModulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "modules",
		Short: "List, look into, run and trust fix modules",
		Long: `Fix modules are WebAssembly programs that propose fixes for failures of certain
servers. They run without files, network or environment, within limits of
memory and time, and may change nothing but the server in question. Those in a
project's .mcpmend/modules run only once you have trusted their very bytes.`,
		Example: `  mcpmend modules list
  mcpmend modules run my.wasm < request.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newModulesList(), newModulesInfo(), newModulesRun(), newModulesTrust(), newModulesRemove())
	return cmd
}

func newModulesList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the modules that would be used here",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			library, err := loadModules()
			if err != nil {
				return err
			}
			library.Scan()
			var rows [][]string
			for _, m := range library.Modules {
				rows = append(rows, []string{m.Manifest.Name, m.Manifest.Version, report.Safe(m.Source), report.Safe(shortened(strings.Join(m.Manifest.Handles, " "), 60))})
			}
			if err := showTable(cmd, rows); err != nil {
				return err
			}
			if len(library.Modules) == 0 {
				say(cmd, "No modules: this binary was built without them. ./scripts/build makes one that has them.")
			}
			for _, problem := range library.Refused {
				say(cmd, "%v", problem)
			}
			return nil
		},
	}
}

// loadModules gathers the modules of this user and of the working directory.
func loadModules() (*modules.Library, error) {
	dirs, err := state.Default()
	if err != nil {
		return nil, err
	}
	project, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return modules.Load(dirs, project)
}

func newModulesInfo() *cobra.Command {
	return &cobra.Command{
		Use:   "info MODULE.wasm",
		Short: "Show what a module says of itself, without running it",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := openModule(args[0])
			if err != nil {
				return err
			}
			return showTable(cmd, [][]string{
				{"name", m.Manifest.Name},
				{"version", m.Manifest.Version},
				{"licence", report.Safe(m.Manifest.License)},
				{"handles", report.Safe(strings.Join(m.Manifest.Handles, " "))},
				{"clients", report.Safe(strings.Join(m.Manifest.Clients, " "))},
				{"sha256", m.SHA256},
			})
		},
	}
}

// openModule reads a module's file and looks into it.
func openModule(path string) (*modules.Module, error) {
	data, err := modules.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return scanned(data, path)
}

func scanned(data []byte, path string) (*modules.Module, error) {
	m, err := modules.Open(data, path)
	if err != nil {
		return nil, err
	}
	return m, m.Scan()
}

// refusal is an answer that was not accepted: the reason goes to stderr and
// the exit code is 1.
func refusal(cmd *cobra.Command, err error) error {
	printError(cmd.ErrOrStderr(), err)
	return errProblems
}

func newModulesRun() *cobra.Command {
	return &cobra.Command{
		Use:     "run MODULE.wasm",
		Short:   "Run one module on a request from stdin and print its checked answer",
		Example: "  mcpmend modules run my.wasm < request.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := modules.ReadFile(args[0])
			if err != nil {
				return err
			}
			request, err := readInput(cmd, "", "the request of a fix module", 2<<20)
			if err != nil {
				return err
			}
			call, err := module.Parse([]byte(request))
			if err != nil {
				return err
			}
			m, err := scanned(data, args[0])
			if err != nil {
				return refusal(cmd, err)
			}
			response, err := modules.Host{}.Ask(cmd.Context(), m, call)
			if err != nil {
				return refusal(cmd, err)
			}
			return showJSON(cmd, response)
		},
	}
}

func newModulesTrust() *cobra.Command {
	return &cobra.Command{
		Use:   "trust MODULE.wasm",
		Short: "Let a module run from a project, and keep its compiled code",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := openModule(args[0])
			if err != nil {
				return err
			}
			err = changeTrust(cmd, func(t *state.Trust) (string, error) {
				t.Modules[m.SHA256] = state.Grant{What: m.Manifest.Name + " " + m.Manifest.Version, When: time.Now().UTC()}
				return fmt.Sprintf("trusted %s %s, sha256 %s", m.Manifest.Name, m.Manifest.Version, m.SHA256), nil
			})
			if err != nil {
				return err
			}
			dirs, err := state.Default()
			if err != nil {
				return err
			}
			m.Trusted = true
			return modules.HostFor(dirs).Compile(cmd.Context(), m)
		},
	}
}

func newModulesRemove() *cobra.Command {
	return &cobra.Command{
		Use:   "remove MODULE",
		Short: "Take back the trust in a module, by its file, name or sha256",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			hash := args[0]
			if filepath.Ext(hash) == ".wasm" {
				m, err := openModule(hash)
				if err != nil {
					return err
				}
				hash = m.SHA256
			}
			return changeTrust(cmd, func(t *state.Trust) (string, error) {
				before := len(t.Modules)
				maps.DeleteFunc(t.Modules, func(sum string, grant state.Grant) bool {
					name, _, _ := strings.Cut(grant.What, " ")
					return sum == hash || name == hash
				})
				if len(t.Modules) == before {
					return "", fmt.Errorf("no trusted module is called %s", args[0])
				}
				return fmt.Sprintf("%s is no longer trusted", args[0]), nil
			})
		},
	}
}

// changeTrust edits the trust store and says what was done.
func changeTrust(cmd *cobra.Command, change func(*state.Trust) (string, error)) error {
	dirs, err := state.Default()
	if err != nil {
		return err
	}
	trust, err := dirs.Trust()
	if err != nil {
		return err
	}
	said, err := change(trust)
	if err != nil {
		return err
	}
	if err := trust.Save(); err != nil {
		return err
	}
	tell(cmd, report.Safe(said)+"\n") // not masked: the hash is what was agreed to
	return nil
}
