package changepoint

import (
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCompareReleases compares all pairs of a list in order.
func TestCompareReleases(t *testing.T) {
	order := strings.Fields("-x 01 1 1.0-alpha2 1.0-beta 1.0rc1 1.0-rc2 1.0rc10 1.0 1.0-1 1.0.1 1.0.2 1.0.2k 1.2 1.10 7.88.0 " +
		"7.88.1-deb 8.9 8.14-dev 8.14 8.14.0-rc1 8.14.0 8.14.1 99999999999999999999 100000000000000000000 a a1 a2 a10 b")
	for i, a := range order {
		for k, b := range order {
			want := 0
			if i < k {
				want = -1
			} else if i > k {
				want = 1
			}
			expect.Equal(t, CompareReleases(a, b), want, "%s and %s", a, b)
		}
	}
}

// FuzzCompareReleases checks that it is an order: of three names, sorted, each comes after all before it, and only a name
// itself is equal to it.
func FuzzCompareReleases(f *testing.F) {
	f.Add("1.0-rc1", "1.0", "1.0.1")
	f.Add("-", "00", "0-")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		names := []string{a, b, c}
		slices.SortFunc(names, CompareReleases)
		for i, x := range names {
			for k, y := range names[i:] {
				got, back := CompareReleases(x, y), CompareReleases(y, x)
				if got != -back || got > 0 || (got == 0) != (x == y) || (k == 0 && got != 0) {
					t.Errorf("%q and %q: %d and %d", x, y, got, back)
				}
			}
		}
	})
}
