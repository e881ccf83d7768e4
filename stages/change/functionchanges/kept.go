package functionchanges

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Rules of the intervals of rows that keep their own variance where it is the greater one.
const (
	keptNodes  = 8   // quantiles by which the distribution of the variances is summed up
	keptMisses = 10  // points between which a reach is interpolated
	missStep   = .05 // the ratio of the shares of misses of two points, so that intervals of 95 % need no interpolation
	reachSteps = 12  // of bisection: to 1 in 4,000
	mostPrior  = 1e4 // degrees of freedom of a prior that say as much as all
)

// reach says how much shorter an interval is than Student's t makes it, by the share of intervals that miss: the standard error is taken from
// the greater of two variances (keepOwn), with which intervals of the moderated t are too long.
//
// By the model of Smyth 2004 the moderated t does not depend on the row's own variance s^2, and s^2/s0^2 has the F distribution with d and d0 degrees
// of freedom. With B = d s^2/(d s^2 + d0 s0^2), which has the Beta distribution of d/2 and d0/2, the own variance is B (d + d0)/d times
// the moderated one. An interval of c standard errors, of which the greater variance is a part, thus misses with the probability
// E[P(|T| > c max(1, sqrt(B (d + d0)/d)))], T with d + d0 degrees of freedom. points has the c for which that is the miss asked for, in units
// of the quantile of T, for misses of missStep, missStep^2 and so on; 0 where it was not asked for yet.
type reach struct {
	of     reachOf
	ratios [keptNodes]float64 // quantiles of max(1, sqrt(B (d + d0)/d))
	points [keptMisses]float64
}

func newReach(of reachOf) *reach {
	r := &reach{of: of}
	d0 := min(of.prior, mostPrior)
	for i := range r.ratios {
		r.ratios[i] = 1
		if d0 > 0 {
			b := mathext.InvRegIncBeta(of.own/2, d0/2, (float64(i)+.5)/keptNodes)
			r.ratios[i] = max(1, math.Sqrt(b*(of.own+d0)/of.own))
		}
	}
	return r
}

// point returns the value for a miss of missStep^(i+1).
func (r *reach) point(i int) float64 {
	if r.points[i] > 0 {
		return r.points[i]
	}
	miss := math.Pow(missStep, float64(i+1))
	_, longest := stats.Moderated{SE: 1, DF: r.of.total}.Interval(1 - miss)
	lo, hi := 1/r.ratios[keptNodes-1], 1.0
	for step := 0; step < reachSteps && lo < hi; step++ {
		middle, p := (lo+hi)/2, 0.0
		for _, ratio := range r.ratios {
			p += stats.Moderated{Estimate: middle * longest * ratio, SE: 1, DF: r.of.total}.P() / keptNodes
		}
		if p > miss {
			lo = middle
		} else {
			hi = middle
		}
	}
	r.points[i] = hi
	return hi
}

// at returns the reach for a share of intervals that miss: that of the first point for greater shares, and of the last one for smaller ones.
func (r *reach) at(miss float64) float64 {
	x := math.Log(miss)/math.Log(missStep) - 1
	switch {
	case !(x > 0):
		return r.point(0)
	case x >= keptMisses-1:
		return r.point(keptMisses - 1)
	}
	i := int(x)
	return r.point(i) + (x-float64(i))*(r.point(i+1)-r.point(i))
}

// reachOf are the degrees of freedom on which a reach depends.
type reachOf struct{ own, prior, total float64 }

// interval returns the interval of a row's difference that holds it with probability level.
func (f *family) interval(r *row, level float64) (lo, hi float64) {
	key := reachOf{r.df, r.prior.DF, r.test.DF}
	by := f.reaches[key]
	if by == nil {
		by = newReach(key)
		f.reaches[key] = by
	}
	lo, hi = r.test.Interval(level)
	if half := (hi - lo) / 2; !math.IsInf(half, 0) {
		half *= by.at(1 - level)
		lo, hi = r.test.Estimate-half, r.test.Estimate+half
	}
	return lo, hi
}
