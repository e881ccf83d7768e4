package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
)

// runs are the bytes of a hybrid run-length and bit-packed sequence of known length (parquet-format, Encodings.md, "RLE").
// A header is a varint: its lowest bit tells bit-packed groups of eight values (1) from a run of one value (0).
type runs struct {
	bytes    []byte // headers and values, up to the last value that is needed
	constant bool   // one run of value
	value    uint32 // of a constant sequence
}

// scanRuns walks over the headers of a sequence of n values, so that the library that decodes it meets
// no run that is longer than the values or the bytes.
// It costs a step for each run, not for each value.
func scanRuns(b []byte, width, n int) (runs, error) {
	if width > 32 {
		return runs{}, fmt.Errorf("values of %d bits", width)
	}
	if width == 0 || n == 0 { // all values are 0, and nothing is stored
		return runs{constant: true}, nil
	}
	i, left := 0, n
	for left > 0 {
		u, k := binary.Uvarint(b[i:])
		if k <= 0 {
			return runs{}, io.ErrUnexpectedEOF
		}
		i += k
		count := u >> 1
		// A run stores its value once, in whole bytes. Bit-packed groups store every value in width bits.
		length := (uint64(width) + 7) / 8
		if u&1 == 1 {
			length = count * uint64(width)
			count *= 8
		} else if count == 0 || count > uint64(left) {
			return runs{}, fmt.Errorf("a run of %d values, %d are left", count, left)
		}
		if count > maxPageRows+8 || length > uint64(len(b)-i) {
			return runs{}, fmt.Errorf("a run of %d values in %d bytes", count, len(b)-i)
		}
		// The usual case of definition levels and of rare names: one run is the whole sequence.
		if u&1 == 0 && int(count) == n {
			var v [4]byte
			copy(v[:], b[i:i+int(length)])
			return checkConstant(binary.LittleEndian.Uint32(v[:]), width)
		}
		i += int(length)
		left -= int(min(count, uint64(left)))
	}
	return runs{bytes: b[:i]}, nil
}

// checkConstant refuses a value that has more bits than its width, which a lookup table would not expect.
func checkConstant(v uint32, width int) (runs, error) {
	if uint64(v) >= 1<<width {
		return runs{}, fmt.Errorf("the value %d in %d bits", v, width)
	}
	return runs{constant: true, value: v}, nil
}
