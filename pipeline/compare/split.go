package compare

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Split compares some of the observed runs with others, given by their positions in Spec.Base, Cand and Noise, by the whole rule of
// a comparison. It reads and writes nothing, and leaves the observations as they are, so that rates over many splits of the same
// runs are measured on the rule itself. Several goroutines may call it. Spec.ByRuns must be set.
func (o *Observations) Split(base, cand []int) *Result {
	split := &Observations{Subjects: slices.Clone(o.Subjects), Sides: verdicts.Sides{Base: base, Cand: cand, Roots: o.Sides.Roots}, of: o.of}
	return o.of.judgeAll(split).copied()
}

// SplitFirst compares some of the observed runs with others as Split does, but asks no more than what is asked first: the functions, and
// the run times of initial fragments. Its changes are those of both families with the verdicts of Split, but for functions that are named because
// they carry most of the difference of the root executions. It takes a small part of the time.
func (o *Observations) SplitFirst(base, cand []int) *Result {
	sides := verdicts.Sides{Base: base, Cand: cand, Roots: o.Sides.Roots}
	var initial []Subject
	for i := range o.Subjects {
		if o.Subjects[i].Initial {
			initial = append(initial, o.Subjects[i])
			initial[len(initial)-1].Change.Verdict = schema.Undetermined
		}
	}
	f := o.of.judgeFunctions(&sides)
	r := &Result{Factors: f.factors(o.of), functions: f}
	for _, s := range append(initial, o.of.judgeFirst(f, initial, &sides)...) {
		r.Changes = append(r.Changes, s.Change)
	}
	return r
}

// SplitFlat compares some of the observed runs with others as Split does, but asks all steps, fragments, metrics and messages as one
// family: the rule before functions were asked first, against which the present one is measured.
func (o *Observations) SplitFlat(base, cand []int) *Result {
	flat := &Observations{Subjects: slices.Clone(o.Subjects), Sides: verdicts.Sides{Base: base, Cand: cand, Roots: o.Sides.Roots}, of: o.of}
	o.of.judgeByRuns(flat.Subjects, flat.Sides, nil, 0)
	r := new(Result)
	o.of.conclude(flat, r)
	return r.copied()
}

// FunctionCosts is what a function costs per root execution in every observed run.
type FunctionCosts struct {
	Component, Function string                 // the function's name, in its two parts
	Runs                []functionchanges.Cost // by run, those of the baseline first
}

// Functions returns the costs of all functions of the observed runs, by component and function.
func (o *Observations) Functions() []FunctionCosts {
	runs := make([]int, len(o.of.models))
	for i := range runs {
		runs[i] = i
	}
	keys := o.of.functionKeys(runs)
	out := make([]FunctionCosts, len(keys))
	for i, k := range keys {
		out[i] = FunctionCosts{k.component, k.function, o.of.functionCosts([]functionKey{k}, runs, o.Sides.Roots)}
	}
	return out
}

// EffectBy returns by how much a function changed, as a share of what it costs in the baseline, by the estimate by which a comparison of some of
// the same runs states its effect. Both are of Split or SplitFirst of the same observations. It is false where one of them did not ask the
// function, or has it under another name.
func (r *Result) EffectBy(some *Result, component, function string, floorNs float64) (share float64, asked bool) {
	i, k := r.functionAt(component, function), some.functionAt(component, function)
	if i < 0 || k < 0 {
		return 0, false
	}
	log, asked := r.functions.result.EffectBy(i, &some.functions.result.Changes[k], floorNs)
	return math.Expm1(log), asked
}

// StatedBy returns the name of the estimate that the effect on a function and its interval are of, "" where the function was not asked or has
// another name.
func (r *Result) StatedBy(component, function string, floorNs float64) string {
	i := r.functionAt(component, function)
	if i < 0 || r.functions.result.Asked == 0 || r.functions.result.Changes[i].State != functionchanges.Asked {
		return ""
	}
	return r.functions.result.Changes[i].StatedBy(floorNs).String()
}

// functionAt returns the position of a function among those that were paired, or -1.
func (r *Result) functionAt(component, function string) int {
	if r.functions == nil {
		return -1
	}
	return slices.IndexFunc(r.functions.pairs, func(p functionPair) bool { return p.name() == functionKey{component, function} })
}

// Root returns the verdict on the run times of initial fragments together: that of the one whose time changes most, or
// schema.Undetermined where none is shown to change.
func (r *Result) Root(o *Observations) string {
	verdict, most := schema.Undetermined, int64(-1)
	for _, c := range r.roots(o) {
		if abs(*c.EffectNs) > most {
			verdict, most = c.Verdict, abs(*c.EffectNs)
		}
	}
	return verdict
}

// RootNs returns the difference in ns of the initial fragments whose run time is shown to change.
func (r *Result) RootNs(o *Observations) (ns float64) {
	for _, c := range r.roots(o) {
		ns += float64(*c.EffectNs)
	}
	return ns
}

// roots lists the initial fragments whose run time is shown to change.
func (r *Result) roots(o *Observations) (changed []*schema.Change) {
	initial := make(map[string]bool)
	for i := range o.Subjects {
		if o.Subjects[i].Initial {
			initial[o.Subjects[i].Change.Fragment] = true
		}
	}
	for i := range r.Changes {
		if c := &r.Changes[i]; c.Level == schema.LevelFragment && initial[c.Fragment] && isTime(c.Verdict) {
			changed = append(changed, c)
		}
	}
	return changed
}

func abs(ns int64) int64 { return max(ns, -ns) }
