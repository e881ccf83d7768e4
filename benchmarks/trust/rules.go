package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// answer is what a rule says of a split.
type answer struct {
	functions []string // that are said to have changed, the most important first, as component.function
	root      bool     // the run time of the root executions is said to have changed
	behaviour bool     // something is said to be done more or less often, or on one side only
}

// rule judges splits. Several goroutines may use it.
type rule struct {
	name  string
	judge func(split) answer
}

// Rules of the plain tests.
const (
	plainFDR   = .05
	plainFloor = 2000 // ns per run: functions that cost less on average are not asked, as in the rule of the product
)

// rulesOn returns the rules that the table compares.
func rulesOn(o *compare.Observations) []rule {
	functions := o.Functions()
	plain := func(test func(x, y []float64) float64) func(split) answer {
		return func(s split) answer { return plainAnswer(functions, s, test) }
	}
	return []rule{
		{"analyze compare", func(s split) answer { return oursOf(o, s) }},
		{"Welch's t + BH", plain(func(x, y []float64) float64 { return stats.Welch(x, y).P })},
		{"Mann-Whitney + BH", plain(mannWhitney)},
	}
}

// mannWhitney sorts both samples, as package stats wants them.
func mannWhitney(x, y []float64) float64 {
	return stats.MannWhitneyExact(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))).TwoSided
}

// oursOf lists the findings about time in the order of the report. Those about what is done are kept apart: that a run takes a
// branch which another one does not take is true of these runs, whatever caused it.
func oursOf(o *compare.Observations, s split) answer {
	r := o.Split(s.base, s.cand)
	a := answer{root: r.Root(o) != schema.Undetermined}
	for i := range r.Findings {
		switch r.Findings[i].Verdict {
		case schema.Appeared, schema.Vanished, schema.CountChanged, schema.Moved:
			a.behaviour = true
			continue
		}
		name := r.Findings[i].Component + "." + r.Findings[i].Function
		if !slices.Contains(a.functions, name) {
			a.functions = append(a.functions, name)
		}
	}
	return a
}

// plainAnswer tests the totals of the functions that all runs of a split have, and adjusts by Benjamini and Hochberg's rule. The
// greatest difference of the means comes first.
func plainAnswer(functions []compare.FunctionCosts, s split, test func(x, y []float64) float64) (a answer) {
	type tested struct {
		name string
		size float64
	}
	var p []float64
	var asked []tested
	for _, f := range functions {
		x, y := totals(&f, s.base), totals(&f, s.cand)
		if slices.Min(x) <= 0 || slices.Min(y) <= 0 || (stats.Mean(x)+stats.Mean(y))/2 <= plainFloor {
			continue
		}
		p = append(p, test(x, y))
		asked = append(asked, tested{f.Component + "." + f.Function, math.Abs(stats.Mean(y) - stats.Mean(x))})
	}
	var found []tested
	for i, q := range stats.BenjaminiHochberg(p) {
		if q <= plainFDR {
			found = append(found, asked[i])
		}
	}
	slices.SortStableFunc(found, func(a, b tested) int { return cmp.Compare(b.size, a.size) })
	for _, f := range found {
		a.functions = append(a.functions, f.name)
	}
	return a
}

// totals returns what a function costs in some runs, in ns.
func totals(f *compare.FunctionCosts, runs []int) []float64 {
	out := make([]float64, len(runs))
	for i, r := range runs {
		out[i] = f.Runs[r].TotalNs
	}
	return out
}
