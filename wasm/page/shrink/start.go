package main

import (
	"encoding/binary"
	"errors"
	"slices"
)

// start is the body of a function that writes what blankIndexes takes out. The
// functions of a Go program have consecutive indexes and their records lie one
// after another, so that a loop over the records knows all of it; written out,
// it is 80 bytes a function of numbers that go up by one, which no compressor
// of the web sees.
func (t *tables) start() []byte {
	const number, record, entry, bucket = 0, 1, 2, 3 // locals: a count and three offsets
	b := body{1, 4, typeI32}
	b.i32(word(t.entries, 1))
	b.op(opLocalSet, record)
	b.op(opLoop, blockVoid)

	b.op(opLocalGet, entry) // the entry's index
	b.op(opLocalGet, number)
	b.i32(t.first)
	b.op(opAdd)
	b.memory(opStore, t.tableAt)
	b.op(opLocalGet, entry) // and the offset of its record
	b.op(opLocalGet, record)
	b.memory(opStore, t.tableAt+4)
	b.op(opLocalGet, record) // the record's index
	b.op(opLocalGet, number)
	b.i32(t.first)
	b.op(opAdd)
	b.memory(opStore, t.tableAt+4*wordEntry)
	b.op(opLocalGet, bucket)
	b.op(opLocalGet, number)
	b.memory(opStore, t.bucketsAt)

	b.op(opLocalGet, record) // on by the record's size, in units of eight bytes
	b.op(opLocalGet, record)
	b.memory(opLoad, t.tableAt+4*wordCounters)
	b.op(opLocalGet, record)
	b.memory(opLoadByte, t.tableAt+4*wordFlags+3)
	b.op(opAdd)
	b.i32(2)
	b.op(opShiftLeft)
	b.i32(4*headWords + 7)
	b.op(opAdd)
	b.i32(1<<32 - 8)
	b.op(opAnd)
	b.op(opAdd)
	b.op(opLocalSet, record)
	b.step(entry, 8)
	b.step(bucket, bucketStride)
	b.step(number, 1)
	b.op(opLocalGet, number)
	b.i32(uint32(len(t.records)))
	b.op(opLess)
	b.op(opBranchIf, 0)
	b.op(opEnd)
	b.op(opEnd)
	return b
}

// body is a function's code: its locals, then instructions.
type body []byte

const (
	typeI32     = 0x7f
	blockVoid   = 0x40
	opLoop      = 0x03
	opBranchIf  = 0x0d
	opLocalGet  = 0x20
	opLocalSet  = 0x21
	opLoad      = 0x28
	opLoadByte  = 0x2d // without a sign
	opStore     = 0x36
	opLess      = 0x49 // without a sign
	opAdd       = 0x6a
	opAnd       = 0x71
	opShiftLeft = 0x74
)

func (b *body) op(code ...byte) { *b = append(*b, code...) }

func (b *body) i32(v uint32) { *b = appendSigned(append(*b, opI32Const), int32(v)) }

// memory reads or writes at an address that is added to the one on the stack.
func (b *body) memory(op byte, address uint32) {
	const anyAlignment = 0
	*b = binary.AppendUvarint(append(*b, op, anyAlignment), uint64(address))
}

func (b *body) step(local byte, by uint32) {
	b.op(opLocalGet, local)
	b.i32(by)
	b.op(opAdd)
	b.op(opLocalSet, local)
}

// setStart adds a function that takes and gives nothing, to be called once the
// memory is filled.
func (m *module) setStart(body []byte) error {
	kind, imported, err := m.startKind()
	if err != nil {
		return err
	}
	index := imported
	for i := range m.sections {
		s := &m.sections[i]
		switch s.id {
		case functionSection:
			index += s.count()
			s.add(binary.AppendUvarint(nil, kind))
		case codeSection:
			s.add(append(binary.AppendUvarint(nil, uint64(len(body))), body...))
		}
	}
	place := slices.IndexFunc(m.sections, func(s section) bool { return s.id > startSection })
	if place < 0 {
		return errors.New("the module has no code")
	}
	m.sections = slices.Insert(m.sections, place, section{startSection, binary.AppendUvarint(nil, index)})
	return nil
}

// startKind gives the number of the type of such a function, and how many
// functions are imported, which are counted first.
func (m *module) startKind() (kind, imported uint64, err error) {
	found := false
	for _, s := range m.sections {
		r := reader{rest: s.content}
		switch s.id {
		case typeSection:
			for i := range r.unsigned() {
				form, parameters, results := r.byte(), r.text(), r.text()
				if r.short || form != functionType {
					return 0, 0, errors.New("a type is not one that Go writes")
				}
				if !found && parameters == "" && results == "" {
					kind, found = i, true
				}
			}
		case importSection:
			imported = r.unsigned()
			for range imported {
				r.text()
				r.text()
				if what := r.byte(); what != 0 || r.short {
					return 0, 0, errors.New("something is imported that is no function")
				}
				r.unsigned()
			}
		case startSection:
			return 0, 0, errors.New("the module has a start function of its own")
		}
	}
	if !found {
		return 0, 0, errors.New("no function of the module takes and gives nothing")
	}
	return kind, imported, nil
}
