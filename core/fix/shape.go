package fix

import (
	"encoding/json"
	"fmt"
	"reflect"
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

// otherWord tries the other usual word for streamable HTTP, where the client is
// not known and does not take the one that is there.
func otherWord(b *bench) []Fix {
	if !b.hasEntry() || b.Server.URL == "" || b.Client != nil && b.Client.ID != config.Generic().ID {
		return nil
	}
	word := b.Server.Node.Get("type")
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
	entry := doc.Servers[0].Node.Value()
	if reflect.DeepEqual(entry, b.Server.Node.Value()) {
		return nil
	}
	value, err := json.Marshal(entry)
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
