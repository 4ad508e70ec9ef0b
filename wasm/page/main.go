//go:build js && wasm

// Command page is the core as the page's worker runs it: strings in, JSON out.
// What it does is in package session; this file only puts the functions where
// JavaScript finds them, as members of a global named mcpmend.
package main

import (
	"mcpmend/wasm/page/bridge"
	"mcpmend/wasm/page/session"
)

func main() {
	var s session.Session
	bridge.Serve("mcpmend", map[string]bridge.Func{
		"examine":  func(a []string) (string, error) { return s.Examine(a[0], a[1], a[2], a[3], a[4]) },
		"parts":    func([]string) (string, error) { return s.Parts(), nil },
		"mend":     func(a []string) (string, error) { return s.Mend(a[0]) },
		"convert":  func(a []string) (string, error) { return s.Convert(a[0], a[1], a[2], a[3]) },
		"markdown": func([]string) (string, error) { return s.Markdown(), nil },
		"agent":    func([]string) (string, error) { return s.Agent(), nil },
		"masked":   func([]string) (string, error) { return s.Masked(), nil },
		"rules":    func([]string) (string, error) { return session.Rules(), nil },
		"clients":  func([]string) (string, error) { return session.Clients(), nil },

		"moduleScan":    func(a []string) (string, error) { return session.ModuleScan(a[0]) },
		"moduleRequest": func(a []string) (string, error) { return s.ModuleRequest(a[0], a[1]) },
		"moduleAnswer":  func(a []string) (string, error) { return s.ModuleAnswer(a[0], a[1], a[2]) },
	})
}
