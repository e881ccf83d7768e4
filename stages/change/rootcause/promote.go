package rootcause

import (
	"cmp"
	"math"
	"slices"
)

// promoteBehindFunctionalChange makes roots of steps right behind a functional change where the difference of their fragment
// is not explained without them. A step of the same function that only one side has may do what the other side does in one
// step: then both are one cause, and no cause where they cancel each other.
func (f *finder) promoteBehindFunctionalChange() {
	found := false
	for _, n := range f.order {
		var all []*costChange
		for _, g := range n.own {
			if g.cause == nil && g.Change.RootCause == otherSteps && g.canBeRoot(f.FloorNs) && !f.isComparedAsWhole(g) {
				all = append(all, g)
			}
		}
		if len(all) == 0 || n.nested {
			continue
		}
		slices.SortStableFunc(all, func(a, b *costChange) int { return cmp.Compare(math.Abs(b.diffNs), math.Abs(a.diffNs)) })
		rest := n.diffNs - sumParts(n.parts)
		for _, g := range all {
			if g.diffNs*rest > 0 && 2*math.Abs(rest) >= math.Abs(g.diffNs) {
				f.promoteToRoot(n, g)
				rest -= g.diffNs
				found = true
			}
		}
	}
	if found {
		f.dropBalanced(f.FloorNs)
		f.attributeCosts()
	}
}

// promoteToRoot makes such a step a root.
func (reg *registry) promoteToRoot(n *node, g *costChange) {
	for _, other := range n.own {
		if other.cause != nil && other.isOneSided() && other.Function == g.Function {
			other.cause.addPart(g)
			return
		}
	}
	reg.joinAtPlace(g)
}

// dropBalanced removes the causes whose parts cancel each other.
func (reg *registry) dropBalanced(floorNs float64) {
	reg.dropCauses(func(c *cause) bool {
		ns, _, _ := c.sumEffects()
		return len(c.parts) > 1 && math.Abs(ns) <= floorNs && c.goesBothWays()
	})
}

// goesBothWays reports whether some parts take longer and others less long.
func (c *cause) goesBothWays() bool {
	return slices.ContainsFunc(c.parts, func(g *costChange) bool { return g.sign() != c.parts[0].sign() })
}
