package doctor

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestWhatIsPrintedComesByLines(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	tests := []struct {
		name   string
		writes []string
		want   []string
	}{
		{"a line at a time", []string{"one\n", "two\n"}, []string{"one", "two"}},
		{"a secret in two pieces", []string{"token ghp_", "0123\n"}, []string{"token ghp_0123"}},
		{"many lines at once", []string{"one\n\ntwo\nth", "ree"}, []string{"one", "", "two", "three"}},
		{"ends as on Windows", []string{"one\r\ntwo\r", "\n"}, []string{"one", "two"}},
		{"a line without an end", []string{long, "rest"}, []string{long, "rest"}},
		{"nothing", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var got []string
			p := printed{show: func(line string) { got = append(got, line) }}
			for _, w := range tt.writes {
				p.add([]byte(w))
			}
			p.flush()
			is.Equal(got, tt.want)
		})
	}
}
