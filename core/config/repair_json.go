package config

import (
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// repairJSON looks for the cheapest set of mends that makes text readable. A
// handful of readings of the text run side by side, each a stack of open
// brackets with the mends it took to get there; where a reading meets
// something that cannot stand, or that the indentation contradicts, it splits
// into one reading per explanation. Readings that agree on what is open are
// merged, and the dear ones dropped, so the work stays linear in the text.
// strict asks for trailing commas to be taken out as well.
func repairJSON(text string, strict bool) []Mend {
	if checkDepth(text) != nil {
		return nil
	}
	r := &jsonRepair{text: text, strict: strict, newline: newlineOf(text), budget: 48*len(text) + 1<<20}
	r.lastClose = strings.LastIndex(text, "*/")
	r.lines = NewLines(text).starts
	r.start()
	best := r.run()
	if best == nil || best.cost > 60+maxCost*r.tokens {
		return nil
	}
	var mends []Mend
	for link := best.mends; link != nil; link = link.prev {
		mends = append(mends, link.mend)
	}
	slices.Reverse(mends)
	sort.SliceStable(mends, func(i, j int) bool { return mends[i].Start < mends[j].Start })
	dropped, fragment := 0, []int(nil)
	for i, m := range mends {
		switch m.Kind {
		case MendAround, MendStray:
			dropped += m.End - m.Start
		case MendFragment:
			fragment = append(fragment, i)
		}
	}
	if dropped > len(text)/2 {
		return nil // a log or a program with something like a config in it
	}
	if len(fragment) == 1 { // the closing brace was there
		m := &mends[fragment[0]]
		m.Kind, m.Why = MendMissingOpen, MendMissingOpen.reason()
	}
	return mends
}

// What an accident costs. The ratios decide: they say which explanation of a
// broken text is the likelier one.
const (
	costSmall   = 1  // an oddity that hardly needs explaining
	costIndent  = 5  // the indentation speaks against this reading
	costQuotes  = 8  // the wrong kind of quotes around a string
	costEnd     = 8  // a bracket that the end of the text leaves open
	costMend    = 10 // one ordinary accident
	costUnusual = 13 // an accident that is seldom met
	costValue   = 20 // a value that has to be made up
	costDrop    = 25 // text that has to be thrown away

	maxCost = 6 // per token; a text that needs more is no config

	beamWidth  = 24
	beamMargin = 80
	costOfStep = 8 // of the budget, in bytes looked at
)

// expectation is what a reading needs next.
type expectation uint8

const (
	expectKey   expectation = iota // or the end of the object
	expectColon                    //
	expectValue                    // of a member, or an element, or the end of the array
	expectComma                    // or the end of the container
	expectEnd                      // of the text
)

// frame is one open bracket. Frames are shared between readings and never
// change.
type frame struct {
	parent   *frame
	array    bool
	inserted bool // the bracket is not in the text
	closer   byte // the bracket that ends it in place of the right one, or 0
	depth    int
	open     int // offset of the bracket
	indent   int // of the line that the bracket stands on, -1 if that is not known
	child    int // of the first child where that begins a line, or -1
	hash     uint64
}

type mendLink struct {
	prev *mendLink
	mend Mend
}

// reading is one way to understand the text up to pos.
type reading struct {
	pos    int
	expect expectation
	top    *frame
	cost   int
	mends  *mendLink
	start  int // of the last value, or of the last key
	end    int // of it, or of the opening bracket
	comma  int // offset of the comma just read, or one of the two below
}

const (
	noComma       = -1
	insertedComma = -2 // something has to follow it
)

func (s reading) with(cost int, kind MendKind, start, end int, insert string) reading {
	s.cost += cost
	s.mends = &mendLink{s.mends, mendFor(kind, start, end, insert)}
	return s
}

type jsonRepair struct {
	text      string
	strict    bool
	newline   string
	lines     []int // offsets at which lines begin
	lastClose int   // offset of the last */
	budget    int   // bytes that may still be looked at
	tokens    int
	queue     readingHeap
	seen      map[readingKey]int // cost of the readings at the current offset
	finished  *reading
}

type readingKey struct {
	expect expectation
	hash   uint64
	comma  int // 0 for any that is in the text
}

func (r *jsonRepair) start() {
	s := r.skip(reading{comma: noComma, expect: expectValue})
	if s.pos < len(r.text) && (r.text[s.pos] == '{' || r.text[s.pos] == '[') {
		r.queue.push(s)
		return
	}
	if !r.beginsFragment(s.pos) {
		return
	}
	// Without an outer brace the text is the inside of an object: a server's
	// entry, or "mcpServers": {…} alone.
	open := "{" + r.newline
	if !strings.Contains(r.text, "\n") {
		open = "{"
	}
	s = s.with(costMend, MendFragment, s.pos, s.pos, open)
	s.expect, s.end = expectKey, s.pos
	s.top = &frame{inserted: true, depth: 1, open: s.pos, indent: -1, child: -1, hash: 1}
	r.queue.push(s)
}

// beginsFragment tells whether a member of an object stands at pos: a quoted
// word, or a bare one whose value could not be a sentence.
func (r *jsonRepair) beginsFragment(pos int) bool {
	if _, _, ok := quoteAt(r.text, pos); ok {
		return true
	}
	end := pos + r.bareWidth(pos)
	size, _, quote := quoteAt(r.text, end)
	end = skipBlank(r.text, end+size)
	if end == pos || end >= len(r.text) || r.text[end] != ':' && r.text[end] != '=' {
		return false
	}
	value := skipBlank(r.text, end+1)
	_, _, quoted := quoteAt(r.text, value)
	return quote || quoted || value < len(r.text) && (r.text[value] == '{' || r.text[value] == '[')
}

// run reads on until the cheapest reading has reached the end.
func (r *jsonRepair) run() *reading {
	at := -1
	var here []reading
	for len(r.queue) > 0 && r.budget > 0 {
		here = here[:0]
		pos := r.queue[0].pos
		for len(r.queue) > 0 && r.queue[0].pos == pos {
			here = append(here, r.queue.pop())
		}
		if pos != at {
			at, r.seen = pos, nil
			r.tokens++
		}
		if len(here) > 1 || r.seen != nil {
			here = r.prune(here)
		}
		for _, s := range here {
			r.budget -= costOfStep
			if s.cost > 400+maxCost*r.tokens {
				continue // this is no config
			}
			before := len(r.queue)
			finished := r.finished
			r.step(s)
			if len(r.queue) == before && r.finished == finished && pos < len(r.text) {
				r.dropToken(s)
			}
		}
	}
	return r.finished
}

// prune merges readings that have the same future and keeps the cheapest few.
func (r *jsonRepair) prune(here []reading) []reading {
	sort.SliceStable(here, func(i, j int) bool { return here[i].cost < here[j].cost })
	if r.seen == nil {
		r.seen = make(map[readingKey]int)
	}
	kept := here[:0]
	for _, s := range here {
		key := readingKey{s.expect, 0, min(s.comma, 0)}
		if s.top != nil {
			key.hash = s.top.hash
		}
		if cost, ok := r.seen[key]; ok && cost <= s.cost {
			continue
		}
		if len(kept) >= beamWidth || s.cost > here[0].cost+beamMargin {
			break
		}
		r.seen[key] = s.cost
		kept = append(kept, s)
	}
	return kept
}

// emit queues a reading at the next token.
func (r *jsonRepair) emit(s reading) {
	if s.top != nil && s.top.depth > MaxDepth {
		return
	}
	r.queue.push(r.skip(s))
}

// finish takes a reading that has reached the end.
func (r *jsonRepair) finish(s reading) {
	if r.finished == nil || s.cost < r.finished.cost {
		r.finished = &s
	}
}

// push opens a bracket.
func (r *jsonRepair) push(s reading, array, inserted bool) reading {
	f := &frame{
		parent: s.top, array: array, inserted: inserted, depth: 1,
		open: s.pos, child: -1, hash: 17,
	}
	f.indent, _ = r.margin(s.pos)
	if r.lines[sort.SearchInts(r.lines, s.pos+1)-1] == 0 && s.top != nil && s.top.inserted {
		f.indent = -1 // the first line of a fragment has lost its margin
	}
	if s.top != nil {
		f.depth = s.top.depth + 1
		f.hash = s.top.hash
	}
	after := s.pos
	if !inserted {
		after++
	}
	next := skipBlank(r.text, after)
	if in, first := r.margin(next); first && next > after && next < len(r.text) &&
		r.text[next] != '}' && r.text[next] != ']' {
		f.child = in
	}
	kind := uint64(1)
	if array {
		kind = 2
	}
	f.hash = (f.hash*1099511628211+kind)*1099511628211 + uint64(f.indent+1)<<16 + uint64(f.child+1)
	s.top, s.comma = f, noComma
	s.start, s.end, s.pos = s.pos, after, after
	s.expect = expectKey
	if array {
		s.expect = expectValue
	}
	return s
}

// pushList opens a list that was given other brackets than its own.
func (r *jsonRepair) pushList(s reading, closer byte) reading {
	s = r.push(s.with(costMend, MendMissingOpen, s.pos, s.pos+1, "["), true, false)
	s.top.closer = closer
	return s
}

// isListKey tells whether clients have a list under a key.
func isListKey(key string) bool { return listKeys()[key] }

var listKeys = sync.OnceValue(func() map[string]bool {
	keys := map[string]bool{}
	for _, c := range clients {
		for _, f := range c.Fields {
			if f.Role == RoleArgs || f.Role == RoleCommand || f.Role == RoleIncludeTools {
				keys[f.Name] = true
			}
		}
	}
	return keys
})

// close takes the closing bracket at s.pos.
func (r *jsonRepair) close(s reading) reading {
	if s.comma >= 0 && r.strict {
		s = s.with(0, MendTrailingComma, s.comma, s.comma+1, "")
	}
	s.pos++
	return s.closed(s.pos)
}

// closed leaves the innermost bracket, which ended at end.
func (s reading) closed(end int) reading {
	s.start, s.end, s.comma = s.top.open, end, noComma
	s.expect = expectComma
	if s.top.parent == nil {
		s.expect = expectEnd // and keep the frame, should the text go on
		return s
	}
	s.top = s.top.parent
	return s
}

// pop inserts the closing bracket that is missing after the last value.
func (r *jsonRepair) pop(s reading, cost int) (reading, bool) {
	if s.top == nil || s.top.parent == nil || s.comma == insertedComma {
		return s, false
	}
	comma, end := s.comma, s.end
	s = s.with(cost, MendMissingClose, s.end, s.end, r.closer(s.top)).closed(end)
	if comma >= 0 {
		s.comma = comma
		s.expect = s.next()
	}
	return s, true
}

// next is what follows a comma in the innermost bracket.
func (s reading) next() expectation {
	if s.top.array {
		return expectValue
	}
	return expectKey
}

// closer writes the bracket that closes f, on a line of its own where the
// bracket's content has lines of its own.
func (r *jsonRepair) closer(f *frame) string {
	mark := "}"
	if f.array {
		mark = "]"
	}
	switch {
	case f.inserted && f.parent == nil && strings.Contains(r.text, "\n"):
		return r.newline + mark
	case f.child < 0 || f.inserted:
		return mark
	}
	line := r.text[r.lines[sort.SearchInts(r.lines, f.open+1)-1]:f.open]
	return r.newline + line[:len(line)-len(strings.TrimLeft(line, " \t"))] + mark
}

func newlineOf(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// margin gives the width of the blank that the line of pos begins with, and
// tells whether pos is its first character. Invisible characters count as the
// width they show.
func (r *jsonRepair) margin(pos int) (width int, first bool) {
	at := r.lines[sort.SearchInts(r.lines, pos+1)-1]
	for at < pos {
		switch c := r.text[at]; {
		case c == ' ' || c == '\t':
			at++
			width++
			continue
		case c >= utf8.RuneSelf:
			if size, instead, ok := invisibleAt(r.text, at); ok {
				at += size
				width += len(instead)
				continue
			}
		}
		return width, false
	}
	return width, true
}

// readingHeap is a binary heap by offset.
type readingHeap []reading

func (h *readingHeap) push(s reading) {
	*h = append(*h, s)
	q := *h
	for i := len(q) - 1; i > 0; {
		up := (i - 1) / 2
		if q[up].pos <= q[i].pos {
			break
		}
		q[up], q[i] = q[i], q[up]
		i = up
	}
}

func (h *readingHeap) pop() reading {
	q := *h
	top := q[0]
	last := len(q) - 1
	q[0] = q[last]
	q = q[:last]
	*h = q
	for i := 0; ; {
		least := i
		for _, down := range [2]int{2*i + 1, 2*i + 2} {
			if down < last && q[down].pos < q[least].pos {
				least = down
			}
		}
		if least == i {
			return top
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}
