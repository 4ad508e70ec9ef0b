package config

// history is a text made of parts of the original and of new text, so that
// edits made one after the other can be told as edits of the original.
type history struct {
	original string
	list     []fragment
}

func newHistory(text string) *history {
	return &history{text, []fragment{{end: len(text)}}}
}

// fragment is a range of the original, or new text.
type fragment struct {
	start, end int
	text       string
	new        bool
}

func (p fragment) size() int {
	if p.new {
		return len(p.text)
	}
	return p.end - p.start
}

// cut gives the part of a fragment from byte a to byte b of it.
func (p fragment) cut(a, b int) fragment {
	if p.new {
		return fragment{text: p.text[a:b], new: true}
	}
	return fragment{start: p.start + a, end: p.start + b}
}

// apply carries out edits that do not overlap, given as offsets into the text
// as it is now.
func (h *history) apply(edits []Edit) {
	sorted := sortedEdits(edits)
	for i := len(sorted) - 1; i >= 0; i-- {
		h.replace(sorted[i])
	}
}

func (h *history) replace(e Edit) {
	var list []fragment
	at := 0
	placed := false
	place := func() {
		if !placed && e.Insert != "" {
			list = append(list, fragment{text: e.Insert, new: true})
		}
		placed = true
	}
	for _, part := range h.list {
		size := part.size()
		if before := min(size, max(0, e.Start-at)); before > 0 {
			list = append(list, part.cut(0, before))
		}
		if at+size >= e.Start && (at+size > e.Start || e.Start == e.End && at+size == e.Start) {
			place()
		}
		if after := min(size, max(0, e.End-at)); after < size && at+size > e.Start {
			list = append(list, part.cut(after, size))
		}
		at += size
	}
	place()
	h.list = list
}

// edits tells the difference from the original.
func (h *history) edits() []Edit {
	var edits []Edit
	at, insert := 0, ""
	flush := func(to int) {
		if insert != "" || to > at {
			edits = append(edits, Edit{Start: at, End: to, Insert: insert})
		}
		insert = ""
	}
	for _, part := range h.list {
		if part.new {
			insert += part.text
			continue
		}
		flush(part.start)
		at = part.end
	}
	flush(len(h.original))
	return edits
}
