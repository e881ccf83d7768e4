package compare

import (
	"fmt"
	"testing"
)

// TestShares sees that every function belongs to exactly one share, whatever the number of shares.
func TestShares(t *testing.T) {
	for parts := uint64(1); parts < 9; parts++ {
		for i := range 100 {
			n := 0
			for turn := range parts {
				if (share{turn, parts}).has("c", fmt.Sprint("f", i)) {
					n++
				}
			}
			if n != 1 || (share{}).has("c", fmt.Sprint("f", i)) {
				t.Errorf("f%d belongs to %d of %d shares", i, n, parts)
			}
		}
	}
}
