package fix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcpmend/core/config"
)

// The fixers here are for an entry or a file of the wrong shape that no finding
// has a mend for: the log says that the client minds, and the config shows
// what it is like.

// hasEntry says whether there is an entry to change.
func (b *bench) hasEntry() bool {
	return b.Finding == nil && b.Document != nil && b.Server != nil && b.Server.Node != nil && b.Server.Node.Kind == config.Object
}

// otherRoot moves the servers under the key that the log asks for, or away from
// the one that it minds.
func otherRoot(b *bench) []Fix {
	if b.Finding != nil || b.Document == nil || len(b.Document.Servers) == 0 {
		return nil
	}
	names, err := config.SplitPointer(b.Document.Servers[0].Pointer)
	if err != nil || len(names) != 2 {
		return nil
	}
	is, want := names[0], b.Names["root"]
	if want == "" && b.Names["key"] == is {
		want = map[string]string{"servers": "mcpServers", "mcpServers": "servers"}[is]
	}
	if want == "" || want == is || b.Document.Root.Get(want) != nil {
		return nil
	}
	return []Fix{{
		ID:          "other-root",
		Title:       fmt.Sprintf("Rename %s to %s", is, want),
		Description: "Clients name the part of the file that holds the servers differently, and see no server under another name.",
		Patch:       config.Patch{{Op: "move", From: config.Pointer(is), Path: config.Pointer(want)}},
		Confidence:  0.7,
	}}
}

// otherWord tries the other usual word for streamable HTTP, where the client is
// not known and does not take the one that is there.
func otherWord(b *bench) []Fix {
	if !b.hasEntry() || b.Server.URL == "" || b.Client != nil && b.Client.ID != config.Generic().ID {
		return nil
	}
	word := b.Server.Node.Get("type")
	if word == nil && b.Code == "MCP1012" { // the address was started as a program
		return []Fix{{
			ID:          "add-word",
			Title:       "Say that it is streamable HTTP",
			Description: "Without a type this client takes every entry for a program that it should start.",
			Patch:       config.Patch{{Op: "add", Path: b.Server.Pointer + "/type", Value: json.RawMessage(`"http"`)}},
			Confidence:  0.6,
		}}
	}
	if word == nil || word.Kind != config.String {
		return nil
	}
	other := map[string]string{"http": "streamable-http", "streamableHttp": "streamable-http", "streamable_http": "streamable-http", "streamable-http": "http"}[word.Text]
	if other == "" {
		return nil
	}
	value, _ := json.Marshal(other) // a string always encodes
	return []Fix{{
		ID:          "other-word",
		Title:       fmt.Sprintf("Write %s for the transport", other),
		Description: "Clients have different words for streamable HTTP, and refuse those of others.",
		Patch:       config.Patch{{Op: "replace", Path: b.Server.Pointer + "/type", Value: value}},
		Confidence:  0.6,
	}}
}

// canonicalEntry writes the entry the way the client documents it, where that
// loses nothing.
func canonicalEntry(b *bench) []Fix {
	if !b.hasEntry() || b.Client == nil || b.Client.ID == config.Generic().ID {
		return nil
	}
	alone := *b.Document
	alone.Servers = []config.Server{*b.Server}
	converted, err := config.Convert(&alone, b.Client, config.ConvertOptions{})
	if err != nil || len(converted.Losses) > 0 {
		return nil
	}
	doc, err := config.Parse(converted.Text, config.Options{Format: converted.Format, Client: b.Client.ID})
	if err != nil || len(doc.Servers) != 1 || strings.Count(doc.Servers[0].Pointer, "/") < 2 {
		return nil
	}
	entry := doc.Servers[0].Node
	if entry.Equal(b.Server.Node) {
		return nil
	}
	value, err := json.Marshal(entry.Value())
	if err != nil {
		return nil
	}
	return []Fix{{
		ID:          "canonical-entry",
		Title:       fmt.Sprintf("Write the entry as %s documents it", b.client()),
		Description: "The same server in the client's own spelling.",
		Patch:       config.Patch{{Op: "replace", Path: b.Server.Pointer, Value: value}},
		Confidence:  0.5,
	}}
}

// olderKey writes the address under the key by which older versions of the
// client know streamable HTTP, where the entry is as newer ones want it and the
// log says that it is refused.
func olderKey(b *bench) []Fix {
	if !b.hasEntry() || b.Client == nil || b.Server.URL == "" || b.Server.Transport != config.HTTP {
		return nil
	}
	old := b.Client.Field(b.Client.HTTP.Implied)
	url := b.Server.Node.Get("url")
	if old == nil || old.Effect != config.Deprecated || url == nil || b.Server.Node.Get(old.Name) != nil {
		return nil
	}
	patch := config.Patch{{Op: "move", From: b.Server.Pointer + "/url", Path: b.Server.Pointer + config.Pointer(old.Name)}}
	if b.Server.Node.Get("type") != nil {
		patch = append(patch, config.Op{Op: "remove", Path: b.Server.Pointer + "/type"})
	}
	return []Fix{{
		ID:          "older-key",
		Title:       fmt.Sprintf("Write the address under %s", old.Name),
		Description: fmt.Sprintf("The entry is as newer versions of %s want it; older ones know streamable HTTP by this key and no type.", b.client()),
		Patch:       patch,
		Confidence:  0.5,
	}}
}

// withoutFlag drops an argument that the server does not take. A flag with a
// word after it stays: the word may be its value, or not.
func withoutFlag(b *bench) []Fix {
	flag := b.Names["argument"]
	if b.Code != "MCP4504" || !b.stdio() || !strings.HasPrefix(flag, "-") {
		return nil
	}
	patch := b.changed(func(s *config.Server) {
		for i, arg := range s.Args {
			name, _, joined := strings.Cut(arg, "=")
			last := i+1 == len(s.Args) || strings.HasPrefix(s.Args[i+1], "-")
			if name == flag && (joined || last) && i > b.launch.Index {
				s.Args = slices.Delete(s.Args, i, i+1)
				return
			}
		}
	})
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "without-flag",
		Title:       fmt.Sprintf("Leave out %s", flag),
		Description: "This version of the server does not know it.",
		Patch:       patch,
		Confidence:  0.6,
	}}
}
