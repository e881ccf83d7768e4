package deadlines

import "slices"

// scheduleCore is the part of a graph in which lowering outliers changes anything, so that rescheduling
// costs no more than it must. No event takes place earlier than with every outlier lowered: that time is
// its floor. A constraint that requires no more than the floor even when nothing is lowered never
// matters, and is left out.
type scheduleCore struct {
	floorNs    []int64 // by event, in causal order; the last one is the last of the graph
	first      []int32 // by event: its first constraint; one entry more than events
	source     []int32 // by constraint: the event it starts at
	pushNs     []int64 // by constraint, as lowered now
	outlier    []int32 // by constraint: its number among the outliers; -1: none
	constraint []int32 // by outlier: its constraint; -1 if it is left out
	target     []int32 // by outlier: the event where it ends
	excess     []int64 // by outlier, in ns
	lowered    []bool  // by outlier
	timeNs     []int64 // by event, as last scheduled
	valid      int     // the times of the first events, up to this number, are up to date
}

// earliestTimes schedules the graph with every outlier lowered: every event as soon as its constraints
// allow (ASAP), in one pass in causal order.
func earliestTimes(c *scheduleGraph, outliers []outlier) []int64 {
	timeNs := slices.Clone(c.timeNs)
	next := 0
	for event := range c.events {
		lo, hi := c.constraintsInto(int32(event))
		for i := lo; i < hi; i++ {
			t := timeNs[c.source[i]] + c.pushNs[i]
			if next < len(outliers) && outliers[next].constraint == i {
				t -= outliers[next].excessNs
				next++
			}
			if i == lo {
				timeNs[event] = t
			}
			timeNs[event] = max(timeNs[event], t)
		}
	}
	return timeNs
}

// newScheduleCore returns the part of a graph that the time of its last target depends on.
func newScheduleCore(c *scheduleGraph, outliers []outlier) *scheduleCore {
	k := &scheduleCore{lowered: make([]bool, len(outliers))}
	number := slices.Repeat([]int32{-1}, len(c.source)) // by constraint of the chart: its outlier, -1 if it is none
	for n, o := range outliers {
		number[o.constraint] = int32(n)
		k.constraint, k.target, k.excess = append(k.constraint, -1), append(k.target, 0), append(k.excess, o.excessNs)
	}
	leastNs := earliestTimes(c, outliers)
	needed := c.neededEvents(leastNs)
	renumbered := make([]int32, len(c.timeNs))
	for event := len(c.events); event < len(c.timeNs); event++ { // sources that are no targets
		if needed[event] {
			renumbered[event] = k.addEvent(leastNs[event])
		}
	}
	for event := range c.events {
		if needed[event] {
			renumbered[event] = k.addEvent(leastNs[event])
			k.addConstraints(c, int32(event), leastNs, number, renumbered)
		}
	}
	k.first = append(k.first, int32(len(k.source)))
	k.timeNs = make([]int64, len(k.floorNs))
	return k
}

// matters reports whether a constraint ever requires more than the floor of its target.
func (c *scheduleGraph) matters(i, target int32, leastNs []int64) bool {
	return c.timeNs[c.source[i]]+c.pushNs[i] > leastNs[target]
}

// neededEvents reports, by event, whether the time of the last target depends on it.
func (c *scheduleGraph) neededEvents(leastNs []int64) []bool {
	needed := make([]bool, len(c.timeNs))
	needed[len(c.events)-1] = true
	for event := int32(len(c.events) - 1); event >= 0; event-- {
		if !needed[event] {
			continue
		}
		lo, hi := c.constraintsInto(event)
		for i := lo; i < hi; i++ {
			if c.matters(i, event, leastNs) {
				needed[c.source[i]] = true
			}
		}
	}
	return needed
}

// addEvent appends an event and returns its number; its constraints follow.
func (k *scheduleCore) addEvent(floorNs int64) int32 {
	k.floorNs = append(k.floorNs, floorNs)
	k.first = append(k.first, int32(len(k.source)))
	return int32(len(k.floorNs) - 1)
}

// addConstraints appends the constraints into an event of the graph that matter.
func (k *scheduleCore) addConstraints(c *scheduleGraph, event int32, leastNs []int64, number, renumbered []int32) {
	lo, hi := c.constraintsInto(event)
	for i := lo; i < hi; i++ {
		if !c.matters(i, event, leastNs) {
			continue
		}
		if number[i] >= 0 {
			k.constraint[number[i]], k.target[number[i]] = int32(len(k.source)), renumbered[event]
		}
		k.source = append(k.source, renumbered[c.source[i]])
		k.pushNs = append(k.pushNs, c.pushNs[i])
		k.outlier = append(k.outlier, number[i])
	}
}

// lowerOutlier gives an outlier on a path its threshold as its bound.
func (k *scheduleCore) lowerOutlier(outlier int32) {
	k.lowered[outlier] = true
	k.changeBound(outlier, -k.excess[outlier])
}

// restoreOutlier undoes lowerOutlier.
func (k *scheduleCore) restoreOutlier(outlier int32) {
	k.lowered[outlier] = false
	k.changeBound(outlier, k.excess[outlier])
}

// changeBound changes the bound of an outlier; the times from its target on are no longer valid.
func (k *scheduleCore) changeBound(outlier int32, ns int64) {
	k.pushNs[k.constraint[outlier]] += ns
	k.valid = min(k.valid, int(k.target[outlier]))
}

// reschedule gives every event the earliest time that its constraints allow and returns that of the last
// one. It starts at the first event that changed.
func (k *scheduleCore) reschedule() int64 {
	for event := k.valid; event < len(k.floorNs); event++ {
		t := k.floorNs[event]
		for i := k.first[event]; i < k.first[event+1]; i++ {
			t = max(t, k.timeNs[k.source[i]]+k.pushNs[i])
		}
		k.timeNs[event] = t
	}
	k.valid = len(k.floorNs)
	return k.timeNs[len(k.timeNs)-1]
}

// outliersOnPath appends to out the outliers, not lowered, on one critical path of the last schedule.
// Unless one of them is lowered, the last event is no earlier; where the path comes to an event at its
// floor, nothing before that event helps.
func (k *scheduleCore) outliersOnPath(out []int32) []int32 {
	event := int32(len(k.timeNs) - 1)
	for k.timeNs[event] > k.floorNs[event] {
		i := k.first[event]
		for k.timeNs[k.source[i]]+k.pushNs[i] < k.timeNs[event] {
			i++
		}
		if n := k.outlier[i]; n >= 0 && !k.lowered[n] {
			out = append(out, n)
		}
		event = k.source[i]
	}
	return out
}
