// Command sbom writes a bill of materials in CycloneDX form for a Go binary,
// from what the compiler put into it: sbom BINARY OUTPUT. It adds no date and no
// random number, so that the same binary gives the same bytes.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom BINARY OUTPUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(binary, output string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("reading what the compiler put into %s: %w", binary, err)
	}
	text, err := json.MarshalIndent(of(filepath.Base(binary), info), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(output, append(text, '\n'), 0o644)
}

func of(name string, info *buildinfo.BuildInfo) bill {
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: metadata{component{Type: "application", Name: name, Version: info.Main.Version}}}
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "GO") || strings.HasPrefix(s.Key, "vcs.") {
			b.Metadata.Component.Properties = append(b.Metadata.Component.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	b.Components = append(b.Components, component{Type: "library", Name: "std", Version: info.GoVersion, PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")})
	for _, m := range info.Deps {
		b.Components = append(b.Components, library(m))
	}
	return b
}

func library(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
	if m.Sum != "" {
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}
