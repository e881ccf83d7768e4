package evaluate

import (
	"context"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// observed is a cell with all subjects in all its runs.
type observed struct {
	Cell
	subjects []verdicts.Observed
	fragment []string          // by subject; "" of what belongs to none
	present  map[string][]bool // by fragment and run
	roots    []float64         // root executions, by run
}

// observe pairs the runs of a cell. All of them are on both sides of the job, so that no fragment lacks a side and every
// step is there; a comparison of some of the runs takes from it what it needs.
func (j *Job) observe(ctx context.Context, c Cell) (*observed, error) {
	found, err := compare.Observe(ctx, &pipeline.Engine{Lake: j.Lake, Jobs: j.Jobs}, compare.Spec{
		Base: c.Runs, Cand: c.Runs, Matching: matching.ByDifference,
		Verdicts: j.Verdicts, Options: samplechanges.Options{Normalisation: schema.NormFragmentAbsolute, Thresholds: j.Thresholds},
	})
	if err != nil {
		return nil, err
	}
	n := len(c.Runs)
	o := &observed{Cell: c, present: make(map[string][]bool), roots: found.Sides.Roots[:n]}
	for _, s := range found.Subjects {
		if s.Observed.Runs == nil {
			continue
		}
		s.Observed.Runs = s.Observed.Runs[:n:n]
		o.subjects, o.fragment = append(o.subjects, s.Observed), append(o.fragment, s.Change.Fragment)
		if f := s.Change.Fragment; f != "" {
			o.present[f] = either(o.present[f], has(s.Observed.Runs))
		}
	}
	return o, nil
}

// either says which runs have one or the other; nil is none.
func either(a, b []bool) []bool {
	for i := range a {
		b[i] = b[i] || a[i]
	}
	return b
}

// has says which runs have a subject.
func has(runs []verdicts.Run) []bool {
	out := make([]bool, len(runs))
	for i := range runs {
		out[i] = runs[i].Count > 0 || runs[i].TotalNs > 0
	}
	return out
}

// compared are the subjects that a comparison of these runs has: those that any of the runs has, and of fragments that
// one side lacks nothing but the fragment itself. At are their places.
func (o *observed) compared(s scores.Split) (subjects []verdicts.Observed, at []int) {
	for i := range o.subjects {
		of := &o.subjects[i]
		here := has(of.Runs)
		if !anyOf(here, s.Base) && !anyOf(here, s.Cand) {
			continue
		}
		if in, known := o.present[o.fragment[i]]; known && of.Level != schema.LevelFragment && (!anyOf(in, s.Base) || !anyOf(in, s.Cand)) {
			continue
		}
		subjects, at = append(subjects, *of), append(at, i)
	}
	return subjects, at
}

func anyOf(has []bool, runs []int) bool {
	for _, r := range runs {
		if has[r] {
			return true
		}
	}
	return false
}

func (o *observed) sides(s scores.Split) verdicts.Sides {
	return verdicts.Sides{Base: s.Base, Cand: s.Cand, Roots: o.roots}
}

// root are the root executions of a run, at least one.
func root(roots []float64, run int) float64 { return max(roots[run], 1) }
