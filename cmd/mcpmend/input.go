package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"mcpmend/core/config"
)

// maxText bounds a pasted text; a config is bounded by config.MaxSize.
const maxText = 256 << 20

var errEmpty = errors.New("is empty")

// orStdin is the file that a command's only argument names, "" for stdin.
func orStdin(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// readInput reads a named file, or stdin for "" and "-".
func readInput(stdin io.Reader, name string, limit int64) (string, error) {
	if name == "" || name == "-" {
		return readAll(stdin, "stdin", limit)
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", cannotRead(name, err)
	}
	if info.IsDir() {
		return "", hint(fmt.Errorf("cannot read %s: it is a directory", name), "name a file; mcpmend check --no-probe %s looks at all configs in a directory", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", cannotRead(name, err)
	}
	defer f.Close()
	return readAll(f, name, limit)
}

func readAll(r io.Reader, name string, limit int64) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return "", cannotRead(name, err)
	}
	switch {
	case int64(len(data)) > limit:
		return "", hint(fmt.Errorf("%s is larger than %d MiB", name, limit>>20), "cut out the part around the error")
	case len(bytes.TrimSpace(data)) == 0:
		return "", hint(fmt.Errorf("%s %w", name, errEmpty), "paste an error, a log or a config")
	case isBinary(data):
		return "", hint(fmt.Errorf("%s is not text", name), "a log or a config is wanted, not a program, an archive or a picture")
	}
	return string(data), nil
}

func cannotRead(name string, err error) error  { return cannot("read", name, err) }
func cannotWrite(name string, err error) error { return cannot("write", name, err) }

// cannot words a failure of the file system without Go's own prefix.
func cannot(do, name string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("cannot %s %s: %w", do, name, err)
}

// isBinary says whether data is no text: it has a NUL byte, which neither UTF-8
// nor logs have, or most of its start is neither valid nor printable. UTF-16
// with its mark is text; PowerShell writes it.
func isBinary(data []byte) bool {
	if _, ok := config.Decode(string(data)); ok {
		return false
	}
	head := data[:min(len(data), 8<<10)]
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	bad := 0
	for rest := head; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			bad++
		}
		rest = rest[n:]
	}
	return bad*3 > len(head)
}
