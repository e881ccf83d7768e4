package compare

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// judgeFirst judges the families that are asked first, and returns a subject for every function that was asked: the functions, and
// the run times of initial fragments, which are what a user waits for. A family in which something is found hands its level on
// to the other one (functionchanges.Options.Levels).
func (j *comparison) judgeFirst(f *functions, subjects []Subject, sides *verdicts.Sides) []Subject {
	asked := f.subjects(j, sides)
	if asked == nil {
		return nil
	}
	options, handsOn := j.functionOptions(), found(asked)
	whole := func(runs int) float64 {
		ofFunctions, ofWholes := options.Levels(runs)
		if handsOn {
			ofWholes += ofFunctions
		}
		return ofWholes
	}
	if j.judgeWholes(f, subjects, whole) {
		handed, ofWholes := options.Levels(f.design.Pairs(len(f.runs)))
		if !handsOn {
			handed += ofWholes
		}
		f.result.Select(handed, true)
		asked = f.subjects(j, sides)
		j.withdrawSlight(asked, subjects)
	}
	return asked
}

// slight is the share of the change of a root execution below which a function explains nothing of it.
const slight = .01

// withdrawSlight takes back the verdicts on functions that changed by less than slight of what the root executions did, and that are not
// shown to have changed by more than the margin. The level that root executions hand on is meant for what may explain them: beside a
// change of a second, a false discovery of some us would stand in every second report of a system with many functions.
func (j *comparison) withdrawSlight(functions, subjects []Subject) {
	greatest := 0.0
	for i := range subjects {
		if c := &subjects[i].Change; subjects[i].Initial && isTime(c.Verdict) {
			greatest = max(greatest, math.Abs(float64(*c.EffectNs)))
		}
	}
	for i := range functions {
		c := &functions[i].Change
		if !isTime(c.Verdict) || math.Abs(float64(*c.EffectNs)) >= slight*greatest {
			continue
		}
		least := min(math.Abs(float64(*c.EffectLoNs)), math.Abs(float64(*c.EffectHiNs))) // the interval excludes 0
		if least <= j.Verdicts.Limits(c.Component).Margin*float64(*c.CostBaseNs) {
			c.Verdict, c.Detected = schema.Undetermined, false
		}
	}
}

// judgeWholes decides the run times of initial fragments at the level that they have with so many runs per side, and reports whether any
// changed. It replaces the verdicts that they have as subjects among thousands, and their effects.
func (j *comparison) judgeWholes(f *functions, subjects []Subject, levelOf func(runs int) float64) (changed bool) {
	wholes, level := j.wholes(subjects, f.runs, f.design), levelOf(f.design.Pairs(len(f.runs)))
	for _, inside := range []bool{false, true} {
		asked := !inside || changed
		for k := range wholes {
			w := &wholes[k]
			if w.Inside != inside {
				continue
			}
			c := &subjects[w.subject].Change
			limits := j.Verdicts.Limits(c.Component)
			j.decideWhole(c, &w.Whole, asked && w.Q <= level)
			if c.Verdict == schema.Undetermined {
				needed := int64(w.RunsNeeded(f.design, len(f.runs), levelOf, 1-j.Verdicts.Level, limits.Margin, limits.FloorNs))
				c.RunsNeeded = &needed
			}
			changed = changed || isTime(c.Verdict)
		}
	}
	return changed
}

// whole is the comparison of the run times of an initial fragment.
type whole struct {
	functionchanges.Whole
	subject int // its position
}

// wholes compares the run times of the initial fragments that all of some runs have.
func (j *comparison) wholes(subjects []Subject, runs []int, d functionchanges.Design) (all []whole) {
	var roots []functionchanges.Root
	for i := range subjects {
		if s := &subjects[i]; s.Initial && s.inAll(runs) {
			all, roots = append(all, whole{subject: i}), append(roots, s.root(runs))
		}
	}
	for k, w := range functionchanges.JudgeRoots(roots, d, j.functionOptions()) {
		all[k].Whole = w
	}
	return all
}

// inAll reports whether all runs have the subject.
func (s *Subject) inAll(runs []int) bool {
	return !slices.ContainsFunc(runs, func(r int) bool { return s.Observed.Runs[r].TotalNs <= 0 })
}

// root returns what some runs say of an initial fragment. Its time is not divided by all root executions: a helper thread that only some runs
// start would change the result of every other one.
func (s *Subject) root(runs []int) functionchanges.Root {
	r := functionchanges.Root{Ns: make([]float64, len(runs)), Executions: make([]float64, len(runs))}
	for i, run := range runs {
		of := &s.Observed.Runs[run]
		r.Executions[i] = max(of.Count, 1)
		r.Ns[i] = of.TotalNs / r.Executions[i]
	}
	return r
}

// decideWhole takes over the comparison of an initial fragment, so that verdict, effect, interval and q are those of one hypothesis; a
// fragment that was shown to be unchanged among all subjects, whose variances it borrows there, stays so.
func (j *comparison) decideWhole(c *schema.Change, w *functionchanges.Whole, found bool) {
	effect, limits := math.Expm1(w.Log)*w.BaseNs, j.Verdicts.Limits(c.Component)
	within := w.Unchanged(limits.Margin, limits.FloorNs) // it changed by less than what matters
	sure := found && math.Abs(effect) > limits.FloorNs
	switch {
	case (!sure || within) && !isTime(c.Verdict) && c.Verdict != schema.Undetermined:
		return
	case within:
		c.Verdict = schema.Unchanged
	case !sure:
		c.Verdict = schema.Undetermined
	case effect < 0:
		c.Verdict = schema.Improved
	default:
		c.Verdict = schema.Regressed
	}
	if c.Detected = samplechanges.Notable(c.Verdict); c.Verdict != schema.Undetermined {
		c.RunsNeeded = nil
	}
	c.Quantity = schema.QuantityCost
	c.CostBaseNs, c.CostCandNs = stats.OptionalNs(w.BaseNs), stats.OptionalNs(w.BaseNs+effect)
	c.EffectNs, c.EffectLoNs, c.EffectHiNs = stats.OptionalNs(effect), stats.OptionalNs(math.Expm1(w.Lo)*w.BaseNs), stats.OptionalNs(math.Expm1(w.Hi)*w.BaseNs)
	c.P, c.Q, c.EquivalenceP = known(w.P), known(w.Q), known(w.Equivalence(limits.Margin, limits.FloorNs))
}

// carries is the share of the difference of a root execution from which on a function that is not shown by itself is named.
const carries = .5

// attribute names the function that carries most of the difference of the root executions where these changed and no function is
// shown to have: as a candidate, since it is not shown by itself.
func attribute(subjects, functions []Subject) {
	if found(functions) {
		return
	}
	difference := 0.0
	for i := range subjects {
		if c := &subjects[i].Change; subjects[i].Initial && isTime(c.Verdict) {
			difference += float64(*c.EffectNs)
		}
	}
	var most *schema.Change
	for i := range functions {
		c := &functions[i].Change
		if perRun := float64(c.AbsNs); most == nil || perRun*difference > float64(most.AbsNs)*difference {
			most = c
		}
	}
	if most != nil && math.Abs(float64(*most.EffectNs)) >= carries*math.Abs(difference) && float64(*most.EffectNs)*difference > 0 {
		most.Verdict, most.Detected = schema.Candidate, true
	}
}
