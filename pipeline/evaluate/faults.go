package evaluate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// Setting is a number of runs per side.
type Setting struct {
	Name       string
	Base, Cand int
	Same       bool // the candidate is a changed copy of the baseline
}

// settings returns those for which there are runs enough. The first is that of Hilbig's experiments: a trace against a changed
// copy of itself, where whatever has no fault is identical. The others have the differences between runs that practice has.
func settings(runs int) (all []Setting) {
	for _, s := range []Setting{
		{"same trace", 1, 1, true}, {"1 v 1", 1, 1, false}, {"3 v 1", 3, 1, false}, {"3 v 3", 3, 3, false}, {"5 v 5", 5, 5, false},
	} {
		if s.Same || s.Base+s.Cand <= runs {
			all = append(all, s)
		}
	}
	return all
}

// trialsOf are the scores of one setting, by fault and then by method, from the outcomes of all seeds.
func trialsOf(s Setting, outcomes [][]outcome) (all []results.Trial) {
	for k, fault := range results.Kinds() {
		for _, m := range results.Methods() {
			all = append(all, summed(s, fault, m, k, outcomes))
		}
	}
	return all
}

// outcome is the score of every method that can judge, at one fault.
type outcome map[string]scored

// scored is how well one method found the steps of one fault.
type scored struct {
	scores.Score              // every step with a fault is to be found
	Material     scores.Score // only steps whose cost changed by the margin are to be found
	Matters      scores.Share // of the steps with a fault: those whose cost changed by the margin
	Visible      scores.Share // of the steps with a fault: those that have another sample at all
	Behind       int          // steps without a fault whose samples changed, as they follow one that has
}

// summed averages over seeds: the scores of single faults, as in the thesis, so that a fault in many steps counts no more than
// one in few.
func summed(s Setting, fault results.Magnitude, method string, k int, outcomes [][]outcome) results.Trial {
	t := results.Trial{Setting: s.Name, Runs: min(s.Base, s.Cand), Base: s.Base, Fault: fault, Method: method}
	var all, material []scores.Score
	var matters, visible scores.Share
	for _, o := range outcomes {
		one, judged := o[k][method]
		if !judged {
			continue
		}
		all = append(all, one.Score)
		if one.Material.Injected > 0 {
			material = append(material, one.Material)
		}
		if one.Called == 0 {
			t.Undefined++
		}
		matters.Join(one.Matters)
		visible.Join(one.Visible)
		t.Behind += float64(one.Behind)
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
func (j *Job) injections(ctx context.Context, t *traces, pool *faults.Pool, s Setting, seed uint64) ([]outcome, error) {
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
	}
	return out, nil
}

// draw chooses the runs of both sides, from the seed and the setting alone.
func (j *Job) draw(t *traces, s Setting, seed uint64) scores.Split {
	if s.Same {
		at := slices.Index(t.Runs, j.Trace)
		return scores.Split{Base: []int{at}, Cand: []int{at}}
	}
	return scores.Draw(rand.New(rand.NewPCG(seed, uint64(10*s.Base+s.Cand))), len(t.Runs), s.Base, s.Cand)
}
