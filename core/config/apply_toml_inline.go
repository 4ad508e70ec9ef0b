package config

import (
	"errors"
	"strings"
)

// errNotation says that a change does not fit the notation of what it changes,
// so that something around it has to be written anew.
var errNotation = errors.New("the notation cannot hold this change")

// bracketEdits changes an array or an inline table.
func (w *tomlWriter) bracketEdits(parent *Node, name string, c change) ([]Edit, error) {
	if opener := w.text[parent.Start]; opener != '[' && opener != '{' {
		return nil, errNotation // a table that a dotted key in braces makes
	}
	list := entriesOf(parent)
	place := len(list)
	if parent.Kind == Object {
		for i, m := range parent.Members {
			if m.Value.Start < m.Key.End || strings.TrimSpace(w.text[m.Key.End:m.Value.Start]) != "=" {
				return nil, errNotation // a dotted key
			}
			if m.Name == name {
				place = i
			}
		}
	} else if i, ok := arrayIndex(name); ok {
		place = i
	}
	switch {
	case c.Op == "rename" && place < len(list):
		key := parent.Members[place].Key
		return []Edit{{Start: key.Start, End: key.End, Insert: tomlKeyText(c.To)}}, nil
	case c.Op == "remove" && place < len(list):
		return bracketRemove(w.text, parent, list, place), nil
	case place < len(list) && (c.Op == "replace" || parent.Kind == Object):
		value := list[place].value
		return []Edit{{Start: value.Start, End: value.End, Insert: w.inline(c)}}, nil
	case c.Op != "add" || place > len(list):
		return nil, errNotation
	}
	text := w.inline(c)
	if parent.Kind == Object {
		text = tomlKeyText(name) + " = " + text
		if len(list) == 0 {
			return []Edit{{Start: parent.Start, End: parent.End, Insert: "{ " + text + " }"}}, nil
		}
	}
	return bracketInsert(w.text, parent, list, place, text, w.newline), nil
}

// bracketInsert puts a new entry between brackets: on a line of its own where
// the others have one.
func bracketInsert(text string, parent *Node, list []entry, place int, insert, newline string) []Edit {
	if len(list) == 0 {
		return []Edit{{Start: parent.Start + 1, End: parent.Start + 1, Insert: insert}}
	}
	lineStart := strings.LastIndexByte(text[:list[min(place, len(list)-1)].start], '\n') + 1
	indent := text[lineStart:list[min(place, len(list)-1)].start]
	ownLine := strings.TrimSpace(indent) == "" && lineStart > parent.Start
	if place < len(list) {
		separator := ", "
		if ownLine {
			separator = "," + newline + indent
		}
		at := list[place].start
		return []Edit{{Start: at, End: at, Insert: insert + separator}}
	}
	last := list[len(list)-1].value.End
	if !ownLine {
		return []Edit{{Start: last, End: last, Insert: ", " + insert}}
	}
	comma := commaAfter(text, last, parent.End)
	end := last
	if comma >= 0 {
		end = comma + 1
	}
	// Behind a comment on the line of the last entry.
	at := end
	if i := strings.IndexAny(text[end:parent.End], "\r\n"); i >= 0 && startsComment(text[end:end+i]) {
		at = end + i
	}
	if comma >= 0 {
		return []Edit{{Start: at, End: at, Insert: newline + indent + insert + ","}}
	}
	return []Edit{{Start: last, End: last, Insert: ","}, {Start: at, End: at, Insert: newline + indent + insert}}
}

func startsComment(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text, " \t"), "#")
}

// commaAfter gives the comma that follows a value, -1 where none does.
func commaAfter(text string, at, end int) int {
	for at < end {
		switch c := text[at]; {
		case c == ',':
			return at
		case c == '#':
			for at < end && text[at] != '\n' {
				at++
			}
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
		default:
			return -1
		}
	}
	return -1
}

// bracketRemove takes an entry out from between brackets and leaves comments.
func bracketRemove(text string, parent *Node, list []entry, place int) []Edit {
	start, end := list[place].start, list[place].value.End
	inner := text[parent.Start+1 : parent.End-1]
	if !strings.Contains(inner, "\n") {
		switch {
		case place > 0:
			return []Edit{{Start: list[place-1].value.End, End: end}}
		case len(list) > 1:
			return []Edit{{Start: start, End: list[1].start}}
		}
		return []Edit{{Start: parent.Start + 1, End: parent.End - 1}}
	}
	comma := commaAfter(text, end, parent.End)
	edits := []Edit{{Start: start, End: end}}
	switch {
	case comma >= 0 && strings.TrimSpace(text[end:comma]) == "":
		edits[0].End = comma + 1
	case comma >= 0:
		edits = append(edits, Edit{Start: comma, End: comma + 1})
	case place > 0 && parent.Kind == Object:
		if before := commaAfter(text, list[place-1].value.End, parent.End); before >= 0 {
			edits = append([]Edit{{Start: before, End: before + 1}}, edits...)
		}
	}
	// A line that has nothing else goes as a whole.
	own := &edits[len(edits)-1]
	if comma >= 0 && own.Start == comma {
		own = &edits[0]
	}
	from := strings.LastIndexByte(text[:own.Start], '\n') + 1
	to := own.End
	for to < len(text) && (text[to] == ' ' || text[to] == '\t') {
		to++
	}
	if size := breakSize(text, to); size > 0 && from > parent.Start && strings.TrimSpace(text[from:own.Start]) == "" {
		own.Start, own.End = from, to+size
	} else if from <= parent.Start || strings.TrimSpace(text[from:own.Start]) != "" {
		if size == 0 && text[to] != '#' {
			own.End = to
		}
	}
	return edits
}
