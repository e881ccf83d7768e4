package stats

import (
	"cmp"
	"slices"
)

// Ascending returns the positions of p in the order of their values, equal ones by position.
func Ascending(p []float64) []int {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order
}

// BenjaminiHochberg returns p adjusted to control the false discovery rate (Benjamini and Hochberg 1995, Journal of the
// Royal Statistical Society B 57, 289-300). From the greatest p down, the adjusted value of the k-th smallest of n is
//
//	min over j >= k of n/j p_(j)
//
// so that rejecting all values of at most q keeps the expected share of false discoveries at q. The result is in the
// order of p.
func BenjaminiHochberg(p []float64) []float64 {
	order, out := Ascending(p), make([]float64, len(p))
	n, minimum := float64(len(p)), 1.0
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		minimum = min(minimum, n/float64(k+1)*p[i])
		out[i] = minimum
	}
	return out
}

// Simes returns the p-value of the hypothesis that all null hypotheses of a family are true: the minimum
// n p_(i)/i (Simes 1986, Biometrika 73, 751-754), valid if the tests are independent or positively
// dependent. NaN counts as 1. An empty family gives 1.
func Simes(p []float64) float64 {
	least := 1.0
	for _, v := range BenjaminiHochberg(proper(p)) {
		least = min(least, v)
	}
	return least
}

// proper returns p with NaN as 1 and rounding errors outside [0, 1] moved to its ends.
func proper(p []float64) []float64 {
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = 1
		if v < 1 {
			out[i] = max(0, v)
		}
	}
	return out
}

// TwoLevel selects families and tests inside them (Benjamini and Bogomolov 2014, Journal of the Royal
// Statistical Society B 76, 297-318): Benjamini-Hochberg at q over the Simes p-values of the m families
// selects R of them, and Benjamini-Hochberg at q R/m decides inside each of those. That controls the
// expected share of false discoveries averaged over the selected families.
//
// adjusted has the shape of families: the Benjamini-Hochberg value inside a selected family times m/R, at
// most 1, and 1 in the other families. So adjusted <= q is the decision, for this q below 1 only: R depends
// on q. A selected family has at least one such test. An empty family has no test, is not selected and
// does not count in m.
func TwoLevel(families [][]float64, q float64) (selected []bool, adjusted [][]float64) {
	selected, adjusted = make([]bool, len(families)), make([][]float64, len(families))
	var tested []int
	var simes []float64
	for i, p := range families {
		adjusted[i] = proper(p)
		if len(p) > 0 {
			tested, simes = append(tested, i), append(simes, Simes(p))
		}
	}
	found := 0
	for k, v := range BenjaminiHochberg(simes) {
		selected[tested[k]] = v <= q
		if v <= q {
			found++
		}
	}
	for i := range families {
		inside(adjusted[i], selected[i], float64(len(tested))/float64(max(1, found)))
	}
	return selected, adjusted
}

// inside replaces the p-values of one family by their adjusted values. The factor comes last, as in the
// level of the family, so that rounding cannot leave a selected family without a test.
func inside(p []float64, selected bool, factor float64) {
	for i, v := range BenjaminiHochberg(p) {
		p[i] = 1
		if selected {
			p[i] = min(1, factor*v)
		}
	}
}
