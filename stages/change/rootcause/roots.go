package rootcause

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// The causes that package changes gives to steps right behind a functional change, and to those that are reached later
// or sooner.
const (
	otherSteps  = "other steps"
	earlierStep = "earlier step"
)

// cause is a finding in the making.
type cause struct {
	index  int
	parts  []*figure // the changes that are the cause
	head   *figure   // the greatest of them
	kind   string    // of messages and of diffuse ones; else the account tells
	below  float64   // of a diffuse one: what other findings explain of it
	moved  *cause    // where the cost came from, or went to
	from   *figure   // what this one succeeds
	into   *cause    // what succeeds this one
	onward int       // changes that follow from it
	number int64
}

// place is what roots of one finding have in common: one place to look at.
type place struct {
	component, function string
	fragment            string // where no function runs
	awaited             string // where the trace does not tell of whom it waits for
	sign                float64
}

// placeOf is the place of a step.
func placeOf(g *figure) place {
	p := place{component: g.Change.Component, function: g.Function, awaited: g.Awaited, sign: g.sign()}
	if p.function == "" {
		p.fragment = g.Change.Fragment
	}
	return p
}

// roots finds the changes that nothing below them can explain: own time, waits for what is not traced, fragments of one
// side whose steps are not told, and messages on their way. Whatever changed in shape alone joins what else its place
// has.
func (f *finder) roots() {
	var shapes []*figure
	small := make(map[place][]*figure)
	for _, g := range f.figures {
		switch {
		case !f.isRoot(g):
		case !g.costs(f.FloorNs):
			if g.oneSided() && g.Change.Level == schema.LevelTransition {
				small[placeOf(g)] = append(small[placeOf(g)], g)
			}
		case g.Change.Verdict == schema.ShapeChanged && g.Change.Level == schema.LevelTransition:
			shapes = append(shapes, g)
		default:
			f.join(g)
		}
	}
	f.together(small)
	for _, g := range shapes {
		p := placeOf(g)
		if opposite := p; f.places[p] == nil {
			if opposite.sign = -p.sign; f.places[opposite] != nil {
				f.places[opposite].add(g)
				continue
			}
		}
		f.join(g)
	}
}

// together makes roots of steps that only one side has and that cost nothing each, but something together.
func (f *finder) together(small map[place][]*figure) {
	var found []*figure
	for p, list := range small {
		lo, hi := 0.0, 0.0
		for _, g := range list {
			lo, hi = lo+g.lo, hi+g.hi
		}
		if lo > f.FloorNs || hi < -f.FloorNs || f.places[p] != nil {
			found = append(found, list...)
		}
	}
	sortFigures(found)
	for _, g := range found {
		f.join(g)
	}
}

func (f *finder) isRoot(g *figure) bool {
	c := g.Change
	switch c.Level {
	case schema.LevelTransition:
		return c.RootCause != otherSteps && c.RootCause != earlierStep && (g.Awaited == "" || f.waitOf(g).callee == nil)
	case schema.LevelFragment:
		n := f.nodes[c.Fragment]
		return g.oneSided() && len(n.own)+len(n.waits) == 0
	case schema.LevelMessage:
		return c.Metric == schema.Transit
	}
	return false
}

// waitOf is the wait that a step is of.
func (f *finder) waitOf(g *figure) *wait { return f.nodes[g.Change.Fragment].waitFor(g.Awaited) }

// join makes a root a part of the finding of its place.
func (f *finder) join(g *figure) *cause {
	var p place
	switch c := g.Change; c.Level {
	case schema.LevelMessage:
		return f.alone(g, c.Metric)
	case schema.LevelFragment:
		p = place{component: c.Component, function: f.nodes[c.Fragment].function, sign: g.sign()}
	default:
		p = placeOf(g)
	}
	if f.places[p] == nil {
		f.places[p] = f.alone(g, "")
	} else {
		f.places[p].add(g)
	}
	return f.places[p]
}

// alone is a finding with one part.
func (f *finder) alone(g *figure, kind string) *cause {
	c := &cause{index: len(f.causes), kind: kind}
	f.causes = append(f.causes, c)
	c.add(g)
	return c
}

func (c *cause) add(g *figure) {
	g.cause = c
	c.parts = append(c.parts, g)
	if c.head == nil || math.Abs(g.effect) > math.Abs(c.head.effect) {
		c.head = g
	}
}

// effect is the sum of the parts. So is its interval, which is wider than it need be.
func (c *cause) effect() (ns, lo, hi float64) {
	for _, g := range c.parts {
		ns, lo, hi = ns+g.effect, lo+g.lo, hi+g.hi
	}
	return ns - c.below, lo - c.below, hi - c.below
}

// account is the sum of the accounts of the parts.
func (c *cause) account() (slower, called float64) {
	if c.from != nil {
		return c.succeeded()
	}
	for _, g := range c.parts {
		s, n := g.account()
		slower, called = slower+s, called+n
	}
	if c.below != 0 && slower+called != 0 {
		rest := 1 - c.below/(slower+called)
		slower, called = slower*rest, called*rest
	}
	return slower, called
}

// diff is the difference of the mean costs.
func (c *cause) diff() float64 {
	slower, called := c.account()
	return slower + called
}
