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
	subjects, reducer := make([]rootcause.Subject, 0, len(o.Subjects)), verdicts.NewReducer(o.Sides, j.Verdicts)
	for i := range o.Subjects {
		s := &o.Subjects[i]
		if s.Change.Level == schema.LevelDefined {
			continue // it is no part of anything: it may span what several functions do
		}
		of := rootcause.Subject{Change: &s.Change, Awaited: s.Awaited, Function: s.Function, Initial: s.Initial}
		if r := s.reduction(reducer); r != nil {
			of.Base = []rootcause.Run{{CostNs: r.CostBase, Count: r.CountBase}}
			of.Cand = []rootcause.Run{{CostNs: r.CostCand, Count: r.CountCand}}
		}
		subjects = append(subjects, of)
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
