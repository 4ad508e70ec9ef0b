//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcpmend/native/companion"
	"mcpmend/native/guard"
	"mcpmend/web"
)

func newWebCommand() *cobra.Command {
	var port uint16
	var export, project string
	var origins []string
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Serve the page on this machine, or write it out for hosting",
		Long: `Serves the page on 127.0.0.1 and prints its address. It is the same page that can
be hosted anywhere: configs and logs are read in the browser and go nowhere.

The link on stderr lets one tab see this machine as well: the configs on it, live
probes with what servers print, healing, and writing what you have seen as a
diff. Only servers that stand in your configs can be started; those of a project
are asked about here first.

With --export it writes the page as static files into a directory instead.`,
		Example: `  mcpmend web
  mcpmend web --export site`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !web.Built() {
				return hint(errors.New("built without page and packs"), "./scripts/build makes a binary that has them")
			}
			if export != "" {
				return exportPage(export)
			}
			listener, err := listen(fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				return err
			}
			if err := show(cmd, fmt.Sprintf("http://%s/\n", listener.Addr())); err != nil {
				return err
			}
			terminal := &webTerminal{cmd: cmd}
			o := companion.Options{Project: project, Origins: origins, Log: cmd.ErrOrStderr()}
			if isTerminal(cmd.InOrStdin()) {
				o.Confirm = terminal.confirm
			}
			machine := companion.New(listener.Addr(), o)
			terminal.links = func() []string { return pairLinks(listener.Addr(), origins, machine) }
			terminal.run()
			return servePage(cmd.Context(), listener, web.Handler(onlyAPI(machine)))
		},
	}
	cmd.Flags().Uint16Var(&port, "port", 0, "`PORT` on 127.0.0.1; 0 takes a free one")
	cmd.Flags().StringVar(&export, "export", "", "write the page into this `DIRECTORY`")
	cmd.Flags().StringVar(&project, "project", "", "the project's `DIRECTORY`, instead of the working directory")
	cmd.Flags().StringArrayVar(&origins, "origin", nil, "a hosted page at this `ADDRESS` may be paired, such as https://mcpmend.example.com")
	return cmd
}

// onlyAPI hands on what is the companion's; all else is not there.
func onlyAPI(machine http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/api/") {
			http.NotFound(w, r)
			return
		}
		machine.ServeHTTP(w, r)
	})
}

// servePage answers until the context ends, for requests that name this listener
// as their host: a name that was rebound to 127.0.0.1 gets nothing.
func servePage(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           onlyHosts(guard.Hosts(listener.Addr()), handler),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	stopped := context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = server.Shutdown(ending) // what is still open after that is cut off by the end of the process
	})
	defer stopped()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the page: %w", err)
	}
	return nil
}

// onlyHosts compares the Host header with a fixed list, as text: nothing of it
// is parsed for the decision.
func onlyHosts(known []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(known, r.Host) {
			web.Protect(w.Header())
			http.Error(w, "this address is not served here", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// exportPage writes the page's files. A directory that holds anything else is
// left alone.
func exportPage(dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty; name a new directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making %s: %w", dir, err)
	}
	for name, content := range web.Files() {
		if strings.HasPrefix(name, ".") {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
	}
	return nil
}
