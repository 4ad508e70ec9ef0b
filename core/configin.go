package core

// ConfigIn tells where in a paste the config stands that [Examine] reads as
// such, as byte offsets; both are 0 where there is none.
func ConfigIn(text string) (start, end int) {
	in := separate(Input{Text: text})
	if !in.within {
		return 0, 0
	}
	return in.base, in.base + len(in.Config)
}
