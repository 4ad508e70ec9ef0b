package modules

import (
	"errors"
	"fmt"
)

// instructions walks a function's code to bound how deep its blocks are nested:
// compilers take time that grows with the square of it. On the way it refuses
// what is turned off in the runtime anyway, with a better message.
func instructions(r *reader) error {
	depth := 0
	for r.at < len(r.data) && !r.failed {
		switch op := r.byte(); {
		case op == 0x02 || op == 0x03 || op == 0x04: // block, loop, if
			r.skipLEB()
			if depth++; depth > maxNesting {
				return fmt.Errorf("nests blocks more than %d deep", maxNesting)
			}
		case op == 0x0b: // end
			depth--
		case op == 0x0c || op == 0x0d || op == 0x10 || 0x20 <= op && op <= 0x24: // br, call, local, global
			r.skipLEB()
		case op == 0x0e: // br_table
			for range r.count() + 1 {
				r.skipLEB()
				if r.failed {
					break
				}
			}
		case op == 0x11: // call_indirect
			r.skipLEB()
			r.skipLEB()
		case op == 0x1c: // select with types
			for range r.count() {
				r.byte()
			}
		case 0x28 <= op && op <= 0x3e: // loads and stores
			r.skipLEB()
			r.skipLEB()
		case op == 0x3f || op == 0x40: // memory.size, memory.grow
			r.byte()
		case op == 0x41 || op == 0x42: // constants
			r.skipLEB()
		case op == 0x43:
			r.sub(4)
		case op == 0x44:
			r.sub(8)
		case op == 0xfc:
			if err := prefixed(r); err != nil {
				return err
			}
		case op <= 0x01 || op == 0x05 || op == 0x0f || op == 0x1a || op == 0x1b || 0x45 <= op && op <= 0xc4:
		case op == 0x25 || op == 0x26 || 0xd0 <= op && op <= 0xd2:
			return errors.New("uses reference types, which are off")
		case op == 0xfd:
			return errors.New("uses vector instructions, which are off")
		default:
			return fmt.Errorf("has an instruction %#02x that is not known", op)
		}
	}
	if r.failed {
		return errors.New("is cut off")
	}
	return nil
}

// prefixed reads the rest of an instruction that begins with 0xfc: saturating
// conversions and bulk memory. The table instructions among them are refused:
// a table grows outside the memory limit.
func prefixed(r *reader) error {
	switch op := r.u32(); {
	case op <= 7:
	case op == 8: // memory.init
		r.skipLEB()
		r.byte()
	case op == 9: // data.drop
		r.skipLEB()
	case op == 10: // memory.copy
		r.sub(2)
	case op == 11: // memory.fill
		r.byte()
	case op == 15:
		return errors.New("grows a table, which has no limit")
	default:
		return fmt.Errorf("has a table instruction %d, which is off", op)
	}
	return nil
}

// reader reads the binary format. After a failure it gives zeros and stays at
// its place, so that callers check once.
type reader struct {
	data   []byte
	at     int
	failed bool
}

func (r *reader) byte() byte {
	if r.at >= len(r.data) {
		r.failed = true
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

// u32 reads an unsigned LEB128 number of at most 32 bits.
func (r *reader) u32() uint32 {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if n > 1<<32-1 {
				r.failed = true
			}
			return uint32(n)
		}
	}
	r.failed = true
	return 0
}

// skipLEB passes over a number of at most 64 bits.
func (r *reader) skipLEB() {
	for range 10 {
		if r.byte() < 0x80 {
			return
		}
	}
	r.failed = true
}

// count reads the length of a list. No list has more entries than the section
// has bytes left.
func (r *reader) count() int {
	n := int(r.u32())
	if n > len(r.data)-r.at {
		r.failed = true
		return 0
	}
	return n
}

// sub takes the next n bytes as a reader of their own.
func (r *reader) sub(n int) reader {
	if r.failed || n > len(r.data)-r.at {
		r.failed = true
		return reader{failed: true}
	}
	s := reader{data: r.data[r.at : r.at+n]}
	r.at += n
	return s
}

func (r *reader) name() string {
	n := r.sub(int(r.u32()))
	return string(n.data)
}
