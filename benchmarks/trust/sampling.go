package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mathext"
)

// outcome is whether something holds in one split, and of which runs the split is.
type outcome struct {
	base, cand string // as in record
	holds      bool
}

// runsText names runs by their positions, in order.
func runsText(runs []int) string {
	return strings.Trim(fmt.Sprint(slices.Sorted(slices.Values(runs))), "[]")
}

// errorOf returns the standard error of the share of splits in which something holds: by how much it would differ with other recordings of
// the same program under the same load. All splits are of the same few runs, so that this is far more than the number of splits suggests. It
// is the infinitesimal jackknife for draws without replacement (Wager and Athey 2018, Journal of the American Statistical Association 113,
// 1228-1242, equation 8), for each side, less what a finite number of splits adds to it (Wager, Hastie and Efron 2014, Journal of Machine Learning
// Research 15, 1625-1651), and with the binomial error of that number. It is NaN where a side has the same runs in all splits.
func errorOf(of []outcome) float64 {
	if len(of) < 2 {
		return math.NaN()
	}
	share := shareOf(of)
	noise := share * (1 - share) / float64(len(of))
	v := sideVariance(of, noise, func(o *outcome) string { return o.base }) + sideVariance(of, noise, func(o *outcome) string { return o.cand })
	return math.Sqrt(v + noise)
}

func shareOf(of []outcome) float64 {
	held := 0
	for i := range of {
		if of[i].holds {
			held++
		}
	}
	return float64(held) / float64(len(of))
}

// sideVariance returns the part of the variance of a share that is due to the runs of one side. With N runs, of which n are drawn, it is
// (N-1)/N (N/(N-n))^2 times the sum over runs of Cov^2, of whether a run is drawn and whether the split holds; so many splits with the variance
// noise of their share add n N/(N-n) of it to that.
func sideVariance(of []outcome, noise float64, side func(*outcome) string) float64 {
	drawn := make(map[string]*[2]float64) // by run: splits with it, and those of them that hold
	n := 0
	for i := range of {
		runs := strings.Fields(side(&of[i]))
		n = len(runs)
		for _, run := range runs {
			d := drawn[run]
			if d == nil {
				d = new([2]float64)
				drawn[run] = d
			}
			d[0]++
			if of[i].holds {
				d[1]++
			}
		}
	}
	if n == len(drawn) {
		return math.NaN()
	}
	// Sums over runs depend on no order but for rounding, which tables of whole per cent do not show.
	splits, share, sum := float64(len(of)), shareOf(of), 0.0
	for _, d := range drawn {
		covariance := (d[1] - d[0]*share) / splits
		sum += covariance * covariance
	}
	all, some := float64(len(drawn)), float64(n)
	scale := (all - 1) / all * all * all / (all - some) / (all - some)
	return max(0, scale*sum-(all-1)/all*some*all/(all-some)*noise)
}

// exactBinomial returns the interval of 95 % of a share of which count of n independent draws are (Clopper and Pearson 1934, Biometrika 26,
// 404-413). n must be 1 or more. Splits of the same runs depend on each other, so that their share is known worse than that: see errorOf.
func exactBinomial(count, n int) (lo, hi float64) {
	k, rest := float64(count), float64(n-count)
	hi = 1
	if count > 0 {
		lo = mathext.InvRegIncBeta(k, rest+1, .025)
	}
	if count < n {
		hi = mathext.InvRegIncBeta(k+1, rest, .975)
	}
	return lo, hi
}
