package config

import "fmt"

// Options say what is already known about a text. The zero value knows
// nothing: format and client are then recognised from the text itself.
type Options struct {
	Format Format
	Client string // an id of the client table
	File   string // the name or path of the file, where there is one
}

// SyntaxError is a text that does not parse, or that is not read because it
// goes over a limit.
type SyntaxError struct {
	Offset int // the byte at which reading stopped
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("byte %d: %s", e.Offset, e.Msg)
}

// Parse reads a configuration. JSON is read leniently: comments and trailing
// commas are accepted whatever the client thinks of them ([Strict] finds
// those), and duplicate keys are kept. The error is a [*SyntaxError].
func Parse(text string, opts Options) (*Document, error) {
	if err := checkSize(text); err != nil {
		return nil, err
	}
	format := opts.Format
	if format == "" {
		format = formatOf(text, opts.File)
	}
	root, err := parseNode(text, format)
	if err != nil {
		return nil, err
	}
	client := clientFor(text, format, opts)
	return &Document{
		Text:    text,
		Format:  format,
		Client:  client,
		Root:    root,
		Servers: readServers(root, client),
	}, nil
}

// parseNode reads text of a known format. Each format scans the depth by
// itself before it parses, because each quotes its strings differently.
func parseNode(text string, format Format) (*Node, error) {
	switch format {
	case JSON, JSONC:
		return parseJSON(text)
	case TOML:
		return parseTOML(text)
	case YAML:
		return parseYAML(text)
	}
	return nil, fmt.Errorf("%q is not a config format; use json, jsonc, toml or yaml", format)
}
