package compare

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// state says of every subject whose cost is shown to have changed in which way it did.
func (j *comparison) state(o *Observations) {
	for i := range o.Subjects {
		s := &o.Subjects[i]
		c := &s.Change
		if !s.isKnown() || !isTime(c.Verdict) && c.Verdict != schema.CountChanged && c.Verdict != schema.Candidate {
			continue
		}
		if s.reduced != nil {
			setStatement(c, s.reduced.Statement)
			continue
		}
		v := verdicts.State(&s.Observed, &o.Sides)
		if c.Level == schema.LevelFunction && v.Kind == schema.EachCall && c.CostBaseNs != nil && *c.CostBaseNs > 0 {
			// What all functions share is no change of this one: its costs are without that.
			v.Ratio = float64(*c.CostCandNs) / float64(*c.CostBaseNs) * *c.CountBase / *c.CountCand
		}
		setStatement(c, v)
	}
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
