package core

import (
	"testing"

	"github.com/matryer/is"
)

func TestFill(t *testing.T) {
	names := map[string]string{"port": "3000", "host": "bad\nhost"}
	for _, tt := range []struct{ name, template, want string }{
		{"a name", "Nothing listens on {port|that port}.", "Nothing listens on 3000."},
		{"words instead", "Nothing listens on {where|that port}.", "Nothing listens on that port."},
		{"words around a name", "{port?Port %|The port} is in use.", "Port 3000 is in use."},
		{"words instead of those", "{where?Port %|the port} is in use.", "The port is in use."},
		{"a name that may not be shown", "Nobody answers at {host?host %|that address}.", "Nobody answers at that address."},
		{"a brace of an example", `Write {"command": "npx"} on {port|a line}.`, `Write {"command": "npx"} on 3000.`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is.New(t).Equal(fill(tt.template, names), tt.want)
		})
	}
}
