package spans

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
)

// release is the kind of a row that is no event: nothing more comes on its stack.
const release schema.Kind = 0xff

// row is an event before it has a lifeline. It holds no pointers, so that a Sorter takes it.
type row struct {
	orderNs, timeNs   int64
	message           int64
	stack             int64
	service, function uint32
	mark              uint8
	kind              schema.Kind
}

// compareRows orders rows by time. A lifeline that is released at a time is free for what comes later, not for what
// comes then, so that no order among traces shows.
func compareRows(a, b *row) int {
	if a.orderNs != b.orderNs || a.kind == b.kind {
		return cmp.Compare(a.orderNs, b.orderNs)
	}
	switch release {
	case a.kind:
		return 1
	case b.kind:
		return -1
	}
	return 0
}
