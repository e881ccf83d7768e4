package spantable

import (
	"encoding/binary"
	"errors"
)

// walker goes over a structure in Thrift's compact protocol, in which Parquet writes its footer and the headers of its pages, without keeping
// more of it than a few numbers. A library that decodes it reserves what lists say they hold: here a list that says more than can follow is an
// error.
type walker struct {
	rest []byte
	has  func(path [2]int16, number int64) // is given the whole numbers of the structure and of those in it
}

// Types of the compact protocol.
const (
	thriftStop = iota
	thriftTrue
	thriftFalse
	thriftByte
	thriftI16
	thriftI32
	thriftI64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
)

// deepest bounds structures within structures: those of Parquet are seven deep at most.
const deepest = 16

var errThrift = errors.New("expected a structure of Parquet")

// walk goes over the structure at the beginning of data and returns how many bytes it takes.
func walk(data []byte, has func(path [2]int16, number int64)) (int, error) {
	w := walker{rest: data, has: has}
	if err := w.structure(0, [2]int16{}); err != nil {
		return 0, err
	}
	return len(data) - len(w.rest), nil
}

// structure goes over the fields of a structure, down to its end.
func (w *walker) structure(depth int, path [2]int16) error {
	if depth > deepest {
		return errThrift
	}
	for id := int16(0); ; {
		head, err := w.bytes(1)
		if err != nil || head[0] == thriftStop {
			return err
		}
		kind, step := int(head[0]&15), int16(head[0]>>4)
		if id += step; step == 0 {
			n, err := w.number()
			if err != nil {
				return err
			}
			id = int16(n)
		}
		if depth < len(path) {
			path[depth] = id
		}
		if kind == thriftTrue || kind == thriftFalse {
			continue // the value is the type
		}
		if err := w.value(kind, depth, path); err != nil {
			return err
		}
	}
}

// value goes over a value of a type.
func (w *walker) value(kind, depth int, path [2]int16) error {
	switch kind {
	case thriftI16, thriftI32, thriftI64:
		n, err := w.number()
		if err == nil && depth < len(path) {
			w.has(path, n)
		}
		return err
	case thriftTrue, thriftFalse, thriftByte:
		_, err := w.bytes(1)
		return err
	case thriftDouble:
		_, err := w.bytes(8)
		return err
	case thriftBinary:
		n, err := w.length()
		if err == nil {
			_, err = w.bytes(n)
		}
		return err
	case thriftList, thriftSet:
		return w.list(depth, path)
	case thriftStruct:
		return w.structure(depth+1, path)
	}
	return errThrift // Parquet has no maps
}

// list goes over a list. Every element takes a byte at least.
func (w *walker) list(depth int, path [2]int16) error {
	head, err := w.bytes(1)
	if err != nil {
		return err
	}
	kind, n := int(head[0]&15), int(head[0]>>4)
	if n == 15 {
		if n, err = w.length(); err != nil {
			return err
		}
	}
	if n > len(w.rest) {
		return errThrift
	}
	for range n {
		if err := w.value(kind, max(depth, len(path)), path); err != nil {
			return err
		}
	}
	return nil
}

// bytes takes some bytes.
func (w *walker) bytes(n int) ([]byte, error) {
	if n > len(w.rest) {
		return nil, errThrift
	}
	taken := w.rest[:n]
	w.rest = w.rest[n:]
	return taken, nil
}

// number takes a signed number.
func (w *walker) number() (int64, error) {
	n, size := binary.Varint(w.rest)
	if size <= 0 {
		return 0, errThrift
	}
	w.rest = w.rest[size:]
	return n, nil
}

// length takes the length of what follows.
func (w *walker) length() (int, error) {
	n, size := binary.Uvarint(w.rest)
	if size <= 0 || n > uint64(len(w.rest)) {
		return 0, errThrift
	}
	w.rest = w.rest[size:]
	return int(n), nil
}
