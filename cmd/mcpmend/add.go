package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
	"mcpmend/native/doctor"
	"mcpmend/native/install"
)

// firstStart is how long a server may take when it is added: npx and uvx fetch
// it then, which the client will not have to wait for.
const firstStart = 2 * time.Minute

func newAddCommand() *cobra.Command {
	var flags checkFlags
	var fix fixFlags
	var from addSource
	var variables, headers []string
	cmd := &cobra.Command{
		Use:   "add NAME [-- CMD ARG…]",
		Short: "Configure a server for a client, prove that it works, write it",
		Long: `Writes a server into a client's config in the client's own dialect: a command
after --, an address with --url, or a server of the official registry by its
name. The entry is tried first, and mended if it does not work; then you are
shown the change and asked.

Required variables are asked for by name without being shown. Where the client
can refer to variables of your environment, a reference is written and not the
value.`,
		Example: `  mcpmend add memory --client cursor -- npx -y @modelcontextprotocol/server-memory
  mcpmend add docs --client vscode --url https://mcp.example.com/mcp
  mcpmend add io.github.owner/name --client claude-desktop`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.client == "" {
				return hint(errors.New("no client to add it to"), "give one with --client; mcpmend rules --clients lists them")
			}
			d, err := flags.doctor()
			if err != nil {
				return err
			}
			if flags.timeout == 0 {
				d.Timeout = firstStart
			}
			client := config.ClientByID(flags.client)
			s, needed, err := from.server(cmd, args[0], args[1:])
			if err != nil {
				return err
			}
			if s.Env, err = pairs(s.Env, variables, "NAME=VALUE", "="); err != nil {
				return err
			}
			if s.Headers, err = pairs(s.Headers, headers, "Name: value", ":="); err != nil {
				return err
			}
			if err := ask(cmd, client, &s, needed); err != nil {
				return err
			}
			return addServer(cmd, d, client, s, fix)
		},
	}
	flags.add(cmd)
	fix.add(cmd)
	f := cmd.Flags()
	f.Lookup("client").Usage = "the `ID` of the client to add it to; mcpmend rules --clients lists them"
	f.Lookup("timeout").Usage = "how long the server may take, instead of two minutes"
	f.StringVar(&from.address, "url", "", "the `ADDRESS` of a remote server")
	from.transport = string(config.HTTP)
	f.Var(&choice{&from.transport, []string{string(config.HTTP), string(config.SSE)}}, "transport", "how to speak to --url")
	f.StringVar(&from.registry, "registry", os.Getenv("MCPMEND_REGISTRY"), "`ADDRESS` of the registry, instead of the official one")
	f.StringArrayVar(&variables, "env", nil, "a variable of the server, as in `NAME=VALUE`; may be given more than once")
	f.StringArrayVar(&headers, "header", nil, "a `HEADER` for --url, as in 'Name: value'; may be given more than once")
	return cmd
}

// addSource says where a server that is to be added comes from.
type addSource struct{ address, transport, registry string }

// server is the one that was named, with what it needs and has not yet.
func (a addSource) server(cmd *cobra.Command, name string, command []string) (config.Server, []install.Need, error) {
	switch {
	case a.address != "":
		return config.Server{Name: name, Transport: config.Transport(a.transport), URL: a.address}, nil, nil
	case len(command) > 0:
		return config.Server{Name: name, Transport: config.Stdio, Command: command[0], Args: command[1:]}, nil, nil
	case install.IsRegistryName(name):
		say(cmd, "Asking the registry for %s", name)
		recipe, err := install.Registry{Base: a.registry}.Look(cmd.Context(), name)
		return recipe.Server, recipe.Required, err
	}
	return config.Server{}, nil, hint(fmt.Errorf("%s: no command, address or registry name", name), "mcpmend add %s -- CMD ARG…", name)
}

// pairs adds words of a form to a list; the first of the separators ends the
// name. What follows may be a secret and is not quoted.
func pairs(list []config.Variable, words []string, form, separators string) ([]config.Variable, error) {
	for _, word := range words {
		at := strings.IndexAny(word, separators)
		if at < 1 {
			return nil, fmt.Errorf("%q is not of the form %s", shortened(word, 8), form)
		}
		value := word[at+1:]
		if word[at] == ':' {
			value = strings.TrimSpace(value)
		}
		list = append(list, config.Variable{Name: word[:at], Value: value})
	}
	return list, nil
}

// ask gets what the server needs and has not: as a reference where the client
// can make one of it, else as a value that is typed unseen.
func ask(cmd *cobra.Command, client *config.Client, s *config.Server, needed []install.Need) error {
	for _, need := range needed {
		target := &s.Env
		role := config.RoleEnv
		if s.URL != "" {
			target, role = &s.Headers, config.RoleHeaders
		}
		value := reference(client, role, need.Name)
		if value == "" || os.Getenv(need.Name) == "" {
			if need.Description != "" {
				say(cmd, "%s: %s", need.Name, need.Description)
			}
			typed, err := secret(cmd, need.Name)
			if err != nil {
				return err
			}
			value = typed
		}
		*target = append(*target, config.Variable{Name: need.Name, Value: value})
	}
	return nil
}

// reference is how a client's config names a variable of the environment.
func reference(client *config.Client, role config.Role, name string) string {
	for _, form := range client.Interpolation.Syntax {
		if strings.Contains(form, "VAR") && !strings.Contains(form, "default") && client.Expands(form, role) == config.Yes {
			return strings.Replace(form, "VAR", name, 1)
		}
	}
	return ""
}

// addServer tries the entry on a copy of the file, mends it if it must, and
// offers the result.
func addServer(cmd *cobra.Command, d *doctor.Doctor, client *config.Client, s config.Server, f fixFlags) error {
	a, err := d.Add(client, s)
	if err != nil {
		return err
	}
	for _, n := range a.Notes {
		say(cmd, "%s: %s", strings.TrimSpace(n.Server+" "+n.Field), n.Why)
	}
	say(cmd, "Trying %s", s.Name)
	live := newLive(cmd, 1)
	h, err := d.Heal(cmd.Context(), a.Subject, f.attempts, live.watch())
	live.clear()
	if cmd.Context().Err() != nil {
		return interrupted("nothing was written")
	}
	if err != nil {
		return err
	}
	if len(h.Record.Attempts) > 0 || !h.Record.Fixed {
		tell(cmd, attempts(h, style(cmd.ErrOrStderr()))+"\n")
	}
	after := a.After
	if h.After != "" {
		after = h.After
	}
	if h.Record.Fixed {
		say(cmd, "Connected: %s, %.1f s", count(h.Outcome.Tools, "tool"), h.Outcome.MS/1000)
	} else if err := writeBroken(cmd, f); err != nil {
		return err
	}
	written, err := offer(cmd, d, a.Subject.File, after, "added "+s.Name, f)
	if err != nil || written || f.dryRun {
		return err
	}
	return errProblems
}

// writeBroken asks whether an entry that does not work is to be written; no
// flag says so beforehand.
func writeBroken(cmd *cobra.Command, f fixFlags) error {
	switch {
	case f.dryRun:
		say(cmd, "Not written: --dry-run.")
	case !isTerminal(cmd.InOrStdin()):
		say(cmd, "Not written: it does not work yet. Run this in a terminal to be asked.")
	case confirm(cmd, false, "It does not work yet. Write the entry all the same?"):
		return nil
	case cmd.Context().Err() != nil:
		return interrupted("nothing was written")
	default:
		say(cmd, "Not written.")
	}
	return errProblems
}
