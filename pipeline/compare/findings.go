package compare

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/rootcause"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Clear is the rate of false discoveries to which findings that come first are held, in units of that of all findings.
const Clear = .1

// findings puts the changes down to their root causes (package rootcause), which marks the changes with the numbers of their
// findings. Only verdicts of runs are explained: those of pooled samples have no error rate that would bear it.
func (j *comparison) findings(o *Observations) []schema.Finding {
	if !j.ByRuns {
		return nil
	}
	design, runs := designOf(&o.Sides), slices.Concat(o.Sides.Base, o.Sides.Cand)
	isTested := design.Pairs(len(runs)) > 1
	subjects, reducer := make([]rootcause.Subject, 0, len(o.Subjects)), verdicts.NewReducer(o.Sides, j.Verdicts)
	of := make([]*Subject, 0, len(o.Subjects)) // as the subjects of root causes
	for i := range o.Subjects {
		s := &o.Subjects[i]
		if s.Change.Level == schema.LevelDefined || s.Change.Level == schema.LevelLifetime {
			continue // it is no part of anything: it may span what several functions do
		}
		cost := rootcause.Subject{Change: &s.Change, Awaited: s.Awaited, Function: s.Function, Initial: s.Initial}
		if r := s.reduction(reducer); r != nil {
			cost.Base = []rootcause.Run{{CostNs: r.CostBase, Count: r.CountBase}}
			cost.Cand = []rootcause.Run{{CostNs: r.CostCand, Count: r.CountCand}}
		}
		if s.Change.Level == schema.LevelFunction && isTested && len(s.Observed.Runs) > 0 {
			cost.Totals = totalsByRun(s.Observed.Runs, runs, o.Sides.Roots)
		}
		subjects, of = append(subjects, cost), append(of, s)
	}
	found := rootcause.Find(subjects, rootcause.Options{
		FloorNs: j.Verdicts.FloorNs, Margin: j.Verdicts.Margin, Clear: Clear * j.Verdicts.FDR,
		Difference: func(totals []float64) (base, difference, lo, hi float64) {
			for _, ns := range totals[:design.Base] {
				base += ns / float64(design.Base)
			}
			difference, lo, hi = design.Difference(totals, j.Verdicts.Level)
			return base, difference, lo, hi
		},
	})
	for i := range subjects {
		of[i].follows = subjects[i].Follows
	}
	rankByFragment(found, o.Subjects)
	return found
}

// countInherited counts the rows that follow from findings: those of the table, which has none of the steps of a fragment that one side lacks, and
// one of what has two names. A row of which one name is a part of the finding is one.
func (o *Observations) countInherited(found []schema.Finding) {
	for i := range found {
		found[i].Inherited = 0
	}
	for i := range o.Subjects {
		if s := &o.Subjects[i]; !s.within && s.follows && s.Change.Finding != nil {
			found[*s.Change.Finding-1].Inherited++
		}
	}
}

// totalsByRun returns the total of some runs in ns per root execution.
func totalsByRun(observed []verdicts.Run, runs []int, roots []float64) []float64 {
	totals := make([]float64, len(runs))
	for i, run := range runs {
		totals[i] = observed[run].TotalNs / max(roots[run], 1)
	}
	return totals
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
