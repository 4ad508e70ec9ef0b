package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"mcpmend/core/config"
)

// maxTrials bounds a repair: each trial costs a validation.
const maxTrials = 60

// mend is one change that may need no guess.
type mend struct {
	at   []string // the value as it is now
	to   []string // where it goes, for a renamed member
	drop bool     // the member is left out
	with any      // else its new value
	what string
	all  bool // nothing may be wrong below either
}

// repair makes the mends that need no guess and hangs their patches on the
// issues they belong to. order is that of the caller's keys. Mends are
// validated before they are kept: they must remove what was wrong at their
// places and break nothing elsewhere. All are tried together first, then one
// by one; a mend may uncover another, so there are rounds.
func (s *Schema) repair(value any, order ranks, issues []Issue, failures []failure) (repaired any, repairs []Repair, valid bool) {
	owners := map[string]int{}
	for i, issue := range issues {
		owners[issue.Field] = i
	}
	work, trials := value, 0
	try := func(mends []mend) bool {
		next := work
		for _, m := range mends {
			next = m.apply(next)
		}
		remaining, err := s.failuresOf(next)
		if trials++; err != nil || !help(mends, failures, remaining) {
			return false
		}
		for _, m := range mends {
			owner, _ := m.owner(owners)
			issues[owner].Patch = append(issues[owner].Patch, m.op(s.rank))
			repairs = append(repairs, Repair{Field: config.Pointer(m.at...), What: m.what})
			if m.to != nil {
				owners[config.Pointer(m.to...)] = owner
				order.rename(m.at[len(m.at)-1], m.to[len(m.to)-1])
			}
		}
		work, failures = next, remaining
		return true
	}
	for progress := true; progress && trials < maxTrials; {
		var mends []mend
		for _, group := range byPlace(failures) {
			m, ok := s.certainMend(work, group)
			if _, owned := m.owner(owners); ok && owned && !slices.ContainsFunc(mends, m.overlaps) {
				mends = append(mends, m)
			}
		}
		if progress = len(mends) > 0 && try(mends); progress {
			continue
		}
		for _, m := range mends {
			if progress = trials < maxTrials && try([]mend{m}); progress {
				break // the places may have moved
			}
		}
	}
	return work, repairs, len(repairs) > 0 && len(failures) == 0
}

// owner finds the issue that a mend belongs to.
func (m mend) owner(owners map[string]int) (int, bool) {
	if owner, owned := ownerOf(owners, m.at); owned || m.to == nil {
		return owner, owned
	}
	return ownerOf(owners, m.to)
}

// overlaps reports whether two mends touch the same value.
func (m mend) overlaps(other mend) bool {
	for _, a := range [][]string{m.at, m.to} {
		for _, b := range [][]string{other.at, other.to} {
			if a != nil && b != nil && slices.Equal(a[:min(len(a), len(b))], b[:min(len(a), len(b))]) {
				return true
			}
		}
	}
	return false
}

// ownerOf finds the issue whose place is at or above a place.
func ownerOf(owners map[string]int, at []string) (int, bool) {
	for length := len(at); length >= 0; length-- {
		if owner, ok := owners[config.Pointer(at[:length]...)]; ok {
			return owner, true
		}
	}
	return 0, false
}

func (s *Schema) failuresOf(value any) ([]failure, error) {
	err := s.validate(s.root, value)
	if err == nil {
		return nil, nil
	}
	invalid := &jsonschema.ValidationError{}
	if !errors.As(err, &invalid) {
		return nil, err
	}
	return s.allFailures(value, invalid), nil
}

// certainMend gives the mend of a place, where exactly one comes into question.
func (s *Schema) certainMend(value any, group []failure) (mend, bool) {
	f := group[0]
	if f.near != "" {
		return renaming(f), true
	}
	received, present := lookUp(value, f.at)
	if !present {
		return mend{}, false
	}
	m := mend{at: f.at}
	replace := func(with any, what string) (mend, bool) {
		m.with, m.what = with, what
		return m, true
	}
	switch f.kind.(type) {
	case *kind.AdditionalProperties, *kind.PropertyNames, *kind.Not, *kind.FalseSchema, *kind.Contains:
		return m, false
	}
	wanted := s.wanted(group)
	if received == nil && wanted.types&nullType == 0 && !s.requiredAt(f) && f.union == nil {
		m.drop, m.what = true, fmt.Sprintf("left out %s, which was null", label(f.at))
		return m, true
	}
	if wanted.enumerated {
		if with, ok := meantValue(received, wanted.enum); ok {
			return replace(with, fmt.Sprintf("took %s as %s", jsonText(masked("", received)), jsonText(with)))
		}
		return m, false
	}
	if wanted.types&typeOf(received) == 0 {
		with, what, ok := retyped(received, wanted.types)
		if !ok {
			return m, false
		}
		m.all = what == wrapped // a single value only where it is of the right kind
		return replace(with, what)
	}
	if text, ok := received.(string); ok {
		if trimmed := strings.TrimSpace(text); trimmed != text {
			return replace(trimmed, "removed the space around the text")
		}
	}
	return m, false
}

// wanted is the view of what a place asks for; the types of a union are those
// of all its branches.
func (s *Schema) wanted(group []failure) *view {
	var schemas []*jsonschema.Schema
	for _, f := range group {
		if f.union != nil {
			out := merge()
			out.types = 0
			for _, branch := range f.union.branches {
				out.types |= merge(branch).types
			}
			if f.union.discriminant != "" {
				out.types = anyType
				out.allow(f.union.allowed)
			}
			return out
		}
		if f.schema != nil {
			schemas = append(schemas, f.schema)
		}
	}
	return merge(schemas...)
}

func renaming(f failure) mend {
	name := f.at[len(f.at)-1]
	parent := f.at[:len(f.at)-1]
	from, to := name, f.near
	if _, isMissing := f.kind.(*kind.Required); isMissing {
		from, to = f.near, name
	}
	return mend{
		at:   append(slices.Clone(parent), from),
		to:   append(slices.Clone(parent), to),
		what: fmt.Sprintf("renamed %s to %s", quoted(from), quoted(to)),
	}
}

// meantValue finds the one value of an enum that differs from the received
// one by case, separators, surrounding space or quotes only.
func meantValue(received any, enum []any) (any, bool) {
	plain := func(value any) string {
		switch value := value.(type) {
		case string:
			return plainName(strings.TrimSpace(value))
		case json.Number:
			return value.String()
		case bool:
			return strconv.FormatBool(value)
		}
		return ""
	}
	given := plain(received)
	var found []any
	for _, value := range enum {
		if given != "" && plain(value) == given {
			found = append(found, value)
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// wrapped is what was done to a single value where several are wanted.
const wrapped = "put the single value into an array"

// retyped reads a value as one of the wanted types, if there is one way only.
func retyped(received any, wanted typeSet) (with any, what string, ok bool) {
	switch received := received.(type) {
	case string:
		if with, ok := literal(received, wanted); ok {
			return with, fmt.Sprintf("read the string as the %s it contains", typeName(with)), true
		}
		// A text with commas may be one value or several.
		if wanted&arrayType != 0 && wanted == arrayType && !strings.ContainsAny(received, ",;\n") && strings.TrimSpace(received) != "" {
			return []any{received}, wrapped, true
		}
	case json.Number:
		if wanted&stringType != 0 {
			return received.String(), "wrote the number as a string", true
		}
		if wanted == arrayType {
			return []any{received}, wrapped, true
		}
	case bool, map[string]any:
		if wanted == arrayType {
			return []any{received}, wrapped, true
		}
	}
	return nil, "", false
}

// literal reads a string as the JSON value of a wanted type that it spells.
func literal(text string, wanted typeSet) (any, bool) {
	trimmed := strings.TrimSpace(text)
	if wanted&numberType != 0 && len(trimmed) < maxNumberLength && reasonable(trimmed) {
		var number json.Number
		if json.Unmarshal([]byte(trimmed), &number) == nil && number != "" && trimmed[0] != '"' && wanted&typeOf(number) != 0 {
			return number, true
		}
	}
	if wanted&booleanType != 0 {
		switch strings.ToLower(trimmed) {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	}
	if wanted&(arrayType|objectType) != 0 {
		if inner, ok := stringified(text); ok && wanted&typeOf(inner) != 0 {
			return inner, true
		}
	}
	return nil, false
}

// stringified reads a string that contains an array or object as JSON, also
// when it was put into quotes more than once.
func stringified(text string) (any, bool) {
	for range 3 {
		trimmed := strings.TrimSpace(text)
		if trimmed == "" || strings.IndexByte(`[{"`, trimmed[0]) < 0 {
			return nil, false
		}
		value, err := decode([]byte(trimmed), maxArgumentBytes, ranks{})
		if err != nil {
			return nil, false
		}
		inner, again := value.(string)
		if !again {
			return value, true
		}
		text = inner
	}
	return nil, false
}

// help reports whether mends removed what was wrong at their places and broke
// nothing elsewhere. What they uncover below is allowed: a string that held an
// array of wrong items is an array now.
func help(mends []mend, before, after []failure) bool {
	known, mended := map[string]bool{}, map[string]bool{}
	for _, f := range before {
		known[config.Pointer(f.at...)] = true
	}
	var below []string
	for _, m := range mends {
		place := config.Pointer(m.at...)
		mended[place] = true
		if !m.all {
			below = append(below, place+"/")
		}
		if m.to != nil {
			target := config.Pointer(m.to...)
			known[target] = true
			below = append(below, target+"/")
		}
	}
	for _, f := range after {
		at := config.Pointer(f.at...)
		if mended[at] || !known[at] && !slices.ContainsFunc(below, func(place string) bool { return strings.HasPrefix(at, place) }) {
			return false
		}
	}
	return true
}

func (m mend) op(rank ranks) config.Op {
	place := config.Pointer(m.at...)
	switch {
	case m.to != nil:
		return config.Op{Op: "move", From: place, Path: config.Pointer(m.to...)}
	case m.drop:
		return config.Op{Op: "remove", Path: place}
	}
	return config.Op{Op: "replace", Path: place, Value: encode(m.with, rank)}
}

// apply makes the change on a copy.
func (m mend) apply(value any) any {
	if m.to != nil {
		moved, _ := lookUp(value, m.at)
		return change(change(value, m.at, true, nil), m.to, false, moved)
	}
	return change(value, m.at, m.drop, m.with)
}

// change copies what lies on the way to a place and sets or drops it there.
func change(value any, at []string, drop bool, with any) any {
	if len(at) == 0 {
		return with
	}
	switch container := value.(type) {
	case map[string]any:
		out := maps.Clone(container)
		if len(at) == 1 && drop {
			delete(out, at[0])
		} else {
			out[at[0]] = change(container[at[0]], at[1:], drop, with)
		}
		return out
	case []any:
		index, err := strconv.Atoi(at[0])
		if err != nil || index < 0 || index >= len(container) {
			return value
		}
		out := slices.Clone(container)
		out[index] = change(container[index], at[1:], drop, with)
		return out
	}
	return value
}
