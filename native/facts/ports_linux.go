package facts

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"mcpmend/core/fix"
)

// listening is the state of a socket that waits for connections.
const listening = "0A"

// ports reads the kernel's table of sockets, and whose they are as far as this
// user may see.
func ports(ctx context.Context, _ Machine, _ Question, found *fix.Facts) {
	inodes := map[string]int{} // socket -> port
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if len(fields) < 10 || fields[3] != listening {
				continue
			}
			_, hex, _ := strings.Cut(fields[1], ":")
			if port, err := strconv.ParseUint(hex, 16, 16); err == nil {
				inodes[fields[9]] = int(port)
			}
		}
		f.Close()
	}
	names := owners(ctx, inodes)
	seen := map[int]bool{}
	for inode, port := range inodes {
		if !seen[port] {
			seen[port] = true
			found.Ports = append(found.Ports, fix.Port{Port: port, Process: names[inode]})
		}
	}
	sortPorts(found.Ports)
}

// owners finds the programs that hold sockets.
func owners(ctx context.Context, inodes map[string]int) map[string]string {
	names := map[string]string{}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if ctx.Err() != nil {
			break
		}
		target, err := os.Readlink(link)
		if err != nil {
			continue
		}
		inode, ok := strings.CutPrefix(target, "socket:[")
		inode = strings.TrimSuffix(inode, "]")
		if _, listens := inodes[inode]; !ok || !listens || names[inode] != "" {
			continue
		}
		name, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(link)), "comm"))
		if err == nil {
			names[inode] = strings.TrimSpace(string(name))
		}
	}
	return names
}
