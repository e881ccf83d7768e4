package compare

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/rootcause"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// findings puts the changes down to their root causes (package rootcause), which marks the changes with the numbers of their
// findings. Only verdicts of runs are explained: those of pooled samples have no error rate that would bear it.
func (j *comparison) findings(o *Observations) []schema.Finding {
	if !j.ByRuns {
		return nil
	}
	subjects := make([]rootcause.Subject, len(o.Subjects))
	for i := range o.Subjects {
		s := &o.Subjects[i]
		subjects[i] = rootcause.Subject{
			Change: &s.Change, Awaited: s.Awaited, Function: s.Function, Initial: s.Initial,
			Base: costs(&s.Observed, o.Sides.Base, o.Sides.Roots), Cand: costs(&s.Observed, o.Sides.Cand, o.Sides.Roots),
		}
	}
	found := rootcause.Find(subjects, rootcause.Options{FloorNs: j.Verdicts.FloorNs, Margin: j.Verdicts.Margin})
	rankByFragment(found, o.Subjects)
	return found
}

// rankByFragment gives findings in fragments that one side lacks the rank of the fragment, as their steps have none.
func rankByFragment(found []schema.Finding, subjects []Subject) {
	ranks := make(map[string]int64)
	for i := range subjects {
		if c := &subjects[i].Change; c.Level == schema.LevelFragment {
			ranks[c.Fragment] = c.Rank
		}
	}
	for i := range found {
		if found[i].Rank == 0 {
			found[i].Rank = ranks[found[i].Fragment]
		}
	}
}

// costs are what a subject takes in some runs, per root execution: runs of different length are comparable by it. A run
// without roots counts as one.
func costs(o *verdicts.Observed, runs []int, roots []float64) []rootcause.Run {
	if o.Runs == nil {
		return nil
	}
	out := make([]rootcause.Run, len(runs))
	for i, r := range runs {
		out[i] = rootcause.Run{CostNs: o.Runs[r].TotalNs / max(roots[r], 1), Count: o.Runs[r].Count / max(roots[r], 1)}
	}
	return out
}
