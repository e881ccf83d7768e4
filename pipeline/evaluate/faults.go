package evaluate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// setting is a number of runs per side.
type setting struct {
	name       string
	Base, Cand int
	Same       bool // the candidate is a changed copy of the baseline
}

// settings returns those for which there are runs enough. The first is that of Hilbig's experiments: a trace against a changed
// copy of itself, where whatever has no fault is identical. The others have the differences between runs that practice has.
func settings(runs int) (all []setting) {
	for _, s := range []setting{
		{"same trace", 1, 1, true}, {"1 v 1", 1, 1, false}, {"3 v 1", 3, 1, false}, {"3 v 3", 3, 3, false}, {"5 v 5", 5, 5, false},
	} {
		if s.Same || s.Base+s.Cand <= runs {
			all = append(all, s)
		}
	}
	return all
}

// faults injects the faults of every kind and magnitude into traces of a cell. Settings and seeds are independent and run at the
// same time; the trials come in the order of settings, then of faults, then of methods, whoever is done first.
func (j *Job) faults(ctx context.Context, t *traces, r *results.Result) error {
	pool := t.pool()
	type trial struct {
		setting setting
		seed    int
	}
	var trials []trial
	for _, s := range settings(len(t.Runs)) {
		for seed := range j.Seeds {
			trials = append(trials, trial{s, seed})
		}
	}
	outcomes, err := pipeline.Each(ctx, j.Jobs, len(trials), func(ctx context.Context, i int) ([]outcome, error) {
		return j.injections(ctx, t, pool, trials[i].setting, uint64(trials[i].seed))
	})
	if err != nil {
		return err
	}
	for i := 0; i < len(trials); i += j.Seeds {
		for k, fault := range results.Kinds() {
			for _, m := range results.Methods() {
				r.Trials = append(r.Trials, summed(trials[i].setting, fault, m, k, outcomes[i:i+j.Seeds]))
			}
		}
	}
	return nil
}

// outcome is the score of every method that can judge, at one fault.
type outcome map[string]scored

// scored is how well one method found the steps of one fault.
type scored struct {
	scores.Score              // every step with a fault is to be found
	material     scores.Score // only steps whose cost changed by the margin are to be found
	matters      scores.Share // of the steps with a fault: those whose cost changed by the margin
	visible      scores.Share // of the steps with a fault: those that have another sample at all
	behind       int          // steps without a fault whose samples changed, as they follow one that has
}

// summed averages over seeds: the scores of single faults, as in the thesis, so that a fault in many steps counts no more than
// one in few.
func summed(s setting, fault results.Magnitude, method string, k int, outcomes [][]outcome) results.Trial {
	t := results.Trial{Setting: s.name, Runs: min(s.Base, s.Cand), Base: s.Base, Fault: fault, Method: method}
	var all, material []scores.Score
	var matters, visible scores.Share
	for _, o := range outcomes {
		one, judged := o[k][method]
		if !judged {
			continue
		}
		all = append(all, one.Score)
		if one.material.Injected > 0 {
			material = append(material, one.material)
		}
		if one.Called == 0 {
			t.Undefined++
		}
		matters.Join(one.matters)
		visible.Join(one.visible)
		t.Behind += float64(one.behind)
	}
	t.Seeds = len(all)
	t.Score, t.Material = scores.Average(all), scores.Average(material)
	t.Matters, t.Visible, t.Behind = matters.Rate(), visible.Rate(), t.Behind/float64(t.Seeds)
	return t
}

// pool is what all runs of a cell have in common, so that a fault is the same whichever runs are drawn.
func (t *traces) pool() *faults.Pool {
	p := faults.NewPool(t.runs[0].run)
	for _, tr := range t.runs[1:] {
		p.Narrow(tr.run)
	}
	return p
}

// injections injects all faults of one seed into one draw of runs, one after the other into the runs as they were. The contest
// of these runs is made once: each fault changes a copy.
func (j *Job) injections(ctx context.Context, t *traces, pool *faults.Pool, s setting, seed uint64) ([]outcome, error) {
	c := j.contestOf(t, j.draw(t, s, seed))
	var out []outcome
	for _, fault := range results.Kinds() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		plan, err := pool.Plan(fault.Fault, seed)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", fault.Fault.Kind, fault.Name, err)
		}
		o, err := c.inject(plan)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
		j.Progress.Advance(1)
	}
	return out, nil
}

// draw chooses the runs of both sides, from the seed and the setting alone.
func (j *Job) draw(t *traces, s setting, seed uint64) scores.Split {
	if s.Same {
		at := slices.Index(t.Runs, j.Trace)
		return scores.Split{Base: []int{at}, Cand: []int{at}}
	}
	return scores.Draw(rand.New(rand.NewPCG(seed, uint64(10*s.Base+s.Cand))), len(t.Runs), s.Base, s.Cand)
}
