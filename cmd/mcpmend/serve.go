//go:build !js

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/core/report"
	"mcpmend/native/guard"
	"mcpmend/native/install"
	"mcpmend/native/serve"
)

type serveFlags struct {
	listen, token, tokenEnv string
	allowWrites             bool
	confirm                 string
	project, registry       string
	timeout                 time.Duration
	install                 string
	fix                     fixFlags
}

func newServeCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Be an MCP server: the doctor for agents",
		Long: `Offers the doctor to an agent as MCP tools: list, test, check and configure
servers, diagnose errors, explain arguments, convert configs, apply a fix, undo.

It speaks over stdin and stdout, or with --listen over HTTP on this machine to
whoever has the token. Nothing is written, and no command is started that you
have not configured, without your yes: the client asks you, or with
--confirm=terminal this terminal does. For clients that cannot ask,
--allow-writes lets servers of the catalogue and the registry be written.`,
		Example: `  mcpmend serve --install cursor
  mcpmend serve --listen 127.0.0.1:7800 --confirm=terminal`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.install != "" {
				return installServe(cmd, f)
			}
			o := serve.Options{Version: version(), Project: f.project, AllowWrites: f.allowWrites,
				Registry: install.Registry{Base: f.registry}, Timeout: f.timeout}
			if f.confirm == "terminal" {
				o.Terminal = askTerminal
			}
			s, err := serve.New(o)
			if err != nil {
				return err
			}
			if f.listen != "" {
				return listenServe(cmd, s, f)
			}
			forClients(cmd, "mcpmend serve --install CLIENT puts it into a client's config")
			err = s.Run(cmd.Context(), io.NopCloser(cmd.InOrStdin()), noCloser{cmd.OutOrStdout()})
			if cmd.Context().Err() != nil || errors.Is(err, io.EOF) {
				return nil // the client went away, or Ctrl-C
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "", "serve streamable HTTP at this loopback `ADDRESS`, such as 127.0.0.1:7800")
	flags.StringVar(&f.tokenEnv, "token-env", "", "`VARIABLE` that holds the token of --listen; a new one is made where none is given")
	flags.StringVar(&f.token, "token", "", "the `TOKEN` itself; others on this machine can see it in the list of processes")
	flags.BoolVar(&f.allowWrites, "allow-writes", false, "where the client cannot ask, write servers of the catalogue and the registry")
	f.confirm = "client"
	flags.Var(&choice{&f.confirm, []string{"client", "terminal"}}, "confirm", "who asks you")
	flags.StringVar(&f.project, "project", "", "the project's `DIRECTORY`, instead of the working directory")
	flags.StringVar(&f.registry, "registry", os.Getenv("MCPMEND_REGISTRY"), "`ADDRESS` of the registry, instead of the official one")
	flags.DurationVar(&f.timeout, "timeout", 0, "how long a server may take, instead of what its client allows")
	flags.StringVar(&f.install, "install", "", "add mcpmend serve to the config of the client with this `ID`")
	flags.BoolVarP(&f.fix.yes, "yes", "y", false, "with --install: write without asking")
	return cmd
}

// installServe registers this very program, after proving that it answers.
func installServe(cmd *cobra.Command, f serveFlags) error {
	checks := checkFlags{client: f.install, project: f.project, timeout: f.timeout}
	d, err := checks.doctor()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot tell where mcpmend itself is: %w", err)
	}
	args := []string{"serve"}
	if f.allowWrites {
		args = append(args, "--allow-writes")
	}
	f.fix.attempts = heal.MaxAttempts
	server := config.Server{Name: "mcpmend", Transport: config.Stdio, Command: self, Args: args}
	return addServer(cmd, d, config.ClientByID(f.install), server, f.fix)
}

func listenServe(cmd *cobra.Command, s *serve.Server, f serveFlags) error {
	address, err := guard.LocalAddress(f.listen)
	if err != nil {
		return err
	}
	token := f.token
	if f.tokenEnv != "" {
		if token = os.Getenv(f.tokenEnv); token == "" {
			return fmt.Errorf("the variable %s is empty", f.tokenEnv)
		}
	}
	made := token == ""
	if made {
		token = guard.NewToken()
	}
	listener, err := listen(address)
	if err != nil {
		return err
	}
	tell(cmd, fmt.Sprintf("Listening on http://%s/mcp\n", listener.Addr()))
	if made {
		tell(cmd, fmt.Sprintf("Authorization: Bearer %s\n", token)) // not masked: it is what the client needs
	}
	return s.Listen(cmd.Context(), listener, token, cmd.ErrOrStderr())
}

// noCloser leaves stdout to the process.
type noCloser struct{ io.Writer }

func (noCloser) Close() error { return nil }

// askTerminal asks at the terminal itself, since stdin and stdout are the
// client's. Only a typed yes counts.
func askTerminal(ctx context.Context, question string) (bool, error) {
	in, err := os.OpenFile(terminalIn, os.O_RDWR, 0)
	if err != nil {
		return false, errors.New("this process has no terminal")
	}
	defer in.Close()
	out, err := os.OpenFile(terminalOut, os.O_RDWR, 0)
	if err != nil {
		return false, errors.New("this process has no terminal")
	}
	defer out.Close()
	fmt.Fprintf(out, "\n%s\n\nType yes to agree:  ", report.SafeLines(question))
	typed := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(in).ReadString('\n') // a line that breaks off is no yes
		typed <- line
	}()
	select {
	case line := <-typed:
		return strings.EqualFold(strings.TrimSpace(line), "yes"), nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}
