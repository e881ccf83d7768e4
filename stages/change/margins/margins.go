// Package margins compares how long answers took that requirements bound, from release to release: the time of the slowest answer of
// each run, and the time in which 99 % of them came. A bound that still holds says nothing of how close it is to being broken, and
// a margin that shrinks from release to release is seen before the first failure.
//
// The run is the unit, as in package verdicts, whose rules decide: releases that follow one another are compared check by check,
// with the rate of false discoveries held over all checks of a step. In come times by check and run, out come steps and trends.
package margins

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Check is a check with a bound on the time of answers.
type Check struct {
	Name    string
	BoundNs int64
	Runs    []Run // all runs, in one order for all checks
}

// Run is what one run shows of a check.
type Run struct {
	Release int   // position of its release in their order
	WorstNs int64 // the time of the slowest answer; schema.NoValue where nothing was asked
	Q99Ns   int64 // the time in which 99 % of the answers came; schema.NoValue where there are too few
}

// Quantity is a time of a run that is compared.
type Quantity string

const (
	Worst Quantity = "slowest answer"
	Q99   Quantity = "99 % of the answers"
)

// ns is the quantity of a run.
func (q Quantity) ns(r *Run) int64 {
	if q == Worst {
		return r.WorstNs
	}
	return r.Q99Ns
}

// Step is how a quantity of a check changed from one release to a later one.
type Step struct {
	Check    int // position in the list of checks
	Quantity Quantity
	From, To int // positions of releases
	verdicts.Judgement
}

// Compare compares each release with the one before it, by the options of package verdicts whose rates are measured. What does not matter
// is at least one part in a hundred of the bound.
func Compare(checks []Check, releases int) (steps []Step) {
	for to := 1; to < releases; to++ {
		steps = append(steps, compare(checks, to-1, to)...)
	}
	return steps
}

// boundShare is the part of a bound by which answers may take longer without a word.
const boundShare = 100

// compare compares two releases. A quantity that a side lacks in some run is left out.
func compare(checks []Check, from, to int) (steps []Step) {
	o := verdicts.Defaults()
	o.Components = make(map[string]verdicts.Limits)
	var subjects []verdicts.Observed
	var sides verdicts.Sides
	for i := range checks {
		c := &checks[i]
		sides = verdicts.Sides{Base: runsOf(c, from), Cand: runsOf(c, to)}
		o.Components[c.Name] = verdicts.Limits{Margin: o.Margin, FloorNs: float64(c.BoundNs) / boundShare}
		for _, q := range []Quantity{Worst, Q99} {
			x := verdicts.Observed{Level: string(q), Component: c.Name, CostOnly: true, Runs: make([]verdicts.Run, len(c.Runs))}
			known := true
			for _, r := range slices.Concat(sides.Base, sides.Cand) {
				ns := q.ns(&c.Runs[r])
				known = known && ns != schema.NoValue
				x.Runs[r] = verdicts.Run{Count: 1, N: 1, TotalNs: float64(ns)}
			}
			if known {
				subjects = append(subjects, x)
				steps = append(steps, Step{Check: i, Quantity: q, From: from, To: to})
			}
		}
	}
	for i, j := range verdicts.Judge(subjects, sides, o) {
		steps[i].Judgement = j
	}
	return steps
}

// runsOf lists the runs of a release.
func runsOf(c *Check, release int) (runs []int) {
	for i := range c.Runs {
		if c.Runs[i].Release == release {
			runs = append(runs, i)
		}
	}
	return runs
}

// Trend is a margin that shrank in several releases one after the other.
type Trend struct {
	Step
	MedianNs []float64 // of the runs, by release, from Step.From to Step.To
}

// leastReleases is how many releases a trend has.
const leastReleases = 3

// Trends finds, for each check, the longest stretch of releases up to the last one in which the median of the slowest answer grew from
// each release to the next, and of which the last is shown to be slower than the first.
func Trends(checks []Check, releases int) (trends []Trend) {
	for i := range checks {
		medians := make([]float64, releases)
		known := true
		for r := range medians {
			var values []float64
			for _, run := range runsOf(&checks[i], r) {
				known = known && checks[i].Runs[run].WorstNs != schema.NoValue
				values = append(values, float64(checks[i].Runs[run].WorstNs))
			}
			slices.Sort(values)
			medians[r] = stats.Median(values)
		}
		from := releases - 1
		for known && from > 0 && medians[from-1] < medians[from] {
			from--
		}
		if releases-from < leastReleases {
			continue
		}
		for _, s := range compare(checks[i:i+1], from, releases-1) {
			if s.Quantity == Worst && s.Verdict == schema.Regressed {
				s.Check = i
				trends = append(trends, Trend{s, medians[from:]})
			}
		}
	}
	return trends
}
