package config

import "strings"

// What a reading sees before it takes a step: none of these move it.

// keyLike tells whether a quoted or bare word followed by a colon stands at
// pos.
func (r *jsonRepair) keyLike(pos int) bool {
	end := r.wordEnd(pos)
	if end == pos {
		return false
	}
	end = skipBlank(r.text, end)
	if end >= len(r.text) {
		return false
	}
	switch r.text[end] {
	case ':':
		return !strings.HasPrefix(r.text[end:], "://")
	case '=':
		return r.text[pos] == '"' || r.text[pos] == '\''
	}
	return false
}

// elementLike tells whether a string without a colon after it stands at pos.
func (r *jsonRepair) elementLike(pos int) bool {
	pos = skipBlank(r.text, pos)
	if pos >= len(r.text) || r.text[pos] != '"' {
		return false
	}
	end := skipBlank(r.text, r.wordEnd(pos))
	return end < len(r.text) && (r.text[end] == ',' || r.text[end] == ']')
}

// listLike tells whether a string that ends like an element of a list stands
// at pos.
func (r *jsonRepair) listLike(pos int) bool {
	pos = skipBlank(r.text, pos)
	if _, _, quote := quoteAt(r.text, pos); !quote {
		return false
	}
	end := skipBlank(r.text, r.wordEnd(pos))
	return end > pos && end < len(r.text) && strings.IndexByte(",)}]", r.text[end]) >= 0
}

// quotedBracket tells whether a list or an object with strings in it begins at
// pos, with a quote before its bracket.
func (r *jsonRepair) quotedBracket(pos int) bool {
	rest := r.text[pos:min(len(r.text), pos+2)]
	next := skipBlank(r.text, pos+2)
	return (rest == `"[` || rest == `"{`) && next < len(r.text) && r.text[next] == '"'
}

// lastKey gives the text of the key whose value is expected.
func (r *jsonRepair) lastKey(s reading) string {
	return strings.Trim(r.text[s.start:s.end], " \t\r\n:=\"'“”")
}

// wordEnd gives the end of the quoted or bare word at pos, on one line and
// within sight.
func (r *jsonRepair) wordEnd(pos int) int {
	if pos >= len(r.text) {
		return pos
	}
	limit := min(len(r.text), pos+lookAhead)
	if q := r.text[pos]; q == '"' || q == '\'' {
		for i := pos + 1; i < limit && r.text[i] != '\n'; i++ {
			switch r.text[i] {
			case '\\':
				i++
			case q:
				return i + 1
			}
		}
		return pos
	}
	if _, style, ok := quoteAt(r.text, pos); ok {
		for i := pos + 1; i < limit && r.text[i] != '\n'; i++ {
			if size, close, ok := quoteAt(r.text, i); ok && close == style {
				return i + size
			}
		}
		return pos
	}
	i := pos
	for i < limit && isWordByte(r.text[i]) {
		i++
	}
	return i
}
