package lake

import "testing"

// TestGroupRows checks that row groups of up to 64 buckets together have the rows of 16 full ones, and others no fewer each.
func TestGroupRows(t *testing.T) {
	for _, c := range []struct{ buckets, want int }{
		{0, RowGroupRows}, {1, RowGroupRows}, {16, RowGroupRows}, {31, RowGroupRows}, {32, RowGroupRows / 2}, {65, RowGroupRows / 4},
		{256, 1 << 14}, {4096, 1 << 14},
	} {
		if got := GroupRows(c.buckets); got != c.want {
			t.Errorf("a row group of %d buckets has %d rows, want %d", c.buckets, got, c.want)
		}
	}
}
