package main

import "encoding/binary"

// reader takes values off the front of a section. What is not there reads as
// zero and is remembered.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) byte() byte {
	b := r.bytes(1)
	if r.short {
		return 0
	}
	return b[0]
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.short, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) unsigned() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || n > 5 {
		r.short, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) text() string { return string(r.bytes(r.unsigned())) }
