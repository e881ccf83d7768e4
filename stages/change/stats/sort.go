package stats

import "slices"

const (
	radixBits = 11      // three passes sort durations in ns up to 8 seconds
	radixFrom = 1 << 11 // below this size comparing is faster than counting
)

// SortInts sorts v in ascending order: by radix from the lowest digit if v is long, which takes as much
// memory again while it runs. The digits are those of the distance from the minimum, so a narrow range
// takes few passes wherever it lies.
func SortInts(v []int64) {
	if len(v) < radixFrom || slices.IsSorted(v) {
		slices.Sort(v)
		return
	}
	least := slices.Min(v)
	width := uint64(slices.Max(v)) - uint64(least)
	from, to := v, make([]int64, len(v))
	for shift := uint(0); shift < 64 && width>>shift > 0; shift += radixBits {
		scatter(from, to, uint64(least), shift)
		from, to = to, from
	}
	if &from[0] != &v[0] {
		copy(v, from)
	}
}

// scatter moves from into to in the order of one digit, equal digits in the order they have.
func scatter(from, to []int64, least uint64, shift uint) {
	const mask = 1<<radixBits - 1
	var at [1 << radixBits]int
	for _, x := range from {
		at[(uint64(x)-least)>>shift&mask]++
	}
	next := 0
	for digit, n := range at {
		at[digit] = next
		next += n
	}
	for _, x := range from {
		digit := (uint64(x) - least) >> shift & mask
		to[at[digit]] = x
		at[digit]++
	}
}
