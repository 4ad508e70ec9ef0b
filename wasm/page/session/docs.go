package session

import (
	"mcpmend/core"
	"mcpmend/core/config"
)

// Rules is the rule index.
func Rules() string {
	return encode(core.Rules())
}

// client is what the page tells about a client: where its files are, and what
// makes it read them again.
type client struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`
	Format    config.Format `json:"format"`
	File      string        `json:"file"` // the name of the file to write
	Files     []path        `json:"files"`
	Logs      []path        `json:"logs"`
	AfterEdit string        `json:"after_edit"`
	Writable  bool          `json:"writable"` // a config can be converted to it
}

type path struct {
	OS   config.OS `json:"os"` // "" is all of them
	Path string    `json:"path"`
}

// Clients lists every client but the generic one.
func Clients() string {
	list := []client{}
	for _, c := range config.Clients() {
		if c.ID == config.Generic().ID {
			continue
		}
		row := client{ID: c.ID, Name: c.Name, Files: []path{}, Logs: []path{}, AfterEdit: c.How, Writable: convertible(c)}
		if len(c.Formats) > 0 {
			row.Format = c.Formats[0]
		}
		for _, p := range c.Places {
			if p.Kind == config.FilePath && !p.Legacy {
				row.Files = append(row.Files, path{p.OS, p.Path})
			}
		}
		for _, l := range c.Logs {
			if l.Kind == config.FilePath || l.Kind == config.GlobPath {
				row.Logs = append(row.Logs, path{l.OS, l.Path})
			}
		}
		if len(row.Files) > 0 {
			row.File = row.Files[0].Path
		}
		list = append(list, row)
	}
	return encode(list)
}
