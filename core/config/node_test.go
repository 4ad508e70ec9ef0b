package config

import (
	"reflect"
	"testing"

	"github.com/matryer/is"
)

// SameData is reflect.DeepEqual on what Value gives.
func TestSameData(t *testing.T) {
	is := is.New(t)
	texts := []string{
		`null`, `true`, `false`, `1`, `1.0`, `"1"`, `""`, `[]`, `{}`, `[null]`, `[[]]`, `[1, 2]`, `[2, 1]`,
		`{"a": 1}`, `{"a": null}`, `{"b": 1}`, `{"a": 1, "b": [true]}`, `{"b": [true], "a": 1}`, `{"b": [false], "a": 1}`,
	}
	nodes := []*Node{nil}
	for _, text := range texts {
		n, err := parseJSON(text)
		is.NoErr(err)
		nodes = append(nodes, n)
	}
	for _, a := range nodes {
		for _, b := range nodes {
			if got, want := a.Equal(b), reflect.DeepEqual(a.Value(), b.Value()); got != want {
				t.Errorf("%v and %v: %v, not %v", a.Value(), b.Value(), got, want)
			}
		}
	}
}

func TestHujsonPosition(t *testing.T) {
	for _, test := range []struct {
		message      string
		line, column int
		ok           bool
	}{
		{"hujson: line 3, column 12: invalid character", 3, 12, true},
		{"hujson: line 3, column x: invalid character", 3, 0, false},
		{"hujson: something else", 0, 0, false},
		{"", 0, 0, false},
	} {
		t.Run(test.message, func(t *testing.T) {
			is := is.New(t)
			line, column, ok := hujsonPosition(test.message)
			is.Equal(ok, test.ok)
			if ok {
				is.Equal([2]int{line, column}, [2]int{test.line, test.column})
			}
		})
	}
}
