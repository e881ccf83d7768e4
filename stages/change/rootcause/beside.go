package rootcause

import (
	"math"
	"slices"
)

// foldWaiting folds causes that only wait under what they wait for. A span may run beside the call that it waits for, without the
// trace saying so: the two spans that a gateway has of a request overlap, and neither lies inside the other. Critical paths know: they
// lead through the callee. So an operation whose own time changed, but not its time on critical paths, follows from a cause that is on
// them and explains as much. Without critical paths, or where nothing on them changed by as much, every cause stays: what runs beside
// for itself may well be slower.
func (reg *registry) foldWaiting() {
	causes := slices.Clone(reg.causes)
	for _, c := range causes {
		if !c.isBeside() {
			continue
		}
		var best *cause
		for _, other := range causes {
			if other.into == nil && c.waitsFor(other) && (best == nil || other.size() > best.size()) {
				best = other
			}
		}
		if best != nil {
			for _, g := range reg.foldUnder(c, best) {
				g.Follows = true
			}
		}
	}
	reg.dropCauses(func(c *cause) bool { return c.into != nil })
}

// besideShare bounds what a time on critical paths changes by where the operation is beside them: the share of what it would
// change by if it were on them as before.
const besideShare = .25

// criticalChange returns the time of a cause on critical paths in ns of a run, of the side that has more, and how much it changed.
func (c *cause) criticalChange() (most, change float64, known bool) {
	base, cand := c.head.Change.CriticalBaseNs, c.head.Change.CriticalCandNs
	if base == nil || cand == nil {
		return 0, 0, false
	}
	return math.Max(float64(*base), float64(*cand)), float64(*cand - *base), true
}

// isBeside reports whether a cause is an operation that takes another time beside critical paths, but not on them. Times on critical paths are plain sums of
// the runs, with which no effect of typical calls is compared.
func (c *cause) isBeside() bool {
	most, change, known := c.criticalChange()
	if !known || c.kind != "" || c.head.isOneSided() {
		return false
	}
	cost, effect := 0.0, 0.0
	for _, g := range c.described() {
		cost += math.Max(g.base.CostNs, g.cand.CostNs)
		effect += g.plainNs
	}
	return cost > 0 && math.Abs(change) <= besideShare*most*math.Abs(effect)/cost
}

// waitsFor reports whether a cause on critical paths explains what c is slower by.
func (c *cause) waitsFor(other *cause) bool {
	if other == c || other.head.sign() != c.head.sign() || other.size() < (1-besideShare)*c.size() {
		return false
	}
	_, change, known := other.criticalChange()
	return other.edge.caller != "" || other.kind == "" && known && change*c.head.sign() > 0 && !other.isBeside()
}

// size is the magnitude of the effect of a cause.
func (c *cause) size() float64 {
	effect, _, _ := c.sumEffects()
	return math.Abs(effect)
}

// foldUnder puts all changes of a cause down to another one, and returns them.
func (reg *registry) foldUnder(c, other *cause) (folded []*costChange) {
	c.into = other
	for _, g := range append(slices.Clone(c.parts), c.whole) {
		if g != nil && g.cause == c {
			g.cause, folded = other, append(folded, g)
		}
	}
	for p, at := range reg.places {
		if at == c {
			reg.places[p] = other
		}
	}
	return folded
}
