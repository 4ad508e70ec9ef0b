package wrap

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"mcpmend/core/heal"
)

// Conn is one connection to a server: whole messages, in order, without the
// newline that may end them on the wire.
type Conn interface {
	// Receive waits for a message, which is valid until the next Receive. Its
	// error ends the connection.
	Receive() ([]byte, error)
	// Send writes a message; it may be called from several goroutines. False
	// means that certainly nothing of it left.
	Send(message []byte) (left bool, err error)
	// Close ends the connection in the protocol's order and returns when
	// nothing is left of it; Abort does the same without any politeness.
	Close()
	Abort()
	// Closure says how it ended, once it was closed.
	Closure() heal.Closure
	// Evidence is what is known beside that: what the server printed.
	Evidence() string
}

// Dialer makes connections to one server.
type Dialer interface {
	Dial(ctx context.Context) (Conn, error)
	// Name is how the server is called in logs and messages.
	Name() string
}

// maxMessage bounds one message. Protocol libraries stop at 16 MiB and less.
const maxMessage = 64 << 20

// errTooLong is the error of a line over the limit; most of it was skipped.
var errTooLong = fmt.Errorf("it is longer than %d MB", maxMessage>>20)

// keptBuffer is the size to which a line buffer shrinks again, and keptEnd how
// much is kept of the end of a line that is too long.
const (
	keptBuffer = 1 << 20
	keptEnd    = 512
)

// lineReader reads lines of any length up to a limit, in few reads.
type lineReader struct {
	r     *bufio.Reader
	spill []byte // a line that did not fit into r's buffer
	limit int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// next returns the next line without its end. With errTooLong it returns the
// beginning and the end of the line, and the line after it can be read. A last
// line without an end is only half a message and is returned with io.EOF.
func (l *lineReader) next() ([]byte, error) {
	if cap(l.spill) > keptBuffer {
		l.spill = nil
	}
	l.spill = l.spill[:0]
	long := false
	for {
		piece, err := l.r.ReadSlice('\n')
		if err == nil && len(l.spill) == 0 {
			return bytes.TrimRight(piece, "\r\n"), nil
		}
		if !long && len(l.spill)+len(piece) > l.limit {
			long = true
			l.spill = l.spill[:min(len(l.spill), keptBuffer)]
		}
		if long {
			l.spill = shorten(append(l.spill, piece...))
		} else {
			l.spill = append(l.spill, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return l.spill, err
		case long:
			err = errTooLong
		}
		return bytes.TrimRight(l.spill, "\r\n"), err
	}
}

// shorten takes out of the middle what is too much.
func shorten(line []byte) []byte {
	if len(line) <= keptBuffer+keptEnd {
		return line
	}
	return append(line[:keptBuffer], line[len(line)-keptEnd:]...)
}

// lineWriter writes whole lines; it may be used by several goroutines.
type lineWriter struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte
}

func (l *lineWriter) write(message []byte) (left bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(append(l.buf[:0], message...), '\n')
	n, err := l.w.Write(l.buf)
	if cap(l.buf) > keptBuffer {
		l.buf = nil
	}
	return n > 0, err
}
