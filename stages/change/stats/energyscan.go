package stats

import "math"

// fewestPrefix is the shortest prefix that EnergyPrefixScan cuts.
const fewestPrefix = 4

// EnergyScan looks for one change of distribution in a series by the energy statistic of E-divisive (Matteson
// and James 2014, Journal of the American Statistical Association 109, 334-345, equation 7 with alpha = 1 and
// kappa = n):
//
//	Q(l, r) = l r/(l+r) (2 E|X-Y| - E|X-X'| - E|Y-Y'|)
//
// with the means within a side over its pairs of different values. minSegment, permutations and seed are as
// in RankScan, which finds more changes of level in short series; this one also finds changes of spread.
func EnergyScan(values []float64, minSegment, permutations int, seed uint64) Split {
	return energyScan(values, max(1, minSegment), permutations, seed, false)
}

// EnergyPrefixScan is EnergyScan with kappa free: the right side may end before the series, at Split.End, so
// that a later change does not hide this one. Prefixes have at least four values.
func EnergyPrefixScan(values []float64, minSegment, permutations int, seed uint64) Split {
	return energyScan(values, max(1, minSegment), permutations, seed, true)
}

func energyScan(values []float64, shortest, permutations int, seed uint64, prefixes bool) Split {
	if len(values) < 2*shortest {
		return Split{P: 1}
	}
	e := energyCuts{shortest: shortest, prefixes: prefixes,
		left: make([]float64, len(values)+1), right: make([]float64, len(values)+1)}
	return permuted(values, permutations, seed, e.best)
}

// energyCuts finds the best cut of an order in n^2/2 distances without keeping them.
type energyCuts struct {
	shortest    int
	prefixes    bool
	left, right []float64 // by tau: sums of the distances within order[:tau] and within order[tau:kappa]
}

// best returns the first cut with the greatest Q, by kappa and then by tau. A NaN anywhere makes Q NaN.
func (e energyCuts) best(order []float64) cut {
	best, n := cut{statistic: math.Inf(-1)}, len(order)
	clear(e.right)
	for kappa := 1; kappa <= n; kappa++ {
		e.extend(order, kappa)
		if kappa < n && !(e.prefixes && kappa >= max(fewestPrefix, 2*e.shortest)) {
			continue
		}
		for tau := e.shortest; tau <= kappa-e.shortest; tau++ {
			if q := e.q(tau, kappa); !(q <= best.statistic) {
				best = cut{tau, kappa, q}
			}
		}
	}
	return best
}

// extend adds value number kappa-1 to the right of every tau.
func (e energyCuts) extend(order []float64, kappa int) {
	added, distances := order[kappa-1], 0.0
	for tau := kappa - 2; tau >= 0; tau-- {
		distances += math.Abs(order[tau] - added)
		e.right[tau] += distances
	}
	e.left[kappa] = e.right[0]
}

// q returns Q of order[:tau] against order[tau:kappa].
func (e energyCuts) q(tau, kappa int) float64 {
	l, r := float64(tau), float64(kappa-tau)
	left, right := e.left[tau], e.right[tau]
	cross := e.right[0] - left - right
	q := 2 * cross / (l * r)
	if tau > 1 {
		q -= 2 * left / (l * (l - 1))
	}
	if kappa-tau > 1 {
		q -= 2 * right / (r * (r - 1))
	}
	return l * r / (l + r) * q
}
