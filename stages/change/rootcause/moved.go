package rootcause

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// matchMovedCosts finds costs that one place saves and another one takes, right below a fragment that is shown to be unchanged: both
// are its own steps or what it calls. The two have to be equal within the margin of that fragment, and within a quarter of the
// greater: a margin of a fragment that takes long would make equal whatever is small. What is left may have moved from one
// place to several, or from several to one. Places further down are no pair, though their costs are equal: among the tens of changes of a
// release some are always of one size, and the caller that is said to be unchanged would be the whole program.
func (f *finder) matchMovedCosts() {
	for _, n := range f.order {
		if n.row == nil || n.row.Change.Verdict != schema.Unchanged {
			continue
		}
		margin := n.row.marginNs(f.Options)
		up, down := n.movableParts(1, margin), n.movableParts(-1, margin)
		n.pairEqual(up, down, margin)
		n.pairRest(withoutMoved(up), withoutMoved(down), margin)
	}
}

// movableParts returns the parts of one sign that make up their whole finding and lie right below the fragment, the greatest first.
func (n *node) movableParts(sign, margin float64) (out []part) {
	for _, p := range n.parts {
		if p.cause.moved == nil && p.ns*sign > 0 && p.cause.isTime() && n.isRightAbove(p.cause) && math.Abs(p.cause.diffOfMeans()-p.ns) <= margin {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b part) int { return cmp.Compare(math.Abs(b.ns), math.Abs(a.ns)) })
	return out
}

// isTime reports whether a cause is steps or a function that take another time, as the interval shows: a change of the distribution has
// no cost that could move.
func (c *cause) isTime() bool {
	_, lo, hi := c.sumEffects()
	return c.kind == "" && c.verdictOf() != schema.ShapeChanged && lo*hi > 0
}

// isRightAbove reports whether all steps of a cause are the fragment's own, or of fragments that it waits for.
func (n *node) isRightAbove(c *cause) bool {
	return !slices.ContainsFunc(c.parts, func(g *costChange) bool {
		at := g.Change.Fragment
		return at != n.name && !slices.ContainsFunc(n.waits, func(w *wait) bool { return w.callee != nil && w.callee.name == at })
	})
}

// withoutMoved removes the parts whose cause already has its other end.
func withoutMoved(parts []part) []part {
	return slices.DeleteFunc(parts, func(p part) bool { return p.cause.moved != nil })
}

// pairEqual pairs costs of equal size and opposite sign.
func (n *node) pairEqual(up, down []part, margin float64) {
	for i, j := 0, 0; i < len(up) && j < len(down); {
		u, d := up[i], down[j]
		switch {
		case isBalanced(u.ns, d.ns, margin) && !n.meetBelow([]part{u, d}):
			u.cause.moved, d.cause.moved = d.cause, u.cause
			i, j = i+1, j+1
		case u.ns > -d.ns:
			i++
		default:
			j++
		}
	}
}

// pairRest pairs all that is left with one place: a cost may move from there to several, or from several there.
func (n *node) pairRest(up, down []part, margin float64) {
	if len(up) == 0 || len(down) == 0 || min(len(up), len(down)) > 1 || !isBalanced(sumParts(up), sumParts(down), margin) || n.meetBelow(slices.Concat(up, down)) {
		return
	}
	for _, p := range up {
		p.cause.moved = down[0].cause
	}
	for _, p := range down {
		p.cause.moved = up[0].cause
	}
}

// isBalanced reports whether a rise and a fall cancel each other: within the margin, and within a quarter of the greater.
func isBalanced(up, down, margin float64) bool {
	rest := math.Abs(up + down)
	return rest <= margin && 4*rest <= math.Max(up, -down)
}

// meetBelow reports whether a single callee is above all of these: then the pair belongs to that callee.
func (n *node) meetBelow(parts []part) bool {
	return slices.ContainsFunc(n.waits, func(w *wait) bool {
		return w.callee != nil && !slices.ContainsFunc(parts, func(p part) bool { return !w.callee.hasPartOf(p.cause) })
	})
}

// hasPartOf reports whether a cause contributes to a fragment. Parts are sorted by the index of their cause.
func (n *node) hasPartOf(c *cause) bool {
	_, has := slices.BinarySearchFunc(n.parts, c.index, func(p part, index int) int { return cmp.Compare(p.cause.index, index) })
	return has
}
