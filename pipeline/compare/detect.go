package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/detectable"
)

// Detect fills in what comparisons of runs like those of the report would find, by the rules of Run. It needs summaries of two runs at
// least, and writes nothing.
func Detect(ctx context.Context, e *pipeline.Engine, r *detectable.Report) error {
	o, err := Observe(ctx, e, Spec{
		Base: r.Runs[:1], Cand: r.Runs[1:], ByRuns: true, Matching: matching.ByDifference, Verdicts: verdicts.Defaults(),
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	})
	if err != nil {
		return err
	}
	rules, functions := functionchanges.Defaults(), o.Functions()
	rules.FloorNs *= r.Rules.EffectNs / verdicts.Defaults().FloorNs // as comparisons with this floor have it
	costs := make([][]functionchanges.Cost, len(functions))
	for i := range functions {
		costs[i] = functions[i].Runs
	}
	found, factors := functionchanges.Detect(costs, r.Rules, rules)
	for i, d := range found {
		switch d.State {
		case functionchanges.Asked:
			r.Functions = append(r.Functions, detectable.Subject{Component: functions[i].Component, Function: functions[i].Function, Detectable: d})
		case functionchanges.TooSmall:
			r.TooSmall++
		case functionchanges.Sporadic:
			r.Sporadic++
		}
	}
	slices.SortStableFunc(r.Functions, func(a, b detectable.Subject) int { return cmp.Compare(b.BaseNs, a.BaseNs) })
	for i, log := range factors.Log {
		r.Factors = append(r.Factors, schema.RunFactor{Run: r.Runs[i], Factor: math.Exp(log), SE: factors.SE[i], Voters: int64(factors.Voters)})
	}
	r.Roots = o.detectRoots(r.Rules, rules)
	return nil
}

// detectRoots returns the smallest changes of the run times of initial fragments that all runs have.
func (o *Observations) detectRoots(d functionchanges.Detection, rules functionchanges.Options) (roots []detectable.Subject) {
	runs := slices.Concat(o.Sides.Base, o.Sides.Cand)
	var wholes []*Subject
	var of []functionchanges.Root
	for i := range o.Subjects {
		if s := &o.Subjects[i]; s.Initial && s.inAll(runs) {
			wholes, of = append(wholes, s), append(of, s.root(runs))
		}
	}
	for i, found := range functionchanges.DetectRoots(of, d, rules) {
		c := &wholes[i].Change
		roots = append(roots, detectable.Subject{Component: c.Component, Fragment: c.Fragment, Detectable: found})
	}
	return roots
}
