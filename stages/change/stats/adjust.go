package stats

import (
	"cmp"
	"slices"
)

// ascending returns the positions of p in the order of their values, equal ones by position.
func ascending(p []float64) []int {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order
}

// BenjaminiHochberg returns p adjusted to control the false discovery rate (Benjamini and Hochberg
// 1995). The result is in the order of p.
func BenjaminiHochberg(p []float64) []float64 { return stepUp(p, 1) }

// BenjaminiYekutieli is BenjaminiHochberg for any dependence between the tests (2001).
func BenjaminiYekutieli(p []float64) []float64 {
	harmonic := 0.0
	for i := range p {
		harmonic += 1 / float64(i+1)
	}
	return stepUp(p, harmonic)
}

// stepUp adjusts from the greatest p down: min over j >= i of factor * n/j * p_j.
func stepUp(p []float64, factor float64) []float64 {
	order, out := ascending(p), make([]float64, len(p))
	n, least := float64(len(p)), 1.0
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		least = min(least, factor*n/float64(k+1)*p[i])
		out[i] = least
	}
	return out
}

// Holm returns p adjusted to control the family-wise error (Holm 1979), in the order of p.
func Holm(p []float64) []float64 {
	out, greatest := make([]float64, len(p)), 0.0
	for k, i := range ascending(p) {
		greatest = max(greatest, float64(len(p)-k)*p[i])
		out[i] = min(1, greatest)
	}
	return out
}

// Bonferroni returns min(1, n p).
func Bonferroni(p []float64) []float64 {
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = min(1, float64(len(p))*v)
	}
	return out
}

// NullShare estimates the share of true null hypotheses by Storey (2002) with lambda = 0.5, which is
// steadier than a smoother over many lambdas when the family is small. No p-values give 1.
func NullShare(p []float64) float64 {
	if len(p) == 0 {
		return 1
	}
	above := 0
	for _, v := range p {
		if v >= 0.5 {
			above++
		}
	}
	return min(1, float64(above)/(0.5*float64(len(p))))
}

// StoreyQ returns the q-values: BenjaminiHochberg times NullShare.
func StoreyQ(p []float64) []float64 {
	share, q := NullShare(p), BenjaminiHochberg(p)
	for i := range q {
		q[i] *= share
	}
	return q
}
