package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
	"mcpmend/native/files"
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

// readInput reads a named file, or stdin for "" and "-". What is wanted there is
// said to a person who waits at a terminal.
func readInput(cmd *cobra.Command, name, wanted string, limit int64) (string, error) {
	if name == "" || name == "-" {
		if isTerminal(cmd.InOrStdin()) {
			say(cmd, "Paste %s, then press %s on a line of its own.", wanted, endOfInput)
		}
		return readAll(input(cmd), "stdin", wanted, limit)
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", files.Cannot("read", name, err)
	}
	if info.IsDir() {
		return "", hint(fmt.Errorf("cannot read %s: it is a directory", name), "name a file; mcpmend check --no-probe %s looks at all configs in a directory", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", files.Cannot("read", name, err)
	}
	defer f.Close()
	return readAll(f, name, wanted, limit)
}

func readAll(r io.Reader, name, wanted string, limit int64) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if errors.Is(err, errInterrupted) {
		return "", err
	}
	if err != nil {
		return "", files.Cannot("read", name, err)
	}
	switch {
	case int64(len(data)) > limit:
		return "", hint(fmt.Errorf("%s is larger than %d MiB", name, limit>>20), "cut out the part that matters")
	case len(bytes.TrimSpace(data)) == 0:
		return "", hint(fmt.Errorf("%s %w", name, errEmpty), "%s is wanted", wanted)
	case !config.IsText(string(data)):
		return "", hint(fmt.Errorf("%s is not text", name), "%s is wanted, not a program, an archive or a picture", wanted)
	}
	return string(data), nil
}
