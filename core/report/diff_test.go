package report

import (
	"testing"

	"github.com/matryer/is"
)

func TestDiffNumbersLinesAsTheFilesDo(t *testing.T) {
	is := is.New(t)
	got := Diff("a\nb\nold\nc\n", "a\nb\nnew\nmore\nc\n")
	is.Equal(got, []DiffLine{
		{'-', 3, 0, "old"},
		{'+', 0, 3, "new"},
		{'+', 0, 4, "more"},
	})
}
