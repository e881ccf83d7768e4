package rootcause

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// mostOfFunction is the share of a function's effect from which on the steps that are shown speak for it.
const mostOfFunction = .8

// findFunctionRoots makes roots of functions that changed as a whole: the evidence is in all calls together. Where a step of the
// function is a root in the same direction, both are one finding, which the step names. Its figures are those of the steps where these
// come to most of the function's effect, since steps are measured more precisely; else those of the function, since the steps that
// are shown are only a part of it. The parts of such a cause are the steps of the function's own time, by which its difference is
// passed on to the fragments that contain them.
func (reg *registry) findFunctionRoots() {
	for _, g := range reg.changes {
		if g.Change.Level != schema.LevelFunction || !g.canBeRoot(reg.FloorNs) {
			continue
		}
		at := place{component: g.Change.Component, function: g.Change.Function}
		p := at
		p.sign = g.sign()
		c := reg.places[p]
		if c == nil {
			c = reg.newCause(g, "")
			c.parts = nil
			reg.places[p] = c
		} else if ns, _, _ := c.sumEffects(); math.Abs(ns) >= mostOfFunction*math.Abs(g.effect) {
			g.cause = c
			continue
		}
		g.cause, c.whole = c, g
		for _, step := range reg.steps[at] {
			if step.cause == nil {
				step.cause = c
				c.parts = append(c.parts, step)
			}
		}
	}
}

// described returns what the figures of a cause are taken from: its parts, or the function as a whole.
func (c *cause) described() []*costChange {
	if c.whole != nil {
		return []*costChange{c.whole}
	}
	return c.parts
}

// mainFragment returns the fragment with the greatest difference among the steps of a function, "" where there are no steps.
func (c *cause) mainFragment() string {
	name, greatest := "", -1.0
	for _, g := range c.parts {
		if d := math.Abs(g.diffNs); d > greatest {
			name, greatest = g.Change.Fragment, d
		}
	}
	return name
}
