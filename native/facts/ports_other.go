//go:build !linux

package facts

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"mcpmend/core/fix"
)

// ports asks the system's own tool, which has no stable interface but the same
// output for many years.
func ports(ctx context.Context, _ Machine, _ Question, found *fix.Facts) {
	name, args, read := "lsof", []string{"-nP", "-iTCP", "-sTCP:LISTEN"}, lsofLine
	if runtime.GOOS == "windows" {
		name, args, read = "netstat", []string{"-ano", "-p", "TCP"}, netstatLine
	}
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return
	}
	seen := map[int]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		if port, ok := read(strings.Fields(lines.Text())); ok && !seen[port.Port] {
			seen[port.Port] = true
			found.Ports = append(found.Ports, port)
		}
	}
	sortPorts(found.Ports)
}

// lsofLine reads "node 123 you 22u IPv4 0x0 0t0 TCP 127.0.0.1:3000 (LISTEN)".
func lsofLine(fields []string) (fix.Port, bool) {
	if len(fields) < 9 {
		return fix.Port{}, false
	}
	port, ok := portOf(fields[8])
	return fix.Port{Port: port, Process: fields[0]}, ok
}

// netstatLine reads "TCP 127.0.0.1:3000 0.0.0.0:0 LISTENING 123".
func netstatLine(fields []string) (fix.Port, bool) {
	if len(fields) < 4 || fields[3] != "LISTENING" {
		return fix.Port{}, false
	}
	port, ok := portOf(fields[1])
	return fix.Port{Port: port}, ok
}

func portOf(address string) (int, bool) {
	port, err := strconv.Atoi(address[strings.LastIndexByte(address, ':')+1:])
	return port, err == nil
}
