package rootcause

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// lateness charges messages whose receiver was not ready to what kept it busy: to the finding that contributes most to
// the fragments of the receiver. A message waits at most for all that these take, so that with n messages the receiver's
// difference X explains up to n X; at least half has to be. What nothing explains is a finding.
func (f *finder) lateness() {
	var charged map[string][]part
	for _, g := range f.figures {
		c := g.Change
		if c.Level != schema.LevelMessage || c.Metric != schema.Lateness || !g.costs(f.FloorNs) {
			continue
		}
		if charged == nil {
			charged = f.byComponent()
		}
		sign, messages := g.sign(), math.Max(1, math.Max(g.base.Count, g.cand.Count))
		if best := greatest(charged[c.Component], sign); 2*messages*best.ns*sign >= math.Abs(g.diffNs) && best.cause != nil {
			g.covered = best.cause
		} else {
			f.alone(g, schema.KindLateness)
		}
	}
}

// byComponent is what every finding contributes to the fragments of a component. Fragments of one component follow
// each other.
func (f *finder) byComponent() map[string][]part {
	nodes := make(map[string][]*node)
	for _, n := range f.order {
		if !n.nested {
			nodes[n.component] = append(nodes[n.component], n)
		}
	}
	out := make(map[string][]part, len(nodes))
	s := f.newSums()
	for component, list := range nodes {
		for _, n := range list {
			s.add(n.parts, 1)
		}
		out[component] = s.take()
	}
	return out
}

// greatest is the part that contributes most in a direction; the zero part where none does.
func greatest(parts []part, sign float64) (best part) {
	for _, p := range parts {
		if p.ns*sign > best.ns*sign {
			best = p
		}
	}
	return best
}
