package timesort

import (
	"cmp"
	"slices"
)

// countedFrom is how many positions there are at least to be sorted by counting, which takes as long as to compare fewer, and digitBits
// how many bits of a time are counted at once.
const countedFrom, digitBits = 1 << 8, 11

// timed is a position with its time beside it, so that no pass looks times up.
type timed struct {
	timeNs uint64 // since the least
	at     int32
}

// Stable sorts positions by their times, those of one time as they come: by radix from the lowest digit of the times since the first one
// (Knuth, The Art of Computer Programming 3, section 5.2.5).
func Stable(positions []int32, timeNs []int64) {
	inOrder := func(a, b int32) int { return cmp.Compare(timeNs[a], timeNs[b]) }
	if slices.IsSortedFunc(positions, inOrder) {
		return
	}
	if len(positions) < countedFrom {
		slices.SortStableFunc(positions, inOrder)
		return
	}
	least, most := timeNs[positions[0]], timeNs[positions[0]]
	for _, at := range positions {
		least, most = min(least, timeNs[at]), max(most, timeNs[at])
	}
	all, other := make([]timed, len(positions)), make([]timed, len(positions))
	for i, at := range positions {
		all[i] = timed{uint64(timeNs[at]) - uint64(least), at}
	}
	for shift := 0; shift < 64 && (uint64(most)-uint64(least))>>shift > 0; shift += digitBits {
		var next [1 << digitBits]int
		for i := range all {
			next[all[i].timeNs>>shift%(1<<digitBits)]++
		}
		at := 0
		for d, n := range next {
			next[d], at = at, at+n
		}
		for i := range all {
			d := all[i].timeNs >> shift % (1 << digitBits)
			other[next[d]] = all[i]
			next[d]++
		}
		all, other = other, all
	}
	for i := range all {
		positions[i] = all[i].at
	}
}

// Everything are the positions of a list of so many, in their order.
func Everything(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
