package rootcause

import "github.com/tracelake/tracelake/schema"

// edge is who calls whom by messages.
type edge struct{ caller, callee string }

// joinEdges makes one cause of the request and the reply of a call: both are the way between a caller and a callee. Where their
// clocks are apart by an unknown time, what one of them gains the other one loses, and only the sum can be seen. Where the two
// changed in opposite directions and the sum is not shown to differ from nothing, there is no cause.
func (reg *registry) joinEdges() {
	for _, n := range reg.nodesByName() {
		for _, w := range n.waits {
			if w.callee == nil {
				continue // a callee waits for the request of its caller
			}
			var first *cause
			for _, m := range w.messages {
				c := m.cause
				if c == nil || c == first || c.into != nil {
					continue
				}
				c.edge = edge{n.component, w.component}
				if first == nil {
					first = c
					continue
				}
				c.into = first
				for _, g := range c.parts {
					first.addPart(g)
				}
			}
		}
	}
	reg.dropCauses(func(c *cause) bool { return c.into != nil || c.cancels(reg.FloorNs) })
	for _, c := range reg.causes {
		if h := c.head.Change; h.Level == schema.LevelMessage && c.edge.caller == "" {
			c.edge = edge{h.Peer, h.Component} // nobody waits for it
		}
	}
}

// cancels reports whether the parts of an edge changed in opposite directions, by about as much.
func (c *cause) cancels(floorNs float64) bool {
	if len(c.parts) < 2 || c.edge.caller == "" {
		return false
	}
	_, lo, hi := c.sumEffects()
	opposite := false
	for _, g := range c.parts {
		opposite = opposite || g.sign() != c.head.sign()
	}
	return opposite && lo < floorNs && hi > -floorNs
}
