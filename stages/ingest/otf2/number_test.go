package otf2

import (
	"encoding/binary"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// The number of any number of bytes, in either order, is that of these bytes alone: those behind it are of the next record.
func TestQuickNumber(t *testing.T) {
	const number = 0x1122334455667788
	for n := byte(0); n <= 8; n++ {
		want := uint64(number) >> (8 * (8 - int(n)))
		big, little := make([]byte, 8), make([]byte, 8)
		for i := range big {
			big[i], little[i] = 0xee, 0xee
		}
		whole := binary.BigEndian.AppendUint64(nil, want)
		copy(big, whole[8-n:])
		for i := range n {
			little[i] = whole[7-i]
		}
		expect.Equal(t, quickNumber(big, n, true), want, "%d bytes, the greatest first", n)
		expect.Equal(t, quickNumber(little, n, false), want, "%d bytes, the least first", n)
	}
}
