package rootcause

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// The causes that package samplechanges gives to steps right behind a functional change, and to those that are reached later
// or sooner.
const (
	otherSteps  = "other steps"
	earlierStep = "earlier step"
)

// cause is a finding in the making.
type cause struct {
	index   int
	parts   []*costChange // the changes that are the cause
	head    *costChange   // the greatest of them
	kind    string        // of messages and of diffuse causes; else derived from the division
	below   float64       // of a diffuse one: what other findings explain of it
	moved   *cause        // where the cost came from, or went to
	from    *costChange   // what this one succeeds
	whole   *costChange   // the function as a whole, where it is found and no step of it is: the parts are its steps
	callers []caller      // who calls the function as a whole, where several do and all are known
	into    *cause        // what succeeds this one, or joins it
	edge    edge          // of messages: who calls whom
	called  []string      // of a caller that calls otherwise: the components that it calls
	onward  int           // subjects that follow from it
	divided []*costChange // functions that the whole is a part of on the other side, whose changes are a part of this one
	apart   []string      // their names there, "component.function"
	net     *net          // of a divided one: what all of these take together; nil where the runs are not known
	shown   bool          // of a divided one: the net effect lies beyond the floor
	number  int64
}

// placeSubject is what roots of one finding have in common: one place to look at.
type place struct {
	component, function string
	fragment            string // where no function runs
	awaited             string // where the trace does not have the callee
	sign                float64
}

// placeOf returns the place of a step.
func placeOf(g *costChange) place {
	p := place{component: g.owner.component, function: g.owner.function, awaited: g.Awaited, sign: g.sign()}
	if p.function == "" {
		p.fragment = g.Change.Fragment
	}
	return p
}

// findRoots finds the changes that nothing below them can explain: own time, waits for what is not traced, fragments of one
// side without steps, and the transit of messages. A change of shape alone joins the cause of its place.
func (reg *registry) findRoots() {
	var shapes []*costChange
	small := make(map[place][]*costChange)
	for _, g := range reg.changes {
		switch {
		case !reg.isRoot(g):
		case !g.canBeRoot(reg.FloorNs):
			if g.isOneSided() && g.Change.Level == schema.LevelTransition {
				small[placeOf(g)] = append(small[placeOf(g)], g)
			}
		case g.Change.Verdict == schema.ShapeChanged && g.Change.Level == schema.LevelTransition:
			shapes = append(shapes, g)
		default:
			reg.joinAtPlace(g)
		}
	}
	reg.joinSmallSteps(small)
	for _, g := range shapes {
		p := placeOf(g)
		if opposite := p; reg.places[p] == nil {
			if opposite.sign = -p.sign; reg.places[opposite] != nil {
				reg.places[opposite].addPart(g)
				continue
			}
		}
		reg.joinAtPlace(g)
	}
}

// joinSmallSteps makes roots of steps that only one side has when their costs exceed the floor together, though not alone.
func (reg *registry) joinSmallSteps(small map[place][]*costChange) {
	var found []*costChange
	for p, list := range small {
		lo, hi := 0.0, 0.0
		for _, g := range list {
			lo, hi = lo+g.lo, hi+g.hi
		}
		if lo > reg.FloorNs || hi < -reg.FloorNs || reg.places[p] != nil {
			found = append(found, list...)
		}
	}
	sortChanges(found)
	for _, g := range found {
		reg.joinAtPlace(g)
	}
}

// isRoot reports whether nothing below a change can explain it. A wait is a root only where no trace shows its callee, and where
// critical paths go through it: if none does, they go through what is awaited, which the trace shows under another name. What only one
// side does of a function that was compared as a whole is a part of that function's time: what it does elsewhere in the release
// may have grown or shrunk by as much.
func (reg *registry) isRoot(g *costChange) bool {
	c := g.Change
	switch c.Level {
	case schema.LevelTransition:
		return !(g.isOneSided() && reg.isComparedAsWhole(g)) && c.RootCause != otherSteps && c.RootCause != earlierStep && (g.Awaited == "" || reg.waitOf(g).callee == nil && !g.isOffPaths())
	case schema.LevelFragment:
		n := reg.nodes[c.Fragment]
		return g.isOneSided() && len(n.own)+len(n.waits) == 0 && !reg.isComparedAsWhole(g)
	case schema.LevelMessage:
		return c.Metric == schema.Transit
	}
	return false
}

// waitOf returns the wait that a step belongs to.
func (gr *graph) waitOf(g *costChange) *wait { return gr.nodes[g.Change.Fragment].waitFor(g.Awaited) }

// joinAtPlace adds a root to the cause of its place. Messages stand for themselves: transit and lateness are separate causes.
func (reg *registry) joinAtPlace(g *costChange) *cause {
	var p place
	switch c := g.Change; c.Level {
	case schema.LevelMessage:
		return reg.newCause(g, c.Metric)
	case schema.LevelFragment:
		p = place{component: c.Component, function: reg.nodes[c.Fragment].function, sign: g.sign()}
	default:
		p = placeOf(g)
	}
	if reg.places[p] == nil {
		reg.places[p] = reg.newCause(g, "")
	} else {
		reg.places[p].addPart(g)
	}
	return reg.places[p]
}

// newCause registers a cause with one part.
func (reg *registry) newCause(g *costChange, kind string) *cause {
	c := &cause{index: len(reg.causes), kind: kind}
	reg.causes = append(reg.causes, c)
	c.addPart(g)
	return c
}

// addPart adds a change to a cause. The part with the greatest effect is the head, which names the finding.
func (c *cause) addPart(g *costChange) {
	g.cause = c
	c.parts = append(c.parts, g)
	if c.head == nil || math.Abs(g.effect) > math.Abs(c.head.effect) {
		c.head = g
	}
}

// sumEffects sums up the effects of the parts in ns per root execution, less what other findings explain. The interval is the
// sum of the intervals, which is wider than necessary: the parts vary together in an unknown way. Of divided functions it is the net of the runs.
func (c *cause) sumEffects() (ns, lo, hi float64) {
	if c.net != nil {
		return c.net.effect, c.net.lo, c.net.hi
	}
	for _, g := range c.described() {
		ns, lo, hi = ns+g.effect, lo+g.lo, hi+g.hi
	}
	return ns - c.below, lo - c.below, hi - c.below
}

// splitDifference sums up the divisions of the parts, see costChange.splitDifference.
func (c *cause) splitDifference() (slower, called float64) {
	if c.from != nil {
		return c.netAccount()
	}
	for _, g := range c.described() {
		s, n := g.splitDifference()
		if g == c.whole {
			s, n = c.splitByCaller()
		}
		slower, called = slower+s, called+n
	}
	if c.below != 0 && slower+called != 0 {
		rest := 1 - c.below/(slower+called)
		slower, called = slower*rest, called*rest
	}
	return slower, called
}

// diffOfMeans returns the difference of the mean costs in ns.
func (c *cause) diffOfMeans() float64 {
	slower, called := c.splitDifference()
	return slower + called
}
