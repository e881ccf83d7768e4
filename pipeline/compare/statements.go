package compare

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// state says of every subject whose cost is shown to have changed in which way it did.
func (j *comparison) state(o *Observations, f *functions) {
	positions := make(map[functionKey]int, len(f.pairs))
	for i, p := range f.pairs {
		positions[p.name()] = i
	}
	for i := range o.Subjects {
		s := &o.Subjects[i]
		c := &s.Change
		if !s.isKnown() || c.Level == schema.LevelLifetime || !isTime(c.Verdict) && c.Verdict != schema.CountChanged && c.Verdict != schema.Candidate {
			continue
		}
		if s.reduced != nil {
			setStatement(c, s.reduced.Statement)
			continue
		}
		observed := s.Observed
		if i, known := positions[functionKey{c.Component, c.Function}]; known && c.Level == schema.LevelFunction {
			observed.Runs = f.withoutFactors(i, observed.Runs)
		}
		v := verdicts.State(&observed, &o.Sides)
		if c.Level == schema.LevelFunction && v.Kind == schema.EachCall && c.CostBaseNs != nil && *c.CostBaseNs > 0 {
			// What all functions share is no change of this one: its costs are without that.
			v.Ratio = float64(*c.CostCandNs) / float64(*c.CostBaseNs) * *c.CountBase / *c.CountCand
		}
		setStatement(c, v)
	}
}

// withoutFactors takes what all functions of a run share out of the times of a function that follows it: by that, the median of a side
// may differ from that of the other one by more or less than the mean, and each call that takes longer would look like some.
func (f *functions) withoutFactors(i int, runs []verdicts.Run) []verdicts.Run {
	if f.result.Asked == 0 || !f.result.Changes[i].Follows {
		return runs
	}
	out := slices.Clone(runs)
	for k, run := range f.runs {
		r, factor := &out[run], math.Exp(-f.result.Factors.Log[k])
		r.TotalNs *= factor
		if r.Quantiles != nil {
			scaled := *r.Quantiles
			for q := range scaled {
				scaled[q] *= factor
			}
			r.Quantiles = &scaled
		}
	}
	return out
}

// setStatement writes a statement into a row; what does not apply stays null.
func setStatement(c *schema.Change, v verdicts.Statement) {
	c.Statement = v.Kind
	if v.Kind == schema.SomeCalls {
		c.StatementShare, c.StatementNs = &v.Share, stats.OptionalNs(v.Ns)
	} else if v.Kind != "" {
		c.StatementRatio = &v.Ratio
	}
}
