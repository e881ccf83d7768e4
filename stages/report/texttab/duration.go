package texttab

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Unit is a unit of time.
type Unit struct {
	Name string // in ASCII everywhere, as flags take it: "s", "ms", "us" or "ns"
	Ns   int64  // its length in nanoseconds, a power of ten
}

// units are the units in which durations are written, the longest first. Minutes and hours are left out on purpose:
// decimal units compare at a glance.
var units = []Unit{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}}

// isUnit reports whether a word is the name of a unit.
func isUnit(word string) bool {
	return slices.ContainsFunc(units, func(u Unit) bool { return u.Name == word })
}

// UnitOf returns the longest unit that fits into a duration at least once, and nanoseconds for none.
func UnitOf(ns int64) Unit {
	for _, u := range units {
		if ns >= u.Ns || ns <= -u.Ns {
			return u
		}
	}
	return units[len(units)-1]
}

// Digits writes a duration in the unit with all its digits and without the unit's name: 1500 ns in microseconds is "1.5".
func (u Unit) Digits(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	magnitude, size := uint64(ns), uint64(u.Ns) // minus the minimum int64 is itself; as a uint64 it is right
	whole, part := strconv.FormatUint(magnitude/size, 10), magnitude%size
	if part == 0 {
		return sign + whole
	}
	decimals := strconv.FormatUint(size+part, 10)[1:] // the size is a power of ten and keeps the zeros in front
	return sign + whole + "." + strings.TrimRight(decimals, "0")
}

// Exact writes a duration with all its digits: "26.581047 ms". It suits what a user set, such as a threshold, and
// places in time; measured durations are easier to read with three digits.
func Exact(ns int64) string {
	if ns == 0 {
		return "0 s"
	}
	u := UnitOf(ns)
	return u.Digits(ns) + " " + u.Name
}

// InWindow writes a time in a window, or the length of the window itself, with no more digits than tell apart the thousandths of it
// that a reader sees: at most four for the length, "26.58 ms" for 26.581047. Ends are rounded alike, so that they still differ.
func InWindow(ns, windowNs int64) string {
	step := int64(1)
	for windowNs/step >= 10_000 || windowNs/step <= -10_000 { // invariant: step is a power of ten, and at most 1e15
		step *= 10
	}
	rest := ns % step
	ns -= rest
	switch {
	case 2*rest >= step && ns <= math.MaxInt64-step:
		ns += step
	case 2*rest <= -step && ns >= math.MinInt64+step:
		ns -= step
	}
	return Exact(ns)
}

// Flag writes a duration as a flag takes it, in ASCII and without spaces: "1m30s", "15us".
func Flag(d time.Duration) string { return strings.Replace(d.String(), "µ", "u", 1) }

// Short rounds a duration to three digits, or to seconds where these have more, and returns them with their unit.
// Halves are rounded up, in integers: what is printed is the same on every machine.
func Short(ns int64) (digits string, unit Unit) {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	// Minus the minimum int64 is itself again, but as a uint64 it is the right magnitude, which an int64 cannot hold.
	rounded := roundThree(uint64(ns))
	u := UnitOf(int64(min(rounded, math.MaxInt64)))
	size := uint64(u.Ns)
	digits = strconv.FormatUint(rounded/size, 10)
	if decimals := 3 - len(digits); decimals > 0 && size > 1 {
		digits += "." + strconv.FormatUint(size+rounded%size, 10)[1:1+decimals]
	}
	return sign + digits, u
}

// roundThree rounds to three digits, but never more coarsely than to seconds.
func roundThree(ns uint64) uint64 {
	const second = 1e9
	step := uint64(1)
	for ns/step >= 1000 && step < second { // invariant: step is a power of ten
		step *= 10
	}
	return (ns/step + ns%step*2/step) * step
}

// Duration writes nanoseconds with three digits and a unit: "1.05 ms". Three digits resolve a change of half a per cent,
// which is less than any margin, and keep columns narrow.
func Duration(ns int64) string {
	digits, u := Short(ns)
	return digits + " " + u.Name
}

// Change writes a difference of durations as Duration does, with a plus sign where it is positive: "+1.05 ms". Nothing
// has no sign.
func Change(ns int64) string {
	if ns > 0 {
		return "+" + Duration(ns)
	}
	return Duration(ns)
}

// Interval writes an interval of differences, and the unit once where both ends have the same: "+1.00 to +2.00 ms". Both
// ends have signs, because an interval that holds zero shows no change.
func Interval(lowNs, highNs int64) string {
	low, high := Change(lowNs), Change(highNs)
	number, unit, _ := strings.Cut(low, " ")
	if _, other, _ := strings.Cut(high, " "); other == unit {
		low = number
	}
	return low + " to " + high
}
