//go:build !js

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
)

// listen opens a port for the commands that serve.
func listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		return listener, nil
	}
	var reason *os.SyscallError // says no more than "address already in use"
	var operation *net.OpError
	switch {
	case errors.As(err, &reason):
		err = reason.Err
	case errors.As(err, &operation):
		err = operation.Err
	}
	return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
}
