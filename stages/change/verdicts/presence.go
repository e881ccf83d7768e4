package verdicts

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// presenceOf says of each level how many runs have which subjects.
func (e *engine) presenceOf(subjects []*Reduction) map[string]*stats.Presence {
	levels := make(map[string]*stats.Presence)
	for _, of := range subjects {
		p := levels[of.Level]
		if p == nil {
			p = stats.NewPresence(len(e.sides.Base), len(e.sides.Cand))
			levels[of.Level] = p
		}
		p.Add(of.TakenBase, of.TakenCand, e.countInTaken(of))
	}
	return levels
}

// countInTaken returns the mean count per root execution over the runs that have a subject.
func (e *engine) countInTaken(of *Reduction) float64 {
	return (of.CountBase*float64(len(e.sides.Base)) + of.CountCand*float64(len(e.sides.Cand))) / float64(max(of.TakenBase+of.TakenCand, 1))
}

// decideOneSided finds what all runs of one side have and none of the other: it appeared or vanished. It is undetermined where chance may do
// that, since other subjects that happen as often are in some runs and not in others. It reports whether a subject is of this kind.
func (e *engine) decideOneSided(j *Judgement, of *Reduction) bool {
	switch {
	case of.TakenBase == 0 && of.TakenCand == len(e.sides.Cand):
		j.Verdict = schema.Appeared
	case of.TakenCand == 0 && of.TakenBase == len(e.sides.Base):
		j.Verdict = schema.Vanished
	default:
		return false
	}
	if p, count := e.presence[of.Level], e.countInTaken(of); p != nil && p.Rate(count) > e.rate() {
		j.Verdict, j.RunsNeeded = schema.Undetermined, p.RunsNeeded(count, e.rate())
	}
	return true
}
