// Package report shows a [core.Report]: as text for a terminal, Markdown for an
// issue tracker, JSON for programs and SARIF for code scanning.
//
// Everything that leaves through this package is masked by config.Mask and
// made harmless for the place where it is read: [Safe] for terminals, fences
// and code spans for Markdown, [CILog] for runners that obey log lines. Only
// the JSON form carries the user's own bytes, in the three fields that a
// program needs to write the mended file.
package report

import (
	"bytes"
	"encoding/json"
	"slices"

	"mcpmend/core"
)

// Style is how text for people is laid out.
type Style struct {
	Color bool
	Width int // columns, 0 for no limit
}

// Source is what a report was made of, for showing the lines it points at.
type Source struct {
	Text   string
	Config string
	File   string // the config's name, as the user would write it
}

// config is the config as it was given, by itself or in the text.
func (s Source) config() string {
	if s.Config != "" {
		return s.Config
	}
	start, end := core.ConfigIn(s.Text)
	return s.Text[start:end]
}

// telling is the evidence that a person needs to see: without the lines around
// a cause that is shown itself.
func telling(all []core.Evidence) []core.Evidence {
	return slices.DeleteFunc(slices.Clone(all), func(e core.Evidence) bool {
		return e.Role == core.Context && slices.ContainsFunc(all, func(other core.Evidence) bool {
			return other.Role != core.Context && other.In == e.In && other.Start < e.End && e.Start < other.End
		})
	})
}

// JSON is the report in the form that every face speaks, on one line.
func JSON(r core.Report) []byte {
	return encode(r, "")
}

// IndentedJSON is JSON laid out for reading, with a final newline.
func IndentedJSON(r any) []byte {
	return append(encode(r, "  "), '\n')
}

// encode leaves <, > and & as they are: the output is no HTML, and the same
// bytes must come out of every face.
func encode(v any, indent string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		// A report holds only strings, numbers and raw JSON that was parsed
		// before, so this is a mistake in our own code.
		panic(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
