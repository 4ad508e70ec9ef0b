package config

import "strings"

// evenOut moves lines to the column of the level that they belong to, and
// writes their indentation in spaces.
func (m *yamlMender) evenOut() {
	var levels []yamlLevel
	var above *brokenLine
	moved, movedFrom := 0, -1 // by how much the line above has moved, and from where
	for i := range m.lines {
		line := &m.lines[i]
		if line.kind == lineText {
			m.reindent(line, line.indent)
			continue
		}
		original := line.indent
		column := original
		if movedFrom >= 0 && above.opens && original > movedFrom && original <= above.openColumn() {
			column += moved
		}
		moved, movedFrom = 0, -1
		column = m.columnFor(i, column, levels, above)
		levels = push(levels, line, column)
		m.reindent(line, column)
		if column != original {
			moved, movedFrom = column-original, original
			line.shift(column - original)
		}
		above = line
	}
}

// yamlLevel is a column at which a collection stands open.
type yamlLevel struct {
	column int
	kind   lineKind
	names  map[string]bool
}

// openColumn is the column of the innermost thing that a line begins.
func (l *brokenLine) openColumn() int {
	if l.key >= 0 {
		return l.key
	}
	if n := len(l.dashes); n > 0 {
		return l.dashes[n-1]
	}
	return l.indent
}

func (l *brokenLine) shift(by int) {
	l.indent += by
	if l.key >= 0 {
		l.key += by
	}
	for i := range l.dashes {
		l.dashes[i] += by
	}
}

// push opens the levels of a line that stands at a column and closes deeper
// ones.
func push(levels []yamlLevel, line *brokenLine, column int) []yamlLevel {
	by := column - line.indent
	for len(levels) > 0 {
		top := levels[len(levels)-1]
		if top.column < column || top.column == column && (top.kind == line.kind || line.kind == lineEntry) {
			break
		}
		levels = levels[:len(levels)-1]
	}
	enter := func(at int, kind lineKind) {
		if n := len(levels); n > 0 && levels[n-1].column == at && levels[n-1].kind == kind {
			return
		}
		levels = append(levels, yamlLevel{at, kind, map[string]bool{}})
	}
	for _, dash := range line.dashes {
		enter(dash+by, lineEntry)
	}
	if line.key >= 0 {
		if len(line.dashes) > 0 {
			levels = append(levels, yamlLevel{line.key + by, lineKey, map[string]bool{}})
		} else {
			enter(line.key+by, lineKey)
		}
		levels[len(levels)-1].names[line.name] = true
	}
	return levels
}

// columnFor decides where a line belongs.
func (m *yamlMender) columnFor(i, column int, levels []yamlLevel, above *brokenLine) int {
	line := &m.lines[i]
	if above == nil {
		return m.firstColumn(i, column)
	}
	if above.opens {
		open := above.openColumn()
		if column > open || line.kind == lineEntry && column == open && above.key >= 0 {
			return m.childColumn(i, column, open)
		}
	}
	best, bestCost := column, 1<<30
	for _, level := range levels {
		if level.kind != line.kind {
			continue
		}
		distance := level.column - column
		if distance < 0 {
			distance = -distance
		}
		cost := 4 * distance
		if line.kind == lineKey && level.names[line.name] {
			cost += 40
		}
		if line.opens && i+1 < len(m.lines) && distance > 0 {
			if below := m.lines[i+1]; below.indent != level.column+m.step && !(below.kind == lineEntry && below.indent == level.column && !m.hanging) {
				cost += 3
			}
		}
		if distance > 0 && level.column < column {
			cost++
		}
		if cost < bestCost {
			best, bestCost = level.column, cost
		}
	}
	return best
}

// firstColumn is that of the first line: the column of the other top keys.
func (m *yamlMender) firstColumn(i, column int) int {
	for _, other := range m.lines[i+1:] {
		if other.kind != lineText && other.indent < column {
			return other.indent
		}
	}
	return column
}

// childColumn is that of the first line of a collection. It may be the one
// line that is off while those after it stand right.
func (m *yamlMender) childColumn(i, column, open int) int {
	line := &m.lines[i]
	for _, other := range m.lines[i+1 : min(len(m.lines), i+200)] {
		if other.indent <= open && !(line.kind == lineEntry && other.kind == lineEntry && other.indent == open) {
			return column
		}
		if other.kind != line.kind || line.opens && other.indent > column || line.key >= 0 && len(line.dashes) > 0 && other.indent > column+1 {
			continue
		}
		if other.indent == column {
			return column
		}
		if line.opens && other.indent > column {
			continue
		}
		if other.indent-open == m.step || column-open != m.step {
			return other.indent
		}
		return column
	}
	return column
}

// reindent writes the indentation of a line where it changes, and of the block
// scalar below it where that would no longer belong to it.
func (m *yamlMender) reindent(line *brokenLine, column int) {
	kind := MendIndentation
	if !line.clean {
		kind = MendInvisible
		if strings.Contains(m.text[line.start:line.content], "\t") {
			kind = MendTab
		}
	}
	by := column - line.indent
	if by != 0 || !line.clean {
		m.mend(kind, line.start, line.content, strings.Repeat(" ", max(column, 0)))
	}
	for at := line.block.Start; at < line.block.End; {
		content, columns, clean := m.indentation(at)
		end := m.lineEnd(at)
		if content < end && (!clean || by > 0) {
			m.mend(kind, at, content, strings.Repeat(" ", columns+max(by, 0)))
		}
		at = end + breakSize(m.text, end)
		if at == end {
			break
		}
	}
}
