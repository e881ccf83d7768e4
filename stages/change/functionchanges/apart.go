package functionchanges

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Rules of runs that stand apart.
const (
	apartLevel = .01 // probability that one of runs that are alike is said to stand apart
	apartGap   = 2   // standard deviations between a run that stands apart and the one that is nearest to it, at least
	apartRuns  = 4   // runs of a side of which one may stand apart, at least: three cannot tell which one it is
	apartShare = 10  // runs for each one that may stand apart
)

// fitted is the difference of the sides, and what it rests on.
type fitted struct {
	difference float64
	variance   float64 // of a run within its side
	df         float64 // of the variance
	xx         float64 // as in contrast: 1/xx times the variance is the variance of the difference
}

// fitTypical is fit without the runs that stand apart: those in which something happened to a function that happened in no other run.
// One such run hides every change, since it makes up most of the variance, and says nothing about a change, which other runs of its
// side would show as well.
//
// A run stands apart if it is further from the others of its side than any of so many runs would be (a t test of the run against the rest,
// Bonferroni), and if no run of either side is near it. The second condition keeps a function of two states
// safe: where four runs of a side share a state by chance and the fifth is in that of the other side, it has the other side's runs beside it.
// Means that are trimmed by a fixed share (Yuen 1974) were tried: of five runs they leave three, and find less.
func (c *contrast) fitTypical(y []float64) fitted {
	f := fitted{df: c.df, xx: c.xx}
	f.difference, f.variance = c.fit(y)
	if len(c.size) > 1 {
		return f // runs of a block are compared with each other, so that none has a side to be apart from
	}
	out := c.out
	clear(out)
	for range max(1, len(y)/apartShare) {
		run, rest := c.apart(y, out)
		if run < 0 {
			break
		}
		out[run], f = true, rest
	}
	return f
}

// apart returns the run that stands apart from those that are not out, with the fit of the rest, or -1. Only the greatest and the
// least value can have no other value near them on either side.
func (c *contrast) apart(y []float64, out []bool) (run int, rest fitted) {
	run = -1
	most := 0.0
	for _, i := range extremes(y, out) {
		out[i] = true
		f, others := c.fitWithout(y, out)
		side := others[c.side(i)]
		sd := math.Sqrt(max(f.variance, leastVariance))
		if side.runs+1 >= apartRuns && gap(y, out, i) > apartGap*sd {
			t := stats.Moderated{Estimate: y[i] - side.mean, SE: sd * math.Sqrt(1+1/side.runs), DF: f.df}
			if math.Abs(t.T()) > most && t.P() < apartLevel/float64(len(y)) {
				most, run, rest = math.Abs(t.T()), i, f
			}
		}
		out[i] = false
	}
	return run, rest
}

// side returns 1 for a run of the candidate, else 0.
func (c *contrast) side(run int) int { return btoi(c.x[run] > 0) }

// extremes returns the positions of the least and the greatest value of those that are not out.
func extremes(y []float64, out []bool) [2]int {
	least, greatest := -1, -1
	for i, v := range y {
		if out[i] {
			continue
		}
		if least < 0 || v < y[least] {
			least = i
		}
		if greatest < 0 || v > y[greatest] {
			greatest = i
		}
	}
	return [2]int{least, greatest}
}

// gap returns the distance of a value from the nearest one that is not out.
func gap(y []float64, out []bool, of int) float64 {
	nearest := math.Inf(1)
	for i, v := range y {
		if !out[i] {
			nearest = min(nearest, math.Abs(v-y[of]))
		}
	}
	return nearest
}

// sideMean is the mean of runs of a side.
type sideMean struct{ mean, runs float64 }

// fitWithout is fit of the runs that are not out, with the means of both sides. There are no blocks.
func (c *contrast) fitWithout(y []float64, out []bool) (f fitted, sides [2]sideMean) {
	for i, v := range y {
		if !out[i] {
			sides[c.side(i)].mean += v
			sides[c.side(i)].runs++
		}
	}
	for s := range sides {
		sides[s].mean /= max(sides[s].runs, 1)
	}
	squares := 0.0
	for i, v := range y {
		if !out[i] {
			d := v - sides[c.side(i)].mean
			squares += d * d
		}
	}
	base, cand := sides[0], sides[1]
	f.df = base.runs + cand.runs - 1
	if c.xx > 0 {
		f.df--
		f.difference, f.xx = cand.mean-base.mean, 1/(1/base.runs+1/cand.runs)
	}
	f.variance = squares / f.df
	return f, sides
}
