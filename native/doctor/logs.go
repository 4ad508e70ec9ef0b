package doctor

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/native/discover"
)

// Bounds on what is read of a client's logs: the end tells.
const (
	maxLogs    = 3
	maxLogTail = 1 << 20
)

// Logs reads the newest of a client's own log files, those about one server
// where their names tell, the older first, and says which they are.
func (d *Doctor) Logs(c *config.Client, server string) (text string, paths []string) {
	for _, path := range aboutServer(discover.Logs(d.machine, c), server) {
		tail, _, err := tailOf(path, maxLogTail)
		if err != nil || strings.TrimSpace(tail) == "" {
			continue
		}
		text = strings.TrimRight(tail, "\n") + "\n" + text
		if paths = append(paths, path); len(paths) == maxLogs {
			break
		}
	}
	slices.Reverse(paths)
	return text, paths
}

// aboutServer drops the logs of other servers.
func aboutServer(paths []string, server string) []string {
	if server == "" {
		return paths
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		owner := ownerOf(path)
		return owner != "" && owner != server
	})
}

// ownerOf is the server that a log is about alone, "" for one about all. The
// clients that keep one a server call it mcp-server-NAME.log, or put it into a
// directory mcp-logs-NAME.
func ownerOf(path string) string {
	if name, ok := strings.CutPrefix(filepath.Base(path), "mcp-server-"); ok {
		return strings.TrimSuffix(name, ".log")
	}
	if name, ok := strings.CutPrefix(filepath.Base(filepath.Dir(path)), "mcp-logs-"); ok {
		return name
	}
	return ""
}

// tailOf is the end of a file, from the beginning of a line, and where it begins.
func tailOf(path string, limit int64) (text string, from int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", 0, err
	}
	from = max(0, info.Size()-limit)
	data, err := io.ReadAll(io.NewSectionReader(f, from, limit))
	text = string(data)
	if from > 0 {
		whole := strings.IndexByte(text, '\n') + 1
		if whole == 0 {
			whole = len(text) // no line begins here
		}
		text, from = text[whole:], from+int64(whole)
	}
	return text, from, err
}
