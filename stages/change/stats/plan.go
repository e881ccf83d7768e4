package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Plan says how many runs a comparison of two sides needs, or what it can see. The test is t on the
// difference of the means with the degrees of freedom of both sides, those of the prior added.
type Plan struct {
	SD      float64 // standard deviation between runs of one side; of logarithms it is about the CV
	PriorDF float64 // Prior.DF of a moderated t; 0 for the ordinary one
	Alpha   float64 // level of the test, two-sided for a change and one-sided for an equivalence
	Power   float64 // wanted probability to find it
}

// MostRuns is the answer of RunsNeeded and RunsForEquivalence if that many runs per side do not suffice either.
const MostRuns = 10_000

// RunsForEquivalence returns the minimum number of runs per side, from 2, with which two equal sides are found
// to differ by less than margin, with the plan's power: both one-sided tests of Moderated.Equivalence
// reject (Phillips 1990, Journal of Pharmacokinetics and Biopharmaceutics 18, 137-144).
func (p Plan) RunsForEquivalence(margin float64) int {
	return p.least(margin, p.Alpha, bothNormal)
}

// least searches the number of runs, in which the power grows. It begins where normal distributions have the power, which is
// within a few runs of the answer, and leaves from there in steps that double: each look at the power integrates numerically.
func (p Plan) least(size, tail float64, found func(float64) float64) int {
	enough := func(runs int) bool {
		df := 2*float64(runs) - 2 + p.PriorDF
		return size > 0 && power(size/(p.SD*math.Sqrt(2/float64(runs))), tail, df, found) >= p.Power
	}
	few, many := 1, MostRuns // the answer is above few, and at most many
	for at, step := p.nearly(size, tail), 1; many-few > 1; step *= 2 {
		if enough(at) {
			many, at = at, at-step
		} else {
			few, at = at, at+step
		}
		if at <= few || at >= many {
			break
		}
	}
	return few + 1 + sort.Search(many-few-1, func(i int) bool { return enough(few + 1 + i) })
}

// nearly estimates the number of runs by normal distributions, with what Student's t adds to them (Guenther 1981, The American Statistician 35,
// 243-244). It is from 2 to one less than MostRuns.
func (p Plan) nearly(size, tail float64) int {
	level, both := -distuv.UnitNormal.Quantile(min(max(tail, 0), 1)), distuv.UnitNormal.Quantile(min(max((1+p.Power)/2, 0), 1))
	runs := 2*math.Pow((level+both)*p.SD/size, 2) + level*level/4
	if !(runs < MostRuns-1) { // nor NaN
		return MostRuns - 1
	}
	return max(2, int(math.Ceil(runs)))
}

// bothNormal returns P(|Z| < z), or 0: two opposite one-sided tests reject.
func bothNormal(z float64) float64 { return max(0, math.Erf(z/math.Sqrt2)) }

// power returns the probability that tests at a one-sided level of tail reject if the difference is delta
// standard errors away from their hypothesis: the mean of found(delta - t s) over s = sqrt(chi^2/df), the
// estimated standard error in units of the true one. Fewer than one degree of freedom have no power.
func power(delta, tail, df float64, found func(float64) float64) float64 {
	switch {
	case math.IsNaN(delta) || !(tail > 0 && tail < 0.5) || !(df >= 1):
		return 0
	case math.IsInf(delta, 1):
		return 1
	}
	t := studentCritical(tail, df)
	if df > manyDF {
		return found(delta - t)
	}
	turn, width := delta/t, 8/t // found rises from 0 to 1 within turn +- width
	lo, hi := max(0, 1-9/math.Sqrt(2*df)), 1+9/math.Sqrt(2*df)
	sum, mass, from := 0.0, 0.0, lo
	for _, to := range [4]float64{turn - width, turn, turn + width, hi} {
		to = min(hi, max(lo, to))
		s, m := chiMean(from, to, df, func(s float64) float64 { return found(delta - t*s) })
		sum, mass, from = sum+s, mass+m, to
	}
	return sum / mass
}

// chiMean integrates f and 1 from lo to hi over the density of sqrt(chi^2/df), both up to one factor.
func chiMean(lo, hi, df float64, f func(float64) float64) (sum, mass float64) {
	const cells = 6
	if !(hi > lo) {
		return 0, 0
	}
	half := (hi - lo) / (2 * cells)
	for cell := range cells {
		mid := lo + float64(2*cell+1)*half
		for i, x := range gaussNodes {
			for _, s := range [2]float64{mid - half*x, mid + half*x} {
				w := half * gaussWeights[i] * math.Exp((df-1)*math.Log(s)-df*(s*s-1)/2)
				sum, mass = sum+w*f(s), mass+w
			}
		}
	}
	return sum, mass
}
