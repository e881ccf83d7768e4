package rootcause

import (
	"cmp"
	"math"
	"slices"
)

// reserves takes steps right behind a functional change for roots where their fragment's difference is not explained
// without them. With a step of the same function that only one side has, such a step is what the other side does in
// one: then they are one cause, and where they come to nothing, none.
func (f *finder) reserves() {
	found := false
	for _, n := range f.order {
		var all []*figure
		for _, g := range n.own {
			if g.cause == nil && g.Change.RootCause == otherSteps && g.costs(f.FloorNs) {
				all = append(all, g)
			}
		}
		if len(all) == 0 || n.nested {
			continue
		}
		slices.SortStableFunc(all, func(a, b *figure) int { return cmp.Compare(math.Abs(b.diffNs), math.Abs(a.diffNs)) })
		rest := n.diffNs - explained(n.parts)
		for _, g := range all {
			if g.diffNs*rest > 0 && 2*math.Abs(rest) >= math.Abs(g.diffNs) {
				f.promote(n, g)
				rest -= g.diffNs
				found = true
			}
		}
	}
	if found {
		f.drop(f.FloorNs)
		f.walk()
	}
}

// promote makes a reserve a root.
func (f *finder) promote(n *node, g *figure) {
	for _, other := range n.own {
		if other.cause != nil && other.oneSided() && other.Function == g.Function {
			other.cause.add(g)
			return
		}
	}
	f.join(g)
}

// drop takes out the causes whose parts come to nothing.
func (f *finder) drop(floorNs float64) {
	f.forget(func(c *cause) bool {
		ns, _, _ := c.effect()
		return len(c.parts) > 1 && math.Abs(ns) <= floorNs && c.mixed()
	})
}

// mixed says whether parts go both ways.
func (c *cause) mixed() bool {
	return slices.ContainsFunc(c.parts, func(g *figure) bool { return g.sign() != c.parts[0].sign() })
}
