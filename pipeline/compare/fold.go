package compare

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/relocations"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
)

// folded is a row that stands for two: what vanished, and what it is in the candidate.
type folded struct{ base, cand int } // subjects

// fold makes one row of two where a subject has other names in the candidate because a function moved: its fragments, their callers' steps,
// messages and parts of critical paths would each be told as gone and as new, though the report says that the function moved. Sums over
// rows stay as they are. Rows of two findings stay apart, since these say what follows from them.
func (o *Observations) fold() (all []folded) {
	if !o.relocations.Any() {
		return nil
	}
	vanished, gone := o.placesOf(schema.Vanished)
	appeared, come := o.placesOf(schema.Appeared)
	for _, p := range o.relocations.Pairs(gone, come) {
		if f := (folded{vanished[p.Base], appeared[p.Cand]}); o.isOfOneFinding(f) {
			all = append(all, f)
		}
	}
	for _, f := range all {
		o.Subjects[f.cand].Change = inOneRow(&o.Subjects[f.base].Change, &o.Subjects[f.cand].Change)
		o.Subjects[f.base].folded, o.Subjects[f.cand].folded = true, true
		o.Subjects[f.cand].follows = o.Subjects[f.cand].follows && o.Subjects[f.base].follows
		o.Subjects[f.base].within = true
	}
	return all
}

// placesOf lists the subjects of a verdict, with the places that they lie at. Functions are paired before.
func (o *Observations) placesOf(verdict string) (subjects []int, places []relocations.Place) {
	for i := range o.Subjects {
		if c := &o.Subjects[i].Change; !o.Subjects[i].within && c.Verdict == verdict && c.Level != schema.LevelFunction {
			subjects, places = append(subjects, i), append(places, placeOf(c))
		}
	}
	return subjects, places
}

// isOfOneFinding reports whether both rows belong to the same finding, or to none.
func (o *Observations) isOfOneFinding(f folded) bool {
	base, cand := o.Subjects[f.base].Change.Finding, o.Subjects[f.cand].Change.Finding
	return base == cand || base != nil && cand != nil && *base == *cand
}

// inOneRow is the row of what moved. Its times are those of both sides; whether they differ nobody asked.
func inOneRow(base, cand *schema.Change) schema.Change {
	c := *cand
	c.Verdict, c.Detected, c.RootCause, c.Quantity = schema.Moved, true, "", ""
	c.P, c.Q, c.EquivalenceP, c.RunsNeeded, c.EffectLoNs, c.EffectHiNs = nil, nil, nil, nil, nil, nil
	switch {
	case c.Level == schema.LevelFragment: // as of a fragment that moved with its steps
		c.Component, c.Fragment, c.Function, c.Peer = base.Component, base.Fragment, base.Function, base.Peer
		c.Subject, c.CandFragment = base.Fragment+" -> "+cand.Fragment, cand.Fragment
	case c.Metric == schema.CategoryWords[schema.Executing]:
		c.MovedFrom = base.Component + "." + base.Function
	case base.Subject == cand.Subject: // they are told apart by their components alone
		c.MovedFrom = base.Subject + " to " + base.Component
	default:
		c.MovedFrom = base.Subject
	}
	c.Transition = base.Transition
	c.NBase, c.TotalBaseNs = base.NBase, base.TotalBaseNs
	c.MinBaseNs, c.Q25BaseNs, c.MedianBaseNs, c.Q75BaseNs, c.MaxBaseNs, c.MeanBaseNs = base.MinBaseNs, base.Q25BaseNs, base.MedianBaseNs, base.Q75BaseNs, base.MaxBaseNs, base.MeanBaseNs
	c.CostBaseNs, c.CountBase, c.StepBaseNs, c.CriticalBaseNs = base.CostBaseNs, base.CountBase, base.StepBaseNs, base.CriticalBaseNs
	c.AbsNs, c.ImpactNs = base.AbsNs+cand.AbsNs, base.ImpactNs+cand.ImpactNs
	c.Ratio = nil
	if c.TotalBaseNs > 0 {
		ratio := float64(c.TotalCandNs) / float64(c.TotalBaseNs)
		c.Ratio = &ratio
	}
	if c.EffectNs = nil; c.CostBaseNs != nil && c.CostCandNs != nil {
		effect := *c.CostCandNs - *c.CostBaseNs
		c.EffectNs = &effect
	}
	return c
}

// rank numbers the changes, and returns them by rank with the positions of their subjects. Steps of fragments that one side lacks, and rows that
// stand in others, have no rank. Of a row that stands for two there are no estimates.
func (o *Observations) rank() (ranked []*schema.Change, positions []int32) {
	for i := range o.Subjects {
		if !o.Subjects[i].within {
			ranked = append(ranked, &o.Subjects[i].Change)
		}
	}
	samplechanges.Rank(ranked)
	positions = make([]int32, len(ranked))
	for i := range o.Subjects {
		switch s := &o.Subjects[i]; {
		case s.within:
		case s.folded:
			positions[s.Change.Rank-1] = math.MaxInt32
		default:
			positions[s.Change.Rank-1] = int32(i)
		}
	}
	return ranked, positions
}
