package wrap

import (
	"io"
	"time"
)

// faultyServer is a server process with one fault.
func faultyServer(fault string, in io.Reader, out io.Writer) { time.Sleep(time.Hour) }
