package otf2

import (
	"bytes"
	"encoding/binary"
)

// undefined is the number that stands for "none": a compressed FF, or all bits set.
const undefined = ^uint64(0)

// fields reads the attributes of a record one after the other. After its end, or at a number that is none, it
// is bad and gives zeros.
type fields struct {
	data []byte // of the record
	at   int    // bytes read
	big  bool   // most significant byte first
	bad  bool   // the record is shorter than its fields
}

// take returns the next n bytes.
func (f *fields) take(n int) []byte {
	if f.bad || n < 0 || n > len(f.data)-f.at {
		f.bad = true
		return nil
	}
	f.at += n
	return f.data[f.at-n : f.at]
}

// u8 reads a byte.
func (f *fields) u8() byte {
	if b := f.take(1); b != nil {
		return b[0]
	}
	return 0
}

// u64 reads eight bytes in the byte order of the file.
func (f *fields) u64() uint64 {
	if b := f.take(8); b != nil {
		return fullNumber(b, f.big)
	}
	return 0
}

// number reads a compressed number: how many bytes it has, and these.
func (f *fields) number() uint64 {
	n := f.u8()
	if n == 0xff {
		return undefined
	}
	if n > 8 {
		f.bad = true
		return 0
	}
	return shortNumber(f.take(int(n)), f.big)
}

// id reads a compressed number of 32 bits, of which all set is undefined, too.
func (f *fields) id() uint64 {
	n := f.number()
	if n == 0xffffffff {
		return undefined
	}
	return n
}

// word reads a compressed number of 32 bits, all of which may be set: it has no undefined value.
func (f *fields) word() uint64 { return uint64(uint32(f.number())) }

// signed reads a compressed signed number: two's complement of full width.
func (f *fields) signed() int64 { return int64(f.number()) }

// text reads a string that ends with a zero byte.
func (f *fields) text() string {
	if f.bad {
		return ""
	}
	n := bytes.IndexByte(f.data[f.at:], 0)
	if n < 0 {
		f.bad = true
		return ""
	}
	s := string(f.data[f.at : f.at+n])
	f.at += n + 1
	return s
}

// more reports whether attributes follow that an earlier version of the format did not have.
func (f *fields) more() bool { return !f.bad && f.at < len(f.data) }

// fullNumber is the number of eight bytes.
func fullNumber(b []byte, big bool) uint64 {
	if big {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// shortNumber is the number of up to eight bytes.
func shortNumber(b []byte, big bool) (n uint64) {
	if big {
		for _, c := range b {
			n = n<<8 | uint64(c)
		}
		return n
	}
	for i, c := range b {
		n |= uint64(c) << (8 * i)
	}
	return n
}
