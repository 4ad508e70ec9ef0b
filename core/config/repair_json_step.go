package config

import (
	"strings"
	"unicode/utf8"
)

// step reads one token, or explains why it cannot stand where it does.
func (r *jsonRepair) step(s reading) {
	if s.pos >= len(r.text) {
		r.stepEnd(s)
		return
	}
	switch s.expect {
	case expectKey:
		r.stepKey(s)
	case expectColon:
		r.stepColon(s)
	case expectValue:
		r.stepValue(s)
	case expectComma:
		r.stepComma(s)
	case expectEnd:
		r.stepAfterEnd(s)
	}
}

// stepEnd closes what is open at the end of the text.
func (r *jsonRepair) stepEnd(s reading) {
	if s.top == nil || s.comma == insertedComma {
		return // nothing but blank and comments, or a comma for nothing
	}
	member := s.expect == expectValue && !s.top.array
	if s.expect == expectColon {
		s = s.with(costValue, MendMissingValue, s.end, s.end, ": null")
	} else if member {
		s = s.with(costValue, MendMissingValue, s.end, s.end, " null")
	}
	if s.expect != expectEnd {
		at := s.end
		if s.comma >= 0 && !member {
			if r.strict {
				s = s.with(0, MendTrailingComma, s.comma, s.comma+1, "")
			}
			at = s.comma + 1
		}
		// Comments after the last value stay inside the bracket.
		blank := strings.TrimRight(r.text, " \t\r\n")
		if len(blank) > at {
			at = len(blank)
		}
		for f := s.top; f != nil; f = f.parent {
			kind := MendMissingClose
			if f.inserted && f.parent == nil {
				kind = MendFragment
			}
			insert := r.closer(f)
			if at > s.end && insert[0] != '\r' && insert[0] != '\n' && s.comma < 0 {
				insert = r.newline + insert // the last line may be a comment
			}
			s = s.with(costEnd, kind, at, at, insert)
		}
	}
	r.finish(s)
}

func (r *jsonRepair) stepKey(s reading) {
	switch c := r.text[s.pos]; c {
	case '}', ']':
		r.stepClose(s, c)
		return
	case ',':
		r.emit(r.erase(s, costMend, MendExtraComma))
		return
	case ';', ':', '=':
		r.emit(r.erase(s, costUnusual, MendStray))
		return
	case '{', '[':
		r.emit(r.erase(s, costUnusual, MendStray))
		r.tryPop(s)
		return
	}
	r.tryRemark(s)
	penalty := r.outdented(s)
	if penalty > 0 {
		r.tryPop(s)
	}
	for _, t := range r.lex(s.pos, true) {
		next := s.take(t)
		next.cost += penalty
		next.expect = expectColon
		r.emit(next)
	}
}

func (r *jsonRepair) stepColon(s reading) {
	switch c := r.text[s.pos]; c {
	case ':':
		s.pos++
		s.expect, s.end = expectValue, s.pos
		r.emit(s)
	case '=':
		size := 1
		if strings.HasPrefix(r.text[s.pos:], "=>") {
			size = 2
		}
		next := s.with(costMend, MendEquals, s.pos, s.pos+size, ":")
		next.pos += size
		next.expect, next.end = expectValue, next.pos
		r.emit(next)
	case ',', ';':
		next := s.with(costUnusual, MendMissingColon, s.pos, s.pos+1, ":")
		next.pos++
		next.expect, next.end = expectValue, next.pos
		r.emit(next)
		r.emit(r.madeUp(s, ": null"))
	case '}', ']':
		r.emit(r.madeUp(s, ": null"))
	default:
		next := r.insertSign(s, MendMissingColon, ":")
		next.expect = expectValue
		r.emit(next)
		if _, first := r.margin(s.pos); first {
			r.emit(r.madeUp(s, ": null"))
		}
	}
}

func (r *jsonRepair) stepValue(s reading) {
	member := s.top != nil && !s.top.array
	switch c := r.text[s.pos]; {
	case c == '{' || c == '[' || c == '(' && s.top != nil && r.listLike(s.pos+1):
		r.stepOpen(s, c)
	case member && (c == '}' || c == ']' || c == ','):
		r.emit(r.madeUp(s, " null"))
	case s.top != nil && (c == '}' || c == ']' || c == ')' && !member):
		r.stepClose(s, c)
	case c == '}' || c == ']': // before anything was opened
	case c == ',':
		r.emit(r.erase(s, costMend, MendExtraComma))
	case c == ':' || c == '=' || c == ';':
		r.emit(r.erase(s, costUnusual, MendStray))
	case s.top != nil: // a config is an object or an array, never a bare word
		r.stepScalar(s)
	}
}

// stepOpen reads an opening bracket, where it may be one of another kind than
// the value asks for.
func (r *jsonRepair) stepOpen(s reading, c byte) {
	if c == '(' {
		r.emit(r.pushList(s, ')'))
		return
	}
	if s.top != nil && s.top.array {
		penalty := r.outdented(s)
		if penalty > 0 {
			r.tryPop(s)
		}
		s.cost += penalty
	}
	r.emit(r.push(s, c == '[', false))
	if c == '{' && s.top != nil && !s.top.array && r.listLike(s.pos+1) && isListKey(r.lastKey(s)) {
		r.emit(r.pushList(s, '}'))
	}
}

// stepScalar reads a value without brackets of its own: a string, a number, a
// word, or the first key of an object whose brace is missing.
func (r *jsonRepair) stepScalar(s reading) {
	penalty := 0
	if s.top.array {
		penalty = r.outdented(s)
	}
	if r.quotedBracket(s.pos) {
		next := r.erase(s, costMend, MendStray)
		r.stepOpen(next, r.text[next.pos])
	}
	keyLike := r.keyLike(s.pos)
	if keyLike {
		open := s.with(costUnusual, MendMissingOpen, s.pos, s.pos, "{")
		r.emit(r.push(open, false, true))
	}
	if s.top.array && (keyLike || penalty > 0) {
		r.tryPop(s)
	}
	for _, t := range r.lex(s.pos, false) {
		next := s.take(t)
		next.cost += penalty
		next.expect = expectComma
		r.emit(next)
	}
}

func (r *jsonRepair) stepComma(s reading) {
	switch c := r.text[s.pos]; c {
	case '}', ']':
		r.stepClose(s, c)
	case ')':
		if s.top.array {
			r.stepClose(s, c)
		} else {
			r.dropToken(s)
		}
	case ',':
		next := s
		next.comma = s.pos
		next.pos++
		next.expect = s.next()
		r.emit(next)
		if !s.top.array && r.elementLike(s.pos+1) {
			r.openBefore(s)
		}
	case ';':
		after := r.skip(reading{pos: s.pos + 1}).pos
		if after >= len(r.text) || r.text[after] == '}' || r.text[after] == ']' || r.text[after] == ',' {
			r.emit(r.erase(s, costMend, MendSemicolon))
			return
		}
		next := s.with(costMend, MendSemicolon, s.pos, s.pos+1, ",")
		next.pos++
		next.expect = s.next()
		r.emit(next)
	case ':', '=':
		r.emit(r.erase(s, costDrop, MendStray))
	default:
		r.tryRemark(s)
		if c == '.' && blankAt(r.text, s.pos+1) {
			next := s.with(costMend, MendMissingComma, s.pos, s.pos+1, ",")
			next.pos++
			next.expect, next.comma = s.next(), insertedComma
			r.emit(next)
		}
		if c == '"' && s.end == s.pos && (r.text[s.pos-1] == ']' || r.text[s.pos-1] == '}') && r.endsWell(s.pos+1) {
			r.emit(r.erase(s, costSmall, MendStray)) // of quotes around the whole list or object
		}
		next := r.insertSign(s, MendMissingComma, ",")
		next.expect, next.comma = s.next(), insertedComma
		r.emit(next)
		if !isWordByte(c) && c < utf8.RuneSelf && c != '"' && c != '\'' && c != '{' && c != '[' {
			r.dropToken(s)
		}
		if r.outdented(s) > 0 || s.top.array && r.keyLike(s.pos) {
			r.tryPop(s)
		}
		if !s.top.array && c == '"' && r.elementLike(s.pos) {
			r.openBefore(next)
		}
	}
}

// openBefore explains a list without a key by an array whose bracket is
// missing before the last value.
func (r *jsonRepair) openBefore(s reading) {
	inserted := s.with(costMend, MendMissingOpen, s.start, s.start, "[")
	pos, start, end := s.pos, s.start, s.end
	inserted.pos = start
	inserted = r.push(inserted, true, true)
	inserted.pos, inserted.start, inserted.end = pos, start, end
	inserted.expect, inserted.comma = expectComma, noComma
	if s.expect != expectComma {
		inserted.expect = expectValue
	}
	r.emit(inserted)
}

// stepClose reads a closing bracket: the right one, the wrong one, or one that
// stands too far in or out to be meant for what is open.
func (r *jsonRepair) stepClose(s reading, c byte) {
	if s.comma == insertedComma {
		return
	}
	right := s.top.array && c == ']' || !s.top.array && c == '}'
	if c == s.top.closer {
		r.emit(r.close(s.with(0, MendMissingClose, s.pos, s.pos+1, "]")))
		return
	}
	indent, first := r.margin(s.pos)
	odd := first && s.top.child > s.top.indent && (indent != s.top.indent && s.top.indent >= 0 || indent >= s.top.child)
	if right {
		next := s
		if odd {
			next.cost += costIndent
		}
		r.emit(r.close(next))
		if !odd {
			return
		}
	} else {
		mark := "}"
		if s.top.array {
			mark = "]"
		}
		r.emit(r.close(s.with(costMend+costSmall, MendMissingClose, s.pos, s.pos+1, mark)))
	}
	r.emit(r.erase(s, costMend, MendExtraClose))
	r.tryPop(s)
}

// stepAfterEnd explains what follows the closing bracket of the whole.
func (r *jsonRepair) stepAfterEnd(s reading) {
	switch r.text[s.pos] {
	case '}', ']':
		r.emit(r.erase(s, costMend, MendExtraClose))
	case ';':
		r.emit(r.erase(s, costMend, MendSemicolon))
	case ',':
		r.emit(r.erase(s, costMend, MendExtraComma))
	}
	if !s.top.inserted && r.text[s.pos] != ';' {
		// The bracket that closed the whole came too early.
		reopened := s.with(costMend, MendExtraClose, s.end-1, s.end, "")
		reopened.expect = expectComma
		r.emit(reopened)
	}
	rest := strings.TrimRight(r.text[s.pos:], " \t\r\n")
	structure := strings.Count(rest[:min(len(rest), lookAhead/4)], `":`)
	drop := s.with(costDrop+len(rest)/4+costMend*structure, MendAround, s.pos, s.pos+len(rest), "")
	drop.pos = len(r.text)
	r.emit(drop)
}

// insertSign puts a colon or comma behind the last token. One that slipped
// into its quotes, as in "command:" "npx", is moved out of them.
func (r *jsonRepair) insertSign(s reading, kind MendKind, sign string) reading {
	if inside := sign + `"`; s.end-s.start > 3 && strings.HasSuffix(r.text[s.start:s.end], inside) {
		return s.with(costMend, kind, s.end-len(inside), s.end, `"`+sign)
	}
	return s.with(costMend, kind, s.end, s.end, sign)
}

// take consumes a token with the mends that it needs.
func (s reading) take(t token) reading {
	for _, m := range t.mends {
		s.mends = &mendLink{s.mends, m}
	}
	s.cost += t.cost
	s.start, s.end, s.pos, s.comma = s.pos, t.end, t.end, noComma
	return s
}

// erase takes out one character and expects what was expected before.
func (r *jsonRepair) erase(s reading, cost int, kind MendKind) reading {
	s = s.with(cost, kind, s.pos, s.pos+1, "")
	s.pos++
	return s
}

// madeUp inserts a null where a value is missing.
func (r *jsonRepair) madeUp(s reading, insert string) reading {
	at := s.end
	if insert[0] == ' ' && at < s.pos && r.text[at] == ' ' {
		at, insert = at+1, insert[1:] // the space is there already
	}
	s = s.with(costValue, MendMissingValue, at, at, insert)
	s.expect = expectComma
	return s
}

func (r *jsonRepair) tryPop(s reading) {
	if next, ok := r.pop(s, costMend); ok {
		r.emit(next)
	}
}

// tryRemark takes the rest of the line for words that were written beside the
// config: more than one, with nothing of JSON in them.
func (r *jsonRepair) tryRemark(s reading) {
	line := strings.TrimRight(r.text[s.pos:r.lineEnd(s.pos)], " \t\r")
	if !strings.Contains(line, " ") || strings.ContainsAny(line, "\"'`{}[]:=,") {
		return
	}
	s = s.with(costUnusual, MendHashComment, s.pos, s.pos, "// ")
	s.pos += len(line)
	r.emit(s)
}

// dropToken is the last resort: whatever stands here is thrown away.
func (r *jsonRepair) dropToken(s reading) {
	end := s.pos + 1
	for end < len(r.text) && !strings.ContainsRune(" \t\r\n,:{}[]\"", rune(r.text[end])) {
		end++
	}
	s = s.with(costDrop+end-s.pos, MendStray, s.pos, end, "")
	s.pos = end
	r.emit(s)
}

// outdented gives the penalty for a key or element that begins a line at a
// place where the indentation does not put the inside of the open bracket.
func (r *jsonRepair) outdented(s reading) int {
	f := s.top
	if f.child <= f.indent {
		return 0 // the text is not indented by depth
	}
	indent, first := r.margin(s.pos)
	switch {
	case !first || indent == f.child:
		return 0
	case f.indent < 0 && indent < f.child || indent <= f.indent:
		return costIndent
	}
	return 0
}
