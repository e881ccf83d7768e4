package signals

import (
	"cmp"
	"slices"
)

// countedFrom is how many jumps there are at least to be sorted by counting, which takes as long as to compare fewer, and digitBits how
// many bits of a time are counted at once.
const countedFrom, digitBits = 1 << 10, 11

// sorted puts jumps in the order of time, those of one time as they come: by radix from the lowest digit of the times since the first one.
func sorted(all []jump) []jump {
	byTime := func(a, b jump) int { return cmp.Compare(a.ns, b.ns) }
	if slices.IsSortedFunc(all, byTime) { // executions come in one of the two orders
		return all
	}
	if len(all) < countedFrom {
		slices.SortStableFunc(all, byTime)
		return all
	}
	least, most := all[0].ns, all[0].ns
	for i := range all {
		least, most = min(least, all[i].ns), max(most, all[i].ns)
	}
	other := make([]jump, len(all))
	for shift := 0; shift < 64 && (uint64(most)-uint64(least))>>shift > 0; shift += digitBits {
		var next [1 << digitBits]int
		digit := func(j *jump) uint64 { return (uint64(j.ns) - uint64(least)) >> shift % (1 << digitBits) }
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
	return all
}
