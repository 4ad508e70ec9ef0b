//go:build !js

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"mcpmend/core/report"
	"mcpmend/native/companion"
)

// webTerminal is the terminal of a running mcpmend web: it shows links that
// pair a tab, and asks what the page may not decide.
type webTerminal struct {
	cmd   *cobra.Command
	links func() []string

	asking sync.Mutex // one question at a time
	mu     sync.Mutex
	open   chan string // where the next line goes while a question is open
}

// pairLinks are addresses that let one tab see this machine: of the page here,
// and of hosted ones. They hold the same code, which works once.
func pairLinks(listening net.Addr, origins []string, c *companion.Companion) []string {
	code := c.Code()
	links := []string{"http://" + listening.String() + "/#pair=" + code}
	for _, origin := range origins {
		links = append(links, fmt.Sprintf("%s/#pair=%s@%d", origin, code, listening.(*net.TCPAddr).Port))
	}
	return links
}

// run shows a link now, and a new one whenever Enter is pressed.
func (w *webTerminal) run() {
	tell(w.cmd, fmt.Sprintf("To let the page see this machine, open this within a minute; it works once:\n  %s\n", strings.Join(w.links(), "\n  ")))
	if !isTerminal(w.cmd.InOrStdin()) {
		return
	}
	say(w.cmd, "Enter makes a new link, Ctrl-C ends it.")
	go func() {
		for lines := bufio.NewScanner(w.cmd.InOrStdin()); lines.Scan(); {
			w.mu.Lock()
			open := w.open
			w.open = nil
			w.mu.Unlock()
			if open != nil {
				open <- lines.Text()
				continue
			}
			tell(w.cmd, fmt.Sprintf("  %s\n", strings.Join(w.links(), "\n  ")))
		}
	}()
}

// confirm asks a question that the page may not answer. Only a typed yes counts.
func (w *webTerminal) confirm(ctx context.Context, question string) (bool, error) {
	w.asking.Lock()
	defer w.asking.Unlock()
	answer := make(chan string, 1)
	w.mu.Lock()
	w.open = answer
	w.mu.Unlock()
	tell(w.cmd, fmt.Sprintf("\n%s\nType yes to agree:  ", report.SafeLines(question)))
	select {
	case line := <-answer:
		return strings.EqualFold(strings.TrimSpace(line), "yes"), nil
	case <-ctx.Done():
		w.mu.Lock()
		w.open = nil
		w.mu.Unlock()
		return false, ctx.Err()
	}
}
