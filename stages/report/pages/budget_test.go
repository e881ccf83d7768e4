package pages

import (
	"errors"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestBudget sees that a file stays below its size, that its first resource always has room, and that all that is left out is counted.
func TestBudget(t *testing.T) {
	first := map[string]string{"first": strings.Repeat("x", 5000)}
	for _, most := range []int64{12_000, 15_000, 20_000, 40_000, 100_000} {
		b := &Budget{Most: most, Overhead: 60}
		b.Use(1000)
		expect.OK(t, b.Reserve(first))
		expect.OK(t, b.AddMost("rows", "rows", 10_000, .5, func(n int) any { return strings.Repeat("r", 4*n) }))
		fits := expect.Value(b.Add("more", strings.Repeat("m", 9000)))(t)
		all := expect.Value(b.Finish("report", first))(t)
		bytes, rows := 1000, 0
		for _, r := range all {
			bytes += len(r.JSON) + len(r.Name) + 60
			if r.Name == "rows" {
				rows = (len(r.JSON) - 2) / 4
			}
		}
		if int64(bytes) > most {
			t.Errorf("a file of at most %d bytes has %d", most, bytes)
		}
		expect.Equal(t, all[0].Name, "report", "the first resource")
		left := int64(0)
		for _, l := range b.LeftOut() {
			left += l.Count
		}
		expect.Equal(t, left, int64(10_000-rows), "rows that are left out of at most %d bytes", most)
		expect.Equal(t, fits, most >= 40_000, "the large resource fits into %d bytes", most)
	}
	b := &Budget{Most: 5000}
	if err := b.Reserve(first); !errors.As(err, new(*TooSmallError)) {
		t.Errorf("a file that is too small for its first page: %v", err)
	}
}
