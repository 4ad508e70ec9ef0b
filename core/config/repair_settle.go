package config

import "slices"

// maxComposed bounds the mends of two repairs that are told as one, since each
// costs a look at all others.
const maxComposed = 500

// settled repeats a repair on what the one before has left, since a mended
// line may show what the next one is, and gives all of it as mends of the
// original text.
func settled(text string, mends []Mend, again func(string) []Mend) []Mend {
	const rounds = 4
	for range rounds {
		if len(mends) == 0 || len(mends) > maxComposed {
			return mends
		}
		mended, err := Edited(text, editsOf(mends))
		if err != nil {
			return mends
		}
		more := again(mended)
		if len(more) == 0 || len(more) > maxComposed {
			return mends
		}
		mends = composed(text, mends, more)
	}
	return mends
}

func editsOf(mends []Mend) []Edit {
	edits := make([]Edit, len(mends))
	for i, m := range mends {
		edits[i] = m.Edit
	}
	return edits
}

// composed gives two repairs, one on the text that the other leaves, as one.
func composed(text string, first, second []Mend) []Mend {
	done := newHistory(text)
	done.apply(editsOf(first))
	done.apply(editsOf(second))
	kinds := append(slices.Clone(first), traced(first, second)...)
	var mends []Mend
	for _, e := range done.edits() {
		m := Mend{Edit: e, Kind: kinds[len(kinds)-1].Kind}
		for _, k := range kinds {
			if k.Start <= e.End && k.End >= e.Start {
				m.Kind = k.Kind
				break
			}
		}
		m.Why = m.Kind.reason()
		mends = append(mends, m)
	}
	return mends
}

// traced gives mends of the text that others leave with the offsets of the text
// before those.
func traced(first, second []Mend) []Mend {
	before := sortedEdits(editsOf(first))
	offset := func(at int) int {
		for _, e := range before {
			if e.Start >= at {
				break
			}
			at = max(e.Start, at+e.End-e.Start-len(e.Insert))
		}
		return at
	}
	list := slices.Clone(second)
	for i := range list {
		list[i].Start, list[i].End = offset(list[i].Start), offset(list[i].End)
	}
	return list
}
