package texttab

import (
	"fmt"
	"strconv"
	"strings"
)

// integer is any type that holds counts: the length of a slice, or a column of a table.
type integer interface{ ~int | ~int64 }

// Count writes a number with a comma before every three digits: "1,234,567". It is generic because lengths are int and
// columns are int64.
func Count[N integer](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	// From the end, so that a comma moves no position that is still to come.
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural writes a number with its noun, which gets an s unless the number is one: "1 run", "2,000 runs". Nouns with
// another plural are not supported, because no report has any.
func Plural[N integer](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Count(n) + " " + noun
}

// Percent writes how much of a whole a part is, with at most three digits. A part that rounds to nothing is "<0.1 %": a
// reader must not take it for none.
func Percent(part, whole int64) string {
	x := 100 * float64(part) / float64(max(whole, 1))
	switch {
	case part > 0 && x < 0.05:
		return "<0.1 %"
	case x < 9.95:
		return fmt.Sprintf("%.1f %%", x)
	}
	return fmt.Sprintf("%.0f %%", x)
}

// Share writes a share of one in percent, with at most three digits and without needless zeros: 0.05 is "5 %". It suits
// what a user set, such as a margin; measured shares have a fixed number of digits.
func Share(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.3g", 100*x), ".0") + " %" }

// ParseShare reads 5% or 0.05.
func ParseShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// Relative writes a relative difference in percent with three digits and a sign: 0.05 is "+5.00 %".
func Relative(x float64) string {
	sign := ""
	if x > 0 {
		sign = "+"
	} else if x < 0 {
		sign, x = "-", -x
	}
	x *= 100 // percent
	switch { // the bounds are where the next digit rounds up to one digit more
	case x >= 99.95:
		return fmt.Sprintf("%s%.0f %%", sign, x)
	case x >= 9.995:
		return fmt.Sprintf("%s%.1f %%", sign, x)
	}
	return fmt.Sprintf("%s%.2f %%", sign, x)
}

// byteUnits are the units of sizes, so ordered that none is the ending of a later one.
var byteUnits = []struct {
	name string
	size float64 // bytes
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// Bytes writes a size with all its digits in the unit, binary or decimal, that makes it shortest: "512MiB", "100KB". ParseBytes reads it back.
func Bytes(n int64) string {
	best, unit := n, "B"
	for _, u := range byteUnits {
		if size := int64(u.size); n >= size && n%size == 0 && n/size < best {
			best, unit = n/size, u.name
		}
	}
	return strconv.FormatInt(best, 10) + unit
}

// ParseBytes reads a size such as "512MiB", "1.5 GB" or "4096" in bytes.
func ParseBytes(text string) (int64, error) {
	number, size := text, 1.0
	for _, u := range byteUnits {
		if rest, found := strings.CutSuffix(text, u.name); found {
			number, size = rest, u.size
			break
		}
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(value >= 0 && value*size < 1<<62) { // NaN fails both comparisons
		return 0, fmt.Errorf("%q is not a size such as 512MiB or 4GiB", text)
	}
	return int64(value * size), nil
}
