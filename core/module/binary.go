package module

import (
	"errors"
	"fmt"
	"math"
)

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
	if r.at < len(r.data) && r.data[r.at] < 0x80 { // nearly all of them
		r.at++
		return
	}
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
	if n < 0 || n > len(r.data)-r.at {
		r.failed = true
		return 0
	}
	return n
}

// sub takes the next n bytes as a reader of their own.
func (r *reader) sub(n int) reader {
	if r.failed || n < 0 || n > len(r.data)-r.at {
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

// limits reads the least and the most size of a table or memory. Where no most
// is given it is all that 32 bits can say.
func (r *reader) limits(what string) (least, most int, err error) {
	flags := r.byte()
	if flags > 1 {
		return 0, 0, fmt.Errorf("the module has a shared or 64-bit %s", what)
	}
	least, most = int(r.u32()), math.MaxUint32
	if flags == 1 {
		most = int(r.u32())
	}
	return least, most, nil
}

// constant passes over an expression that gives a global its first value, or a
// segment its place: one constant, or the value of another global.
func (r *reader) constant() error {
	switch op := r.byte(); op {
	case 0x23: // global.get
		r.u32()
	case 0x41, 0x42:
		r.skipLEB()
	case 0x43:
		r.sub(4)
	case 0x44:
		r.sub(8)
	default:
		if !r.failed {
			return fmt.Errorf("the module has an instruction %#02x where a constant belongs", op)
		}
	}
	if r.byte() != 0x0b && !r.failed {
		return errors.New("the module computes a value where a constant belongs")
	}
	return nil
}
