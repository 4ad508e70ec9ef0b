package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// errInterrupted ends a command at Ctrl-C or a signal to end.
var errInterrupted = errors.New("interrupted")

// interrupted says what was left undone.
func interrupted(format string, args ...any) error {
	return fmt.Errorf("%w; "+format, append([]any{errInterrupted}, args...)...)
}

// input is the command's stdin. Reading it ends when the command is told to
// end: a read that waits for a terminal or a pipe cannot be called off, not
// even by closing the file.
func input(cmd *cobra.Command) io.Reader {
	return &interruptible{ctx: cmd.Context(), from: cmd.InOrStdin(), done: make(chan struct{}, 1)}
}

// interruptible leaves a read behind when its context ends. Until then no read
// outlives the call, so that others can go on with what comes next.
type interruptible struct {
	ctx  context.Context
	from io.Reader
	done chan struct{}
	buf  []byte
	n    int
	err  error
}

func (r *interruptible) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, errInterrupted
	}
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	buf := r.buf[:len(p)]
	go func() {
		r.n, r.err = r.from.Read(buf)
		r.done <- struct{}{}
	}()
	select {
	case <-r.done:
		return copy(p, buf[:r.n]), r.err
	case <-r.ctx.Done():
		return 0, errInterrupted
	}
}
