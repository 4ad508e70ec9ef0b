package wrap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"mcpmend/core/heal"
	"mcpmend/native/proc"
)

// Command is a server that is started as a child and spoken to over its stdin
// and stdout. It is a [Dialer].
type Command struct {
	Path   string
	Args   []string
	Dir    string
	Env    []string  // nil for ours, whole
	Stderr io.Writer // gets what the server prints there
	Grace  time.Duration
	Log    *slog.Logger

	noise sync.Once
}

// Name is the command line.
func (c *Command) Name() string {
	return strings.Join(append([]string{c.Path}, c.Args...), " ")
}

// defaultGrace is how long a server has to end by itself.
const defaultGrace = 5 * time.Second

// Dial starts the server.
func (c *Command) Dial(context.Context) (Conn, error) {
	p, err := proc.Start(proc.Command{Path: c.Path, Args: c.Args, Dir: c.Dir, Env: c.Env, Stderr: c.Stderr})
	if err != nil {
		return nil, err
	}
	return &child{command: c, process: p, lines: newLineReader(p.Stdout, maxMessage), in: lineWriter{w: p.Stdin}, drained: make(chan struct{})}, nil
}

// child is a running server.
type child struct {
	command *Command
	process *proc.Process
	lines   *lineReader
	in      lineWriter
	dropped noiseSample

	closing sync.Once
	drained chan struct{} // closed when stdout has ended
	mu      sync.Mutex
	ended   bool // its stdout
	ours    bool // we closed it
	deaf    bool // it closed stdout and lives
}

// noiseSample keeps the beginning of what a server wrote that is no message.
type noiseSample struct {
	mu   sync.Mutex
	text []byte
}

func (c *child) Receive() ([]byte, error) {
	for {
		line, err := c.lines.next()
		switch {
		case errors.Is(err, errTooLong):
			return line, err
		case err != nil:
			c.noise(line) // half a message is none
			c.mu.Lock()
			if !c.ended {
				close(c.drained)
			}
			c.ended = true
			c.mu.Unlock()
			return nil, err
		}
		if isMessage(line) {
			return line, nil
		}
		c.noise(line)
	}
}

// isMessage tells a message from a banner or a log line, at a glance.
func isMessage(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 1 && (line[0] == '{' || line[0] == '[' && (line[1] == '{' || line[1] == ']' || line[1] == ' '))
}

// noise reports what is no message, once for all lives of the server.
func (c *child) noise(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	c.dropped.mu.Lock()
	if room := 4096 - len(c.dropped.text); room > 0 {
		c.dropped.text = append(append(c.dropped.text, line[:min(len(line), room)]...), '\n')
	}
	c.dropped.mu.Unlock()
	if c.command.Log != nil {
		c.command.noise.Do(func() {
			c.command.Log.Warn("the server writes something other than messages on stdout; it is dropped", "first", string(line[:min(len(line), 200)]))
		})
	}
}

func (c *child) Send(message []byte) (bool, error) { return c.in.write(message) }

func (c *child) Close() {
	grace := c.command.Grace
	if grace == 0 {
		grace = defaultGrace
	}
	c.close(func() { c.process.Stop(grace) })
}

func (c *child) Abort() { c.close(func() { c.process.Kill() }) }

func (c *child) close(end func()) {
	c.closing.Do(func() {
		c.mu.Lock()
		ended := c.ended
		c.ours = !ended
		c.mu.Unlock()
		if ended {
			// Stdout has ended. Where the process has not, it is of no use.
			select {
			case <-c.process.Done():
			case <-time.After(100 * time.Millisecond):
				c.mu.Lock()
				c.deaf = true
				c.mu.Unlock()
			}
			end = func() { c.process.Kill() }
		}
		end()
		// What the server wrote last is still to be read, but not for ever: a
		// grandchild may hold the other end.
		select {
		case <-c.drained:
		case <-time.After(500 * time.Millisecond):
		}
		c.process.Stdout.Close()
	})
}

func (c *child) Closure() heal.Closure {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ours:
		return heal.Closure{By: "us", Why: "the wrapper ended the server"}
	case c.deaf:
		return heal.Closure{By: "server", Why: "the server closed its stdout"}
	default:
		return heal.Closure{By: "server", Why: "the server ended: " + c.process.Exit().String()}
	}
}

func (c *child) Evidence() string {
	c.dropped.mu.Lock()
	noise := string(c.dropped.text)
	c.dropped.mu.Unlock()
	var b strings.Builder
	b.WriteString(c.process.Stderr.String())
	if noise != "" {
		fmt.Fprintf(&b, "\n%s", noise)
	}
	select {
	case <-c.process.Done():
		exit := c.process.Exit()
		if exit.Signal != "" {
			fmt.Fprintf(&b, "\nserver process killed by signal: %s\n", exit.Signal)
		} else {
			fmt.Fprintf(&b, "\nserver process exited with code %d\n", exit.Code)
		}
	default:
	}
	return b.String()
}
