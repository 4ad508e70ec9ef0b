package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	customSection   = 0
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	memorySection   = 5
	startSection    = 8
	codeSection     = 10
	dataSection     = 11
	dataCount       = 12

	functionType = 0x60
)

const preamble = "\x00asm\x01\x00\x00\x00"

// module is a WebAssembly file, with its data as they lie in memory when the
// program starts.
type module struct {
	sections []section
	memory   []byte
}

type section struct {
	id      byte
	content []byte
}

// count is how many entries a section has that is a list.
func (s *section) count() uint64 {
	count, _ := binary.Uvarint(s.content)
	return count
}

func (s *section) add(entry []byte) {
	_, n := binary.Uvarint(s.content)
	content := binary.AppendUvarint(nil, s.count()+1)
	s.content = append(append(content, s.content[n:]...), entry...)
}

const pageSize = 64 << 10

func readModule(code []byte) (*module, error) {
	rest, ok := bytes.CutPrefix(code, []byte(preamble))
	if !ok {
		return nil, errors.New("no WebAssembly module")
	}
	m := &module{}
	for r := (reader{rest: rest}); len(r.rest) > 0; {
		s := section{id: r.byte()}
		s.content = r.bytes(r.unsigned())
		if r.short {
			return nil, errors.New("the last section is cut short")
		}
		m.sections = append(m.sections, s)
	}
	return m, m.load()
}

// load lays the data out. A Go program has one memory and segments with a
// constant address; anything else is another compiler's.
func (m *module) load() error {
	for _, s := range m.sections {
		r := reader{rest: s.content}
		switch s.id {
		case memorySection:
			count, limits, pages := r.unsigned(), r.byte(), r.unsigned()
			if r.short || count != 1 || limits > 1 || pages > 1<<16 {
				return errors.New("the memory is not one that Go declares")
			}
			m.memory = make([]byte, pages*pageSize)
		case dataSection:
			for range r.unsigned() {
				kind, constant, address, end := r.byte(), r.byte(), r.unsigned(), r.byte()
				content := r.bytes(r.unsigned())
				if r.short || kind != 0 || constant != opI32Const || end != opEnd {
					return errors.New("a data segment is not one that Go writes")
				}
				if address > uint64(len(m.memory)) || uint64(len(content)) > uint64(len(m.memory))-address {
					return fmt.Errorf("a data segment at %#x lies outside the memory", address)
				}
				copy(m.memory[address:], content)
			}
		case dataCount:
			return errors.New("the data are counted, which Go does not do")
		}
	}
	return nil
}

// goVersion is what the linker says of itself, "" if it says nothing.
func (m *module) goVersion() string {
	for _, s := range m.sections {
		r := reader{rest: s.content}
		if s.id != customSection || r.text() != "producers" {
			continue
		}
		for fields := r.unsigned(); fields > 0 && !r.short; fields-- {
			field := r.text()
			for values := r.unsigned(); values > 0 && !r.short; values-- {
				name, version := r.text(), r.text()
				if field == "language" && name == "Go" {
					return version
				}
			}
		}
	}
	return ""
}

// bytes writes the module with as few data segments as are worth their while.
func (m *module) bytes() []byte {
	out := []byte(preamble)
	for _, s := range m.sections {
		if s.id == dataSection {
			s.content = segments(m.memory)
		}
		out = append(out, s.id)
		out = binary.AppendUvarint(out, uint64(len(s.content)))
		out = append(out, s.content...)
	}
	return out
}

const (
	opI32Const = 0x41
	opEnd      = 0x0b
)

// minGap is how many zeros in a row are left out. Shorter runs cost next to
// nothing once compressed, and a header between them costs more.
const minGap = 1024

func segments(memory []byte) []byte {
	var out []byte
	count := uint64(0)
	for at := 0; ; {
		for at < len(memory) && memory[at] == 0 {
			at++
		}
		if at == len(memory) {
			break
		}
		end, zeros := at, 0
		for i := at; i < len(memory) && zeros < minGap; i++ {
			if memory[i] == 0 {
				zeros++
			} else {
				end, zeros = i+1, 0
			}
		}
		count++
		out = append(out, 0, opI32Const)
		out = appendSigned(out, int32(at))
		out = append(out, opEnd)
		out = binary.AppendUvarint(out, uint64(end-at))
		out = append(out, memory[at:end]...)
		at = end
	}
	return append(binary.AppendUvarint(nil, count), out...)
}

func appendSigned(out []byte, v int32) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(out, low)
		}
		out = append(out, low|0x80)
	}
}
