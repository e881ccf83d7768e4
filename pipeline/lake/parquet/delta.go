package parquet

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/bitpack"
)

// deltaReader takes apart a DELTA_BINARY_PACKED sequence (parquet-format, Encodings.md): a first value, then blocks of
// differences less the smallest of the block, in parts that have as many bits a difference as their largest one needs.
//
// The decoder of the library trusts its input, so that a walk over all blocks would have to come first, and clears what it is
// about to fill. This one checks each length where it needs it, and goes through the values twice: the bits of a part are
// unpacked into their places by the library's vector code, then the differences of a block are summed up where they stand.
type deltaReader struct {
	b    []byte // what is left
	tail []byte // a copy of the last part, for the space that unpacking needs behind it
}

// decode fills dst, which must be as long as the sequence says.
func (r *deltaReader) decode(dst []int64, b []byte) error {
	r.b = b
	var head [3]uint64 // block size, parts of a block, values
	for i := range head {
		u, k := binary.Uvarint(r.b)
		if k <= 0 {
			return io.ErrUnexpectedEOF
		}
		head[i], r.b = u, r.b[k:]
	}
	if head[2] != uint64(len(dst)) {
		return fmt.Errorf("%d values where %d are expected", head[2], len(dst))
	}
	last, err := r.varint()
	if err != nil {
		return err
	}
	if head[0] == 0 || head[0] > 1<<16 || head[0]%128 != 0 || head[1] == 0 || head[1] > head[0]/32 || head[0]%head[1] != 0 {
		return fmt.Errorf("blocks of %d values in %d parts", head[0], head[1])
	}
	if len(dst) == 0 {
		return nil
	}
	dst[0], dst = last, dst[1:]
	for len(dst) > 0 {
		block := dst[:min(len(dst), int(head[0]))]
		least, err := r.varint()
		if err == nil {
			err = r.unpack(block, int(head[0]/head[1]), int(head[1]))
		}
		if err != nil {
			return err
		}
		for i, difference := range block {
			last += least + difference
			block[i] = last
		}
		dst = dst[len(block):]
	}
	return nil
}

// varint takes a number.
func (r *deltaReader) varint() (int64, error) {
	v, k := binary.Varint(r.b)
	if k <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	r.b = r.b[k:]
	return v, nil
}

// unpack takes the differences of a block: their widths, a byte a part, then their bits. Parts behind the last value have none.
func (r *deltaReader) unpack(block []int64, part, parts int) error {
	if len(r.b) < parts {
		return io.ErrUnexpectedEOF
	}
	widths := r.b[:parts]
	r.b = r.b[parts:]
	for _, width := range widths {
		if len(block) == 0 {
			return nil
		}
		size := part * int(width) / 8
		switch {
		case width > 64:
			return fmt.Errorf("values of %d bits", width)
		case size > len(r.b):
			return io.ErrUnexpectedEOF
		}
		n := min(part, len(block))
		if width == 0 {
			clear(block[:n])
		} else {
			bitpack.Unpack(block[:n], r.padded(size), uint(width))
		}
		block, r.b = block[n:], r.b[size:]
	}
	return nil
}

// padded returns the next bytes with the space behind them that unpacking may read.
func (r *deltaReader) padded(size int) []byte {
	if size+bitpack.PaddingInt64 <= len(r.b) {
		return r.b[:size]
	}
	r.tail = append(append(r.tail[:0], r.b[:size]...), make([]byte, bitpack.PaddingInt64)...)
	return r.tail[:size]
}
