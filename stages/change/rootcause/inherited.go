package rootcause

import (
	"cmp"
	"math"

	"github.com/tracelake/tracelake/schema"
)

// inherit says which finding a change follows from, or nil.
func (f *finder) inherit(g *figure, components map[string][]part, initial []part) *cause {
	c := g.Change
	switch c.Level {
	case schema.LevelTransition:
		if g.Awaited == "" {
			return f.alike(placeOf(g))
		}
		return f.follows(g, f.arriving(g))
	case schema.LevelFragment:
		n := f.nodes[c.Fragment]
		if found := f.follows(g, n.parts); found != nil {
			return found
		}
		return n.under
	case schema.LevelMessage:
		return g.covered
	case schema.LevelMetric:
		return f.ofMetric(g, components[c.Component], initial)
	}
	return f.ofPath(g)
}

// follows is the finding that contributes most to a difference which the findings explain: their sum lies in its
// interval or within its margin, or one of them is at least half of it. What changed in shape or number follows from
// what contributes most.
func (f *finder) follows(g *figure, parts []part) *cause {
	sign := g.sign()
	best := greatest(parts, sign)
	switch g.Change.Verdict {
	case schema.ShapeChanged, schema.CountChanged:
		if other := greatest(parts, -sign); math.Abs(other.ns) > math.Abs(best.ns) {
			best = other
		}
		if math.Abs(best.ns) < f.FloorNs {
			return nil
		}
		return best.cause
	}
	if f.closes(g, parts) || 2*math.Abs(best.ns) >= math.Abs(g.diffNs) {
		return best.cause
	}
	return nil
}

// closes says whether the findings explain a difference: they add up to it within its interval or its margin.
func (f *finder) closes(g *figure, parts []part) bool {
	if greatest(parts, g.sign()).cause == nil {
		return false
	}
	sum := explained(parts)
	return g.lo*g.hi > 0 && g.lo <= sum && sum <= g.hi || math.Abs(g.diffNs-sum) <= g.margin(f.Options)
}

// arriving is what the findings contribute to a step in which a component waits.
func (f *finder) arriving(g *figure) []part {
	w, s := f.waitOf(g), f.newSums()
	if w.callee != nil {
		s.add(w.callee.parts, f.share(w, g.diffNs, g.base.CostNs+g.cand.CostNs))
	}
	part := (g.base.CostNs + g.cand.CostNs) / math.Max(w.base+w.cand, 1)
	for _, m := range w.messages {
		if c := cmp.Or(m.cause, m.covered); c != nil {
			s.one(c, m.diffNs*w.messageShare*part)
		}
	}
	return s.take()
}

// alike is the finding at a place: in its direction, or else in the other one.
func (f *finder) alike(p place) *cause {
	if c := f.places[p]; c != nil {
		return c
	}
	p.sign = -p.sign
	return f.places[p]
}

// ofMetric is the finding that a metric follows from. While a component is down, or between two occurrences of a
// fragment, all else takes its time: what the findings contribute to initial fragments and not to the component.
func (f *finder) ofMetric(g *figure, component, initial []part) *cause {
	parts := component
	if n := f.nodes[g.Change.Fragment]; n != nil {
		parts = n.parts
	}
	if m := g.Change.Metric; m == schema.MetricWords[schema.Downtime] || m == schema.MetricWords[schema.ComponentDown] {
		s := f.newSums()
		s.add(initial, 1)
		s.add(parts, -1)
		parts = s.take()
	}
	return f.follows(g, parts)
}

// ofPath is the finding that a part of critical paths follows from: that at the same place, or of the messages that
// the part is, or where the part is a blocking call what arrives in its waits.
func (f *finder) ofPath(g *figure) *cause {
	c := g.Change
	for _, m := range f.messages[route{c.Component, c.Peer, c.Function}] {
		if m.cause != nil && m.sign() == g.sign() {
			return m.cause
		}
	}
	if at := f.places[place{component: c.Component, function: c.Function, sign: g.sign()}]; at != nil {
		return at
	}
	s := f.newSums()
	for _, w := range f.blocking[place{component: c.Component, function: c.Function}] {
		f.passOn(w, s)
	}
	return f.follows(g, s.take())
}
