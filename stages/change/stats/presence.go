package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Presence is how many runs of two sides have which of many subjects, such as functions or steps. Some runs have a subject and others of the
// same side do not, where it is chance what a run does: a request that comes once in ten seconds is in some slices of ten seconds. Such a
// one is sometimes in all runs of one side and in none of the other, and looks as if it had appeared.
//
// What k of n runs have is taken to be in a run with the probability p = k/n, so that it separates sides of b and c runs by chance with
//
//	p^c (1-p)^b + p^b (1-p)^c    (1)
//
// The sum of (1) over the subjects that some runs have, and that do not separate the sides, is the expected number of those that do by chance;
// divided by the number of those that do, it estimates the rate of false discoveries among them (Storey 2002, Journal of the Royal Statistical
// Society B 64, 479-498). Most recorded programs do the same in every run, so that it is small or 0.
type Presence struct {
	base, cand int
	some       []present // what some runs have and does not separate the sides, the most frequent first once it is ready
	separating []float64 // counts of what does, the greatest first once it is ready
	rates      []float64 // of false discoveries, by the position in separating
	ready      bool
}

// present is a subject that some runs have.
type present struct {
	count  float64
	runs   int
	chance float64 // (1)
}

// NewPresence returns the presence of no subjects in so many runs of each side.
func NewPresence(base, cand int) *Presence { return &Presence{base: base, cand: cand} }

// Separates reports whether all runs of one side have a subject, and none of the other, if so many runs of each side have it.
func (p *Presence) Separates(base, cand int) bool {
	return base == 0 && cand == p.cand || cand == 0 && base == p.base
}

// Add adds a subject that so many runs of each side have, before anything is asked. Its count is how often it happens in a run that has it.
func (p *Presence) Add(base, cand int, count float64) {
	switch runs := base + cand; {
	case p.Separates(base, cand):
		p.separating = append(p.separating, count)
	case runs > 0 && runs < p.base+p.cand:
		p.some = append(p.some, present{count, runs, p.chance(runs, p.base, p.cand)})
	}
}

// Rate returns the rate of false discoveries among subjects that separate the sides and happen at least as often as count, which is that of one of
// them: the least rate of all sets that hold it. What happens less often explains nothing of what happens more often.
func (p *Presence) Rate(count float64) float64 {
	p.prepare()
	return p.rates[min(p.asFrequent(count), len(p.rates))-1]
}

// RunsNeeded returns the number of runs of each side with which the rate of those as frequent as count would be at most level, and not more than
// MostRuns.
func (p *Presence) RunsNeeded(count, level float64) int {
	p.prepare()
	few, found := min(p.base, p.cand), float64(p.asFrequent(count))
	number := make([]float64, p.base+p.cand)
	for _, of := range p.some {
		if of.count >= count {
			number[of.runs]++
		}
	}
	return few + sort.Search(MostRuns-few, func(more int) bool {
		sum := 0.0
		for runs, k := range number {
			if k > 0 {
				sum += k * p.chance(runs, few+more, few+more)
			}
		}
		return sum <= level*found
	})
}

// asFrequent returns how many subjects that separate the sides have a count of at least that much.
func (p *Presence) asFrequent(count float64) int {
	return sort.Search(len(p.separating), func(i int) bool { return p.separating[i] < count })
}

// prepare puts the subjects into an order that follows from their values, as sums of floats depend on it, and sums up.
func (p *Presence) prepare() {
	if p.ready {
		return
	}
	p.ready = true
	slices.SortFunc(p.some, func(a, b present) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.runs, b.runs)) })
	slices.SortFunc(p.separating, func(a, b float64) int { return cmp.Compare(b, a) })
	p.rates = make([]float64, len(p.separating))
	at, expected := 0, 0.0
	for i, count := range p.separating {
		for ; at < len(p.some) && p.some[at].count >= count; at++ {
			expected += p.some[at].chance
		}
		p.rates[i] = expected / float64(i+1)
	}
	for i := len(p.rates) - 2; i >= 0; i-- {
		p.rates[i] = min(p.rates[i], p.rates[i+1])
	}
}

// chance is (1) of what so many of all runs have, for so many runs of each side.
func (p *Presence) chance(runs, base, cand int) float64 {
	in, b, c := float64(runs)/float64(p.base+p.cand), float64(base), float64(cand)
	return math.Pow(in, c)*math.Pow(1-in, b) + math.Pow(in, b)*math.Pow(1-in, c)
}
