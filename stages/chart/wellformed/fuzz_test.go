package wellformed

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// program reads records from bytes, two a record: what happens where, and its message.
func program(data []byte) []record {
	var records []record
	now := int64(0)
	for i := 0; i+1 < len(data) && i < 400; i += 2 {
		what, with := data[i], data[i+1]
		component := fmt.Sprint("C", what>>1&3)
		r := record{id: schema.NoValue, line: int64(i/2) + 1, key: schema.EventKey{
			Component: component, Lifeline: component, Function: string(rune('f' + what>>3&3)), Kind: schema.Kind(what & 1),
		}}
		if what>>5&7 == 7 {
			r.key.Kind = schema.Message
		}
		now += int64(with>>5) - 1
		r.timeNs = now
		if d := schema.Direction(with & 3); d == schema.Send || d == schema.Receive {
			r.mark = schema.MessageMark{Direction: d, Series: "m", Label: "m"}
			r.id = int64(with >> 2 & 3)
		}
		records = append(records, r)
	}
	return records
}

// FuzzWeaver weaves any program of events: nothing panics, the result is a chart (checkSound), and it is the
// oracle's.
func FuzzWeaver(f *testing.F) {
	f.Add([]byte{0, 1, 2, 2, 3, 5, 1, 6}, uint8(0))
	f.Add([]byte{0, 1, 4, 1, 2, 2, 3, 5, 1, 6, 5, 0}, uint8(5))
	f.Add([]byte{1, 1, 0, 1, 8, 2, 9, 5, 1, 6, 8, 9, 224, 1}, uint8(254))
	f.Fuzz(func(t *testing.T, data []byte, shape uint8) {
		records := program(data)
		l := layout{buckets: 1 + int(shape&1), group: 1 + int(shape>>1&3), messages: 1 + int(shape>>3&1), block: 1 + int(shape>>4), parsers: 2}
		for _, l.opt = range ways {
			o := weave(t, records, l)
			checkSound(t, records, o)
			if !l.opt.Insert {
				compareWithOracle(t, records, o, l.opt.Discard)
			}
		}
	})
}
