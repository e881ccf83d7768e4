package verdicts

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Quantiles are the probabilities of the quantiles of a subject, in the order of Run.Quantiles.
var Quantiles = [...]float64{.1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99}

// median is the position of the median in Quantiles.
const median = 4

// Run is what one run shows of a subject. The zero value is a run that does not have it.
type Run struct {
	Count     float64                  // how often it happened
	N         float64                  // values
	TotalNs   float64                  // their sum
	LongestNs float64                  // the greatest of them
	ArrivalNs float64                  // of a transition: sum of the times since the start of the fragment
	Quantiles *[len(Quantiles)]float64 // in ns, at the levels of the variable Quantiles; nil where the run has no values
}

// RunOf returns a summary as what a run shows. A quantile that a summary lacks is NaN; no values have no quantiles.
func RunOf(s *schema.Summary) Run {
	run := Run{Count: float64(s.Count), N: float64(s.N), TotalNs: float64(s.TotalNs), ArrivalNs: float64(s.ArrivalNs)}
	if s.N == 0 {
		return run
	}
	if s.MaxNs != nil {
		run.LongestNs = float64(*s.MaxNs)
	}
	run.Quantiles = new([len(Quantiles)]float64)
	for i, q := range []*float64{
		s.Q10Ns, s.Q20Ns, s.Q30Ns, s.Q40Ns, s.Q50Ns, s.Q60Ns, s.Q70Ns, s.Q80Ns, s.Q90Ns, s.Q95Ns, s.Q99Ns,
	} {
		if run.Quantiles[i] = math.NaN(); q != nil {
			run.Quantiles[i] = *q
		}
	}
	return run
}

// Observed is a subject in all runs.
type Observed struct {
	Level     string // subjects of one level share a prior
	Component string // subjects of one component, level and quantity are tested as a family
	CostOnly  bool   // its values are one total a run: neither location, nor shape, nor count
	Runs      []Run  // by run: those of the baseline, of the candidate, and then older ones
}

// Sides are the runs to compare, as positions in Observed.Runs.
type Sides struct {
	Base, Cand []int     // positions in Observed.Runs
	Noise      []int     // older runs, which only show how much runs differ among themselves
	Blocks     []int     // by run: runs of one block are compared with each other; nil: all with all
	Roots      []float64 // by run: its root executions, by which costs and counts are divided
}

// Options are how to judge.
type Options struct {
	Margin       float64 // the relative change that does not matter: .05
	FloorNs      float64 // the change of the cost per root execution that does not matter
	FDR          float64 // false discovery rate of verdicts
	CandidateFDR float64 // false discovery rate of candidates
	Alpha        float64 // level at which a subject is shown to be unchanged
	Level        float64 // of intervals
	Power        float64 // with which the runs needed would decide

	// Components have limits of their own. They follow from definitions that stand elsewhere, and are no part of any fingerprint.
	Components map[string]Limits `json:"-"`
}

// Limits are what does not matter in one component, in place of Margin and FloorNs.
type Limits struct{ Margin, FloorNs float64 }

// Limits returns what does not matter in a component.
func (o *Options) Limits(component string) Limits {
	if l, own := o.Components[component]; own {
		return l
	}
	return Limits{o.Margin, o.FloorNs}
}

// Defaults are the options whose rates are measured.
func Defaults() Options {
	return Options{Margin: .05, FloorNs: 10_000, FDR: .05, CandidateFDR: .05, Alpha: .05, Level: .95, Power: .8}
}

// MinRuns is the number of runs per side that a verdict needs. Two against two have a false discovery rate of .18 at
// changes of 5 %.
const MinRuns = 3

// both returns the runs of both sides in a slice of its own, the baseline first.
func (s *Sides) both() []int { return slices.Concat(s.Base, s.Cand) }

// smaller returns the number of runs of the smaller side.
func (s *Sides) smaller() int { return min(len(s.Base), len(s.Cand)) }

// roots returns the number of root executions of a run, at least one, so that rates are finite.
func (s *Sides) roots(run int) float64 {
	if run >= len(s.Roots) {
		return 1
	}
	return math.Max(s.Roots[run], 1)
}

// takes counts the runs of a list that have a subject.
func (o *Observed) takes(runs []int) (n int) {
	for _, r := range runs {
		if o.Runs[r].Count > 0 {
			n++
		}
	}
	return n
}

// minValues returns the minimum number of values that a run of the list has.
func (o *Observed) minValues(runs []int) float64 {
	n := math.Inf(1)
	for _, r := range runs {
		n = math.Min(n, o.Runs[r].N)
	}
	return n
}
