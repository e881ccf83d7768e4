package spans

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
)

// row is an event before it has a lifeline. It holds no pointers, so that a Sorter takes it.
type row struct {
	orderNs, timeNs   int64
	message           int64
	stack             int64
	service, function uint32
	mark              uint8
	kind              schema.Kind
	last              bool // nothing more comes on its stack
}

// compareRows orders rows by time.
func compareRows(a, b *row) int { return cmp.Compare(a.orderNs, b.orderNs) }
