package evaluate

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// experiment is a contest whose candidate runs have a fault.
type experiment struct {
	*contest
	injected []bool                     // by step: an event of it has the fault
	changed  [normalisations][]bool     // by time and step: a sample differs from the trace
	moved    map[uint32]map[int][]int64 // by step and position of the run: the samples since the start, where any of them differs
}

// inject changes the candidate runs, has all methods judge, and scores them.
func (c *contest) inject(plan faults.Plan) (outcome, error) {
	x := experiment{contest: c.copied(), injected: make([]bool, len(c.judged)), moved: make(map[uint32]map[int][]int64)}
	for norm := range x.changed {
		x.changed[norm] = make([]bool, len(c.judged))
	}
	for i, r := range c.split.Cand {
		if err := x.change(i, c.traces.runs[r], plan); err != nil {
			return nil, err
		}
	}
	for step, values := range x.moved {
		if c.judged[step] {
			x.test(step, values)
		}
	}
	return x.score(x.injected, c.material(x.contest), x.changed), nil
}

// change injects a fault into one candidate run. The injector moves the events of a copy of the chart, as far as constraints
// between events carry the delay; what follows is derived from the new times: which steps have other samples, and the samples
// and summaries of these.
func (x *experiment) change(i int, tr *trace, plan faults.Plan) error {
	in := faults.NewInjector(tr.chart)
	all, err := plan.Injections(tr.run)
	if err != nil {
		return err
	}
	in.Apply(all)
	for _, step := range tr.run.Subjects(all) {
		x.injected[step] = true
	}
	var steps []uint32
	for norm := range x.changed {
		for _, step := range tr.differ(norm, in.Times()) {
			steps, x.changed[norm][step] = append(steps, step), true
			if norm != sinceStart {
				continue
			}
			if x.moved[step] == nil {
				x.moved[step] = make(map[int][]int64)
			}
			x.moved[step][i] = tr.values(step, norm, in.Times())
		}
	}
	slices.Sort(steps)
	x.replace(i, tr, in.Times(), slices.Compact(steps))
	return nil
}

// replace replaces the summaries of steps that changed in one candidate run. Steps that the comparison does not have are skipped.
func (c *contest) replace(i int, tr *trace, timeNs []int64, steps []uint32) {
	summaries := tr.summaries(steps, timeNs)
	for k, step := range steps {
		if at, judged := slices.BinarySearch(c.at, int(step)); judged {
			runs := slices.Clone(c.subject[at].Runs)
			runs[len(c.split.Base)+i] = summaries[k]
			c.subject[at].Runs = runs
		}
	}
}

// material returns the steps whose mean log cost differs from what it was by the margin or more. The margin is relative above
// the floor, so it depends on the cost: the mean of both sides is taken.
func (c *contest) material(d *contest) []bool {
	before, after := c.rows(), d.rows()
	out := make([]bool, len(c.judged))
	for i := range before {
		was, is, base := stats.Mean(before[i].Cand), stats.Mean(after[i].Cand), stats.Mean(after[i].Base)
		margin := scores.LogMargin(c.job.Verdicts.Margin, c.job.Verdicts.FloorNs, (base+is)/2)
		out[c.at[i]] = math.Abs(is-was) >= margin
	}
	return out
}

// score compares what every method detects with what was injected, over the steps that the comparison has. A step without a
// fault whose samples changed, because it follows one that has, is no mistake to detect and none to miss; of the material score
// the same holds for faults too small to matter.
func (c *contest) score(injected, material []bool, changed [normalisations][]bool) outcome {
	out := make(outcome)
	for method, detected := range c.detected() {
		judged := judges(method)
		var t, great, behind, neutral, p []bool
		var s scored
		for step, compared := range c.judged {
			if !compared {
				continue
			}
			differs := slices.ContainsFunc(judged, func(norm int) bool { return changed[norm][step] })
			fault, consequence := injected[step], differs && !injected[step]
			t, p, behind = append(t, fault), append(p, detected[step]), append(behind, consequence)
			great, neutral = append(great, fault && material[step]), append(neutral, consequence || fault && !material[step])
			if fault {
				s.Visible.Add(differs)
				s.Matters.Add(material[step])
			}
			if consequence {
				s.Behind++
			}
		}
		s.Score, s.Material = scores.NewScore(t, behind, p), scores.NewScore(great, neutral, p)
		out[method] = s
	}
	return out
}
