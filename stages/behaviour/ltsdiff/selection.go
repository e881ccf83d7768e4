package ltsdiff

import (
	"math"
	"slices"
)

// digit is the number of bits by which scores are distinguished at a time, until at most sortable of them share a prefix
// and can be sorted. This selects the k-th best of |L| x |R| scores without storing them.
const (
	digit    = 16
	sortable = 1 << 16
)

// prefix is the highest bits of a score above 0. Positive floats are ordered as their bits are.
type prefix struct {
	bits    uint64
	unknown int // number of lower bits not known yet
}

// covers reports whether a score begins with the prefix.
func (p prefix) covers(v float64) bool { return math.Float64bits(v)>>p.unknown == p.bits }

// limitToBest finds the count-th best of size scores, and how many of its pairs with exactly this score each left
// state may use.
func (l *landmarks) limitToBest(count, size int64) {
	p := prefix{unknown: 64}
	// Each pass fixes 16 bits of the score that is looked for.
	for p.unknown > 0 && size > sortable {
		p, count, size = l.narrowPrefix(p, count)
	}
	l.minScore = math.Float64frombits(p.bits)
	if p.unknown > 0 {
		l.minScore, count = l.pickScore(p, count, size)
	}
	l.tiesKept = make([]int32, l.left.States())
	l.eachScore(func(x int32, v float64) {
		if v == l.minScore && count > 0 {
			l.tiesKept[x]++
			count--
		}
	})
}

// narrowPrefix finds the next bits of the score that is the count-th best among those with a prefix, its place
// among those that have these bits too, and their number. It reads all scores once.
func (l *landmarks) narrowPrefix(p prefix, count int64) (next prefix, place, size int64) {
	buckets := make([]int64, 1<<digit)
	next.unknown = p.unknown - digit
	l.eachScore(func(_ int32, v float64) {
		if p.covers(v) {
			buckets[math.Float64bits(v)>>next.unknown&(1<<digit-1)]++
		}
	})
	// From the highest scores down, until the place falls into a bucket.
	b := len(buckets) - 1
	for ; buckets[b] < count; b-- {
		count -= buckets[b]
	}
	next.bits = p.bits<<digit | uint64(b)
	return next, count, buckets[b]
}

// pickScore finds the score that is the count-th best among the size that have a prefix, and how many of the first
// count are equal to it.
func (l *landmarks) pickScore(p prefix, count, size int64) (score float64, ties int64) {
	list := make([]float64, 0, size)
	l.eachScore(func(_ int32, v float64) {
		if p.covers(v) {
			list = append(list, v)
		}
	})
	slices.Sort(list)
	first := list[len(list)-int(count):]
	for ties < count && first[ties] == first[0] {
		ties++
	}
	return first[0], ties
}

// eachScore visits all scores above 0 by left state. They are computed anew each time: time is cheaper here than
// |L| x |R| memory.
func (l *landmarks) eachScore(visit func(x int32, v float64)) {
	for x := range l.left.States() {
		l.fillRow(&l.row, x)
		for _, y := range l.row.states {
			visit(x, l.row.score[y])
		}
	}
}
