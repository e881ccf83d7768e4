package deadlines

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// scheduleGraph is an occurrence ready to be scheduled: its events are numbered in causal order, targets
// first, and constraints without a bound are left out.
type scheduleGraph struct {
	events  []int64 // by event: its sequence number; targets only
	timeNs  []int64 // by event: its time, at the earliest the start of the occurrence
	caused  []bool  // by event: whether a path leads to it from From
	first   []int32 // by event: its first constraint; one entry more than targets
	source  []int32 // by constraint, like all that follows: the event it starts at
	edge    []int32 // position in the occurrence
	boundNs []int64 // the part of its bound within the occurrence
	pushNs  []int64 // the bound, and by how much its target took place later than every bound requires
}

// newScheduleGraph numbers the events of an occurrence.
func newScheduleGraph(o *Occurrence) *scheduleGraph {
	n := len(o.Edges)
	c := &scheduleGraph{
		events: make([]int64, 0, n), timeNs: make([]int64, 0, n), first: make([]int32, 1, n+1), source: make([]int32, 0, n),
		edge: make([]int32, 0, n), boundNs: make([]int64, 0, n), pushNs: make([]int64, 0, n),
	}
	for i := range o.Edges {
		if e := &o.Edges[i]; i == 0 || e.Target != o.Edges[i-1].Target {
			c.events = append(c.events, e.Target)
			c.timeNs = append(c.timeNs, max(e.TargetNs, o.FromNs))
		}
	}
	c.caused = make([]bool, len(c.events))
	order := make([]int32, 0, 8)
	for i, event := 0, 0; i < len(o.Edges); event++ {
		order = order[:0]
		for ; i < len(o.Edges) && o.Edges[i].Target == c.events[event]; i++ {
			order = append(order, int32(i))
		}
		if len(order) > 1 {
			slices.SortFunc(order, func(a, b int32) int { return preference(&o.Edges[a], &o.Edges[b]) })
		}
		c.addConstraints(o, event, order)
	}
	return c
}

// addConstraints appends the constraints into an event, in order of preference.
func (c *scheduleGraph) addConstraints(o *Occurrence, event int, order []int32) {
	from := len(c.source)
	latest := schema.NoValue
	for _, i := range order {
		e := &o.Edges[i]
		source, isTarget := slices.BinarySearch(c.events[:event], e.Source)
		if e.Source == o.From || isTarget && c.caused[source] {
			c.caused[event] = true
		}
		if e.BoundNs == schema.NoValue {
			continue
		}
		if !isTarget {
			source = len(c.timeNs)
			c.timeNs = append(c.timeNs, max(e.SourceNs, o.FromNs))
		}
		c.source = append(c.source, int32(source))
		c.edge = append(c.edge, i)
		c.boundNs = append(c.boundNs, o.boundNs(e))
		latest = max(latest, c.timeNs[source]+o.boundNs(e))
	}
	for _, bound := range c.boundNs[from:] {
		c.pushNs = append(c.pushNs, bound+c.timeNs[event]-latest)
	}
	c.first = append(c.first, int32(len(c.source)))
}

// constraintsInto returns the numbers of the constraints of an event, from lo to hi-1. Events that are no
// targets have none.
func (c *scheduleGraph) constraintsInto(event int32) (lo, hi int32) {
	if int(event) >= len(c.events) {
		return 0, 0
	}
	return c.first[event], c.first[event+1]
}

// unexplainedNs returns the part of the time up to an event that the bounds on a critical path to it do
// not account for.
func (c *scheduleGraph) unexplainedNs(event int32, fromNs int64) int64 {
	rest := c.timeNs[event] - fromNs
	for {
		i, hi := c.constraintsInto(event)
		for i < hi && c.timeNs[c.source[i]]+c.pushNs[i] != c.timeNs[event] {
			i++
		}
		if i == hi {
			return rest
		}
		rest -= c.boundNs[i]
		event = c.source[i]
	}
}
