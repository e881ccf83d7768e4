package claimorder

import "github.com/tracelake/tracelake/stages/timing/timesort"

// Claims are the claims and regular events of a run by position. Keys are equal where the attributes are that count; those of claims
// and those of events have nothing to do with each other.
type Claims struct {
	Key            []uint32
	StartNs, EndNs []int64
	Events         []uint32 // keys of regular events
}

// order is the order of some claims: those of length in the order of their ends, and of their starts.
type order struct {
	byEnd, byStart []int32
	latest         []int64 // by position in byEnd: the latest start up to there
}

// sort makes the order that of the members.
func (o *order) sort(c *Claims, members []int32) {
	o.byEnd, o.latest = o.byEnd[:0], o.latest[:0]
	for _, i := range members {
		if c.EndNs[i] > c.StartNs[i] {
			o.byEnd = append(o.byEnd, i)
		}
	}
	o.byStart = append(o.byStart[:0], o.byEnd...)
	timesort.Stable(o.byEnd, c.EndNs)
	timesort.Stable(o.byStart, c.StartNs)
	latest := int64(0)
	for i, a := range o.byEnd {
		if latest = max(latest, c.StartNs[a]); i == 0 {
			latest = c.StartNs[a]
		}
		o.latest = append(o.latest, latest)
	}
}

// blocks visits claims that have the same predecessors: those in byEnd[low:high], and all of starts. low and high never fall.
func (o *order) blocks(c *Claims, full bool, visit func(low, high int, starts []int32)) {
	low, high := 0, 0
	for i := 0; i < len(o.byStart); {
		startNs := c.StartNs[o.byStart[i]]
		for high < len(o.byEnd) && c.EndNs[o.byEnd[high]] <= startNs {
			high++
		}
		next := i + 1
		for next < len(o.byStart) && (high == len(o.byEnd) || c.StartNs[o.byStart[next]] < c.EndNs[o.byEnd[high]]) {
			next++
		}
		if high > 0 {
			for !full && c.EndNs[o.byEnd[low]] <= o.latest[high-1] {
				low++
			}
			visit(low, high, o.byStart[i:next])
		}
		i = next
	}
}

// edges makes the order that of the members, and visits its edges.
func (o *order) edges(c *Claims, members []int32, full bool, visit func(from, to int32)) {
	o.sort(c, members)
	o.blocks(c, full, func(low, high int, starts []int32) {
		for _, s := range starts {
			for _, e := range o.byEnd[low:high] {
				visit(e, s)
			}
		}
	})
}
