package evaluate

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

const (
	powerShare = .1 // of the subjects that cost enough change
	powerDraws = 2  // splits for every cell, number of runs and effect
)

// A Class is subjects that are told apart in power.
type Class struct {
	Name   string
	within func(costNs float64, least float64) bool // cost per root execution, and the values of the run that has fewest
}

// Classes are the classes of subjects, which overlap.
func Classes() []Class {
	return []Class{
		{"from 20 us", func(float64, float64) bool { return true }},
		{"from 200 us", func(cost, _ float64) bool { return cost >= 10*leastCostNs }},
		{"from 2 ms", func(cost, _ float64) bool { return cost >= 100*leastCostNs }},
		{"below 5 values a run", func(_, least float64) bool { return least < 5 }},
		{"from 5 values a run", func(_, least float64) bool { return least >= 5 }},
		{"from 20 values a run", func(_, least float64) bool { return least >= 20 }},
	}
}

// sizes are the numbers of runs a side for power.
func sizes(runs int) (out []int) {
	for _, k := range []int{2, 3, 5} {
		if 2*k <= runs {
			out = append(out, k)
		}
	}
	return out
}

// power makes some subjects take longer, and counts those that are called so.
func (j *Job) power(ctx context.Context, o *observed, r *results.Result) error {
	type trial struct {
		runs   int
		effect float64
		draw   int
	}
	var trials []trial
	for _, k := range sizes(len(o.Runs)) {
		for _, e := range results.Effects {
			for d := range powerDraws {
				trials = append(trials, trial{k, e, d})
			}
		}
	}
	parts, err := pipeline.Each(ctx, j.Jobs, len(trials), func(_ context.Context, i int) ([]results.Power, error) {
		defer j.Progress.Advance(1)
		return j.powerOf(o, trials[i].runs, trials[i].effect, trials[i].draw), nil
	})
	for _, p := range parts {
		for _, one := range p {
			r.Power = results.AddPower(r.Power, one)
		}
	}
	return err
}

// powerOf is one comparison. What changes does not depend on the effect.
func (j *Job) powerOf(o *observed, runs int, effect float64, draw int) (out []results.Power) {
	rng := rand.New(rand.NewPCG(uint64(runs), uint64(draw)))
	s := scores.Draw(rng, len(o.Runs), runs, runs)
	subjects, _ := o.compared(s)
	grown, chosen := o.grow(rng, s, subjects, powerShare, []growth{{share: effect}})
	all := verdicts.Judge(grown, o.sides(s), j.Verdicts)
	for _, c := range Classes() {
		p := results.Power{Cell: o.Name, Runs: runs, Class: c.Name, Effect: effect}
		for i, v := range all {
			if chosen[i] && c.within(o.meanCost(&subjects[i], s), leastValues(&subjects[i], s)) {
				named := v.Verdict == schema.Regressed || v.Verdict == schema.Candidate && v.EffectNs > 0
				p.Named.Add(named)
				p.Detected.Add(named || v.Verdict == schema.ShapeChanged)
			}
		}
		out = append(out, p)
	}
	return out
}

func leastValues(of *verdicts.Observed, s scores.Split) float64 {
	least := of.Runs[s.Base[0]].N
	for _, r := range slices.Concat(s.Base, s.Cand) {
		least = min(least, of.Runs[r].N)
	}
	return least
}
