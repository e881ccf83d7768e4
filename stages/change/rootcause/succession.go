package rootcause

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// joinSuccessors makes one finding of what stopped in one place and began in its stead: steps of one function that only
// one side has, as where a function calls another one in between, and functions that have another component. What
// countCalls is the net. Where that is not shown to differ by more than the floor, there is no finding: the functional
// change stands in the tables all the same.
func (reg *registry) joinSuccessors() {
	type name struct{ function, component string } // of one component, or of any
	began, ended := make(map[name][]*cause), make(map[name][]*cause)
	note := func(c *cause, n name) {
		if c.head.Change.Verdict == schema.Appeared {
			began[n] = append(began[n], c)
		} else {
			ended[n] = append(ended[n], c)
		}
	}
	for _, c := range reg.causes {
		if h := c.head; c.isWhole() && h.Function != "" {
			note(c, name{h.Function, h.Change.Component})
			note(c, name{h.Function, ""})
		}
	}
	for _, c := range slices.Clone(reg.causes) {
		h := c.head
		for _, n := range []name{{h.Function, h.Change.Component}, {h.Function, ""}} {
			if b, e := began[n], ended[n]; len(b) == 1 && len(e) == 1 && b[0] == c && c.from == nil && e[0].into == nil {
				reg.makeSuccessor(c, e[0])
			}
		}
	}
	reg.dropCauses(func(c *cause) bool { return c.into != nil || c.from != nil && !c.isShown(reg.FloorNs) })
}

// isWhole reports whether all parts of a cause exist on one side only, the same one.
func (c *cause) isWhole() bool {
	return !slices.ContainsFunc(c.parts, func(g *costChange) bool {
		return !g.isOneSided() || g.Change.Level != schema.LevelTransition || g.Change.Verdict != c.head.Change.Verdict
	})
}

// makeSuccessor makes the cause that ended a part of the cause that began.
func (reg *registry) makeSuccessor(began, ended *cause) {
	began.from, ended.into = ended.head, began
	for _, g := range ended.parts {
		began.addPart(g)
	}
	began.head = began.parts[0]
	for _, g := range began.parts[1:] {
		if !(g.Change.Verdict == schema.Vanished) && math.Abs(g.effect) > math.Abs(began.head.effect) {
			began.head = g
		}
	}
}

// isShown reports whether the interval of the net effect lies beyond the floor.
func (c *cause) isShown(floorNs float64) bool {
	_, lo, hi := c.sumEffects()
	return lo > floorNs || hi < -floorNs
}

// verdictOf returns the verdict of the function as a whole where it gives the figures, else that of the head, or of a successor and of
// divided functions that of the net effect.
func (c *cause) verdictOf() string {
	switch {
	case c.called != nil:
		return schema.CountChanged // what is called less is not faster, nor slower what is called more
	case c.divided != nil && !c.shown:
		return schema.MovedCost
	case c.from == nil && c.divided == nil && c.whole != nil:
		return c.whole.Change.Verdict
	case c.from == nil && c.divided == nil:
		return c.head.Change.Verdict
	}
	if ns, _, _ := c.sumEffects(); ns < 0 {
		return schema.Improved
	}
	return schema.Regressed
}

// netAccount divides the net difference of a successor as if both were one step.
func (c *cause) netAccount() (slower, called float64) {
	var g costChange
	for _, p := range c.parts {
		g.base.CostNs, g.cand.CostNs = g.base.CostNs+p.base.CostNs, g.cand.CostNs+p.cand.CostNs
	}
	g.base.Count, g.cand.Count = c.countCalls()
	g.diffNs = g.cand.CostNs - g.base.CostNs
	return g.splitDifference()
}

// dropCauses removes causes and renumbers the others, so that sums can be indexed by cause. What had a cause that is removed has the one
// that this was folded into, however often that was folded itself, or none.
func (reg *registry) dropCauses(which func(*cause) bool) {
	kept := reg.causes[:0]
	for _, c := range reg.causes {
		if !which(c) {
			c.index = len(kept)
			kept = append(kept, c)
			continue
		}
		for p, at := range reg.places {
			if at == c {
				delete(reg.places, p)
			}
		}
	}
	reg.causes = kept
	// All changes are asked, since the steps of a function as a whole are no parts of the cause that it was folded into.
	for _, g := range reg.changes {
		for c := g.cause; c != nil && (c.index >= len(kept) || kept[c.index] != c); c = g.cause {
			g.cause = c.into
		}
	}
}
