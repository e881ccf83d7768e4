package stats

import (
	"cmp"
	"math"
	"slices"
)

// Bounds of the work of the permutation tests.
const (
	mostLabelSplits = 200_000 // of one row: 10 against 10 runs have 184,756
	mostRowSplits   = 5_000   // of many rows: 7 against 7 runs have 3,432
)

// equalSums is the difference of two sums of standardised values that counts as rounding.
const equalSums = 1e-10

// LabelPermutation returns the two-sided p-value of the difference of the means of two sides if their labels
// mean nothing: the share of the splits of all values with a difference at least as great (Fisher 1935, The
// Design of Experiments). It is exact up to 200,000 splits; above that as many are drawn from a fixed seed.
// The least p is 2/C(2k,k) for k values a side. A value that is not finite, or an empty side, gives 1.
func LabelPermutation(base, cand []float64) float64 {
	if len(base) == 0 || len(cand) == 0 {
		return 1
	}
	z := standardised(slices.Concat(base, cand))
	if z == nil {
		return 1
	}
	z, k := smallerFirst(z, len(base))
	observed := math.Abs(sumOf(z[:k]))
	extreme, visited := 0, 0
	all := eachSplit(len(z), k, mostLabelSplits, func(chosen []int) {
		visited++
		if math.Abs(sumAt(z, chosen)) >= observed-equalSums {
			extreme++
		}
	})
	return shareAtLeast(extreme, visited, all)
}

// MaxT returns, row by row, the p-value that the row differs between its first nBase values and the others,
// adjusted for all rows: the probability that any of the rows not more extreme reaches its |t| if labels
// mean nothing (Westfall and Young 1993, Resampling-Based Multiple Testing, algorithm 4.1, step-down). It
// controls the family-wise error whatever the dependence between rows, because all rows are permuted alike.
// The splits are all up to 5,000, else 5,000 drawn from a fixed seed. The least p is 2/C(2k,k) for k values
// a side, so this answers whether anything differs, not what.
//
// Rows are as long as the first. Another row, one of equal values, or one with a value that is not finite
// gets 1 and is left out.
func MaxT(rows [][]float64, nBase int) []float64 {
	p := make([]float64, len(rows))
	var kept []labelled
	k := 0
	for i, row := range rows {
		p[i] = 1
		if len(row) != len(rows[0]) || nBase <= 0 || nBase >= len(row) {
			continue
		}
		if z := standardised(row); z != nil {
			z, k = smallerFirst(z, nBase)
			kept = append(kept, labelled{row: i, z: z, observed: math.Abs(sumOf(z[:k]))})
		}
	}
	if len(kept) > 0 {
		stepDown(p, kept, k)
	}
	return p
}

// labelled is a row of MaxT. The pooled |t| grows with the |sum| over one side of the standardised values,
// because their sum of squares is the same in every split; so sums stand for t.
type labelled struct {
	row      int
	z        []float64
	observed float64
	extreme  int // splits in which this or a less extreme row reaches observed
}

// stepDown fills p for the kept rows, of which side k is permuted.
func stepDown(p []float64, kept []labelled, k int) {
	slices.SortStableFunc(kept, func(a, b labelled) int { return cmp.Compare(b.observed, a.observed) })
	visited := 0
	all := eachSplit(len(kept[0].z), k, mostRowSplits, func(chosen []int) {
		visited++
		greatest := 0.0
		for i := len(kept) - 1; i >= 0; i-- {
			r := &kept[i]
			greatest = max(greatest, math.Abs(sumAt(r.z, chosen)))
			if greatest >= r.observed-equalSums {
				r.extreme++
			}
		}
	})
	least := 0.0
	for _, r := range kept {
		least = max(least, shareAtLeast(r.extreme, visited, all))
		p[r.row] = least
	}
}

// standardised returns values with mean 0 and sum of squares 1, or nil if they are equal or not all finite.
func standardised(values []float64) []float64 {
	z, scale, mean, squares := make([]float64, len(values)), 0.0, 0.0, 0.0
	for i, v := range values {
		z[i] = v/2 - values[0]/2 // halves cannot overflow; exactly 0 for equal values
		scale = max(scale, math.Abs(z[i]))
	}
	for i := range z {
		z[i] /= scale // NaN for equal values, NaN and infinities
		mean += z[i] / float64(len(z))
	}
	for i := range z {
		z[i] -= mean
		squares += z[i] * z[i]
	}
	if !(squares > 0) {
		return nil
	}
	for i := range z {
		z[i] /= math.Sqrt(squares)
	}
	return z
}

// smallerFirst brings the smaller of z[:k] and z[k:] to the front, because its sum costs less and is the
// other's negative, and returns its length.
func smallerFirst(z []float64, k int) ([]float64, int) {
	if 2*k <= len(z) {
		return z, k
	}
	return slices.Concat(z[k:], z[:k]), len(z) - k
}

func sumOf(z []float64) float64 {
	sum := 0.0
	for _, v := range z {
		sum += v
	}
	return sum
}

func sumAt(z []float64, at []int) float64 {
	sum := 0.0
	for _, i := range at {
		sum += z[i]
	}
	return sum
}
