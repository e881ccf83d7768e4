package rootcause

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// figure is a subject in numbers.
type figure struct {
	*Subject
	base, cand     Run     // means of the runs
	diffNs         float64 // of the mean costs
	effect, lo, hi float64 // of the typical run, with its interval
	cause          *cause  // of a root: what it is a part of
	covered        *cause  // of lateness: what keeps the receiver busy
}

func newFigure(s *Subject) *figure {
	g, c := &figure{Subject: s}, s.Change
	g.base, g.cand = mean(s.Base, c.CostBaseNs), mean(s.Cand, c.CostCandNs)
	g.diffNs = g.cand.CostNs - g.base.CostNs
	g.effect = known(c.EffectNs, g.diffNs)
	g.lo, g.hi = known(c.EffectLoNs, g.effect), known(c.EffectHiNs, g.effect)
	return g
}

// mean is that of a side's runs, or where they are not told the cost of its typical run.
func mean(runs []Run, typical *int64) (m Run) {
	if len(runs) == 0 {
		return Run{CostNs: known(typical, 0)}
	}
	for _, r := range runs {
		m.CostNs += r.CostNs
		m.Count += r.Count
	}
	n := float64(len(runs))
	return Run{m.CostNs / n, m.Count / n}
}

func known(v *int64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return float64(*v)
}

// sign is +1 for what takes longer and -1 for what takes less.
func (g *figure) sign() float64 {
	if cmp.Or(g.effect, g.diffNs) < 0 {
		return -1
	}
	return 1
}

// changed says whether a verdict is one of a change.
func (g *figure) changed() bool {
	switch g.Change.Verdict {
	case schema.Regressed, schema.Improved, schema.ShapeChanged, schema.CountChanged, schema.Candidate, schema.Appeared, schema.Vanished:
		return true
	}
	return false
}

// oneSided says whether only one side has the subject.
func (g *figure) oneSided() bool {
	return g.Change.Verdict == schema.Appeared || g.Change.Verdict == schema.Vanished
}

// costs says whether a change is one that can be a root. What happens on one side only and costs nothing is none:
// its interval has to lie beyond the floor.
func (g *figure) costs(floorNs float64) bool {
	switch g.Change.Verdict {
	case schema.Regressed, schema.Improved, schema.ShapeChanged, schema.Candidate:
		return true
	case schema.Appeared, schema.Vanished:
		return g.lo > floorNs || g.hi < -floorNs
	}
	return false
}

// margin is the difference of the cost that does not matter.
func (g *figure) margin(o Options) float64 {
	return math.Max(o.FloorNs, o.Margin*math.Max(g.base.CostNs, g.cand.CostNs))
}

// account divides the difference of the mean costs into what is due to the time of a call and to the number of calls:
// dT = mean count x d(time of a call) + mean time of a call x d(count). In this midpoint form nothing remains. Where one
// side has no call, all is due to their number; where no calls are told, to their time.
func (g *figure) account() (slower, called float64) {
	n0, n1 := g.base.Count, g.cand.Count
	switch {
	case n0 > 0 && n1 > 0:
		called = (n1 - n0) * (g.base.CostNs/n0 + g.cand.CostNs/n1) / 2
	case n0 > 0 || n1 > 0:
		called = g.diffNs
	}
	return g.diffNs - called, called
}

// sortFigures puts figures into the order of what they are about.
func sortFigures(figures []*figure) {
	slices.SortStableFunc(figures, func(a, b *figure) int {
		x, y := a.Change, b.Change
		return cmp.Or(
			cmp.Compare(x.Level, y.Level), cmp.Compare(x.Component, y.Component), cmp.Compare(x.Fragment, y.Fragment),
			cmp.Compare(x.Subject, y.Subject), cmp.Compare(x.Metric, y.Metric), cmp.Compare(x.Function, y.Function),
			cmp.Compare(x.Peer, y.Peer), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Awaited, b.Awaited),
			cmp.Compare(known(x.Transition, -1), known(y.Transition, -1)),
			cmp.Compare(known(x.CandTransition, -1), known(y.CandTransition, -1)), cmp.Compare(x.Rank, y.Rank),
		)
	})
}
