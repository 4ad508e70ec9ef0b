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
