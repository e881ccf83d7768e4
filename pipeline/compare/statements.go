package compare

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// state says of every subject whose cost is shown to have changed in which way it did.
func (j *comparison) state(o *Observations) {
	for i := range o.Subjects {
		s := &o.Subjects[i]
		if c := &s.Change; s.Observed.Runs != nil && (isTime(c.Verdict) || c.Verdict == schema.CountChanged || c.Verdict == schema.Candidate) {
			v := verdicts.State(&s.Observed, &o.Sides)
			setStatement(c, &v)
		}
	}
}

// setStatement writes a statement into a row; what does not apply stays null.
func setStatement(c *schema.Change, v *verdicts.Statement) {
	c.Statement = v.Kind
	if v.Kind == schema.SomeCalls {
		c.StatementShare, c.StatementNs = &v.Share, nanos(v.Ns)
	} else if v.Kind != "" {
		c.StatementRatio = &v.Ratio
	}
}
