package lint

import (
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

// TestGroupInAList: the servers of a group have no names to be moved up under
// where servers are items of a list.
func TestGroupInAList(t *testing.T) {
	is := is.New(t)
	doc, err := config.Parse(`{"servers": [{"20": {"command": "notes-mcp"}}]}`, config.Options{Format: config.JSON})
	is.NoErr(err)
	found := false
	for _, f := range Check(doc, Options{}) {
		if f.Rule.Code == "MCP4009" {
			found = true
			is.Equal(len(f.Fix.Patch), 0)
		}
	}
	is.True(found)
}

// TestShadowedByALaterKey: of a key that is there twice the last counts, so that
// no patch can reach a server under the first.
func TestShadowedByALaterKey(t *testing.T) {
	is := is.New(t)
	doc, err := config.Parse(`{"mcpServers": {"a": {"Command": "notes-mcp"}}, "mcpServers": {}}`, config.Options{Format: config.JSON})
	is.NoErr(err)
	for _, f := range Check(doc, Options{}) {
		_, _, err := config.Apply(doc.Text, doc.Format, f.Fix.Patch)
		is.NoErr(err) // it can be applied
	}
}
