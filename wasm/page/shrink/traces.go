package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// errTables says that the tables are not what this Go version is known to write.
var errTables = errors.New("the layout of the tables is not known")

// goVersions begin the names of the releases whose runtime was read for what it
// asks of the tables. Another may have a new use for one of them.
var goVersions = []string{"go1.26"}

// readTables finds the tables and makes sure of everything that is relied on
// here. It changes nothing.
func readTables(version string, memory []byte) (*tables, error) {
	if !slices.ContainsFunc(goVersions, func(known string) bool {
		return version == known || strings.HasPrefix(version, known+".")
	}) {
		return nil, fmt.Errorf("%w: built by %q", errTables, version)
	}
	t, err := findTables(memory)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTables, err)
	}
	return t, nil
}

// blank takes out what only stack traces read, and what is computed at start.
func (t *tables) blank() {
	t.blankNames()
	t.blankFiles()
	t.blankProgramCounters()
	t.blankIndexes()
}

// tables are the parts of runtime.moduledata that are looked at, all of them
// slices of the memory.
type tables struct {
	names   []byte // funcnametab: texts that end with a zero
	units   []byte // cutab: numbers of files, by compilation unit
	files   []byte // filetab: texts that end with a zero
	counter []byte // pctab: what changes along a function's code, as differences
	entries []byte // ftab: pairs of a function's index and its record's offset in table
	buckets []byte // findfunctab: where in entries to begin looking
	table   []byte // pclntable: entries, then records
	records []record

	first              uint32 // index of the first function
	tableAt, bucketsAt uint32 // addresses
}

// record is a runtime._func: eleven words, then the offsets of its tables in
// counter, then those of its other data.
type record struct {
	head     []byte
	counters []byte
	data     []byte
}

// The words of a record's head.
const (
	wordEntry     = 0
	wordName      = 1
	wordStackSize = 4 // along the code: pcsp
	wordFile      = 5 // the same: pcfile
	wordLine      = 6 // the same: pcln
	wordCounters  = 7 // how many follow
	wordUnit      = 8
	wordStartLine = 9
	wordFlags     = 10 // four bytes; the last is how many data follow
	headWords     = 11
)

// The tables that serve traces alone, or preemption by signals, which
// WebAssembly has not. See internal/abi/symtab.go for the numbers and
// runtime/stkframe.go, panic.go and preempt.go for what the others do.
const (
	counterUnsafePoint = 0
	counterArguments   = 3
	dataArguments      = 5
	dataLiveArguments  = 6
	dataWrapped        = 7
)

const (
	noCounter = 0
	noData    = math.MaxUint32
)

func word(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

func setWord(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[4*i:], v) }

// magic begins the header of the tables: Go 1.20 and later, instructions of one
// byte, pointers of eight.
const magic = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// findTables looks for the header, and for the runtime.moduledata that points
// to it and to all its parts, which no accident does.
func findTables(memory []byte) (*tables, error) {
	for header := 0; ; header++ {
		next := bytes.Index(memory[header:], []byte(magic))
		if next < 0 {
			return nil, errors.New("no header is pointed to by a module's data")
		}
		header += next
		pointer := binary.LittleEndian.AppendUint64(nil, uint64(header))
		for at := 0; ; at++ {
			next := bytes.Index(memory[at:], pointer)
			if next < 0 {
				break
			}
			at += next
			if t, ok := readModuleData(memory, header, at); ok {
				return t, t.readRecords()
			}
		}
	}
}

// headerWords is how many words of eight bytes there are: the magic, two counts,
// one that is not used, and the offsets of five parts.
const headerWords = 9

// readModuleData takes the parts from the slices that follow the pointer to the
// header, if they are where the header says.
func readModuleData(memory []byte, header, at int) (*tables, bool) {
	const moduleWords = 1 + 6*3 + 4 // pointer, slices, findfunctab, minpc, maxpc, text
	if len(memory)-at < 8*moduleWords || len(memory)-header < 8*headerWords {
		return nil, false
	}
	long := func(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	data, head := memory[at:], memory[header:]
	functions := long(head, 1)
	t := &tables{}
	part := func(number, size int, offset uint64) []byte {
		start, length, capacity := long(data, 1+3*number), long(data, 2+3*number), long(data, 3+3*number)
		if length != capacity || offset > uint64(len(head)) || start != uint64(header)+offset ||
			length > (uint64(len(head))-offset)/uint64(size) {
			return nil
		}
		return head[offset:][:length*uint64(size)]
	}
	t.names = part(0, 1, long(head, 4))
	t.units = part(1, 4, long(head, 5))
	t.files = part(2, 1, long(head, 6))
	t.counter = part(3, 1, long(head, 7))
	t.table = part(4, 1, long(head, 8))
	t.entries = part(5, 8, long(head, 8))
	for _, p := range [][]byte{t.names, t.units, t.files, t.counter, t.table, t.entries} {
		if len(p) == 0 {
			return nil, false
		}
	}
	// The entry after the last function's says only where that one ends.
	if functions == 0 || uint64(len(t.entries)) != 8*(functions+1) {
		return nil, false
	}
	start, lowest, text := long(data, 19), long(data, 20), long(data, 22)
	t.first = word(t.entries, 0)
	last := word(t.entries, 2*int(functions)-2)
	size := uint64(last-t.first)*bucketStride + bucketRead
	if uint64(last-t.first) != functions-1 || lowest-text != uint64(t.first)<<16 ||
		start > uint64(len(memory)) || size > uint64(len(memory))-start {
		return nil, false
	}
	t.buckets = memory[start:][:size]
	t.bucketsAt, t.tableAt = uint32(start), uint32(uint64(header)+long(head, 8))
	return t, true
}

// readRecords splits the table, and follows every offset that the runtime
// follows.
func (t *tables) readRecords() error {
	offset := word(t.entries, 1)
	for i := range len(t.entries)/8 - 1 {
		index := t.first + uint32(i)
		if word(t.entries, 2*i) != index || word(t.entries, 2*i+1) != offset || word(t.buckets[i*bucketStride:], 0) != uint32(i) {
			return fmt.Errorf("function %d does not follow the one before", i)
		}
		r, ok := cutRecord(t.table, offset)
		if !ok || word(r.head, wordEntry) != index {
			return fmt.Errorf("function %d has no record", i)
		}
		if uint64(word(r.head, wordName)) >= uint64(len(t.names)) {
			return fmt.Errorf("function %d has no name", i)
		}
		for _, place := range r.offsets() {
			if _, ok := t.run(word(place, 0)); !ok {
				return fmt.Errorf("function %d has a table without end", i)
			}
		}
		t.records = append(t.records, r)
		offset += uint32(len(r.head)+len(r.counters)+len(r.data)+7) &^ 7
	}
	return nil
}

func cutRecord(table []byte, offset uint32) (record, bool) {
	rest := reader{rest: table}
	rest.bytes(uint64(offset))
	r := record{head: rest.bytes(4 * headWords)}
	if rest.short {
		return r, false
	}
	r.counters = rest.bytes(4 * uint64(word(r.head, wordCounters)))
	r.data = rest.bytes(4 * uint64(word(r.head, wordFlags)>>24))
	return r, !rest.short
}

// offsets are the places in the record that hold offsets in counter.
func (r record) offsets() [][]byte {
	places := [][]byte{r.head[4*wordStackSize:], r.head[4*wordFile:], r.head[4*wordLine:]}
	for i := range len(r.counters) / 4 {
		places = append(places, r.counters[4*i:])
	}
	return places
}

// run is a function's table in counter: pairs of numbers, of which the first
// is zero only at the beginning and at the end.
func (t *tables) run(offset uint32) (run []byte, ok bool) {
	if offset == noCounter {
		return nil, true
	}
	if uint64(offset) >= uint64(len(t.counter)) {
		return nil, false
	}
	r := reader{rest: t.counter[offset:]}
	for first := true; ; first = false {
		if difference := r.unsigned(); difference == 0 && !first || r.short {
			break
		}
		r.unsigned()
	}
	return t.counter[offset : len(t.counter)-len(r.rest)], !r.short
}

// The runtime asks for names in few places that are not a trace: whether one
// begins with runtime. (a goroutine of its own), whether it is one of two of
// reflect's, and, when a method is called on a nil pointer, for the names in
// pkg.(*Type).Method, without which that panic could not be recovered.
const (
	anyName     = "go.(*T).f"
	runtimeName = "runtime.(*T).f"
)

var askedFor = []string{"reflect.makeFuncStub", "reflect.methodValueCall"}

func (t *tables) blankNames() {
	// The first is not used: the runtime takes an offset of zero for no name.
	names := []byte{0}
	offsets := map[string]uint32{}
	for _, name := range append(askedFor, runtimeName, anyName) {
		offsets[name] = uint32(len(names))
		names = append(append(names, name...), 0)
	}
	if len(names) > len(t.names) {
		return // a program of next to nothing
	}
	for _, r := range t.records {
		setWord(r.head, wordName, offsets[shownName(t.name(word(r.head, wordName)))])
	}
	clear(t.names)
	copy(t.names, names)
}

func (t *tables) name(offset uint32) string {
	name, _, _ := bytes.Cut(t.names[offset:], []byte{0})
	return string(name)
}

func shownName(name string) string {
	switch {
	case slices.Contains(askedFor, name):
		return name
	case strings.HasPrefix(name, "runtime."):
		return runtimeName
	}
	return anyName
}

// blankFiles takes out files and lines. An offset of zero is what the runtime
// knows for "no table", and it shows a question mark.
func (t *tables) blankFiles() {
	clear(t.units)
	clear(t.files)
	for _, r := range t.records {
		setWord(r.head, wordFile, noCounter)
		setWord(r.head, wordLine, noCounter)
		setWord(r.head, wordUnit, 0)
		setWord(r.head, wordStartLine, 0)
	}
}

// blankProgramCounters takes out the tables that nobody reads any more, and
// moves the others together, often used ones first: that makes offsets short.
func (t *tables) blankProgramCounters() {
	uses := map[uint32]int{}
	for _, r := range t.records {
		for _, i := range []int{counterUnsafePoint, counterArguments} {
			if i < len(r.counters)/4 {
				setWord(r.counters, i, noCounter)
			}
		}
		for _, i := range []int{dataArguments, dataLiveArguments, dataWrapped} {
			if i < len(r.data)/4 {
				setWord(r.data, i, noData)
			}
		}
		for _, place := range r.offsets() {
			uses[word(place, 0)]++
		}
	}
	delete(uses, noCounter)
	order := slices.SortedFunc(maps.Keys(uses), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a, b))
	})
	moved := []byte{0}
	offsets := map[uint32]uint32{noCounter: noCounter}
	for _, offset := range order {
		run, _ := t.run(offset)
		offsets[offset] = uint32(len(moved))
		moved = append(moved, run...)
	}
	if len(moved) > len(t.counter) {
		return // they overlapped, and had better stay
	}
	for _, r := range t.records {
		for _, place := range r.offsets() {
			setWord(place, 0, offsets[word(place, 0)])
		}
	}
	clear(t.counter)
	copy(t.counter, moved)
}

// A function has sixteen buckets of twenty bytes, because elsewhere a bucket is
// for 4,096 bytes of code and here a function's index is its address in units
// of 65,536. So only the first bucket is ever read, and of that only the word
// that says with which entry to begin and a byte that is added to it, always
// zero. The last function's buckets are cut off where its code ends.
const (
	bucketStride = 16 * 20
	bucketRead   = 5
)

// blankIndexes takes out what start writes.
func (t *tables) blankIndexes() {
	for i, r := range t.records {
		setWord(r.head, wordEntry, 0)
		setWord(t.entries, 2*i, 0)
		setWord(t.entries, 2*i+1, 0)
	}
	clear(t.buckets)
}
