package signals

import (
	"cmp"
	"io"
	"slices"
)

// Interval is a claim, an item of work, an execution or a message: something with a value that lasts for a while.
type Interval struct {
	FromNs, ToNs int64
	Value        float64 // the amount of a claim, or of an item what it counts for
}

// Span is the time over which a signal is asked for, [FromNs, ToNs).
type Span struct{ FromNs, ToNs int64 }

// Intervals gives intervals in the order of their beginnings, one a call, and io.EOF behind the last. Another error ends them early.
type Intervals func() (Interval, error)

// Ordered gives intervals that are in memory, which SortByBeginning has brought in order.
func Ordered(all []Interval) Intervals {
	return func() (Interval, error) {
		if len(all) == 0 {
			return Interval{}, io.EOF
		}
		i := all[0]
		all = all[1:]
		return i, nil
	}
}

// countedFrom is how many intervals there are at least to be sorted by counting, which takes as long as to compare fewer, and digitBits how
// many bits of a time are counted at once.
const countedFrom, digitBits = 1 << 10, 11

// SortByBeginning puts intervals in the order of their beginnings, those of one beginning as they come: by radix from the lowest digit of
// the times since the first one. The result is in the memory of all or in that of spare, which grows to as many.
func SortByBeginning(all, spare []Interval) (ordered, other []Interval) {
	byTime := func(a, b Interval) int { return cmp.Compare(a.FromNs, b.FromNs) }
	if slices.IsSortedFunc(all, byTime) { // executions that nobody calls come so
		return all, spare
	}
	if len(all) < countedFrom {
		slices.SortStableFunc(all, byTime)
		return all, spare
	}
	least, most := all[0].FromNs, all[0].FromNs
	for i := range all {
		least, most = min(least, all[i].FromNs), max(most, all[i].FromNs)
	}
	other = slices.Grow(spare[:0], len(all))[:len(all)]
	for shift := 0; shift < 64 && (uint64(most)-uint64(least))>>shift > 0; shift += digitBits {
		var next [1 << digitBits]int
		digit := func(i *Interval) uint64 { return (uint64(i.FromNs) - uint64(least)) >> shift % (1 << digitBits) }
		for i := range all {
			next[digit(&all[i])]++
		}
		at := 0
		for d, n := range next {
			next[d], at = at, at+n
		}
		for i := range all {
			d := digit(&all[i])
			other[next[d]] = all[i]
			next[d]++
		}
		all, other = other, all
	}
	return all, other
}
