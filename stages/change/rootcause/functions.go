package rootcause

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// ownerOf returns the function whose own time a change is, by component and function, under the name that it is reported under.
func (gr *graph) ownerOf(g *costChange) place {
	c, function := g.Change, g.Function
	if c.Level != schema.LevelTransition {
		function = c.Function
	}
	if len(gr.renamed) > 0 {
		if at, moved := gr.renamed[c.Component+"."+function]; moved {
			return at
		}
	}
	return place{component: c.Component, function: function}
}

// isComparedAsWhole reports whether the function of a change in own time was compared as a whole, or exists on one side only.
func (gr *graph) isComparedAsWhole(g *costChange) bool {
	whole := gr.functions[g.owner]
	return g.Awaited == "" && whole != nil && whole.Change.Verdict != schema.NotAsked
}

// findFunctionRoots makes roots of functions that changed as a whole: the evidence is in all calls together. Where a step of the
// function is a root in the same direction, both are one finding, which the step names; its figures are those of the function, so
// that effect, interval and q belong to one hypothesis, and what steps gain and lose among each other is no finding. The parts of
// such a cause are the steps of the function's own time, by which its difference is passed on to the fragments that contain them.
func (reg *registry) findFunctionRoots() {
	for _, g := range reg.changes {
		if g.Change.Level != schema.LevelFunction || !g.canBeRoot(reg.FloorNs) {
			continue
		}
		p := g.owner
		p.sign = g.sign()
		c := reg.places[p]
		if c == nil {
			c = reg.newCause(g, "")
			c.parts = nil
			reg.places[p] = c
		}
		g.cause, c.whole, c.callers = c, g, reg.callersOf(g)
		for _, step := range reg.steps[g.owner] {
			if step.cause == nil {
				step.cause = c
				c.parts = append(c.parts, step)
			}
		}
	}
}

// described returns what the figures of a cause are taken from: its parts, or the function as a whole with those that it is a part of on the other side.
func (c *cause) described() []*costChange {
	if c.whole != nil {
		return append([]*costChange{c.whole}, c.divided...)
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
