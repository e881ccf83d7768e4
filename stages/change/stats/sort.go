package stats

import (
	"slices"
	"sync"
)

// Below radixFrom values comparing is faster than counting. From wideFrom on digits have wideBits, of which three passes sort
// durations in ns up to 8 seconds; for fewer values so many counters cost more than they save, and digits have narrowBits.
const (
	radixFrom  = 1 << 8
	wideFrom   = 1 << 12
	narrowBits = 8
	wideBits   = 11
)

// radixScratch is the second place of values that are being sorted. It goes from one sort to the next, since memory that is
// new would have to be cleared first.
var radixScratch = sync.Pool{New: func() any { return new([]int64) }}

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
	scratch := radixScratch.Get().(*[]int64)
	defer radixScratch.Put(scratch)
	*scratch = slices.Grow((*scratch)[:0], len(v))[:len(v)]
	bits := uint(narrowBits)
	if len(v) >= wideFrom {
		bits = wideBits
	}
	from, to := v, *scratch
	var counts [1 << wideBits]uint32
	for shift := uint(0); shift < 64 && width>>shift > 0; shift += bits {
		at := counts[:1<<bits]
		clear(at)
		scatter(from, to, at, uint64(least), shift)
		from, to = to, from
	}
	if &from[0] != &v[0] {
		copy(v, from)
	}
}

// scatter moves from into to in the order of one digit, equal digits in the order they have. At has a counter, which is 0, for
// each value of a digit: their number is a power of two.
func scatter(from, to []int64, at []uint32, least uint64, shift uint) {
	mask := uint64(len(at) - 1)
	for _, x := range from {
		at[(uint64(x)-least)>>shift&mask]++
	}
	next := uint32(0)
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
