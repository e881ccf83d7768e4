package evaluate

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// observed is a cell with all subjects in all its runs. The trials of a cell run at the same time and share it: nobody changes
// it, and whoever changes the runs of a subject clones them first.
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
	// Every run stands on both sides, so each subject has the runs twice: the first half is enough. The capacity is cut too, so
	// that nobody appends into the second half.
	n := len(c.Runs)
	o := &observed{Cell: c, present: make(map[string][]bool), roots: found.Sides.Roots[:n]}
	for _, s := range found.Subjects {
		if s.Observed.Runs == nil {
			continue
		}
		s.Observed.Runs = s.Observed.Runs[:n:n]
		o.subjects, o.fragment = append(o.subjects, s.Observed), append(o.fragment, s.Change.Fragment)
		if f := s.Change.Fragment; f != "" {
			taken := has(s.Observed.Runs)
			for run, is := range o.present[f] { // a fragment is present where any subject of it is
				taken[run] = taken[run] || is
			}
			o.present[f] = taken
		}
	}
	return o, nil
}

// has reports by run whether a run has a subject: it counts it, or spends time in it.
func has(runs []verdicts.Run) []bool {
	out := make([]bool, len(runs))
	for i := range runs {
		out[i] = runs[i].Count > 0 || runs[i].TotalNs > 0
	}
	return out
}

// compared returns the subjects that a comparison of these runs has, and their positions in o.subjects: those that any of the
// runs has. Of a fragment that one side lacks, only the fragment itself is compared, as appeared or vanished; its steps would
// repeat the same finding.
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

// anyOf reports whether any of some runs has what the first argument says by run.
func anyOf(has []bool, runs []int) bool {
	return slices.ContainsFunc(runs, func(r int) bool { return has[r] })
}

// sides are the runs of a split with the root executions of all runs, by which package verdicts divides costs.
func (o *observed) sides(s scores.Split) verdicts.Sides {
	return verdicts.Sides{Base: s.Base, Cand: s.Cand, Roots: o.roots}
}

// root returns the root executions of a run, by which its costs are divided. It is at least one, so that a run without root
// executions has a finite cost.
func root(roots []float64, run int) float64 { return max(roots[run], 1) }
