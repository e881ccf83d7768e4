package changepoint

import (
	"cmp"
	"slices"
	"strings"
)

// CompareReleases orders names of releases as people do: runs of digits by their number, so that 8.9 comes before 8.14,
// and all else as text. A name that goes on where another ends comes after it, 8.14.1 after 8.14, unless it goes on as a
// version before the release does: 8.14.0-rc1 comes before 8.14.0.
func CompareReleases(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		var p, q string
		p, x = part(x)
		q, y = part(y)
		if c := compareParts(p, q); c != 0 {
			return c
		}
	}
	switch {
	case x == y:
		return strings.Compare(a, b) // 1 and 01
	case y == "":
		return longer(x)
	}
	return -longer(y)
}

// longer is the order of a name that goes on with rest after one that ends.
func longer(rest string) int {
	if early(rest) {
		return -1
	}
	return 1
}

// part cuts off the first run of digits, or of anything else.
func part(s string) (first, rest string) {
	digits := isDigit(s[0])
	n := 1
	for n < len(s) && isDigit(s[n]) == digits {
		n++
	}
	return s[:n], s[n:]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// compareParts compares numbers of any length by their value, and puts what is early before all else.
func compareParts(p, q string) int {
	switch {
	case isDigit(p[0]) && isDigit(q[0]):
		p, q = strings.TrimLeft(p, "0"), strings.TrimLeft(q, "0")
		return cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q))
	case early(p) != early(q):
		return longer(p)
	case early(p):
		p, q = strings.TrimLeft(p, separators), strings.TrimLeft(q, separators) // 1.0-rc1 as 1.0rc1
	}
	return strings.Compare(p, q)
}

// separators stand between the parts of a version.
const separators = "-._~"

// early says whether what follows a version names one before it.
func early(rest string) bool {
	rest = strings.ToLower(strings.TrimLeft(rest, separators))
	return slices.ContainsFunc([]string{"alpha", "beta", "dev", "pre", "rc", "snapshot"}, func(word string) bool {
		return strings.HasPrefix(rest, word)
	})
}
