package rootcause

import (
	"cmp"
	"math"

	"github.com/tracelake/tracelake/schema"
)

// originOf returns the finding that a change follows from, or nil.
func (f *finder) originOf(g *costChange, components map[string][]part, initial []part) *cause {
	c := g.Change
	switch c.Level {
	case schema.LevelTransition:
		if g.Awaited == "" {
			return f.causeAt(placeOf(g))
		}
		return f.explainingCause(g, f.partsOfWait(g))
	case schema.LevelFragment:
		n := f.nodes[c.Fragment]
		if found := f.explainingCause(g, n.parts); found != nil {
			return found
		}
		return n.under
	case schema.LevelMessage:
		return g.covered
	case schema.LevelMetric:
		return f.causeOfMetric(g, components[c.Component], initial)
	}
	return f.causeOfPath(g)
}

// explainingCause returns the finding that contributes most to a difference which the findings explain: their sum lies in its
// interval or within its margin, or one of them is at least half of it. What changed in shape or number follows from
// what contributes most.
func (f *finder) explainingCause(g *costChange, parts []part) *cause {
	sign := g.sign()
	best := greatestPart(parts, sign)
	switch g.Change.Verdict {
	case schema.ShapeChanged, schema.CountChanged:
		if other := greatestPart(parts, -sign); math.Abs(other.ns) > math.Abs(best.ns) {
			best = other
		}
		if math.Abs(best.ns) < f.FloorNs {
			return nil
		}
		return best.cause
	}
	if f.isExplained(g, parts) || 2*math.Abs(best.ns) >= math.Abs(g.diffNs) {
		return best.cause
	}
	return nil
}

// isExplained reports whether the findings explain a difference: they add up to it within its interval or its margin.
func (acc *account) isExplained(g *costChange, parts []part) bool {
	if greatestPart(parts, g.sign()).cause == nil {
		return false
	}
	sum := sumParts(parts)
	return g.lo*g.hi > 0 && g.lo <= sum && sum <= g.hi || math.Abs(g.diffNs-sum) <= g.marginNs(acc.Options)
}

// partsOfWait returns what the findings contribute to a step in which a component waits.
func (acc *account) partsOfWait(g *costChange) []part {
	w, s := acc.waitOf(g), acc.emptySums()
	if w.callee != nil {
		s.addParts(w.callee.parts, acc.arrivingShare(w, g.diffNs, g.base.CostNs+g.cand.CostNs))
	}
	part := (g.base.CostNs + g.cand.CostNs) / math.Max(w.base+w.cand, 1)
	for _, m := range w.messages {
		if c := cmp.Or(m.cause, m.covered); c != nil {
			s.addOne(c, m.diffNs*w.messageShare*part)
		}
	}
	return s.takeParts()
}

// causeAt returns the finding at a place: in its direction, or else in the other one.
func (reg *registry) causeAt(p place) *cause {
	if c := reg.places[p]; c != nil {
		return c
	}
	p.sign = -p.sign
	return reg.places[p]
}

// causeOfMetric returns the finding that a metric follows from. While a component is down, or between two occurrences of a
// fragment, all else takes its time: what the findings contribute to initial fragments and not to the component.
func (f *finder) causeOfMetric(g *costChange, component, initial []part) *cause {
	parts := component
	if n := f.nodes[g.Change.Fragment]; n != nil {
		parts = n.parts
	}
	if m := g.Change.Metric; m == schema.MetricWords[schema.Downtime] || m == schema.MetricWords[schema.ComponentDown] {
		s := f.emptySums()
		s.addParts(initial, 1)
		s.addParts(parts, -1)
		parts = s.takeParts()
	}
	return f.explainingCause(g, parts)
}

// causeOfPath returns the finding that a part of critical paths follows from: that at the same place, or of the messages that
// the part is, or where the part is a blocking call what arrives in its waits.
func (f *finder) causeOfPath(g *costChange) *cause {
	c := g.Change
	for _, m := range f.messages[route{c.Component, c.Peer, c.Function}] {
		if m.cause != nil && m.sign() == g.sign() {
			return m.cause
		}
	}
	if at := f.places[place{component: c.Component, function: c.Function, sign: g.sign()}]; at != nil {
		return at
	}
	s := f.emptySums()
	for _, w := range f.blocking[place{component: c.Component, function: c.Function}] {
		f.addArriving(w, s)
	}
	return f.explainingCause(g, s.takeParts())
}
