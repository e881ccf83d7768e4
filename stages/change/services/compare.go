package services

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// change is how a subject differs between the sides.
type change struct {
	stats.Moderated         // of the logarithms, candidate less baseline, with what all changes of the kind say of variances
	base, cand      float64 // means over the requests, ns or numbers
	requests        [2]int  // that show the subject, of the baseline and of the candidate
	log             float64 // logarithm of the ratio of the means
	p, q            float64 // of the hypothesis that nothing differs; adjusted, that it is no more than drift
	extreme         int32   // the candidate's request that shows the change most

	own   stats.Moderated // the same with its own variances alone
	total float64         // sum of the weights of the strata

	// Of the sides: the sum of squared weights over numbers, the variance within strata, and its degrees of freedom.
	weight, variances, free [2]float64
}

// coarse is the least standard deviation of the logarithm of a time, or a number of calls, between requests: few requests
// can be alike by chance.
const coarse = .15

// compare compares the samples of both sides stratum by stratum: the difference of the mean logarithms of a stratum with n
// and m requests has the weight nm/(n+m), which is the least variance if variances are equal. Each side has one variance
// within all strata (Welch 1947 for two of them), which judge completes; offset is what a value has to reach to matter. The
// result is nil where requests of a kind are on one side only, or too few.
func compare(base, cand []sample, offset float64) *change {
	var g groups
	g.add(base, 0, offset)
	g.add(cand, 1, offset)
	var c change
	var squares [2]float64
	for i := range g.strata {
		s := &g.strata[i]
		n, m := s[0].n, s[1].n
		if n == 0 || m == 0 {
			continue
		}
		w := n * m / (n + m)
		c.total += w
		c.Estimate += w * (s[1].logs/m - s[0].logs/n)
		c.base += w * s[0].sum / n
		c.cand += w * s[1].sum / m
		for k := range s {
			c.weight[k] += w * w / s[k].n
			squares[k] += max(0, s[k].squares-s[k].logs*s[k].logs/s[k].n)
			c.free[k] += s[k].n - 1
		}
	}
	if c.free[0]+c.free[1] < 2 {
		return nil
	}
	for k := range squares {
		c.variances[k] = squares[k] / c.free[k] // NaN of a single request, which says nothing of the spread
	}
	c.Estimate, c.base, c.cand = c.Estimate/c.total, c.base/c.total, c.cand/c.total
	c.log = math.Log((max(0, c.cand) + offset) / (max(0, c.base) + offset))
	c.requests = [2]int{len(base), len(cand)}
	c.extreme = extreme(cand, c.Estimate > 0)
	return &c
}

// judge gives changes of one kind their errors. What an operation's few requests say of its variance is drawn to what the variances of
// all operations of the side say (Smyth 2004): two requests that are alike by chance do not make it small, nor two that differ great.
// That orders what changed; a verdict asks for more, see beyondDrift.
func judge(changes []*change) {
	var priors [2]stats.Prior
	for k := range priors {
		var variances, free []float64
		for _, c := range changes {
			variances, free = append(variances, max(c.variances[k], coarse*coarse)), append(free, c.free[k])
		}
		priors[k] = stats.FitPrior(variances, free)
	}
	for _, c := range changes {
		c.own, c.Moderated = c.moderated([2]stats.Prior{}), c.moderated(priors)
		c.p = c.P()
	}
}

// moderated returns the difference with the error that its variances have with what else is known of them.
func (c *change) moderated(priors [2]stats.Prior) stats.Moderated {
	var spreads, free [2]float64
	for k := range spreads {
		from := k
		if c.free[k] == 0 {
			from = 1 - k // a single request says nothing of the spread; those of the other side do
		}
		variance, df := priors[k].Squeeze(max(c.variances[from], coarse*coarse), c.free[from])
		spreads[k], free[k] = variance*c.weight[k]/(c.total*c.total), df
	}
	return stats.Moderated{Estimate: c.Estimate, SE: math.Sqrt(spreads[0] + spreads[1]), DF: welchDF(spreads, free)}
}

// beyondDrift returns the p-value of the hypothesis that a change is no more than drift. Some operations are less steady than the prior
// expects of any, as most of their requests are fast and a few slow; so their own variances have to show it, too.
func (c *change) beyondDrift(drift float64) float64 { return max(c.Treat(drift), c.own.Treat(drift)) }

// welchDF returns the degrees of freedom of a sum of squared errors (Satterthwaite 1946).
func welchDF(squared, free [2]float64) float64 {
	sum := 0.0
	for k := range squared {
		if free[k] > 0 {
			sum += squared[k] * squared[k] / free[k]
		}
	}
	all := squared[0] + squared[1]
	return all * all / sum
}

// extreme returns the request with the greatest value, or the smallest; of equal ones the first.
func extreme(samples []sample, greatest bool) int32 {
	best := samples[0]
	for _, s := range samples[1:] {
		if s.value > best.value == greatest && s.value != best.value {
			best = s
		}
	}
	return best.request
}

// groups are the samples of both sides by stratum.
type groups struct {
	strata [][2]group
	places map[int32]int // of strata
}

// group sums up samples.
type group struct{ n, sum, logs, squares float64 }

// add adds the samples of a side.
func (g *groups) add(samples []sample, side int, offset float64) {
	if g.places == nil {
		g.places = make(map[int32]int)
	}
	for _, s := range samples {
		at, known := g.places[s.stratum]
		if !known {
			at = len(g.strata)
			g.places[s.stratum] = at
			g.strata = append(g.strata, [2]group{})
		}
		log := math.Log(max(0, s.value) + offset)
		to := &g.strata[at][side]
		to.n++
		to.sum += s.value
		to.logs += log
		to.squares += log * log
	}
}
