//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcpmend/core/config"
	"mcpmend/native/state"
	"mcpmend/native/wrap"
)

// wrapFlags are those that are not part of the wrapper's settings.
type wrapFlags struct {
	url, listen, tokenEnv, metrics, log, settings string
	hosts, origins, headers                       []string
	install, uninstall, client                    string
	yes                                           bool
}

func newWrapCommand() *cobra.Command {
	var f wrapFlags
	var s wrap.Settings
	cmd := &cobra.Command{
		Use:   "wrap [flags] -- COMMAND [ARG…]",
		Short: "Stand between a client and a server, and keep the server usable",
		Long: `Starts the server and passes everything between it and the client. When the server
dies it is started again and told what its predecessor was told; calls that were
under way are sent again where that can do no harm. Tool calls that do not fit
the tool's schema are mended where no guess is needed, and otherwise answered
with an explanation that a model can act on.

Settings are read from "wrap" in mcpmend's config.json; flags win.`,
		Example: `  mcpmend wrap -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  mcpmend wrap --listen 127.0.0.1:3000 -- uvx mcp-server-git
  mcpmend wrap --url https://mcp.example.com/mcp
  mcpmend wrap --install github --client cursor`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.install != "" || f.uninstall != "":
				return wrapInstall(cmd, f)
			case (len(args) > 0) == (f.url != ""):
				return hint(errors.New("wrap needs either a command after -- or --url"), "mcpmend wrap -- COMMAND ARG…")
			}
			return runWrap(cmd, f, s, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.url, "url", "", "speak HTTP to a server at this `ADDRESS` instead of starting one")
	flags.StringArrayVar(&f.headers, "header", nil, "a `HEADER` for --url, as in 'Name: value'; ${VAR} is filled in from the environment")
	flags.StringVar(&f.listen, "listen", "", "serve streamable HTTP on this `ADDRESS` instead of stdio")
	flags.StringVar(&f.tokenEnv, "token-env", "", "`VARIABLE` with the token that clients of --listen must bear")
	flags.StringArrayVar(&f.hosts, "allow-host", nil, "a further `HOST` that --listen answers to")
	flags.StringArrayVar(&f.origins, "allow-origin", nil, "a further `ORIGIN` that may use --listen")
	flags.StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics on this `ADDRESS`, on this machine only")
	flags.StringVar(&f.log, "log", "", "write structured logs to this `FILE`, or to stderr with -")
	flags.StringVar(&f.settings, "settings", "", "read settings from this `FILE` instead of config.json")
	flags.StringVar(&f.install, "install", "", "make the client's entry of this `NAME` run through the wrapper")
	flags.StringVar(&f.uninstall, "uninstall", "", "put the entry of this `NAME` back as it was before --install")
	flags.StringVar(&f.client, "client", "", "the `ID` of the client whose config is changed, where several have the server")
	flags.BoolVarP(&f.yes, "yes", "y", false, "with --install and --uninstall: write without asking")
	settingsFlags(flags, &s)
	return cmd
}

// settingsFlags has a flag for each setting. One that is not given leaves what
// the file says.
func settingsFlags(flags *pflag.FlagSet, s *wrap.Settings) {
	flags.Var(&choice{(*string)(&s.Validate), []string{"enforce", "advise", "off"}}, "validate", "what to do about wrong arguments (enforce)")
	flags.Var(&choice{(*string)(&s.Retry), []string{"idempotent", "read-only", "never"}}, "retry", "which calls may be made twice (idempotent)")
	flags.Var((*durationFlag)(&s.CallTimeout), "call-timeout", "the longest a call may take (5m; 0s for no limit)")
	flags.Var((*durationFlag)(&s.RecoveryTimeout), "recovery-timeout", "how long calls wait for a server that is away (30s)")
	flags.Var((*durationFlag)(&s.HealthInterval), "health-interval", "how often an idle server is looked at (30s; 0s for never)")
	flags.IntVar(&s.MaxInFlight, "max-in-flight", 0, "the largest `NUMBER` of tool calls at once (0 for no limit)")
	flags.BoolVar(&s.Pin, "pin", false, "refuse a server whose tools changed over a restart")
	flags.StringVar(&s.LLM.Use, "llm", "", "`WHO` corrects wrong arguments: sampling (the client's model) or an OpenAI-compatible address")
	flags.StringVar(&s.LLM.Model, "llm-model", "", "the `NAME` of the model at that address")
	flags.StringVar(&s.LLM.KeyEnv, "llm-key-env", "", "`VARIABLE` with the key for that address")
	flags.Var((*durationFlag)(&s.LLM.Timeout), "llm-timeout", "the longest the model may take (20s)")
	flags.BoolVar(&s.LLM.Decide, "llm-decide", false, "ask the model too whether to go on with a failing server")
}

// durationFlag remembers whether it was given.
type durationFlag wrap.Duration

func (d *durationFlag) Set(text string) (err error) {
	d.Duration, err = time.ParseDuration(text)
	d.Given = true
	return err
}
func (d *durationFlag) String() string { return "" }
func (d *durationFlag) Type() string   { return "duration" }

func runWrap(cmd *cobra.Command, f wrapFlags, flags wrap.Settings, args []string) error {
	dirs, err := state.Default()
	if err != nil {
		return err
	}
	settings, err := readWrapSettings(f, dirs)
	if err != nil {
		return err
	}
	settings = settings.With(flags)
	if settings.Enabled != nil && !*settings.Enabled {
		return plainPassthrough(cmd, args)
	}
	o, err := settings.Options(os.Getenv)
	if err != nil {
		return err
	}
	log, closeLog, err := openLog(cmd, f.log)
	if err != nil {
		return err
	}
	defer closeLog()
	o.Log = log
	o.Journal = &wrap.Journal{Dir: dirs.Journal()}
	o.Metrics = wrap.NewMetrics()
	if f.url != "" {
		o.Dialer, err = wrap.NewRemote(f.url, f.headers, os.Getenv)
		if err != nil {
			return err
		}
	} else {
		o.Dialer = &wrap.Command{Path: args[0], Args: args[1:], Stderr: cmd.ErrOrStderr(), Log: log}
	}
	beacon, err := wrap.NewBeacon(dirs.Running(), o.Dialer.Name(), f.listen)
	if err != nil {
		log.Warn("this wrapper will not show in status", "error", err)
	} else {
		defer beacon.Close()
		o.Started = beacon.Watch
	}
	if f.metrics != "" {
		stop, err := serveMetrics(f.metrics, o.Metrics)
		if err != nil {
			return err
		}
		defer stop()
	}
	if f.listen != "" {
		return listenWrap(cmd, f, o)
	}
	return serveStdio(cmd, o)
}

func readWrapSettings(f wrapFlags, dirs state.Dirs) (wrap.Settings, error) {
	if f.settings == "" {
		return wrap.LoadSettings(dirs.Settings())
	}
	data, err := os.ReadFile(f.settings)
	if err != nil {
		return wrap.Settings{}, fmt.Errorf("cannot read the settings: %w", err)
	}
	return wrap.ReadSettings(data)
}

// serveStdio ends when the client does, or when we are told to.
func serveStdio(cmd *cobra.Command, o wrap.Options) error {
	// A client that is gone must not kill us before the server's processes are
	// seen to. The signal is caught and not ignored, which the server would
	// inherit.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	forClients(cmd, "mcpmend wrap --install NAME puts it into a client's config")
	err := wrap.Serve(o, input(cmd), cmd.OutOrStdout())
	if cmd.Context().Err() != nil {
		return nil
	}
	return err
}

// plainPassthrough is the wrapper switched off: the server gets our own
// streams and nothing stands in between.
func plainPassthrough(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("the wrapper is switched off in the settings, and an address cannot be passed through")
	}
	c := exec.CommandContext(cmd.Context(), args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	c.WaitDelay = time.Second
	return c.Run()
}

// openLog makes the structured log; without --log only what a person must know
// goes to stderr.
func openLog(cmd *cobra.Command, name string) (*slog.Logger, func(), error) {
	masked := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindString {
			a.Value = slog.StringValue(config.MaskValue(a.Key, a.Value.String()))
		}
		return a
	}}
	switch name {
	case "":
		masked.Level = slog.LevelWarn
		return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), masked)), func() {}, nil
	case "-":
		return slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), masked)), func() {}, nil
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open the log: %w", err)
	}
	return slog.New(slog.NewJSONHandler(file, masked)), func() { file.Close() }, nil
}

func listenWrap(cmd *cobra.Command, f wrapFlags, o wrap.Options) error {
	token := ""
	if f.tokenEnv != "" {
		if token = os.Getenv(f.tokenEnv); token == "" {
			return fmt.Errorf("the variable %s, which should hold the token, is empty", f.tokenEnv)
		}
	}
	listening, err := listen(f.listen)
	if err != nil {
		return err
	}
	defer listening.Close()
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return err // cannot be: it was listened on
	}
	_, port, _ := net.SplitHostPort(listening.Addr().String())
	l, err := wrap.NewListener(o, wrap.ListenOptions{Address: net.JoinHostPort(host, port), Hosts: f.hosts, Origins: f.origins, Token: token})
	if err != nil {
		return err
	}
	tell(cmd, fmt.Sprintf("Listening on http://%s/mcp\n", listening.Addr()))
	err = l.Serve(cmd.Context(), listening)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// serveMetrics answers on this machine only, and to nobody who came by another
// name.
func serveMetrics(address string, m *wrap.Metrics) (stop func(), err error) {
	listening, err := listen(address)
	if err != nil {
		return nil, err
	}
	handler, err := m.Handler(listening.Addr().String())
	if err != nil {
		listening.Close()
		return nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listening)
	return func() { server.Shutdown(context.Background()) }, nil
}
