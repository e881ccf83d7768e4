package rootcause

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// explainLateness charges messages whose receiver was not ready to what kept it busy: to the finding that contributes most to
// the fragments of the receiver. A message waits at most for all that these take, so that with n messages the receiver's
// difference X explains up to n X; at least half has to be. What nothing explains is a finding.
func (f *finder) explainLateness() {
	var charged map[string][]part
	for _, g := range f.changes {
		c := g.Change
		if c.Level != schema.LevelMessage || c.Metric != schema.Lateness || !g.canBeRoot(f.FloorNs) {
			continue
		}
		if charged == nil {
			charged = f.partsByComponent()
		}
		sign, messages := g.sign(), math.Max(1, math.Max(g.base.Count, g.cand.Count))
		if best := greatestPart(charged[c.Component], sign); 2*messages*best.ns*sign >= math.Abs(g.diffNs) && best.cause != nil {
			g.covered = best.cause
		} else {
			f.newCause(g, schema.KindLateness)
		}
	}
}

// partsByComponent is what every finding contributes to the fragments of a component. Fragments of one component follow
// each other.
func (acc *account) partsByComponent() map[string][]part {
	nodes := make(map[string][]*node)
	for _, n := range acc.order {
		if !n.nested {
			nodes[n.component] = append(nodes[n.component], n)
		}
	}
	out := make(map[string][]part, len(nodes))
	s := acc.emptySums()
	for component, list := range nodes {
		for _, n := range list {
			s.addParts(n.parts, 1)
		}
		out[component] = s.takeParts()
	}
	return out
}

// greatestPart returns the part that contributes most in a direction; the zero part where none does.
func greatestPart(parts []part, sign float64) (best part) {
	for _, p := range parts {
		if p.ns*sign > best.ns*sign {
			best = p
		}
	}
	return best
}
