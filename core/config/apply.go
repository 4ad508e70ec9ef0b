package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Apply carries out an RFC 6902 patch on the text itself, so that only the
// bytes that must change do. It gives the new text and the edits that lead to
// it, as offsets into the old one. Either all operations are carried out or
// none; an empty patch gives the identical text.
func Apply(text string, format Format, p Patch) (string, []Edit, error) {
	if err := checkSize(text); err != nil {
		return "", nil, err
	}
	if format == "" {
		format = formatOf(text, "")
	}
	switch format {
	case JSON, JSONC:
		return applyEach(text, p, parseJSON, changeJSON)
	case TOML:
		return applyTOML(text, p)
	case YAML:
		return applyYAML(text, p)
	}
	return "", nil, fmt.Errorf("%q is not a config format; use json, jsonc, toml or yaml", format)
}

// change is one step on the text of a document: everything that a patch can
// ask for comes down to these.
type change struct {
	Op     string   // add, remove, replace, or rename: a key gets the name in To and keeps its place
	Names  []string // the path; the last name of an add to an array may be "-"
	Value  *Node    // to add or to put in its place
	Source string   // the text that Value was read from: JSON, or for a move or copy the document
	To     string   // the new name, of a rename
	Own    bool     // Source is the document's own text, so comments in it can come along
}

// applyEach carries out a patch step by step, reading the text anew for each:
// edits computes those of one step against the text and its root.
func applyEach(text string, p Patch, parse func(string) (*Node, error),
	edits func(text string, root *Node, c change) ([]Edit, error)) (string, []Edit, error) {
	done := newHistory(text)
	now := text
	for i, op := range p {
		root, err := parse(now)
		if err != nil {
			return "", nil, fmt.Errorf("reading the config before operation %d of the patch: %w", i+1, err)
		}
		changes, err := changesOf(now, root, op)
		if err != nil {
			return "", nil, fmt.Errorf("operation %d of the patch: %w", i+1, err)
		}
		for j, c := range changes {
			if j > 0 {
				if root, err = parse(now); err != nil {
					return "", nil, fmt.Errorf("operation %d of the patch broke the text: %w", i+1, err)
				}
			}
			step, err := edits(now, root, c)
			if err != nil {
				return "", nil, fmt.Errorf("operation %d of the patch, %s %s: %w", i+1, op.Op, op.Path, err)
			}
			if now, err = Edited(now, step); err != nil {
				return "", nil, fmt.Errorf("operation %d of the patch: %w", i+1, err)
			}
			done.apply(step)
		}
	}
	if len(p) > 0 {
		if _, err := parse(now); err != nil {
			return "", nil, fmt.Errorf("the patched text does not parse: %w", err)
		}
	}
	return now, done.edits(), nil
}

// changesOf turns one operation into changes, and checks a test.
func changesOf(text string, root *Node, op Op) ([]change, error) {
	names, err := SplitPointer(op.Path)
	if err != nil {
		return nil, err
	}
	target := root.At(op.Path)
	switch op.Op {
	case "remove":
		if target == nil || len(names) == 0 {
			return nil, fmt.Errorf("there is nothing to remove at %q", op.Path)
		}
		return []change{{Op: "remove", Names: names}}, nil
	case "move", "copy":
		return carried(text, root, op, names)
	case "add", "replace", "test":
	default:
		return nil, fmt.Errorf("%q is not an operation of a JSON patch", op.Op)
	}
	value, err := parseJSON(string(op.Value))
	if err != nil {
		return nil, fmt.Errorf("the value for %q: %w", op.Path, err)
	}
	switch {
	case op.Op == "test":
		if target == nil || !target.Equal(value) {
			return nil, fmt.Errorf("the value at %q is not the expected one", op.Path)
		}
		return nil, nil
	case op.Op == "replace" && target == nil:
		return nil, fmt.Errorf("there is nothing to replace at %q", op.Path)
	}
	added := change{Op: "add", Names: names, Value: value, Source: string(op.Value)}
	parent := root
	if len(names) > 0 {
		parent = root.At(Pointer(names[:len(names)-1]...))
	}
	switch {
	case parent == nil || len(names) > 0 && parent.Kind != Object && parent.Kind != Array:
		return nil, fmt.Errorf("there is no object or array to hold %q", op.Path)
	case op.Op == "add" && len(names) > 0 && parent.Kind == Array:
		last := names[len(names)-1]
		if i, ok := arrayIndex(last); last != "-" && (!ok || i > len(parent.Elements)) {
			return nil, fmt.Errorf("%q is not a place in an array of %d", op.Path, len(parent.Elements))
		}
		return []change{added}, nil
	case target == nil:
		return []change{added}, nil
	}
	changes := replacing(names, target, value, string(op.Value))
	if len(changes) > maxChanges {
		added.Op = "replace"
		return []change{added}, nil
	}
	return changes, nil
}

// maxChanges bounds how finely a replacement is taken apart, since the text is
// read anew for each change.
const maxChanges = 40

// replacing takes a replacement apart into the changes that really differ, so
// that one new argument does not rewrite the whole list.
func replacing(names []string, old, value *Node, source string) []change {
	if old.Equal(value) {
		return nil
	}
	below := func(name string) []string {
		return append(append(make([]string, 0, len(names)+1), names...), name)
	}
	whole := []change{{Op: "replace", Names: names, Value: value, Source: source}}
	switch {
	case old.Kind == Object && value.Kind == Object && old.unique() && value.unique():
		var changes []change
		kept := 0
		for _, m := range old.Members {
			now := value.Get(m.Name)
			if now == nil {
				changes = append(changes, change{Op: "remove", Names: below(m.Name)})
				continue
			}
			kept++
			changes = append(changes, replacing(below(m.Name), m.Value, now, source)...)
		}
		if kept == 0 {
			return whole
		}
		for _, m := range value.Members {
			if old.Get(m.Name) == nil {
				changes = append(changes, change{Op: "add", Names: below(m.Name), Value: m.Value, Source: source})
			}
		}
		return changes
	case old.Kind == Array && value.Kind == Array && len(old.Elements) > 0 && len(value.Elements) > 0:
		return replacingElements(names, old, value, source, below)
	}
	return whole
}

func replacingElements(names []string, old, value *Node, source string, below func(string) []string) []change {
	from, oldEnd, newEnd := 0, len(old.Elements), len(value.Elements)
	for from < oldEnd && from < newEnd && old.Elements[from].Equal(value.Elements[from]) {
		from++
	}
	for oldEnd > from && newEnd > from && old.Elements[oldEnd-1].Equal(value.Elements[newEnd-1]) {
		oldEnd--
		newEnd--
	}
	var changes []change
	for ; from < oldEnd && from < newEnd; from++ {
		changes = append(changes, replacing(below(strconv.Itoa(from)), old.Elements[from], value.Elements[from], source)...)
	}
	for i := oldEnd - 1; i >= from; i-- {
		changes = append(changes, change{Op: "remove", Names: below(strconv.Itoa(i))})
	}
	for i := from; i < newEnd; i++ {
		changes = append(changes, change{Op: "add", Names: below(strconv.Itoa(i)), Value: value.Elements[i], Source: source})
	}
	return changes
}

// unique tells whether no key of an object stands twice.
func (n *Node) unique() bool {
	seen := make(map[string]bool, len(n.Members))
	for _, m := range n.Members {
		if seen[m.Name] {
			return false
		}
		seen[m.Name] = true
	}
	return true
}

// carried turns a move or copy into changes.
func carried(text string, root *Node, op Op, names []string) ([]change, error) {
	from, err := SplitPointer(op.From)
	if err != nil {
		return nil, err
	}
	source := root.At(op.From)
	switch {
	case source == nil:
		return nil, fmt.Errorf("there is nothing at %q to %s", op.From, op.Op)
	case op.Op == "move" && op.Path == op.From:
		return nil, nil
	case op.Op == "move" && strings.HasPrefix(op.Path+"/", op.From+"/"):
		return nil, fmt.Errorf("%q cannot be moved into itself", op.From)
	}
	added := change{Op: "add", Names: names, Value: source, Source: text, Own: true}
	if op.Op == "copy" {
		return checkedAdd(root, added, op.Path)
	}
	if parent := from[:len(from)-1]; len(from) == len(names) && slices.Equal(parent, names[:len(parent)]) {
		holder := root.At(Pointer(parent...))
		if to := names[len(parent)]; holder.Kind == Object && holder.Get(to) == nil {
			return []change{{Op: "rename", Names: from, To: to}}, nil
		}
	}
	// The place to add to is the one after the removal, as RFC 6902 has it.
	return []change{{Op: "remove", Names: from}, added}, nil
}

func checkedAdd(root *Node, c change, path string) ([]change, error) {
	if len(c.Names) > 0 {
		if parent := root.At(Pointer(c.Names[:len(c.Names)-1]...)); parent == nil || parent.Kind != Object && parent.Kind != Array {
			return nil, fmt.Errorf("there is no object or array to hold %q", path)
		}
	}
	return []change{c}, nil
}
