package config

import (
	"fmt"
	"slices"
	"strings"
)

// maxSettlings bounds how many doubles are settled: each costs a look at all
// mends.
const maxSettlings = 100

// settleTables mends tables and keys that are defined twice. It works on what
// the statements mean after the other mends.
func (m *tomlMender) settleTables() {
	sections := m.sections()
	first := map[string]*tomlSection{}
	arrays := map[string]int{} // elements so far
	for _, s := range sections {
		if s.header == nil {
			m.settleKeys(s)
			continue
		}
		path := scopedPath(s.header.names, arrays)
		if s.header.kind == tomlArrayHeader {
			if first[path] == nil {
				arrays[path]++
				m.settleKeys(s)
				continue
			}
			// [[a]] after [a]: the table came first, so it is one.
			m.mend(MendDuplicateTable, s.header.array.Start, s.header.array.Start+1, "")
			m.mend(MendDuplicateTable, s.header.array.End-1, s.header.array.End, "")
		} else if arrays[path] > 0 {
			arrays[path]++
			m.mend(MendDuplicateTable, s.header.array.Start, s.header.array.Start, "[")
			m.mend(MendDuplicateTable, s.header.array.End, s.header.array.End, "]")
			m.settleKeys(s)
			continue
		}
		if earlier := first[path]; earlier != nil {
			if m.settlings++; m.settlings > maxSettlings {
				return
			}
			m.join(earlier, s, sections)
			continue
		}
		first[path] = s
		m.settleKeys(s)
	}
}

// tomlSection is a header with the pairs below it; the pairs before the first
// header have none.
type tomlSection struct {
	header *brokenStatement
	pairs  []*brokenStatement
	end    int // where the next section begins
	tail   int // behind the last statement
}

func (m *tomlMender) sections() []*tomlSection {
	sections := []*tomlSection{{}}
	for i := range m.statements {
		st := &m.statements[i]
		current := sections[len(sections)-1]
		if st.kind == tomlPair {
			current.pairs = append(current.pairs, st)
			current.tail = st.End
			continue
		}
		current.end = st.Start
		sections = append(sections, &tomlSection{header: st, tail: st.End})
	}
	sections[len(sections)-1].end = len(m.text)
	return sections
}

// scopedPath writes a path with the element that each array of tables on the
// way has come to: every element may have the same tables anew.
func scopedPath(names []string, arrays map[string]int) string {
	path := ""
	for i, name := range names {
		path += Pointer(name)
		if n := arrays[path]; n > 0 && i < len(names)-1 {
			path += fmt.Sprintf("/%d", n)
		}
	}
	return path
}

// settleKeys mends a key that is set twice in a section: of equal values one
// goes, of different ones the last counts and the earlier is kept as a comment.
func (m *tomlMender) settleKeys(s *tomlSection) {
	seen := map[string]*brokenStatement{}
	for _, pair := range s.pairs {
		name := Pointer(pair.names...)
		earlier := seen[name]
		seen[name] = pair
		if earlier == nil {
			continue
		}
		if m.settlings++; m.settlings > maxSettlings {
			return
		}
		if m.valueText(earlier) == m.valueText(pair) {
			m.remove(pair)
			seen[name] = earlier
			continue
		}
		m.mend(MendDuplicateTable, earlier.key.Start, earlier.key.Start, "# ")
		for i := earlier.value.Start; i < earlier.value.End; i++ {
			if m.text[i] == '\n' {
				m.mend(MendDuplicateTable, i+1, i+1, "# ")
			}
		}
	}
}

func (m *tomlMender) valueText(st *brokenStatement) string {
	text, ok := m.mended(st.value)
	if !ok {
		text = m.text[st.value.Start:st.value.End]
	}
	return strings.TrimSpace(text)
}

// remove takes a statement out together with its line, but for a comment.
func (m *tomlMender) remove(st *brokenStatement) {
	end := st.array.End
	if st.kind == tomlPair {
		end = st.value.End
	}
	if rest, ok := m.mended(Span{end, st.End}); !ok || strings.TrimSpace(rest) == "" {
		end = st.End
	}
	m.dropMends(Span{st.Start, end})
	m.mend(MendDuplicateTable, st.Start, end, "")
}

// dropMends forgets what was to be mended in a range that goes as a whole.
func (m *tomlMender) dropMends(s Span) {
	m.mends = slices.DeleteFunc(m.mends, func(e Mend) bool {
		return e.Start >= s.Start && e.End <= s.End && e.Start < s.End
	})
}

// join brings two sections of one name together.
func (m *tomlMender) join(earlier, s *tomlSection, sections []*tomlSection) {
	have := map[string]*brokenStatement{}
	for _, pair := range earlier.pairs {
		have[Pointer(pair.names...)] = pair
	}
	conflict := false
	for _, pair := range s.pairs {
		if other := have[Pointer(pair.names...)]; other != nil && m.valueText(other) != m.valueText(pair) {
			conflict = true
		}
	}
	if conflict {
		// Two servers under one name: both stay, the second under another.
		name := m.freeName(s.header, sections)
		m.dropMends(s.header.key)
		m.mend(MendDuplicateTable, s.header.key.Start, s.header.key.End, tomlKeyText(name))
		m.settleKeys(s)
		return
	}
	m.remove(s.header)
	var moved []*brokenStatement
	for _, pair := range s.pairs {
		if have[Pointer(pair.names...)] != nil {
			m.remove(pair)
			continue
		}
		moved = append(moved, pair)
	}
	if earlier.end == s.header.Start {
		earlier.pairs = append(earlier.pairs, moved...)
		earlier.end, earlier.tail = s.end, max(earlier.tail, s.tail)
		return
	}
	for _, pair := range moved {
		line, ok := m.mended(pair.Span)
		if !ok {
			continue
		}
		m.dropMends(pair.Span)
		if !strings.HasSuffix(line, "\n") {
			line += "\n"
		}
		m.mend(MendDuplicateTable, earlier.tail, earlier.tail, line)
		m.mend(MendDuplicateTable, pair.Start, pair.End, "")
	}
}

// mended gives a piece of the text with its mends carried out.
func (m *tomlMender) mended(s Span) (string, bool) {
	var edits []Edit
	for _, mend := range m.mends {
		if mend.Start >= s.Start && mend.End <= s.End {
			edits = append(edits, Edit{mend.Start - s.Start, mend.End - s.Start, mend.Insert, ""})
		}
	}
	text, err := Edited(m.text[s.Start:s.End], edits)
	return text, err == nil
}

func (m *tomlMender) freeName(header *brokenStatement, sections []*tomlSection) string {
	last := len(header.names) - 1
	for n := 2; ; n++ {
		name := fmt.Sprintf("%s-%d", header.names[last], n)
		names := append(slices.Clone(header.names[:last]), name)
		if !slices.ContainsFunc(sections, func(s *tomlSection) bool {
			return s.header != nil && slices.Equal(s.header.names, names)
		}) {
			return name
		}
	}
}
