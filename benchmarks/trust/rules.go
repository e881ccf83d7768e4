package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/rootcause"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// split is the positions of the runs of both sides.
type split struct{ base, cand []int } // positions in measured.positions, none of them on both sides

// answer is what a rule says of a split.
type answer struct {
	functions []string            // that are said to have changed, the most important first, as component.function
	scores    map[string]float64  // least level at which the rule would name a function, for the curves; 1 where there is none
	root      bool                // the run time of the root executions is said to have changed
	behaviour bool                // something is said to be done more or less often, or on one side only
	intervals map[string]interval // of functions, with 95 %; nil of rules without
	unchanged map[string]bool     // functions that are shown to be unchanged
	result    *compare.Result     // of the rule of the product; nil of other rules
}

// interval is that of the change of a function, as a share of what it costs in the baseline.
type interval struct{ lo, at, hi float64 } // both ends and the estimate; 0.2 is a fifth more

// rule judges splits. Several goroutines may use it.
type rule struct {
	name  string // in the tables
	judge func(split) answer
}

// ours is the name of the rule of the product.
const ours = "analyze compare"

// Rules of the plain tests.
const (
	plainFDR   = .05  // the rate of false discoveries that is allowed
	plainFloor = 2000 // ns per run: functions that cost less on average are not asked, as in the rule of the product
)

// rulesOn returns the rules that the tables compare. The first one is that of the product, asked for functions and root executions alone where first
// says so.
func rulesOn(o *compare.Observations, functions []function, first bool) []rule {
	// own is the rule of the product as it answers analyze compare; SplitFirst leaves out steps, most of the time.
	own := func(s split) answer { return oursOf(o.Split(s.base, s.cand), o) }
	if first {
		own = func(s split) answer { return firstAnswer(o.SplitFirst(s.base, s.cand), o) }
	}
	// plain tests totals of runs, pooled the calls of all runs as if they were independent.
	plain := func(test func(x, y []float64) float64) func(split) answer {
		return func(s split) answer { return plainAnswer(functions, s, test) }
	}
	pooled := func(m sampletests.Method) func(split) answer {
		return func(s split) answer { return pooledAnswer(functions, s, m) }
	}
	// The order is that of the columns.
	return []rule{
		{ours, own},
		{"one family", func(s split) answer { return flatAnswer(o.SplitFlat(s.base, s.cand)) }},
		{"KS on calls", pooled(sampletests.KS)},
		{"MWU on calls", pooled(sampletests.MWU)},
		{"DYN on calls", pooled(sampletests.DYN)},
		{"Welch + BH", plain(func(x, y []float64) float64 { return stats.Welch(x, y) })},
		{"Mann-Whitney + BH", plain(mannWhitney)},
		{"power.py", func(s split) answer { return referenceAnswer(functions, s) }},
	}
}

// mannWhitney sorts both samples, as package stats wants them.
func mannWhitney(x, y []float64) float64 {
	return stats.MannWhitneyExact(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
}

// oursOf lists the findings about time in the order of the report, with the intervals of all functions. Findings about what
// is done are kept apart: that a run takes a branch which another one does not take is true of these runs, whatever caused it.
func oursOf(r *compare.Result, o *compare.Observations) answer {
	a := findingsOf(r)
	// Undetermined: no change of root executions is shown.
	a.root, a.result = r.Root(o) != schema.Undetermined, r
	a.scores, a.intervals, a.unchanged = make(map[string]float64), make(map[string]interval), make(map[string]bool)
	for i := range r.Changes {
		c := &r.Changes[i]
		// A function that was not asked has no interval.
		if c.Level != schema.LevelFunction || c.EffectLoNs == nil {
			continue
		}
		name := c.Component + "." + c.Function
		// Effects are in ns per root execution; divided by the baseline's cost they compare with the planted share.
		if cost := float64(*c.CostBaseNs); cost > 0 {
			a.intervals[name] = interval{float64(*c.EffectLoNs) / cost, float64(*c.EffectNs) / cost, float64(*c.EffectHiNs) / cost}
		}
		a.unchanged[name] = c.Verdict == schema.Unchanged
		// Below the floor the rule names no function at any level.
		a.scores[name] = 1
		if math.Abs(float64(*c.EffectNs)) > floorNs {
			a.scores[name] = *c.Q
		}
	}
	return a
}

// firstAnswer lists what of oursOf is known without steps, which takes a small part of the time: functions and root executions. Findings come
// in the order of those of the report: clear ones first, and of these the one with the greatest bound of its interval that is nearer to 0.
func firstAnswer(r *compare.Result, o *compare.Observations) answer {
	a := oursOf(r, o)
	sure := make(map[string]float64) // by name: the bound of the interval that is nearer to 0, in ns
	clear := make(map[string]int)    // 1 of what may come first
	total, rate := r.RootNs(o), compare.Clear*verdicts.Defaults().FDR
	// Verdicts on functions exist without steps; findings do not, so the rows are read.
	for i := range r.Changes {
		if c := &r.Changes[i]; c.Level == schema.LevelFunction && c.Detected && c.Verdict != schema.ShapeChanged {
			name := c.Component + "." + c.Function
			a.functions = append(a.functions, name)
			sure[name] = math.Min(math.Abs(float64(*c.EffectLoNs)), math.Abs(float64(*c.EffectHiNs)))
			if rootcause.IsClear(*c.Q, float64(*c.EffectNs), total, rate) {
				clear[name] = 1
			}
		}
	}
	slices.SortStableFunc(a.functions, func(x, y string) int {
		return cmp.Or(cmp.Compare(clear[y], clear[x]), cmp.Compare(sure[y], sure[x]))
	})
	return a
}

// flatAnswer lists the findings of the rule that asks all subjects as one family. The score of a function is that of its least
// step.
func flatAnswer(r *compare.Result) answer {
	a := findingsOf(r)
	a.scores = make(map[string]float64)
	for i := range r.Changes {
		c := &r.Changes[i]
		// A row without a function, a q or an effect beyond the floor names nothing.
		if c.Function == "" || c.Q == nil || c.EffectNs == nil || math.Abs(float64(*c.EffectNs)) <= floorNs {
			continue
		}
		name := c.Component + "." + c.Function
		// A function with several steps has the level of the most certain one.
		if q, known := a.scores[name]; !known || *c.Q < q {
			a.scores[name] = *c.Q
		}
	}
	return a
}

// findingsOf lists the functions that the findings name, each once, the most important first, and whether any is about behaviour.
func findingsOf(r *compare.Result) (a answer) {
	for i := range r.Findings {
		// What is done differs is told apart from how long it takes.
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

// tested is a function that a rule asked.
type tested struct {
	name  string  // component.function
	score float64 // p, adjusted where the rule adjusts it
	size  float64 // by which findings are ordered: |ns| per run
	found bool    // the rule says that it changed
}

// answerOf orders what a rule found by size.
func answerOf(asked []tested) answer {
	a := answer{scores: make(map[string]float64, len(asked))}
	// Stable, so that functions of one size keep the order of their names.
	slices.SortStableFunc(asked, func(a, b tested) int { return cmp.Compare(b.size, a.size) })
	for _, t := range asked {
		a.scores[t.name] = t.score
		if t.found {
			a.functions = append(a.functions, t.name)
		}
	}
	return a
}

// plainAnswer tests the totals of the functions that all runs of a split have, and adjusts by Benjamini and Hochberg's rule. The
// greatest difference of the means comes first.
func plainAnswer(functions []function, s split, test func(x, y []float64) float64) answer {
	var p []float64
	var asked []tested
	for i := range functions {
		f := &functions[i]
		x, y := f.totals(s.base), f.totals(s.cand)
		// A function that is missing in a run would need another test; the floor keeps noise of the clock out, as in the product.
		if slices.Min(x) <= 0 || slices.Min(y) <= 0 || (stats.Mean(x)+stats.Mean(y))/2 <= plainFloor {
			continue
		}
		p = append(p, test(x, y))
		asked = append(asked, tested{name: f.name, size: math.Abs(stats.Mean(y) - stats.Mean(x))})
	}
	// Benjamini and Hochberg's adjusted p is compared with the rate.
	for i, q := range stats.BenjaminiHochberg(p) {
		asked[i].score, asked[i].found = q, q <= plainFDR
	}
	return answerOf(asked)
}

// pooledAnswer compares the calls of all runs of a side, as if they did not depend on each other, by a method of Hilbig 2023
// (sections 3.5.2 to 3.5.5) with its thresholds. p-values are not adjusted there.
func pooledAnswer(functions []function, s split, m sampletests.Method) answer {
	// Thresholds are those of the thesis, not fitted to these recordings.
	d := sampletests.Detector{Options: sampletests.Defaults()}
	var asked []tested
	for i := range functions {
		f := &functions[i]
		r := d.Compare(f.pooled(s.base), f.pooled(s.cand))
		// One side never calls it: there is nothing to compare.
		if r.LeftN == 0 || r.RightN == 0 {
			continue
		}
		// AbsNs is the difference of the sums per run.
		t := tested{name: f.name, size: float64(r.AbsNs), found: r.Detected(m)}
		// DYN has no p-value: its level is 0 or 1 where a threshold on the difference decides, and else that of its two tests.
		switch {
		case m == sampletests.KS:
			t.score = r.KS.P
		case m == sampletests.MWU:
			t.score = r.MWU.P
		case r.AbsNs >= d.Options.AbsNs:
			t.score = 0
		case r.AbsNs < d.Options.GuardNs:
			t.score = 1
		default:
			t.score = min(r.KS.P, r.MWU.P)
		}
		asked = append(asked, t)
	}
	return answerOf(asked)
}

// pooled returns the calls of some runs as one sample, with the sum of one run, in which the method states its thresholds.
func (f *function) pooled(runs []int) sampletests.Sample {
	var all []int64
	for _, r := range runs {
		all = append(all, f.runs[r].calls...)
	}
	return sampletests.TakeSample(all).PerRun(len(runs))
}
