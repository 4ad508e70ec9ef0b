package config

// settled repeats a repair on what the one before has left, since a mended
// line may show what the next one is, and gives all of it as mends of the
// original text.
func settled(text string, mends []Mend, again func(string) []Mend) []Mend {
	const rounds, most = 4, 500
	for range rounds {
		if len(mends) == 0 || len(mends) > most {
			return mends
		}
		mended, err := Edited(text, editsOf(mends))
		if err != nil {
			return mends
		}
		more := again(mended)
		if len(more) == 0 || len(more) > most {
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
	var mends []Mend
	for _, e := range done.edits() {
		m := Mend{Edit: e, Kind: second[0].Kind}
		for _, early := range first {
			if early.Start <= e.End && early.End >= e.Start {
				m.Kind = early.Kind
				break
			}
		}
		m.Why = mendReason[m.Kind]
		mends = append(mends, m)
	}
	return mends
}
