package rootcause

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// moved finds costs that one place saves and another one takes, below a fragment that is shown to be unchanged. It goes
// from callees to callers, so that pairs are found in the nearest fragment that both are below. The two have to be
// equal within the margin of that fragment, and within a quarter of the greater: a margin of a fragment that takes
// long would make equal whatever is small. What is left may have moved from several places to several.
func (f *finder) moved() {
	for _, n := range f.order {
		if n.row == nil || n.row.Change.Verdict != schema.Unchanged {
			continue
		}
		margin := n.row.margin(f.Options)
		up, down := movable(n.parts, 1, margin), movable(n.parts, -1, margin)
		n.pair(up, down, margin)
		n.pool(remaining(up), remaining(down), margin)
	}
}

// movable are the parts that go one way and are all of their finding, the greatest first.
func movable(parts []part, sign, margin float64) (out []part) {
	for _, p := range parts {
		ofStep := p.cause.kind == "" && p.cause.head.Change.Verdict != schema.ShapeChanged
		if ofStep && p.cause.moved == nil && p.ns*sign > 0 && math.Abs(p.cause.diff()-p.ns) <= margin {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b part) int { return cmp.Compare(math.Abs(b.ns), math.Abs(a.ns)) })
	return out
}

func remaining(parts []part) []part {
	return slices.DeleteFunc(parts, func(p part) bool { return p.cause.moved != nil })
}

// pair finds pairs of equal size.
func (n *node) pair(up, down []part, margin float64) {
	for i, j := 0, 0; i < len(up) && j < len(down); {
		u, d := up[i], down[j]
		switch {
		case balanced(u.ns, d.ns, margin) && !n.meetBelow([]part{u, d}):
			u.cause.moved, d.cause.moved = d.cause, u.cause
			i, j = i+1, j+1
		case u.ns > -d.ns:
			i++
		default:
			j++
		}
	}
}

// pool takes all that is left together.
func (n *node) pool(up, down []part, margin float64) {
	if len(up) == 0 || len(down) == 0 || !balanced(explained(up), explained(down), margin) || n.meetBelow(slices.Concat(up, down)) {
		return
	}
	for _, p := range up {
		p.cause.moved = down[0].cause
	}
	for _, p := range down {
		p.cause.moved = up[0].cause
	}
}

func balanced(up, down, margin float64) bool {
	rest := math.Abs(up + down)
	return rest <= margin && 4*rest <= math.Max(up, -down)
}

// meetBelow says whether a callee is above all of these.
func (n *node) meetBelow(parts []part) bool {
	return slices.ContainsFunc(n.waits, func(w *wait) bool {
		return w.callee != nil && !slices.ContainsFunc(parts, func(p part) bool { return !w.callee.has(p.cause) })
	})
}

func (n *node) has(c *cause) bool {
	_, has := slices.BinarySearchFunc(n.parts, c.index, func(p part, index int) int { return cmp.Compare(p.cause.index, index) })
	return has
}
