package config

import (
	"strings"
	"testing"
	"time"
)

// TestRepairTOMLAndYAMLEndSoon feeds the mending readers texts that would tempt them to
// look at everything again for every line.
func TestRepairTOMLAndYAMLEndSoon(t *testing.T) {
	const size = 60_000
	for _, piece := range []string{
		"\"", "'", "a", "[", "{", "]", "}", ",", "a=", "a = [", "a = {", "[a]\n", "[[a]]\n", "[a", "a = 1\n", "a = \"\n", "“", "- ", "-a\n", "a:\n", "a: b: c\n", "a: \"\n",
		"a: [\n", "a: {b\n", "? ", "|\n", "\t", "\u00a0", "//", "/*", "# x\n", "a:b\n", "a\n b\n", "  a: 1\n a: 2\n", "{a, ", "[\"a\" ", "{\"a\" \"b\" ", "a: *x\n", "- a: 1\n   b: 2\n", "\"a\": \"b\",\n", "\\", "\r", "```\n", "a = {\n", "a.", "a = \"C:\\n\"\n",
	} {
		text := strings.Repeat(piece, size/len(piece))
		for _, format := range []Format{TOML, YAML} {
			start := time.Now()
			Repair(text, format)
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("%s of %q took %v", format, piece, took)
			}
			Repair("x"+text, format)
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("%s of x and %q took %v", format, piece, took)
			}
		}
	}
}
