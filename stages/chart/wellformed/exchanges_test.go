package wellformed

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestExchangesTakeMemoryLate sees that exchanges take no memory before there is one, and then all of it at once.
func TestExchangesTakeMemoryLate(t *testing.T) {
	x := NewExchanges(1000)
	expect.Equal(t, cap(x.list), 0, "without any")
	x.next().id = 7
	expect.Equal(t, cap(x.list), 1000, "with one")
	x.Reset()
	x.next().id = 8
	expect.Equal(t, len(x.list), 1, "used again")
	expect.Equal(t, x.list[0].id, int64(8), "used again")
}
