package verdicts

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// Judgement is the result for a subject. Times are per root execution, of the typical run: the winsorised geometric mean.
// What does not apply is NaN.
type Judgement struct {
	Verdict            string            // a schema constant
	Quantity           string            // that decided, or ""
	EffectNs, LoNs     float64           // candidate less baseline, in ns per root execution, and the lower end of its interval
	HiNs               float64           // the upper end
	BaseNs, CandNs     float64           // means of the runs, in ns per root execution
	CountBase          float64           // mean of the runs
	CountCand          float64           // likewise
	P, Q, EquivalenceP float64           // p of a difference; the same adjusted over the family; p of the test that the difference is within the margin
	RunsNeeded         int               // of an undetermined one, else 0
	Estimates          []schema.Estimate // of its quantities; Rank is left to the caller
}

// Judge compares the sides in every subject.
func Judge(subjects []Observed, s Sides, o Options) []Judgement {
	e := newEngine(s, o)
	all := make([]*Reduction, len(subjects))
	for i := range subjects {
		r := e.reduce(&subjects[i])
		all[i] = &r
	}
	return e.judgeReduced(all)
}

// JudgeReduced compares the sides in subjects that were reduced for the same sides and options.
func JudgeReduced(subjects []*Reduction, s Sides, o Options) []Judgement {
	return newEngine(s, o).judgeReduced(subjects)
}

// EachReduced compares like JudgeReduced, and hands out the judgements one by one, in the order of the subjects. Whoever takes one may
// forget the reduction that it is of: nothing looks at it again.
func EachReduced(subjects []*Reduction, s Sides, o Options, take func(i int, j *Judgement)) {
	newEngine(s, o).eachReduced(subjects, take)
}

// judgeReduced returns all judgements together.
func (e *engine) judgeReduced(subjects []*Reduction) []Judgement {
	out := make([]Judgement, len(subjects))
	e.eachReduced(subjects, func(i int, j *Judgement) { out[i] = *j })
	return out
}

// eachReduced tests all quantities of all subjects together: they share priors, and the rate of false discoveries. Of a subject that is
// judged it keeps no quantity, so that judgements take the place of what they follow from.
func (e *engine) eachReduced(subjects []*Reduction, take func(int, *Judgement)) {
	var rows []*row
	for i, of := range subjects {
		own := rowsOf(i, of)
		for k := range own {
			rows = append(rows, &own[k])
		}
	}
	for _, group := range rowsByPrior(rows) {
		e.moderate(group)
	}
	if !e.hasVerdicts() {
		e.testCandidates(subjects, rows)
	}
	all := hypotheses(rows)
	adjust(all, e.rate())
	e.presence = e.presenceOf(subjects)
	// Every subject has at least the hypothesis on its cost.
	for _, own := range groupsBy(all, func(h *hypothesis) int { return h.rows[0].subject }) {
		subject := own[0].rows[0].subject
		j := describe(subjects[subject])
		e.judge(&j, subjects[subject], own)
		for _, h := range own {
			clear(h.rows)
		}
		take(subject, &j)
	}
}

// engine is one comparison.
type engine struct {
	sides   Sides
	options Options
	runs    []int // of both sides, then older ones
	blocks  []block
	needed  map[neededKey]int
	reach   map[float64]float64 // by degrees of freedom: half an interval in standard errors
	limits  Limits              // of the subject that is reduced

	presence map[string]*stats.Presence // by level

	values, sorted, deviations []float64 // by run: scratch for one quantity
}

// newEngine prepares one comparison. Its scratch slices serve all subjects in turn.
func newEngine(s Sides, o Options) *engine {
	e := &engine{sides: s, options: o, runs: append(s.both(), s.Noise...), blocks: blocksOf(&s), needed: make(map[neededKey]int), reach: make(map[float64]float64)}
	n := len(e.runs)
	e.values, e.sorted, e.deviations = make([]float64, n), make([]float64, n), make([]float64, n)
	return e
}

// hasVerdicts reports whether there are enough runs for verdicts, or enough blocks where runs are compared in blocks.
func (e *engine) hasVerdicts() bool {
	if e.blocks != nil {
		return len(e.blocks) >= MinRuns
	}
	return e.sides.smaller() >= MinRuns
}

// rate returns the false discovery rate to test at. With three runs per side it is halved: noise that comes in two levels, as on
// a machine that is sometimes busy, parts three runs from three often enough to be seen in the rates that were measured.
func (e *engine) rate() float64 {
	switch {
	case !e.hasVerdicts():
		return e.options.CandidateFDR
	case e.blocks == nil && e.sides.smaller() == MinRuns:
		return e.options.FDR / 2
	}
	return e.options.FDR
}

// groupsBy divides items by a key. Groups stand in the order of their first items and keep the order of the input, so
// that sums of floats over a group are the same in every run of the program.
func groupsBy[T any, K comparable](items []T, key func(T) K) (groups [][]T) {
	position := make(map[K]int)
	for _, item := range items {
		k := key(item)
		at, known := position[k]
		if !known {
			at, groups = len(groups), append(groups, nil)
			position[k] = at
		}
		groups[at] = append(groups[at], item)
	}
	return groups
}

// rowsByPrior groups the rows that share a prior: those of one quantity and level.
func rowsByPrior(rows []*row) [][]*row {
	type key struct {
		quantity *quantity
		level    string
	}
	return groupsBy(rows, func(r *row) key { return key{r.quantity(), r.of.Level} })
}

// describe counts a subject on both sides.
func describe(of *Reduction) Judgement {
	nan := math.NaN()
	j := Judgement{Verdict: schema.Undetermined, EffectNs: nan, LoNs: nan, HiNs: nan, P: nan, Q: nan, EquivalenceP: nan}
	j.CountBase, j.CountCand = of.CountBase, of.CountCand
	return j
}

// judge turns the hypotheses of a subject into its verdict.
func (e *engine) judge(j *Judgement, of *Reduction, all []*hypothesis) {
	e.figures(j, all[0].rows[0])
	for _, h := range all {
		j.Estimates = append(j.Estimates, e.estimateOf(h))
	}
	decided := e.decide(j, of, all)
	if decided == nil {
		decided = all[0]
	}
	r := decided.leastP()
	j.P, j.Q, j.EquivalenceP = decided.p, r.q, r.equal
	if j.Verdict == schema.Undetermined && j.RunsNeeded == 0 {
		j.RunsNeeded = e.runsNeeded(all)
	}
}

// leastP returns the row with the minimum p: of a shape, the quantile with the clearest change. Of equal rows it is the
// first; slices.MinFunc would prefer a p that is NaN.
func (h *hypothesis) leastP() *row {
	best := h.rows[0]
	for _, r := range h.rows[1:] {
		if r.p < best.p {
			best = r
		}
	}
	return best
}
