package stats

import (
	"math"
	"slices"
)

// HodgesLehmann returns the shift from x to y: the median of all differences y - x (Hodges and Lehmann
// 1963), selected without building the matrix of differences. An empty sample gives NaN.
func HodgesLehmann[T Number](x, y []T) float64 {
	if len(x) == 0 || len(y) == 0 {
		return math.NaN()
	}
	pairs := int64(len(x)) * int64(len(y))
	a, b := selectPair(x, y, (pairs+1)/2, 1-pairs%2)
	return float64(a) + float64(b-a)/2
}

// differences are the len(x)*len(y) values y - x of two sorted samples, never built. The number of
// differences up to a value takes one walk, because the boundary moves only forwards. A difference has
// to fit the type: integer nanoseconds less than 292 years apart.
type differences[T Number] struct{ x, y []T }

// count returns the number of differences up to v, in one walk over both samples. Which of them goes on is no branch, since that is as good
// as chance: a processor would guess wrong at every other step.
func (d differences[T]) count(v T) int64 {
	total, i, j := int64(0), 0, 0
	for i < len(d.x) && j < len(d.y) {
		up := 0
		if !(d.y[j]-d.x[i] > v) {
			up = 1
		}
		total += int64(j & (up - 1)) // all of j where x goes on, nothing where y does
		i, j = i+1-up, j+up
	}
	return total + int64(len(d.x)-i)*int64(j)
}

// between returns the sorted differences above lo and up to hi.
func (d differences[T]) between(lo, hi T) []T {
	var out []T
	a, b := 0, 0
	for _, x := range d.x {
		for a < len(d.y) && !(d.y[a]-x > lo) {
			a++
		}
		for b < len(d.y) && !(d.y[b]-x > hi) {
			b++
		}
		for _, y := range d.y[a:max(a, b)] {
			out = append(out, y-x)
		}
	}
	slices.Sort(out)
	return out
}

// neighbours returns the greatest difference up to v and the smallest above it.
func (d differences[T]) neighbours(v T) (below, above T) {
	j := 0
	below, above = d.y[0]-d.x[len(d.x)-1], d.y[len(d.y)-1]-d.x[0]
	for _, x := range d.x {
		for j < len(d.y) && !(d.y[j]-x > v) {
			j++
		}
		if j > 0 {
			below = max(below, d.y[j-1]-x)
		}
		if j < len(d.y) {
			above = min(above, d.y[j]-x)
		}
	}
	return below, above
}

// bracket holds the wanted difference: nLo differences are at most lo, nHi at most hi, nLo < k <= nHi.
type bracket struct {
	lo, hi   int64 // keys
	nLo, nHi int64
}

// selectPair returns the differences number k and k+step, from 1; step is 0 or 1. It narrows a bracket
// of values until so few differences are inside that sorting them costs no more than a walk, and sorts those
// (interpolation search on the implicit sorted matrix, compare Johnson and Mizoguchi 1978).
func selectPair[T Number](x, y []T, k, step int64) (T, T) {
	d := differences[T]{x, y}
	b := bracket{hi: key(y[len(y)-1] - x[0]), nHi: int64(len(x)) * int64(len(y))}
	b.lo = key(y[0]-x[len(x)-1]) - 1
	few := int64(64 + (len(x)+len(y))/16)
	guessed := guesses(x, y, k)
	for round := 0; b.nHi-b.nLo > few && uint64(b.hi)-uint64(b.lo) > 1; round++ {
		at := pivot[T](b, k, round)
		if len(guessed) > 0 {
			at, guessed = guessed[0], guessed[1:]
			if at <= b.lo || at >= b.hi {
				continue
			}
		}
		switch c := d.count(unkey[T](at)); {
		case c >= k+step:
			b.hi, b.nHi = at, c
		case c >= k:
			return d.neighbours(unkey[T](at))
		default:
			b.lo, b.nLo = at, c
		}
	}
	if uint64(b.hi)-uint64(b.lo) == 1 {
		return unkey[T](b.hi), unkey[T](b.hi)
	}
	inside := d.between(unkey[T](b.lo), unkey[T](b.hi))
	if k <= b.nLo || k+step-1-b.nLo >= int64(len(inside)) {
		return unkey[T](b.hi), unkey[T](b.hi) // only with NaN, infinities or overflow
	}
	return inside[k-1-b.nLo], inside[k+step-1-b.nLo]
}

// thinFrom is how many values two samples have together before guessing costs less than it saves, and thinTo how many
// of each are left to guess by.
const (
	thinFrom = 1 << 12
	thinTo   = 1 << 8
)

// guesses are keys that most likely hold the wanted difference between them, and few others: the differences at ranks a
// little below and above that of evenly thinned samples.
func guesses[T Number](x, y []T, k int64) []int64 {
	if len(x)+len(y) < thinFrom {
		return nil
	}
	a, b := thinned(x), thinned(y)
	pairs := float64(len(a)) * float64(len(b))
	rank := func(share float64) T {
		v, _ := selectPair(a, b, int64(min(pairs, max(1, share*pairs))), 0)
		return v
	}
	share := float64(k) / (float64(len(x)) * float64(len(y)))
	return []int64{key(rank(share - .01)), key(rank(share + .01))}
}

// thinned takes values evenly from a sorted sample, if it is long.
func thinned[T Number](sorted []T) []T {
	if len(sorted) <= thinTo {
		return sorted
	}
	out := make([]T, thinTo)
	for i := range out {
		out[i] = sorted[(2*i+1)*len(sorted)/(2*thinTo)]
	}
	return out
}

// pivot chooses a key strictly inside the bracket: one round a little below where the wanted difference
// would be if they were spread evenly, one round a little above, and every third round the middle key,
// which bounds the number of rounds by 3*64 whatever the distribution.
func pivot[T Number](b bracket, k int64, round int) int64 {
	if round%3 == 2 {
		return b.lo + int64((uint64(b.hi)-uint64(b.lo))/2)
	}
	share := (float64(k-b.nLo) - 0.5) / float64(b.nHi-b.nLo)
	share = min(1, max(0, share+0.03*float64(2*(round%3)-1)))
	lo, hi := float64(unkey[T](b.lo)), float64(unkey[T](b.hi))
	return min(b.hi-1, max(b.lo+1, key(T(lo+share*(hi-lo)))))
}

// key maps a value to an integer of the same order, so that bisection ends for floats too.
func key[T Number](v T) int64 {
	f, isFloat := any(v).(float64)
	if !isFloat {
		return int64(v)
	}
	bits := int64(math.Float64bits(f))
	if bits < 0 {
		return math.MinInt64 - bits
	}
	return bits
}

// unkey is the inverse of key.
func unkey[T Number](k int64) T {
	var zero T
	if _, isFloat := any(zero).(float64); !isFloat {
		return T(k)
	}
	if k < 0 {
		k = math.MinInt64 - k
	}
	return T(math.Float64frombits(uint64(k)))
}
