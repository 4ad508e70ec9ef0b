package module

import (
	"errors"
	"fmt"
)

// loop is the first byte of a loop, the one block that branches go back to.
const loop = 0x03

// operand is what follows an instruction's first byte.
type operand byte

const (
	unknown    operand = iota
	nothing            // add, drop, …
	number             // call, local.get, i32.const, …
	target             // br, br_if
	numbers            // an alignment and an offset, a type and a table
	zero               // the one memory
	float32bit         // f32.const
	float64bit         // f64.const
	opening            // block, loop, if: the type of the block
	closing            // end
	branches           // br_table: a list of targets and one more
	valueTypes         // select with types
	extended           // a second number says which instruction
	reference          // refused: reference types are off
	vector             // refused: vectors are off
)

// operands has what follows each first byte. It is an array, filled from
// ranges, since the scan passes over a million instructions.
var operands = func() (table [256]operand) {
	for _, o := range []struct {
		from, to byte
		operand  operand
	}{
		{0x00, 0x01, nothing}, {0x02, 0x04, opening}, {0x05, 0x05, nothing}, {0x0b, 0x0b, closing},
		{0x0c, 0x0d, target}, {0x0e, 0x0e, branches}, {0x0f, 0x0f, nothing}, {0x10, 0x10, number}, {0x11, 0x11, numbers},
		{0x1a, 0x1b, nothing}, {0x1c, 0x1c, valueTypes}, {0x20, 0x24, number}, {0x25, 0x26, reference},
		{0x28, 0x3e, numbers}, {0x3f, 0x40, zero}, {0x41, 0x42, number}, {0x43, 0x43, float32bit}, {0x44, 0x44, float64bit},
		{0x45, 0xc4, nothing}, {0xd0, 0xd2, reference}, {0xfc, 0xfc, extended}, {0xfd, 0xfd, vector},
	} {
		for op := int(o.from); op <= int(o.to); op++ {
			table[op] = o.operand
		}
	}
	return table
}()

// walk is what a function's code told.
type walk struct {
	arityOf func(index int) (int, error)
	work    int // what a compiler has to work on: instructions and targets of branches
	joins   int // places where branches meet, or go to
	widest  int // values that a block takes and gives
}

// instructions walks a function's code. It bounds how deep blocks and loops are
// nested, since compilers take time that grows with the square of it, and
// refuses what is turned off in the runtime anyway, with a better message.
func (w *walk) instructions(r *reader) (err error) {
	var loops []int // the depths of those that are open
	depth := 0
	for r.at < len(r.data) {
		w.work++
		op := r.data[r.at]
		r.at++
		switch operands[op] {
		case nothing:
		case number:
			r.skipLEB()
		case target:
			r.skipLEB()
			w.joins++
		case numbers:
			r.skipLEB()
			r.skipLEB()
		case opening:
			if depth++; depth > maxNesting {
				return fmt.Errorf("nests blocks more than %d deep", maxNesting)
			}
			if op == loop {
				if loops = append(loops, depth); len(loops) > maxLoops {
					return fmt.Errorf("nests loops more than %d deep", maxLoops)
				}
			}
			w.joins++
			err = w.block(r)
		case closing:
			if n := len(loops); n > 0 && loops[n-1] == depth {
				loops = loops[:n-1]
			}
			depth--
		case branches:
			targets := r.count()
			for range targets + 1 {
				r.skipLEB()
			}
			w.work += targets
			w.joins += targets + 1
		case valueTypes:
			r.sub(r.count())
		case zero:
			r.byte()
		case float32bit:
			r.sub(4)
		case float64bit:
			r.sub(8)
		case extended:
			err = prefixed(r)
		case reference:
			err = errors.New("uses reference types, which are off")
		case vector:
			err = errors.New("uses vector instructions, which are off")
		default:
			err = fmt.Errorf("has an instruction %#02x that is not known", op)
		}
		if r.failed {
			return errors.New("is cut off")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// block reads the type of a block: of one value or none, which is a negative
// number, or the number of a function's type.
func (w *walk) block(r *reader) error {
	values := 1
	if r.at < len(r.data) && r.data[r.at]&0xc0 == 0x40 {
		r.at++
	} else {
		var err error
		if values, err = w.arityOf(int(r.u32())); err != nil {
			return err
		}
	}
	w.widest = max(w.widest, values)
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
