package faults

import "iter"

// Slack yields all edges by target, with the slack that they have when the events have these times.
func (c *Chart) Slack(timeNs []int64) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for target := range int32(len(c.timeNs)) {
			for i := c.in.first[target]; i < c.in.first[target+1]; i++ {
				n := c.in.to[i]
				if !yield(Edge{n.event, target, timeNs[target] - timeNs[n.event] - n.leastNs}) {
					return
				}
			}
		}
	}
}
