package rootcause

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// costChange is a subject in numbers. Costs are ns per root execution.
type costChange struct {
	*Subject
	base, cand     Run     // means of the runs
	diffNs         float64 // of the mean costs
	plainNs        float64 // the same, also of a function, whose diffNs is its effect
	effect, lo, hi float64 // of the typical run, with its interval
	owner          place   // the function whose own time it is, by component and function
	cause          *cause  // of a root: what it is a part of
	covered        *cause  // of lateness: what keeps the receiver busy
}

// newCostChange takes means over the runs where they are known. An interval that is missing is the effect itself, so that a
// change without one is compared by its effect alone.
func newCostChange(s *Subject) *costChange {
	g, c := &costChange{Subject: s}, s.Change
	g.base, g.cand = meanOfRuns(s.Base, c.CostBaseNs), meanOfRuns(s.Cand, c.CostCandNs)
	g.diffNs = g.cand.CostNs - g.base.CostNs
	g.plainNs = g.diffNs
	g.effect = valueOr(c.EffectNs, g.diffNs)
	g.lo, g.hi = valueOr(c.EffectLoNs, g.effect), valueOr(c.EffectHiNs, g.effect)
	if c.Level == schema.LevelFunction && c.EffectNs != nil {
		// What all functions of a run share is no part of its effect, so its costs are those that differ by the effect.
		g.base.CostNs, g.cand.CostNs, g.diffNs = valueOr(c.CostBaseNs, 0), valueOr(c.CostCandNs, 0), g.effect
	}
	return g
}

// meanOfRuns returns the mean of a side's runs, or the cost of its typical run where the runs are unknown.
func meanOfRuns(runs []Run, typical *int64) (m Run) {
	if len(runs) == 0 {
		return Run{CostNs: valueOr(typical, 0)}
	}
	for _, r := range runs {
		m.CostNs += r.CostNs
		m.Count += r.Count
	}
	n := float64(len(runs))
	return Run{m.CostNs / n, m.Count / n}
}

// valueOr reads an optional number.
func valueOr(v *int64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return float64(*v)
}

// sign returns +1 for a change that takes longer and -1 for one that takes less long.
func (g *costChange) sign() float64 {
	if cmp.Or(g.effect, g.diffNs) < 0 {
		return -1
	}
	return 1
}

// isChange reports whether the verdict is that of a change.
func (g *costChange) isChange() bool {
	switch g.Change.Verdict {
	case schema.Regressed, schema.Improved, schema.Longer, schema.Shorter, schema.ShapeChanged, schema.CountChanged, schema.Candidate,
		schema.Appeared, schema.Vanished:
		return true
	}
	return false
}

// isOneSided reports whether only one side has the subject.
func (g *costChange) isOneSided() bool {
	return g.Change.Verdict == schema.Appeared || g.Change.Verdict == schema.Vanished
}

// isOffPaths reports whether critical paths of both sides are known, and the function of the step is never on them.
func (g *costChange) isOffPaths() bool {
	c := g.Change
	return c.CriticalBaseNs != nil && c.CriticalCandNs != nil && *c.CriticalBaseNs == 0 && *c.CriticalCandNs == 0
}

// canBeRoot reports whether a change can be a root. What exists on one side only needs an interval beyond the floor.
func (g *costChange) canBeRoot(floorNs float64) bool {
	switch g.Change.Verdict {
	case schema.Regressed, schema.Improved, schema.ShapeChanged, schema.Candidate:
		return true
	case schema.Appeared, schema.Vanished:
		return g.lo > floorNs || g.hi < -floorNs
	}
	return false
}

// marginNs returns the difference of the cost that does not matter, in ns per root execution.
func (g *costChange) marginNs(o Options) float64 {
	return math.Max(o.FloorNs, o.Margin*math.Max(g.base.CostNs, g.cand.CostNs))
}

// splitDifference divides the difference of the mean costs into what is due to the time of a call and to the number of calls:
// dT = mean count x d(time of a call) + mean time of a call x d(count). In this midpoint form nothing remains. Where one
// side has no call, or where only short calls are gone or new, all is due to their number; where no calls are told, to their time.
func (g *costChange) splitDifference() (slower, called float64) {
	n0, n1 := g.base.Count, g.cand.Count
	switch {
	case g.Subject != nil && g.Change.Statement == schema.Mix:
		called = g.diffNs
	case n0 > 0 && n1 > 0:
		called = (n1 - n0) * (g.base.CostNs/n0 + g.cand.CostNs/n1) / 2
	case n0 > 0 || n1 > 0:
		called = g.diffNs
	}
	return g.diffNs - called, called
}

// sortChanges puts changes into the order of what they are about.
func sortChanges(changes []*costChange) {
	slices.SortStableFunc(changes, func(a, b *costChange) int {
		x, y := a.Change, b.Change
		// The names behind these are not compared where these decide.
		if by := cmp.Or(cmp.Compare(x.Level, y.Level), cmp.Compare(x.Component, y.Component), cmp.Compare(x.Fragment, y.Fragment)); by != 0 {
			return by
		}
		return cmp.Or(
			cmp.Compare(x.Subject, y.Subject), cmp.Compare(x.Metric, y.Metric), cmp.Compare(x.Function, y.Function),
			cmp.Compare(x.Peer, y.Peer), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Awaited, b.Awaited),
			cmp.Compare(valueOr(x.Transition, -1), valueOr(y.Transition, -1)),
			cmp.Compare(valueOr(x.CandTransition, -1), valueOr(y.CandTransition, -1)), cmp.Compare(x.Rank, y.Rank),
		)
	})
}
