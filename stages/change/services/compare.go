package services

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// change is how a subject differs between the sides.
type change struct {
	stats.Moderated         // of the logarithms, candidate less baseline
	base, cand      float64 // means over the requests, ns or numbers
	requests        [2]int  // that show the subject, of the baseline and of the candidate
	log             float64 // logarithm of the ratio of the means
	p, q            float64 // of the hypothesis that nothing differs; adjusted, that it is no more than drift
	extreme         int32   // the candidate's request that shows the change most
}

// coarse is the least standard deviation of the logarithm of a time, or a number of calls, between requests: few requests
// can be alike by chance.
const coarse = .15

// compare compares the samples of both sides stratum by stratum: the difference of the mean logarithms of a stratum with n
// and m requests has the weight nm/(n+m), which is the least variance if variances are equal. Each side has one variance
// within all strata (Welch 1947 for two of them); offset is what a value has to reach to matter. The result is nil where
// requests of a kind are on one side only, or too few.
func compare(base, cand []sample, offset float64) *change {
	var g groups
	g.add(base, 0, offset)
	g.add(cand, 1, offset)
	var c change
	var weight, spreads [2]float64
	var squares, free [2]float64
	total := 0.0
	for i := range g.strata {
		s := &g.strata[i]
		n, m := s[0].n, s[1].n
		if n == 0 || m == 0 {
			continue
		}
		w := n * m / (n + m)
		total += w
		c.Estimate += w * (s[1].logs/m - s[0].logs/n)
		c.base += w * s[0].sum / n
		c.cand += w * s[1].sum / m
		for k := range s {
			weight[k] += w * w / s[k].n
			squares[k] += max(0, s[k].squares-s[k].logs*s[k].logs/s[k].n)
			free[k] += s[k].n - 1
		}
	}
	if free[0]+free[1] < 2 {
		return nil
	}
	for k := range spreads {
		from := k
		if free[k] == 0 {
			from = 1 - k // a single request says nothing of the spread; those of the other side do
		}
		spreads[k] = max(squares[from]/free[from], coarse*coarse) * weight[k] / (total * total)
	}
	c.Estimate, c.base, c.cand = c.Estimate/total, c.base/total, c.cand/total
	c.SE = math.Sqrt(spreads[0] + spreads[1])
	c.DF = welchDF(spreads, free)
	c.log = math.Log((max(0, c.cand) + offset) / (max(0, c.base) + offset))
	c.p, c.requests = c.P(), [2]int{len(base), len(cand)}
	c.extreme = extreme(cand, c.Estimate > 0)
	return &c
}

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
